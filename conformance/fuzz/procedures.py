"""What is known about `/rpc`: what the target publishes for an identity, else what the roles of its file say.

An identity is also sent to what only others are told about: hidden means that asking for it changes nothing.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.errors import Departure
from conformance.fuzz.description import Description
from conformance.fuzz.errors import FuzzError
from conformance.fuzz.openapi import as_document
from conformance.people import Person
from conformance.target import Target
from conformance.target_tables import Paths, Role

JsonObject = dict[str, Any]

_PLAIN_ROLES = (
    "read",
    "read_too",
    "tolerant",
    "out_of_scope",
    "redacted",
    "write",
    "failing",
    "gated",
    "contextual",
    "unannotated",
)
"""Roles of operations that work when they are called; the others are there to fail, to wait or to fill memory."""


def published(person: Person, target: Target) -> Description | None:
    """What the target publishes for somebody; None when it publishes no procedures for them.

    Raises:
        FuzzError: the file names a description, and what is there is none.
    """
    if target.paths.openapi is None:
        return None
    source = f"{target.paths.openapi} as {person.name} reads it"
    try:
        answer = person.http.request("GET", target.paths.openapi)
        document = answer.json() if answer.status == 200 else None
    except Departure as departure:
        raise FuzzError(f"{source} can't be read: {departure}") from None
    if not isinstance(document, dict) or not isinstance(document.get("paths"), dict):
        raise FuzzError(
            f"{source} answered {answer.status} without an OpenAPI document: {answer.text[:120]!r}"
        )
    paths = {path: item for path, item in document["paths"].items() if _is_procedure(path, target.paths)}
    return Description({**document, "paths": paths}, source) if paths else None


def as_the_roles_say(target: Target) -> Description | None:
    """Calls of the procedures that play a role, with inputs like the ones in the file; any answer below 500 will do."""
    paths: JsonObject = {}
    for name in _PLAIN_ROLES:
        role = target.roles.get(name)
        if role is not None:
            paths[target.paths.rpc.replace("{procedure}", role.procedure)] = {"post": _operation(role)}
    return Description(as_document(paths, {}), "the roles of the target file") if paths else None


def _operation(role: Role) -> JsonObject:
    envelope = {"type": "object", "properties": {"json": _like(role.input)}, "required": ["json"]}
    answered = {"type": "object", "required": ["json"]}
    return {
        "requestBody": {"required": True, "content": {"application/json": {"schema": envelope}}},
        "responses": {
            "200": {"description": "Done.", "content": {"application/json": {"schema": answered}}},
            "4XX": {"description": "Refused."},
        },
    }


def _like(example: Any) -> JsonObject:
    """A schema of values like an example; a placeholder may be anything."""
    if isinstance(example, Mapping):
        return {
            "type": "object",
            "properties": {key: _like(value) for key, value in example.items()},
            "required": list(example),
        }
    if isinstance(example, str):
        return {} if example.startswith("{") else {"type": "string"}
    kinds: Iterator[JsonObject] = (
        {"type": name}
        for kind, name in ((bool, "boolean"), (int, "integer"), (float, "number"))
        if isinstance(example, kind)
    )
    return next(kinds, {})


def _is_procedure(path: str, paths: Paths) -> bool:
    before, _, after = paths.rpc.partition("{procedure}")
    return path.startswith(before) and path.endswith(after) and path != before + after
