"""The smallest input that a JSON Schema accepts, for calling what one knows nothing else about."""

from collections.abc import Mapping, Sequence
from typing import Any


def minimal_input(schema: Any) -> Any:
    """Make a value that fits a schema: only what is required, each at its lowest.

    Knows what tool schemas use: types, `enum`, `const`, `anyOf`, `$ref` into `$defs`, bounds and lengths. A `pattern` is not
    looked into; a text that must have one may not fit.
    """
    return _fill(schema, schema)


def _fill(schema: Any, root: Any) -> Any:
    if not isinstance(schema, Mapping):
        return {}
    for chosen in (_by_value(schema), _by_reference(schema, root)):
        if chosen is not None:
            return chosen[0]
    kind = schema.get("type", "object")
    if isinstance(kind, Sequence) and not isinstance(kind, str):
        kind = kind[0]
    match kind:
        case "object":
            properties = schema.get("properties", {})
            return {key: _fill(properties.get(key, {}), root) for key in schema.get("required", ())}
        case "array":
            return [_fill(schema.get("items"), root)] * int(schema.get("minItems", 0))
        case "string":
            return "a" * int(schema.get("minLength", 0))
        case "integer" | "number":
            return _lowest(schema)
        case "boolean":
            return False
    return None


def _by_value(schema: Mapping[str, Any]) -> tuple[Any] | None:
    if "const" in schema:
        return (schema["const"],)
    return (schema["enum"][0],) if schema.get("enum") else None


def _by_reference(schema: Mapping[str, Any], root: Any) -> tuple[Any] | None:
    if schema.get("anyOf"):
        return (_fill(schema["anyOf"][0], root),)
    if "$ref" not in schema:
        return None
    name = str(schema["$ref"]).removeprefix("#/$defs/")
    return (_fill(root.get("$defs", {}).get(name), root),)


def _lowest(schema: Mapping[str, Any]) -> Any:
    if "minimum" in schema:
        return schema["minimum"]
    if "exclusiveMinimum" in schema:
        return schema["exclusiveMinimum"] + 1
    return min(0, schema.get("maximum", 0), schema.get("exclusiveMaximum", 1) - 1)
