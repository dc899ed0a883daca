"""The host that the suite plays itself speaks the protocol."""

from conformance.drivers.tabs import scripted_host
from conformance.wire.frames import StepFinish, ToolCall, UnknownFrame, read_frames

CALL = {"toolCallId": "c1", "wireName": "view_a__b", "canonicalId": "view:a.b", "input": {"x": 1}}


def test_a_step_with_a_call_leaves_it_to_the_browser() -> None:
    """The call is announced, and pending at the end."""
    log = read_frames(scripted_host.step(call=CALL).body)
    finish = log.frames[-1]

    assert () == log.problems
    assert ["step-start", "tool-call", "step-finish"] == [frame.type for frame in log.frames]
    assert isinstance(log.frames[1], ToolCall)
    assert "browser" == log.frames[1].executor
    assert isinstance(finish, StepFinish)
    assert ("tool-calls", ["c1"]) == (
        finish.finish_reason,
        [call.tool_call_id for call in finish.pending_tool_calls],
    )


def test_a_step_with_a_text_is_the_last() -> None:
    """Other frames may stand before it."""
    log = read_frames(scripted_host.step(text="Done.", extra=({"type": "novelty"},)).body)

    assert () == log.problems
    assert isinstance(log.frames[1], UnknownFrame)
    assert ["step-start", "novelty", "text-delta", "step-finish"] == [frame.type for frame in log.frames]


def test_a_cut_step_has_no_end() -> None:
    """Its connection ends without the frame that would say that the step is over."""
    reply = scripted_host.step(call=CALL, cut=True)

    assert ["step-start", "tool-call"] == [frame.type for frame in read_frames(reply.body).frames]
    assert b"connection: close" in reply.raw
