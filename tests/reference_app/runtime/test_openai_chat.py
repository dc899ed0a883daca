"""Chat Completions: the stream is read as it is, and the request is one that providers of this format take."""

from __future__ import annotations

import pytest

from reference_app.runtime.conversation import (
    AssistantTurn,
    SystemText,
    ToolAnswer,
    ToolCall,
    ToolDefinition,
)
from reference_app.runtime.model import (
    ModelFinished,
    ModelRequest,
    ReasoningDelta,
    RequestedCall,
    TextDelta,
    Usage,
)
from reference_app.runtime.providers.openai_chat import request_body
from tests.reference_app.runtime.canned import chat_chunk, reply_of

pytestmark = pytest.mark.anyio


async def test_text_reasoning_calls_and_usage_are_read() -> None:
    """Arguments come in pieces, usage in an event of its own behind the finish."""
    first = {"index": 0, "id": "c1", "function": {"name": "domain_a", "arguments": '{"id"'}}
    second = {"index": 1, "id": "c2", "function": {"name": "view_b", "arguments": "{}"}}
    usage = {
        "prompt_tokens": 7,
        "completion_tokens": 3,
        "total_tokens": 10,
        "prompt_tokens_details": {"cached_tokens": 2},
    }

    events = await reply_of(
        "openai-chat",
        chat_chunk({"role": "assistant", "reasoning_content": "hm"}),
        chat_chunk({"content": "Let me look."}),
        chat_chunk({"tool_calls": [first]}),
        chat_chunk({"tool_calls": [second]}),
        chat_chunk({"tool_calls": [{"index": 0, "function": {"arguments": ":5}"}}]}),
        chat_chunk({}, "tool_calls"),
        chat_chunk(usage=usage),
        "data: [DONE]\n\n",
    )

    calls = (RequestedCall("c1", "domain_a", '{"id":5}'), RequestedCall("c2", "view_b", "{}"))
    assert [
        ReasoningDelta("hm"),
        TextDelta("Let me look."),
        ModelFinished("tool-calls", calls, Usage(7, 3, 10, 2, None)),
    ] == events


def test_the_request_has_one_result_for_each_call_and_no_empty_tool_list() -> None:
    """Providers refuse an empty list of tools and names that they do not know the letters of."""
    messages = (
        SystemText("rules"),
        AssistantTurn("", (ToolCall("c1", "no such/tool", '{"a":'),)),
        ToolAnswer("c1", "no such/tool", {"error": {}}),
    )
    body = request_body(ModelRequest("m", messages, ()))
    with_tools = request_body(ModelRequest("m", messages, (ToolDefinition("a", "A.", {"type": "object"}),)))

    assert "tools" not in body
    assert {"name": "a", "description": "A.", "parameters": {"type": "object"}} == with_tools["tools"][0][
        "function"
    ]
    assert [
        {"role": "system", "content": "rules"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "no_such_tool", "arguments": '{"a":'}}
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": '{"error":{}}'},
    ] == body["messages"]
