"""Canonical JSON and the input hash agree with other implementations, byte for byte."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_app.domain.canonical import UnserializableError, canonical_json, input_hash, number_text

DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


def test_the_published_hash_vector() -> None:
    """The one vector that both planes of other implementations agree on."""
    assert input_hash({"id": 5}) == "e8e98768123683faf07ea4586bb803ae43def7f89bf7887be08af614bd910827"


@given(st.dictionaries(st.text(max_size=4), DOCUMENTS, max_size=5), st.randoms(use_true_random=False))
def test_the_hash_does_not_depend_on_the_order_of_keys(document: dict[str, object], random: object) -> None:
    """Two browsers that write the same object in different order approve the same thing."""
    keys = list(document)
    random.shuffle(keys)  # type: ignore[attr-defined]  # hypothesis hands out random.Random

    assert input_hash(document) == input_hash({key: document[key] for key in keys})


@given(DOCUMENTS, DOCUMENTS)
def test_the_hash_tells_different_documents_apart(one: object, other: object) -> None:
    """An approval of one input never fits another; true and 1 are different, 1 and 1.0 are the same number."""
    assert (json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)) == (
        input_hash(one) == input_hash(other)
    )


def test_keys_are_sorted_by_utf16_code_units() -> None:
    """JavaScript puts an astral character before U+FFFD, Python by itself behind it."""
    assert canonical_json({"\ufffd": 1, "\U0001f600": 2}) == '{"\U0001f600":2,"\ufffd":1}'


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (100, "100"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (123456.789, "123456.789"),
        (0.000001, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e300, "1.5e+300"),
        (5e-324, "5e-324"),
        (-2.5, "-2.5"),
    ],
)
def test_numbers_are_written_as_javascript_writes_them(number: float, text: str) -> None:
    """The other side hashes the text that its own language writes."""
    assert text == number_text(number)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_written_numbers_read_back_exactly(number: float) -> None:
    """The shortest text still names the same double."""
    assert number == float(number_text(number))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1: 2}, object(), {"a": {1, 2}}])
def test_what_json_cannot_say_has_no_hash(value: object) -> None:
    """No approval can be bound to an input that cannot be written down."""
    with pytest.raises(UnserializableError):
        input_hash(value)
