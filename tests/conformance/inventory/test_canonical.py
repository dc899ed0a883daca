"""Canonical JSON is hashed by the public tools in JavaScript, so it must be what JavaScript writes, to the byte."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.inventory.canonical import canonical, sha256_hex


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-2.5, "-2.5"),
        (100.0, "100"),
        (0.000001, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-9, "1.5e-9"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (9007199254740991, "9007199254740991"),
        (9007199254740993, "9007199254740992"),
        (9999999999999999, "10000000000000000"),
        (123456789012345678901234, "1.2345678901234569e+23"),
    ],
)
def test_numbers_are_printed_as_javascript_does(value: float, text: str) -> None:
    """A number may be written in many ways; the hash is of one of them."""
    assert text == canonical(value)
    assert f'{{"n":[{text}]}}' == canonical({"n": [value]})


def test_keys_are_sorted_by_utf16_units() -> None:
    """A key beyond the basic plane begins with a surrogate, which sorts before the end of the basic plane."""
    assert '{"\U0001f600":1,"\ufb33":2}' == canonical({"\ufb33": 2, "\U0001f600": 1})


def test_texts_are_kept_and_controls_are_escaped() -> None:
    """Non-ASCII stands as itself; what JSON can't hold raw is escaped in the short forms."""
    assert '{"a":"é\\n\\u0001\x7f\\"\\\\"}' == canonical({"a": 'é\n\x01\x7f"\\'})


def test_a_value_too_deep_to_write_is_refused() -> None:
    """A hostile file must give an error, not a crash."""
    value: object = 1
    for _ in range(100_000):
        value = [value]

    with pytest.raises(ValueError, match="nested too deeply"):
        canonical(value)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(2**60), 2**60)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
        max_leaves=12,
    )
)
def test_canonical_text_is_a_fixed_point(value: object) -> None:
    """Reading the text back and writing it again changes nothing, so that a hash is stable."""
    text = canonical(value)

    assert text == canonical(json.loads(text))


def test_hash_is_of_utf8() -> None:
    """The hash of a known text, computed elsewhere."""
    assert sha256_hex("é") == "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c"
