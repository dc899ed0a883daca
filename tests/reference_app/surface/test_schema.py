"""Which schemas a capability may have."""

from typing import Any

import pytest

from reference_app.surface.errors import DefinitionCode, DefinitionError
from reference_app.surface.limits import Limits
from reference_app.surface.schema import EMPTY_OBJECT, check_schema


def _deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        {},
        EMPTY_OBJECT,
        _deep(8),
        {"$ref": "#/$defs/a", "$defs": {"a": {"type": ["string", "null"], "format": "date"}}},
        {"anyOf": [{"const": 1}, {"enum": ["a", None]}], "title": "t", "deprecated": True, "examples": [1]},
        {"type": "integer", "exclusiveMinimum": 0, "multipleOf": 2, "default": 2},
    ],
)
def test_the_subset_is_accepted(schema: dict[str, Any]) -> None:
    """Everything that providers and pages read alike may be used."""
    assert check_schema(schema, "a", Limits()) == schema


@pytest.mark.parametrize(
    "schema",
    [
        True,
        [],
        _deep(9),
        {"oneOf": [{}]},
        {"allOf": [{}]},
        {"not": {}},
        {"if": {}},
        {"patternProperties": {}},
        {"propertyNames": {}},
        {"type": "date"},
        {"type": []},
        {"format": "ipv4"},
        {"additionalProperties": {}},
        {"items": [{}]},
        {"anyOf": []},
        {"anyOf": [True]},
        {"properties": []},
        {"properties": {"a": False}},
        {"$ref": "https://example.test/schema"},
        {"properties": {"a": {"contains": {}}}},
        {"description": "x" * 16384},
    ],
)
def test_what_is_outside_the_subset_is_refused(schema: Any) -> None:
    """A schema that some reader would ignore in part promises what is not checked."""
    with pytest.raises(DefinitionError) as raised:
        check_schema(schema, "view:a.b input", Limits())

    assert raised.value.code is DefinitionCode.UNSUPPORTED_SCHEMA
    assert str(raised.value).startswith("[UNSUPPORTED_SCHEMA] view:a.b input")
