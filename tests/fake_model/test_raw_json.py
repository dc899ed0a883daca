"""Where the values of a JSON text stand in it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_model.raw_json import elements, members

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
INDENTS = st.sampled_from([None, 0, 2])


@given(st.dictionaries(st.text(), JSON, max_size=5), INDENTS)
def test_the_members_are_those_of_the_object(value: dict[str, Any], indent: int | None) -> None:
    """Each member's raw text parses to the member's value, however the text is laid out."""
    found = members(json.dumps(value, indent=indent))

    assert {key: json.loads(text) for key, text in found.items()} == value


@given(st.lists(JSON, max_size=5), INDENTS)
def test_the_elements_are_those_of_the_array(value: list[Any], indent: int | None) -> None:
    """Each element's raw text parses to the element."""
    assert [json.loads(text) for text in elements(json.dumps(value, indent=indent))] == value


def test_the_raw_text_is_kept_to_the_byte() -> None:
    """Spaces and escapes inside a value are what the comparison is about."""
    assert members(' { "a" : [1,  2] , "b":"\\u00e9" } ') == {"a": "[1,  2]", "b": '"\\u00e9"'}


@pytest.mark.parametrize("text", ["[]", "1", '"x"', ""])
def test_what_is_no_object_is_refused(text: str) -> None:
    """The error says where and what."""
    with pytest.raises(ValueError, match=r"expected '\{'"):
        members(text)


@pytest.mark.parametrize("text", ["{}", "1", ""])
def test_what_is_no_array_is_refused(text: str) -> None:
    """The error says where and what."""
    with pytest.raises(ValueError, match=r"expected '\['"):
        elements(text)
