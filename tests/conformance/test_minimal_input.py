"""The smallest input that a schema accepts."""

from typing import Any

import jsonschema
import pytest

from conformance.minimal_input import minimal_input

SCHEMAS: list[tuple[Any, Any]] = [
    ({"type": "object", "properties": {}, "additionalProperties": False}, {}),
    ({}, {}),
    (
        {
            "type": "object",
            "properties": {"path": {"type": "string"}, "left": {"type": "integer"}},
            "required": ["path"],
        },
        {"path": ""},
    ),
    (
        {
            "type": "object",
            "properties": {
                "ids": {"type": "array", "items": {"type": "integer", "minimum": 3}, "minItems": 2},
                "hidden": {"type": "boolean"},
                "direction": {"enum": ["left", "right"]},
                "fixed": {"const": 7},
                "key": {"anyOf": [{"type": "string", "minLength": 2}, {"type": "null"}]},
                "kind": {"type": ["null", "string"]},
            },
            "required": ["ids", "hidden", "direction", "fixed", "key", "kind"],
        },
        {"ids": [3, 3], "hidden": False, "direction": "left", "fixed": 7, "key": "aa", "kind": None},
    ),
    (
        {
            "type": "object",
            "properties": {"row": {"$ref": "#/$defs/row"}},
            "required": ["row"],
            "$defs": {"row": {"type": "integer", "exclusiveMinimum": 0}},
        },
        {"row": 1},
    ),
    ({"type": "number", "maximum": -2}, -2),
    ({"type": "number", "exclusiveMaximum": 0}, -1),
    ({"type": "array", "items": {"type": "string"}}, []),
]


@pytest.mark.parametrize(("schema", "expected"), SCHEMAS)
def test_it_is_small_and_fits(schema: Any, expected: Any) -> None:
    """Only what is required, each at its lowest, and an independent validator agrees."""
    made = minimal_input(schema)

    assert expected == made
    jsonschema.validate(made, schema)


def test_what_is_no_schema_makes_an_empty_object() -> None:
    """A tool without parameters takes no input."""
    assert {} == minimal_input(None)
