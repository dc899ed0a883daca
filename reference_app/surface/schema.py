"""The part of JSON Schema that capabilities may use, and the check that a schema stays inside it.

A small subset is what every model provider and every reader of a catalog understands in the same way.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from reference_app.surface.errors import DefinitionCode, DefinitionError
from reference_app.surface.json_value import Json, JsonObject, js_length, stringify
from reference_app.surface.limits import Limits

KEYWORDS: Final = frozenset(
    [
        "type",
        "enum",
        "const",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "minItems",
        "maxItems",
        "uniqueItems",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "anyOf",
        "description",
        "default",
        "examples",
        "title",
        "deprecated",
        "$defs",
        "$ref",
        "$schema",
        "$id",
    ]
)
TYPES: Final = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
FORMATS: Final = frozenset({"date-time", "date", "uuid", "email", "uri"})

EMPTY_OBJECT: Final[JsonObject] = {"type": "object", "properties": {}, "additionalProperties": False}
"""The schema of a capability that takes nothing: accepts ``{}`` only."""


def check_schema(schema: Json, where: str, limits: Limits) -> JsonObject:
    """Return the schema if it is an object inside the subset and its limits.

    Raises:
        DefinitionError: ``UNSUPPORTED_SCHEMA``, naming the first offence and its place.
    """
    if isinstance(schema, Mapping):
        size = js_length(stringify(schema))
        if size > limits.max_schema_size:
            raise _unsupported(where, f"is {size} long, at most {limits.max_schema_size} is allowed")
        for problem in _problems(schema, "#", 0, limits.max_schema_depth):
            raise _unsupported(where, problem)
        return schema
    raise _unsupported(where, "expected a schema object")


def _unsupported(where: str, problem: str) -> DefinitionError:
    return DefinitionError(DefinitionCode.UNSUPPORTED_SCHEMA, f"{where}: {problem}")


def _problems(schema: Json, path: str, depth: int, max_depth: int) -> Iterator[str]:
    if not isinstance(schema, Mapping):
        yield f"{path}: expected a schema object, saw {type(schema).__name__}"
        return
    if depth > max_depth:
        yield f"{path}: nested deeper than {max_depth}"
        return
    for keyword in schema:
        if keyword not in KEYWORDS:
            yield f"{path}: the keyword {keyword!r} is outside the supported subset"
    yield from _keyword_problems(schema, path)
    for child_path, child in _children(schema, path):
        yield from _problems(child, child_path, depth + 1, max_depth)


def _keyword_problems(schema: JsonObject, path: str) -> Iterator[str]:
    if "type" in schema and not _is_type(schema["type"]):
        yield f"{path}: the type {schema['type']!r} is not supported"
    if "format" in schema and schema["format"] not in FORMATS:
        yield f"{path}: the format {schema['format']!r} is not supported"
    if not isinstance(schema.get("additionalProperties", True), bool):
        yield f"{path}: additionalProperties must be true or false"
    any_of = schema.get("anyOf", [{}])
    if not isinstance(any_of, (list, tuple)) or not any_of:
        yield f"{path}: anyOf must be a list of at least one schema"
    reference = schema.get("$ref", "#/$defs/")
    if not isinstance(reference, str) or not reference.startswith("#/$defs/"):
        yield f"{path}: $ref must point into #/$defs/"
    for keyword in ("properties", "$defs"):
        if not isinstance(schema.get(keyword, {}), Mapping):
            yield f"{path}: {keyword} must be an object"


def _is_type(value: Json) -> bool:
    if isinstance(value, str):
        return value in TYPES
    return (
        isinstance(value, (list, tuple))
        and bool(value)
        and all(isinstance(item, str) and item in TYPES for item in value)
    )


def _children(schema: JsonObject, path: str) -> Iterator[tuple[str, Json]]:
    if "items" in schema:
        yield f"{path}/items", schema["items"]
    for keyword in ("properties", "$defs"):
        group = schema.get(keyword)
        if isinstance(group, Mapping):
            yield from ((f"{path}/{keyword}/{name}", child) for name, child in group.items())
    any_of = schema.get("anyOf")
    if isinstance(any_of, (list, tuple)):
        yield from ((f"{path}/anyOf/{index}", child) for index, child in enumerate(any_of))
