"""What counts as JSON to the suite."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.wire.strict_json import MAX_DEPTH, NotJson, loads

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(json_values)
def test_reads_what_python_writes(value: object) -> None:
    """Every value that JSON can hold comes back as it was: strict is not narrow."""
    assert value == loads(json.dumps(value))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NaN", "NaN is not a JSON number"),
        ("[-Infinity]", "-Infinity is not a JSON number"),
        ("1e400", "1e400 is beyond what a double holds"),
        ("-1e400", "-1e400 is beyond what a double holds"),
        ("9" * 400, "99999999999999999999… (400 characters) is beyond what a double holds"),
        ("9" * 5000, "99999999999999999999… (5000 characters) is beyond what a double holds"),
        ('{"a": 1, "b": 2, "a": 3}', "the key 'a' stands twice in one object"),
        ('{"a": 1, "\\u0061": 2}', "the key 'a' stands twice in one object"),
        ('["\\ud83d"]', "a string holds a lone surrogate"),
        ('{"\\uDE00": 1}', "a string holds a lone surrogate"),
        ('"\ud800"', "a string holds a lone surrogate"),
        (b'"\xff"', "byte 1 is not UTF-8"),
        (b"\xef\xbb\xbf1", "Unexpected UTF-8 BOM (decode using utf-8-sig) at character 0"),
        ("{'a': 1}", "Expecting property name enclosed in double quotes at character 1"),
        ("", "Expecting value at character 0"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "nested too deeply"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_refuses_what_python_lets_through(text: str | bytes, expected: str) -> None:
    """Each leniency of Python's parser is an error with its place or its cause, never a traceback of another kind."""
    with pytest.raises(NotJson) as caught:
        loads(text)

    assert expected == str(caught.value)


def test_a_surrogate_pair_is_one_character() -> None:
    """An escaped pair is how ASCII JSON writes an emoji; only half of one is refused."""
    assert "😀" == loads('"\\ud83d\\ude00"')


def test_depth_up_to_the_bound_is_read() -> None:
    """The bound is exact, so that no value is refused on one machine and accepted on another."""
    value = loads("[" * MAX_DEPTH + "]" * MAX_DEPTH)

    depth = 0
    while value:
        depth, value = depth + 1, value[0]
    assert MAX_DEPTH - 1 == depth


def test_digits_of_a_long_integer_are_kept() -> None:
    """An amount or an id beyond 2^53 must not be rounded by the suite itself."""
    assert 2**80 + 1 == loads(str(2**80 + 1))
