"""What a step adds to the conversation is well formed however the step ends."""

from __future__ import annotations

from typing import Any

from reference_app.host.answers import TOOL_NOT_EXECUTED
from reference_app.host.transcript import Transcript, left_to_browser, settle_orphans
from reference_app.runtime.conversation import ToolCall
from reference_app.runtime.loop import Disposition, PlannedCall


def planned(call_id: str, disposition: Disposition, answer: str | None = None) -> PlannedCall:
    """A call of which it is known what happens to it."""
    return PlannedCall(ToolCall(call_id, f"tool-{call_id}", {}), disposition, answer)


SERVER, TAB = planned("s", Disposition.EXECUTE), planned("b", Disposition.SUSPEND)
REFUSED = planned("r", Disposition.ANSWERED, "no")


def test_text_stands_before_calls_and_each_result_is_a_message() -> None:
    """The messages are what the next step posts, in the shape that the provider's order needs."""
    transcript = Transcript()
    transcript.say("Let me ")
    transcript.say("look.")
    transcript.call(SERVER)
    transcript.call(TAB)
    transcript.answer(SERVER.call, 1)
    transcript.say("Done.")
    messages: list[Any] = list(transcript.finish())

    assert ["assistant", "tool", "assistant"] == [message["role"] for message in messages]
    assert ["text", "tool-call", "tool-call"] == [part["type"] for part in messages[0]["content"]]
    assert [{"type": "text", "text": "Done."}] == messages[2]["content"]


def test_a_call_is_answered_once() -> None:
    """A later result of an answered call changes nothing."""
    transcript = Transcript()
    transcript.call(SERVER)

    assert [True, False] == [transcript.answer(SERVER.call, 1), transcript.answer(SERVER.call, 2)]
    assert len(transcript.finish()) == 2


def test_orphans_are_answered_and_the_tabs_calls_are_left_to_the_tab() -> None:
    """A server call that never ran says so; one that was already refused keeps its refusal."""
    calls = [SERVER, TAB, REFUSED]

    assert [("s", TOOL_NOT_EXECUTED), ("r", "no")] == [
        (s.planned.call.id, s.value) for s in settle_orphans(calls, set())
    ]
    assert [("r", "no")] == [(s.planned.call.id, s.value) for s in settle_orphans(calls, {"s"})]
    assert (TAB,) == left_to_browser(calls, {"s"})
