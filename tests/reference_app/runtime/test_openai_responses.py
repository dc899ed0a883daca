"""Responses: the stream is read as it is, and the request is one that the provider takes and keeps nothing of."""

from __future__ import annotations

from typing import Any

import pytest

from reference_app.runtime.conversation import (
    AssistantTurn,
    SystemText,
    ToolAnswer,
    ToolCall,
    ToolDefinition,
    UserText,
)
from reference_app.runtime.model import (
    ModelError,
    ModelFinished,
    ModelRequest,
    ReasoningDelta,
    RequestedCall,
    TextDelta,
    Usage,
)
from reference_app.runtime.providers.openai_responses import request_body
from tests.reference_app.runtime.canned import event, reply_of

pytestmark = pytest.mark.anyio

USAGE = {
    "input_tokens": 7,
    "input_tokens_details": {"cached_tokens": 2},
    "output_tokens": 3,
    "output_tokens_details": {"reasoning_tokens": 1},
    "total_tokens": 10,
}
COUNTED = Usage(7, 3, 10, 2, 1)


def ended(kind: str = "completed", **more: Any) -> str:
    """The last event."""
    response = {"id": "r", "status": kind, "incomplete_details": None, "usage": USAGE, **more}
    return event(f"response.{kind}", response=response)


def function(index: int, state: str, arguments: str) -> str:
    """A call that begins, or is complete."""
    item = {
        "type": "function_call",
        "id": f"fc{index}",
        "call_id": f"c{index}",
        "name": "domain_a",
        "arguments": arguments,
    }
    return event(f"response.output_item.{state}", output_index=index, item=item)


async def test_text_reasoning_calls_and_usage_are_read() -> None:
    """Arguments come in pieces and once more as a whole; they are the same arguments, once."""
    events = await reply_of(
        "openai-responses",
        event("response.created", response={"id": "r"}),
        event("response.output_item.added", output_index=0, item={"type": "reasoning", "id": "x"}),
        event("response.reasoning_summary_text.delta", delta="hm"),
        event("response.output_text.delta", delta="Let me "),
        event("response.output_text.delta", delta=""),
        event("response.output_text.delta", delta="look."),
        function(2, "added", ""),
        event("response.function_call_arguments.delta", output_index=2, delta='{"id"'),
        event("response.function_call_arguments.delta", output_index=2, delta=":5}"),
        function(2, "done", '{"id":5}'),
        ended(),
    )

    calls = (RequestedCall("c2", "domain_a", '{"id":5}'),)
    assert [
        ReasoningDelta("hm"),
        TextDelta("Let me "),
        TextDelta("look."),
        ModelFinished("tool-calls", calls, COUNTED),
    ] == events


@pytest.mark.parametrize("begun", [True, False])
async def test_a_call_may_come_in_one_piece(begun: bool) -> None:
    """Compatible gateways leave the pieces out; the call is what its last event says."""
    pieces = (function(0, "added", ""),) if begun else ()

    events = await reply_of("openai-responses", *pieces, function(0, "done", '{"id":5}'), ended())

    calls = (RequestedCall("c0", "domain_a", '{"id":5}'),)
    assert [ModelFinished("tool-calls", calls, COUNTED)] == events


@pytest.mark.parametrize(
    ("cause", "reason"),
    [("max_output_tokens", "length"), ("content_filter", "content-filter"), ("other", "unknown")],
)
async def test_an_incomplete_reply_says_why(cause: str, reason: str) -> None:
    """A reply that was cut for its length is not one that the model had finished."""
    events = await reply_of("openai-responses", ended("incomplete", incomplete_details={"reason": cause}))

    assert [ModelFinished(reason, (), COUNTED)] == events


async def test_a_failed_reply_has_its_cost() -> None:
    """What failed was paid for all the same, and what the provider wrote about it stays with the provider."""
    with pytest.raises(ModelError, match="within its stream") as caught:
        await reply_of("openai-responses", ended("failed", error={"code": "x", "message": "CANARY"}))

    assert caught.value.usage == COUNTED
    assert "CANARY" not in str(caught.value)


async def test_an_error_event_fails_the_reply() -> None:
    """The format has an event for it, which the SDK hands on like any other."""
    with pytest.raises(ModelError, match="within its stream"):
        await reply_of("openai-responses", event("error", code="server_error", message="CANARY", param=None))


def test_the_request_is_a_list_of_items_and_nothing_is_stored() -> None:
    """Each call and each result is an item of its own; without `store` the provider would keep the conversation."""
    messages = (
        SystemText("rules"),
        UserText("go"),
        AssistantTurn("Well.", (ToolCall("c1", "no such/tool", '{"a":'), ToolCall("c2", "b", {"x": 1}))),
        ToolAnswer("c1", "no such/tool", {"error": {}}),
        ToolAnswer("c2", "b", "ok"),
        AssistantTurn("Done."),
        SystemText("state"),
    )

    body = request_body(ModelRequest("m", messages, ()))

    assert {"model", "input", "store", "stream"} == set(body)
    assert (body["store"], body["stream"]) == (False, True)
    assert [
        {"role": "system", "content": "rules"},
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "Well."},
        {"type": "function_call", "call_id": "c1", "name": "no_such_tool", "arguments": '{"a":'},
        {"type": "function_call", "call_id": "c2", "name": "b", "arguments": '{"x":1}'},
        {"type": "function_call_output", "call_id": "c1", "output": '{"error":{}}'},
        {"type": "function_call_output", "call_id": "c2", "output": '"ok"'},
        {"role": "assistant", "content": "Done."},
        {"role": "system", "content": "state"},
    ] == body["input"]


def test_tools_are_not_strict() -> None:
    """A strict schema may have no optional property, and the provider would refuse the whole request."""
    body = request_body(ModelRequest("m", (), (ToolDefinition("a", "A.", {"type": "object"}),)))

    assert [
        {
            "type": "function",
            "name": "a",
            "description": "A.",
            "parameters": {"type": "object"},
            "strict": False,
        }
    ] == body["tools"]
