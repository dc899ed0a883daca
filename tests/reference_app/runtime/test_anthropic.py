"""Anthropic Messages: the stream is read as it is, and the request keeps the format's rules about turns."""

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
from reference_app.runtime.providers.anthropic import request_body
from tests.reference_app.runtime.canned import event, reply_of

pytestmark = pytest.mark.anyio

READ = {"input_tokens": 5, "cache_read_input_tokens": 2, "cache_creation_input_tokens": 1, "output_tokens": 1}
WRITTEN = {"output_tokens": 3, "output_tokens_details": {"thinking_tokens": 1}}
COUNTED = Usage(8, 3, 11, 2, 1)


def start(usage: dict[str, Any] | None = READ) -> str:
    """The first event."""
    message = {"id": "x", "role": "assistant", "content": [], "model": "m"}
    return event("message_start", message=message if usage is None else {**message, "usage": usage})


def block(index: int, content: dict[str, Any], *deltas: dict[str, Any]) -> str:
    """One content block from its begin to its end."""
    begun = event("content_block_start", index=index, content_block=content)
    pieces = (event("content_block_delta", index=index, delta=delta) for delta in deltas)
    return begun + "".join(pieces) + event("content_block_stop", index=index)


def text(*deltas: str) -> str:
    """A block of text."""
    return block(
        0, {"type": "text", "text": ""}, *({"type": "text_delta", "text": delta} for delta in deltas)
    )


def call(index: int, *deltas: str, given: object = None) -> str:
    """A block that calls a tool."""
    content = {"type": "tool_use", "id": f"c{index}", "name": "domain_a", "input": given or {}}
    return block(index, content, *({"type": "input_json_delta", "partial_json": delta} for delta in deltas))


def end(reason: str | None = "end_turn", usage: dict[str, Any] | None = WRITTEN) -> str:
    """The last two events."""
    outcome = {"delta": {"stop_reason": reason, "stop_sequence": None}}
    return event("message_delta", **(outcome if usage is None else {**outcome, "usage": usage})) + event(
        "message_stop"
    )


async def test_text_reasoning_calls_and_usage_are_read() -> None:
    """Cached tokens stand beside the input in this format, and the figures come in two events."""
    thinking = block(0, {"type": "thinking", "thinking": ""}, {"type": "thinking_delta", "thinking": "hm"})

    events = await reply_of(
        "anthropic",
        start(),
        thinking,
        event("ping"),
        text("Let me ", "", "look."),
        call(2, '{"id"', ":5}"),
        end("tool_use"),
    )

    calls = (RequestedCall("c2", "domain_a", '{"id":5}'),)
    assert [
        ReasoningDelta("hm"),
        TextDelta("Let me "),
        TextDelta("look."),
        ModelFinished("tool-calls", calls, COUNTED),
    ] == events


@pytest.mark.parametrize(("given", "arguments"), [({}, "{}"), ({"id": 5}, '{"id":5}')])
async def test_a_call_without_deltas_has_the_input_of_its_block(given: object, arguments: str) -> None:
    """That is how the provider sends a call without arguments, and how some gateways send every call."""
    events = await reply_of("anthropic", start(), call(0, given=given), end("tool_use"))

    assert [ModelFinished("tool-calls", (RequestedCall("c0", "domain_a", arguments),), COUNTED)] == events


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "content-filter"),
        ("pause_turn", "unknown"),
        (None, "unknown"),
    ],
)
async def test_the_reason_is_read(word: str | None, reason: str) -> None:
    """A word that is new to us ends the reply all the same."""
    events = await reply_of("anthropic", start(), text("x"), end(word))

    assert [TextDelta("x"), ModelFinished(reason, (), COUNTED)] == events


async def test_a_reply_that_has_no_last_event_is_not_finished() -> None:
    """Its figures are what the provider had said by then."""
    with pytest.raises(ModelError, match="ended before") as caught:
        await reply_of("anthropic", start(), text("x"))

    assert caught.value.usage == Usage(8, 1, 9, 2, None)


async def test_what_is_not_reported_of_the_usage_stays_absent() -> None:
    """A gateway without a cache reports nothing about one."""
    figures = {"input_tokens": 7, "output_tokens": 1}

    events = await reply_of("anthropic", start(figures), end(usage={"output_tokens": 3}))

    assert [ModelFinished("stop", (), Usage(7, 3, 10, None, None))] == events


def test_results_of_one_turn_stand_in_one_message() -> None:
    """The provider wants all results right behind the calls, an object as input, and no message without content."""
    messages = (
        SystemText("rules"),
        SystemText("more rules"),
        UserText("go"),
        AssistantTurn("Well.", (ToolCall("c1", "no such/tool", '{"a":'), ToolCall("c2", "b", {"x": 1}))),
        ToolAnswer("c1", "no such/tool", {"error": {}}),
        ToolAnswer("c2", "b", "ok"),
        UserText(""),
        SystemText("state"),
    )

    body = request_body(ModelRequest("m", messages, ()))

    assert {"model", "max_tokens", "messages", "stream", "system"} == set(body)
    assert [{"type": "text", "text": "rules"}, {"type": "text", "text": "more rules"}] == body["system"]
    assert [
        {"role": "user", "content": [{"type": "text", "text": "go"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Well."},
                {"type": "tool_use", "id": "c1", "name": "no_such_tool", "input": {"INVALID_JSON": '{"a":'}},
                {"type": "tool_use", "id": "c2", "name": "b", "input": {"x": 1}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": '{"error":{}}'},
                {"type": "tool_result", "tool_use_id": "c2", "content": '"ok"'},
            ],
        },
        {"role": "system", "content": [{"type": "text", "text": "state"}]},
    ] == body["messages"]


def test_without_instructions_and_tools_neither_is_sent() -> None:
    """The provider refuses empty lists."""
    bare = request_body(ModelRequest("m", (UserText("go"),), ()))
    with_tools = request_body(ModelRequest("m", (), (ToolDefinition("a", "A.", {"type": "object"}),)))

    assert {"model", "max_tokens", "messages", "stream"} == set(bare)
    assert [{"name": "a", "description": "A.", "input_schema": {"type": "object"}}] == with_tools["tools"]
