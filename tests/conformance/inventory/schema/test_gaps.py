"""Subsumption: what is said to be within is within, and what is not is told with its place."""

from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance.inventory.canonical import canonical
from conformance.inventory.schema.compare import compare_schemas
from conformance.inventory.schema.gaps import Document, find_gaps
from conformance.inventory.schema.keywords import Gap, GapKind
from conformance.inventory.schema.values import Trial
from tests.conformance.inventory.schema.strategies import SCHEMAS, VALUES, Json

TEXT: Json = {"type": "string"}
NULL: Json = {"type": "null"}


def gaps(inner: Any, outer: Any) -> tuple[Gap, ...]:
    """Find the gaps between two schemas."""
    return find_gaps(Document(canonical(inner)), Document(canonical(outer)))


def within(inner: Any, outer: Any) -> bool:
    """Whether one schema is shown to be within another."""
    return not gaps(inner, outer)


def accepts(schema: Json, value: Any) -> bool:
    """What an independent validator says."""
    return jsonschema.Draft202012Validator(schema).is_valid(value)


@settings(deadline=None, max_examples=120, suppress_health_check=[HealthCheck.too_slow])
@given(SCHEMAS, SCHEMAS, st.lists(VALUES, min_size=4, max_size=8))
def test_what_is_shown_to_be_within_is_within(inner: Json, outer: Json, values: list[Any]) -> None:
    """No gap is a proof: whatever an independent validator accepts under the inner schema it accepts under the outer."""
    if within(inner, outer):
        assert [] == [value for value in values if accepts(inner, value) and not accepts(outer, value)]


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(SCHEMAS, VALUES)
def test_what_is_certainly_accepted_is_accepted(schema: Json, value: Any) -> None:
    """A value that is called certain is accepted by an independent validator too."""
    document = Document(canonical(schema))
    if Trial(document.resolve).certainly_accepts(document.root, value):
        assert accepts(schema, value)


@settings(deadline=None, max_examples=60)
@given(SCHEMAS)
def test_every_schema_is_within_itself_and_within_anything(schema: Json) -> None:
    """Without this, an unchanged schema could be called a widening."""
    assert within(schema, schema)
    assert within(schema, {})


@settings(deadline=None, max_examples=60)
@given(SCHEMAS, SCHEMAS)
def test_comparing_backwards_swaps_wider_and_narrower(old: Json, new: Json) -> None:
    """What a change lets through is what its undoing refuses."""
    there, back = (
        compare_schemas(canonical(old), canonical(new)),
        compare_schemas(canonical(new), canonical(old)),
    )

    assert (set(there.wider), set(there.narrower)) == (set(back.narrower), set(back.wider))


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        ({"type": "integer", "exclusiveMinimum": 0}, {"type": "integer", "minimum": 1}),
        ({"type": "integer"}, {"type": "number", "multipleOf": 1}),
        ({"type": "integer", "multipleOf": 1.5}, {"type": "integer", "multipleOf": 3}),
        ({"type": "number", "multipleOf": 0.3}, {"type": "number", "multipleOf": 0.1}),
        ({"type": ["string", "null"]}, {"anyOf": [NULL, TEXT]}),
        ({"anyOf": [NULL, TEXT]}, {"type": ["string", "null"]}),
        ({"const": 2}, {"type": "integer", "minimum": 1, "maximum": 3}),
        ({"enum": ["b", "a"]}, {"enum": ["a", "b", "c"]}),
        ({"type": "boolean"}, {"enum": [True, False, None]}),
        ({"type": "array", "maxItems": 0}, {"type": "array", "items": NULL}),
        ({"$ref": "#/$defs/T", "$defs": {"T": TEXT}}, TEXT),
        (True, {}),
    ],
)
def test_equal_meanings_written_otherwise(inner: Any, outer: Any) -> None:
    """A schema that only says the same in other words is no widening."""
    assert () == gaps(inner, outer)


@pytest.mark.parametrize(
    ("inner", "outer", "kind", "path"),
    [
        ({"type": "number"}, {"type": "integer"}, GapKind.TYPE, ""),
        ({"type": "integer", "minimum": 0}, {"type": "integer", "exclusiveMinimum": 0}, GapKind.RANGE, ""),
        ({"type": "number", "maximum": 5}, {"type": "number", "exclusiveMaximum": 5}, GapKind.RANGE, ""),
        ({"enum": ["x", 7]}, {"enum": ["x"]}, GapKind.VALUES, ""),
        ({"enum": ["x"]}, {"type": "string", "pattern": "^x"}, GapKind.VALUES, ""),
        ({"type": "array", "items": {}}, {"type": "array", "items": TEXT}, GapKind.TYPE, "/items"),
        ({"type": "string", "format": "uri"}, {"type": "string", "format": "date"}, GapKind.FORM, ""),
        ({"type": "object", "properties": {"a/b": TEXT}, "additionalProperties": False}, {"type": "object", "additionalProperties": False}, GapKind.FIELD, "/properties/a~1b"),
        ({"type": "object"}, {"type": "object", "required": ["a"]}, GapKind.OPTIONAL, "/properties/a"),
        ({"type": "object", "additionalProperties": TEXT}, {"type": "object", "additionalProperties": NULL}, GapKind.TYPE, "/additionalProperties"),
        ({}, TEXT, GapKind.TYPE, ""),
    ],
)  # fmt: skip
def test_a_gap_names_its_kind_and_place(inner: Any, outer: Any, kind: GapKind, path: str) -> None:
    """A reviewer is told what is let through and where, not just that the schema differs."""
    assert [(kind, path)] == [(gap.kind, gap.path) for gap in gaps(inner, outer)]


@pytest.mark.parametrize(
    "unreadable",
    [
        {"oneOf": [TEXT]},
        {"allOf": [TEXT]},
        {"not": NULL},
        {"if": TEXT, "then": TEXT},
        {"patternProperties": {"^x": TEXT}},
        {"x-vendor": 1},
        {"type": "decimal"},
        {"type": []},
        {"enum": "x"},
        {"minLength": -1},
        {"minLength": 1.5},
        {"minimum": "0"},
        {"multipleOf": 0},
        {"required": "a"},
        {"properties": []},
        {"anyOf": []},
        {"items": [TEXT]},
        {"uniqueItems": "yes"},
        {"pattern": 1},
        {"$ref": "#/$defs/missing"},
        {"$ref": "https://example.test/schema"},
        {"$ref": "#/$defs/T", "minLength": 1, "$defs": {"T": TEXT}},
        {"$schema": "https://example.test/dialect"},
        {"properties": {"a": {"$id": "https://example.test/other"}}},
        False,
        7,
        {"properties": {"a": False}},
        {"$ref": "#/$defs/L", "$defs": {"L": {"anyOf": [{"$ref": "#/$defs/L"}]}}},
    ],
)
def test_what_is_outside_the_subset_can_not_be_read_either_way(unreadable: Any) -> None:
    """Fail closed: a keyword that is not understood may let anything through, whichever side it is on."""
    other = {"type": ["object", "array"], "items": TEXT, "properties": {"a": TEXT}}
    change = compare_schemas(canonical(unreadable), canonical(other))

    kinds = {gap.kind for gap in (*change.wider, *change.narrower)}
    assert GapKind.UNREADABLE in kinds


def test_an_unreadable_part_that_stays_is_no_change() -> None:
    """A vendor keyword must not make every other edit of the schema unreadable."""
    old = {"type": "object", "properties": {"a": {"x-vendor": 1}, "b": TEXT}}
    new = {"type": "object", "properties": {"a": {"x-vendor": 1}, "b": NULL}}

    change = compare_schemas(canonical(old), canonical(new))

    assert {"/properties/b"} == {gap.path for gap in (*change.wider, *change.narrower)}


def test_an_unreadable_part_that_refers_elsewhere_depends_on_what_it_refers_to() -> None:
    """The same text under other definitions is another schema."""
    part = {"not": {"$ref": "#/$defs/T"}}
    old = {"type": "object", "properties": {"a": part}, "$defs": {"T": TEXT}}
    new = {"type": "object", "properties": {"a": part}, "$defs": {"T": NULL}}

    change = compare_schemas(canonical(old), canonical(new))

    assert {GapKind.UNREADABLE} == {gap.kind for gap in change.wider}


def test_a_recursive_schema_is_compared() -> None:
    """A tree is within a tree with looser leaves, and not the other way round."""

    def tree(leaf: Json) -> Json:
        node = {
            "type": "object",
            "properties": {"leaf": leaf, "next": {"$ref": "#/$defs/N"}},
            "additionalProperties": False,
        }
        return {"$ref": "#/$defs/N", "$defs": {"N": node}}

    assert () == gaps(tree({"type": "string", "maxLength": 3}), tree(TEXT))
    assert [(GapKind.LENGTH, "/properties/leaf")] == [
        (gap.kind, gap.path) for gap in gaps(tree(TEXT), tree({"type": "string", "maxLength": 3}))
    ]


def test_a_schema_that_would_take_forever_is_called_unreadable() -> None:
    """References that double at each level must end in an answer, and the safe one."""
    definitions = {
        f"D{n}": {"anyOf": [{"$ref": f"#/$defs/D{n + 1}"}, {"$ref": f"#/$defs/D{n + 1}", "title": "x"}]}
        for n in range(60)
    }
    bomb = {
        "$ref": "#/$defs/D0",
        "$defs": {**definitions, "D60": {"type": "object", "properties": {"a": TEXT}}},
    }

    change = compare_schemas(canonical(bomb), canonical({"type": "object", "properties": {"a": NULL}}))

    assert GapKind.UNREADABLE in {gap.kind for gap in (*change.wider, *change.narrower)}


def test_a_new_field_is_news_where_any_field_was_let_through() -> None:
    """Naming a field gives the model something to fill in, even if the schema was open before."""
    change = compare_schemas(
        canonical({"type": "object"}), canonical({"type": "object", "properties": {"a": TEXT}})
    )

    assert [(GapKind.FIELD, "/properties/a")] == [(gap.kind, gap.path) for gap in change.wider]
    assert [(GapKind.TYPE, "/properties/a")] == [(gap.kind, gap.path) for gap in change.narrower]


def test_words_are_found_wherever_they_stand() -> None:
    """A sentence to the model can hide beside any keyword, in a definition or in an alternative."""
    plain = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/T"}},
        "$defs": {"T": {"anyOf": [TEXT, NULL]}},
    }
    loud = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/T"}},
        "$defs": {"T": {"anyOf": [TEXT | {"description": "Obey."}, NULL]}},
    }

    change = compare_schemas(canonical(plain), canonical(loud))

    assert ((), ()) == (change.wider, change.narrower)
    assert change.text is not None
    assert "Obey." in change.text.after
