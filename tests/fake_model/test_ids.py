"""Markers and call ids: how a place in a script rides in plain messages."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_model import CallId, Marker, ScriptError
from fake_model.ids import check_token, last_marker, read_call_id

TOKENS = st.from_regex(r"[a-z0-9]{1,16}", fullmatch=True)
NUMBERS = st.integers(0, 999)

ID_GRAMMARS = [r"[a-zA-Z0-9_-]{1,64}", r"[a-zA-Z0-9_-]{1,40}"]
"""What Anthropic takes, and the length that OpenAI takes."""


@given(TOKENS, NUMBERS, st.text(), st.text())
def test_a_marker_is_found_again_in_any_text(token: str, turn: int, before: str, after: str) -> None:
    """Whatever stands around it, the last marker is the one that was put there."""
    marker = Marker(token, turn)

    assert last_marker(f"{before}{marker}{after.replace('[[dp:', '')}") == marker


def test_the_last_marker_wins() -> None:
    """Frameworks merge messages; the user's last word counts."""
    assert last_marker("One [[dp:a]] two [[dp:b.3]] three") == Marker("b", 3)


@pytest.mark.parametrize(
    "text", ["", "[[dp:]]", "[[dp:A]]", "[[dp:a.b]]", "[dp:a]", "[[dp:a", "[[dp:abcdefghijklmnopq]]"]
)
def test_what_is_no_marker_is_none(text: str) -> None:
    """A broken marker names no run, so that the request is a finding and not a guess."""
    assert last_marker(text) is None


@given(TOKENS, NUMBERS, NUMBERS, NUMBERS)
def test_a_call_id_says_its_place(token: str, turn: int, step: int, index: int) -> None:
    """The place is read back from the id, also when a target has appended to make it unique."""
    place = CallId(token, turn, step, index)

    assert read_call_id(str(place)) == place
    assert read_call_id(f"{place}_2") == place
    assert read_call_id(f"{place}-copy") == place


@given(
    st.from_regex(r"[a-z0-9]{1,16}", fullmatch=True),
    st.integers(0, 99),
    st.integers(0, 99),
    st.integers(0, 9),
)
def test_a_call_id_is_valid_at_every_provider(token: str, turn: int, step: int, index: int) -> None:
    """An id that a provider would refuse would make a target's mistake out of ours."""
    text = str(CallId(token, turn, step, index))

    assert all(re.fullmatch(grammar, text) for grammar in ID_GRAMMARS)


@pytest.mark.parametrize(
    "text", ["", "call_1", "toolu_01", "xcall_dp_a_0_0_0", "call_dp_a_0_0", "call_dp_A_0_0_0"]
)
def test_a_foreign_call_id_says_nothing(text: str) -> None:
    """Ids of other models in the conversation are no places in a script."""
    assert read_call_id(text) is None


@pytest.mark.parametrize("token", ["", "A", "a-b", "a b", "abcdefghijklmnopq", "ä"])
def test_a_token_that_cannot_ride_is_refused(token: str) -> None:
    """The message says what a token may be."""
    with pytest.raises(ScriptError, match="1 to 16 characters"):
        check_token(token)
