"""JSON as the view plane writes and compares it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_app.surface.json_value import (
    canonical_json,
    fnv1a_64,
    js_length,
    js_number,
    json_defect,
    json_equal,
    stringify,
)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (1e21, "1e+21"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (-1.5e-10, "-1.5e-10"),
        (0.1 + 0.2, "0.30000000000000004"),
        (2**60, "1152921504606847000"),
        (5e-324, "5e-324"),
    ],
)
def test_numbers_are_written_as_a_browser_writes_them(number: float, text: str) -> None:
    """A digest that both a page and this tab make must not hang on how a language prints numbers."""
    written = js_number(number)

    assert written == text


@pytest.mark.parametrize("number", [float("inf"), float("nan"), 10**400])
def test_numbers_without_a_json_form_are_refused(number: float) -> None:
    """Such a number has no form that could be compared or shown."""
    with pytest.raises(ValueError, match="finite"):
        js_number(number)


@given(VALUES)
def test_what_is_written_reads_back_the_same(value: object) -> None:
    """Serialising loses nothing: what comes back equals what went in."""
    back = json.loads(stringify(value))  # type: ignore[arg-type]  # the strategy makes JSON values only

    assert json_equal(back, value)  # type: ignore[arg-type]  # as above


@given(st.dictionaries(st.text(), SCALARS, max_size=6), st.randoms())
def test_canonical_text_does_not_depend_on_the_order_of_keys(
    value: dict[str, object], random: object
) -> None:
    """Two objects that are equal have one digest, however they were put together."""
    shuffled = list(value.items())
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis hands out a random.Random

    assert canonical_json(dict(shuffled)) == canonical_json(value)  # type: ignore[arg-type]  # scalars are JSON


def test_keys_are_ordered_by_utf16_units() -> None:
    """A browser sorts by code unit: an astral letter stands before U+FF21, though its code point is higher."""
    written = canonical_json({"Ａ": 1, "\U00010000": 2, "a": 3})

    assert written == '{"a":3,"\U00010000":2,"Ａ":1}'


def test_a_lone_surrogate_is_escaped() -> None:
    """Half a character can't be written as itself."""
    assert stringify("\ud83d!") == '"\\ud83d!"'


def test_lengths_count_utf16_units() -> None:
    """Limits are measured as a browser measures them: an emoji is two."""
    assert js_length("a😀") == 3


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [(1, 1.0, True), (True, 1, False), ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True), ([1, 2], [2, 1], False)],
)
def test_equality_is_that_of_json(left: object, right: object, *, equal: bool) -> None:
    """Numbers compare by value, booleans are no numbers, lists have an order and objects none."""
    assert json_equal(left, right) is equal  # type: ignore[arg-type]  # the parameters above are JSON


@pytest.mark.parametrize(("text", "digest"), [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c")])
def test_hash_vectors(text: str, digest: str) -> None:
    """The published vectors of 64-bit FNV-1a."""
    assert fnv1a_64(text) == digest


def _nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("value", [object(), {1: 2}, float("nan"), 10**400, _nested(70), {"a": {1, 2}}])
def test_what_is_not_json_is_named(value: object) -> None:
    """A handler's author learns what is wrong with an output."""
    assert json_defect(value) is not None


@given(VALUES)
def test_json_has_no_defect(value: object) -> None:
    """Nothing that is JSON is complained about."""
    assert json_defect(value) is None
