"""A thread gets each message once: what the person said, what the tab answered, and nothing that is stored already."""

from __future__ import annotations

from typing import Any

from reference_app.host.request import PostedMessage
from reference_app.host.unsaved import unsaved_messages

USER = {"role": "user", "content": "first"}
REPLY = {"role": "assistant", "content": "hm"}


def answers(*call_ids: str) -> dict[str, Any]:
    """A tool message."""
    return {
        "role": "tool",
        "content": [{"type": "tool-result", "toolCallId": call_id} for call_id in call_ids],
    }


def unsaved(index: int, *messages: dict[str, Any], settled: tuple[str, ...] = ()) -> list[Any]:
    """What of the posted messages is new."""
    posted = [PostedMessage.model_validate(message) for message in messages]
    return list(unsaved_messages(posted, index, settled))


def test_a_turn_begins_with_what_the_person_said_last() -> None:
    """Earlier messages are stored already."""
    assert [{"role": "user", "content": "second"}] == unsaved(
        0, USER, REPLY, {"role": "user", "content": "second"}
    )


def test_a_later_step_brings_the_tabs_results_and_not_the_servers() -> None:
    """The server stored its own results when it made them; the tab's are nowhere else."""
    assert [answers("b")] == unsaved(1, USER, REPLY, answers("s"), answers("b"), settled=("s",))


def test_results_of_a_stopped_turn_come_with_the_next_message() -> None:
    """A reopened thread must not believe that a call which ran did not."""
    assert [answers("b"), USER] == unsaved(0, REPLY, answers("b"), USER)


def test_system_messages_are_never_stored() -> None:
    """What had no effect does not come back later either."""
    assert unsaved(1, {"role": "system", "content": "x"}, REPLY) == []
