"""The arguments of the three meta tools, checked before the surface is touched."""

import json
from collections.abc import Mapping
from typing import Final

from reference_app.surface.json_value import Json, JsonObject
from reference_app.surface.validation import Issue

_TEXT: Final[JsonObject] = {"type": "string"}

DISCOVER_SCHEMA: Final[JsonObject] = {
    "type": "object",
    "properties": {"scope": {"type": "array", "items": _TEXT}},
    "additionalProperties": False,
}
READ_SCHEMA: Final[JsonObject] = {
    "type": "object",
    "properties": {"capabilityId": _TEXT, "instanceId": _TEXT},
    "required": ["capabilityId"],
    "additionalProperties": False,
}
ACT_SCHEMA: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "capabilityId": _TEXT,
        "instanceId": _TEXT,
        "input": {"type": "object"},
        "invocationId": _TEXT,
        "confirmationId": _TEXT,
        "surfaceVersion": _TEXT,
    },
    "required": ["capabilityId"],
    "additionalProperties": False,
}


def check(schema: JsonObject, given: Json) -> tuple[Issue, ...]:
    """Every issue that arguments have with a meta tool's schema; the target's own input is not looked into."""
    if not isinstance(given, Mapping):
        return (Issue("", "expected an object"),)
    properties = schema["properties"]
    assert isinstance(properties, Mapping)  # the three schemas above are written that way
    issues = [Issue(key, "required and missing") for key in _required(schema) if key not in given]
    for key, value in given.items():
        if key not in properties:
            issues.append(Issue(key, _unknown_key(properties)))
        elif key == "scope":
            if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
                issues.append(Issue(key, "expected a list of texts"))
        elif key != "input" and not (isinstance(value, str) and value):
            issues.append(Issue(key, "expected a text that is not empty"))
    return tuple(issues)


def _required(schema: JsonObject) -> list[str]:
    required = schema.get("required", [])
    return [str(key) for key in required] if isinstance(required, (list, tuple)) else []


def _unknown_key(properties: JsonObject) -> str:
    accepted = ", ".join(properties)
    hint = "; what the capability takes belongs inside `input`" if "input" in properties else ""
    return f"not an accepted key; accepted are {accepted}{hint}"


def repaired_input(value: Json, target_schema: JsonObject | None) -> Json:
    """Read an object that a model sent as text, but only for a target that takes an object."""
    if not isinstance(value, str) or target_schema is None or target_schema.get("type") != "object":
        return value
    try:
        parsed = json.loads(value, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return value
    return parsed if isinstance(parsed, dict) else value


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")
