"""JSON is read strictly: what other readers understand differently is refused before anything acts on it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_app.strict_json import ARGUMENTS, JsonError, dumps, loads


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"a":',
        "[1,]",
        "NaN",
        "Infinity",
        "-Infinity",
        '{"a":1,"a":2}',
        "1e400",
        "-1e400",
        "9" * 5000,
        '"\\ud800"',
        '{"\\udfff":1}',
        '"raw\nnewline"',
        "[" * 100_000,
    ],
)
def test_refuses_what_readers_understand_differently(text: str) -> None:
    """A text that is not one plain JSON document never gets past the reader, and never as another exception."""
    with pytest.raises(JsonError):
        loads(text)


def test_refuses_bytes_that_are_not_utf8() -> None:
    """A body in another encoding is not guessed at."""
    with pytest.raises(JsonError, match="UTF-8"):
        loads(b'"\xff"')


def test_depth_is_bounded_exactly() -> None:
    """The deepest allowed document is read and one level more is not, so that the bound is where it is said to be."""
    deepest = "[" * ARGUMENTS.max_depth + "]" * ARGUMENTS.max_depth

    loads(deepest, ARGUMENTS)
    with pytest.raises(JsonError, match="deeply"):
        loads(f"[{deepest}]", ARGUMENTS)


def test_prototype_keys_are_refused_in_arguments_at_any_depth() -> None:
    """A key that changes objects in JavaScript is harmless here, and refused all the same for whoever reads it next."""
    with pytest.raises(JsonError, match="__proto__"):
        loads('{"a":[{"__proto__":{}}]}', ARGUMENTS)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.0", 1), ("5e3", 5000), ("-0.0", 0), ("1e21", 1e21), ("9007199254740993", 9007199254740992.0)],
)
def test_numbers_are_read_as_a_double_would_be(text: str, value: float) -> None:
    """Integers in the exact range are integers however they are written; beyond it nothing pretends to be exact."""
    read = loads(text)

    assert (value, type(value)) == (read, type(read))


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(2**53) + 1, 2**53 - 1)
        | st.text(st.characters(exclude_categories=["Cs"])),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3)
        ),
        max_leaves=20,
    )
)
def test_what_is_written_reads_back(value: object) -> None:
    """Writing and reading are inverse for every document that passes the reader."""
    assert value == loads(dumps(value))  # type: ignore[arg-type]  # the strategy makes JSON values


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_finite_floats_survive(value: float) -> None:
    """No finite number is refused or changed."""
    read = loads(repr(value))

    assert isinstance(read, int | float)
    assert math.isclose(value, read, rel_tol=0, abs_tol=0)
