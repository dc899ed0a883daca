"""Whether values match schemas: by example, and against another validator."""

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_app.surface.validation import Issue, validate

NAMES = st.sampled_from(["a", "b", "c"])
LEAVES = st.one_of(
    st.just({"type": "string", "minLength": 1, "maxLength": 3}),
    st.just({"type": "integer", "minimum": 0, "exclusiveMaximum": 5}),
    st.just({"type": "number", "multipleOf": 2}),
    st.just({"type": ["boolean", "null"]}),
    st.just({"enum": [1, "a", None, [1]]}),
    st.just({"const": {"a": 1}}),
    st.just({"pattern": "^a+$"}),
    st.just({}),
)


def _grow(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    objects = st.builds(
        lambda properties, required, closed: {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": not closed,
        },
        st.dictionaries(NAMES, inner, max_size=3),
        st.lists(NAMES, unique=True, max_size=2),
        st.booleans(),
    )
    arrays = st.builds(
        lambda items, unique: {
            "type": "array",
            "items": items,
            "minItems": 1,
            "maxItems": 3,
            "uniqueItems": unique,
        },
        inner,
        st.booleans(),
    )
    return (
        objects
        | arrays
        | st.builds(lambda branches: {"anyOf": branches}, st.lists(inner, min_size=1, max_size=3))
    )


SCHEMAS = st.recursive(LEAVES, _grow, max_leaves=6)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 7)
    | st.sampled_from([0.5, 2.0])
    | st.sampled_from(["", "a", "aaaa", "b"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


@given(SCHEMAS, VALUES)
def test_the_verdict_is_that_of_another_validator(schema: dict[str, Any], value: Any) -> None:
    """Inside the subset this validator and a widely used one agree on every value."""
    expected = jsonschema.Draft202012Validator(schema).is_valid(value)

    assert (validate(schema, value) == ()) is expected


@pytest.mark.parametrize(
    ("schema", "value", "issues"),
    [
        ({"type": "object", "required": ["a"]}, {}, [("a", "required and missing")]),
        (
            {"type": "object", "properties": {}, "additionalProperties": False},
            {"x": 1},
            [("x", "not an accepted property")],
        ),
        (
            {"properties": {"a": {"items": {"type": "integer"}}}},
            {"a": [1, "2"]},
            [("a[1]", "expected integer")],
        ),
        (
            {"type": "string", "minLength": 2, "pattern": "^b"},
            "a",
            [("", "expected at least 2 characters"), ("", "expected text matching ^b")],
        ),
        ({"type": "string", "enum": ["a"]}, 5, [("", 'expected one of ["a"]')]),
        ({"type": "integer"}, True, [("", "expected integer")]),
    ],
)
def test_issues_say_where_and_what(schema: dict[str, Any], value: Any, issues: list[tuple[str, str]]) -> None:
    """Paths lead to the place; what decides a node's kind stops there, what bounds it accumulates."""
    found = validate(schema, value)

    assert found == tuple(Issue(path, message) for path, message in issues)


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date", "2026-11-30", "2026-11-30\n"),
        ("date-time", "2026-11-30T10:00:00Z", "2026-11-30 10:00:00Z"),
        ("uuid", "123E4567-e89b-12d3-a456-426614174000", "123e4567"),
        ("email", "ap@example.test", "ap@example"),
        ("uri", "mailto:someone", "example.test"),
    ],
)
def test_formats(name: str, good: str, bad: str) -> None:
    """Formats are checked, not only announced."""
    assert (validate({"format": name}, good), len(validate({"format": name}, bad))) == ((), 1)


def test_the_end_of_a_pattern_is_the_end_of_the_text() -> None:
    """A browser's ``$`` does not pass over a line end, and its digits are ASCII."""
    schema = {"pattern": r"^\d{4}-\d{2}-\d{2}$"}

    assert [validate(schema, text) == () for text in ("2026-11-30", "2026-11-30\n", "２０２６-11-30")] == [
        True,
        False,
        False,
    ]


def test_a_pattern_that_is_none_is_ignored() -> None:
    """A value can't be blamed for its schema."""
    assert validate({"pattern": "("}, "x") == ()


def test_defaults_are_not_applied() -> None:
    """A default describes; what a handler receives is what was sent."""
    assert validate({"properties": {"a": {"type": "string", "default": "x"}}}, {}) == ()


def test_a_reference_that_leads_nowhere_matches_nothing() -> None:
    """Better to refuse than to let everything pass."""
    loop: dict[str, Any] = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}

    assert (len(validate({"$ref": "#/$defs/b"}, 1)), len(validate(loop, 1))) == (1, 1)
