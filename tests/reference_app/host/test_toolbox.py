"""Calls are read strictly and given ids of their own before anything runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_app.host.toolbox import read_arguments, unique_call_id
from reference_app.strict_json import JsonError


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "null",
        "[]",
        '"x"',
        "5",
        '{"a":',
        '{"a":1}x',
        '{"a":NaN}',
        '{"a":1e400}',
        '{"a":1,"a":2}',
        '{"__proto__":{}}',
        "{'a':1}",
    ],
)
def test_arguments_that_are_not_exactly_one_object_are_refused(text: str) -> None:
    """What cannot be read is never taken for an empty object, which would run."""
    with pytest.raises(JsonError):
        read_arguments(text)


def test_arguments_that_are_an_object_are_read() -> None:
    """White space around an object is harmless."""
    assert {"id": 5} == read_arguments(' {"id": 5.0} ')


@given(st.lists(st.sampled_from(["a", "b", "a_2", "a_3"]), max_size=12))
def test_ids_become_unique_and_keep_their_beginning(wanted: list[str]) -> None:
    """Two calls of one id would share a result; the original stays readable as the beginning."""
    used: set[str] = set()
    given_ids = []
    for name in wanted:
        given_ids.append(unique_call_id(name, used))
        used.add(given_ids[-1])

    assert len(wanted) == len(set(given_ids))
    assert all(made.startswith(name) for made, name in zip(given_ids, wanted, strict=True))
