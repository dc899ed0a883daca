"""Which calls of a history are settled."""

from typing import Any

import pytest

from conformance.wire.history import unsettled_calls


def called(*ids: str) -> dict[str, Any]:
    """An assistant's message with calls."""
    return {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": one} for one in ids]}


def answered(*ids: str) -> dict[str, Any]:
    """A tool message with results."""
    return {"role": "tool", "content": [{"type": "tool-result", "toolCallId": one} for one in ids]}


TEXT = {"role": "user", "content": "Go on."}


@pytest.mark.parametrize(
    ("messages", "unsettled"),
    [
        ([], ()),
        ([TEXT, called("a", "b"), answered("a"), answered("b")], ()),
        ([TEXT, called("a", "b"), answered("b")], ("a",)),
        ([TEXT, called("a"), answered("a"), answered("a")], ("a",)),
        ([TEXT, answered("a")], ()),
        (["nonsense", {"role": "assistant"}, {"content": [None]}], ()),
    ],
)
def test_each_call_wants_exactly_one_answer(messages: list[Any], unsettled: tuple[str, ...]) -> None:
    """None, and more than one, is refused by a provider."""
    assert unsettled == unsettled_calls(messages)
