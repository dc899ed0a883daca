"""The provider client reads OpenAI's stream as it is, and shows nobody what a provider wrote in its errors."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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
    ModelEvent,
    ModelFinished,
    ModelRequest,
    ReasoningDelta,
    RequestedCall,
    TextDelta,
    Usage,
)
from reference_app.runtime.providers.openai_chat import OpenAIChat, provider_name, request_body
from reference_app.settings import ModelSettings

pytestmark = pytest.mark.anyio
REQUEST = ModelRequest("m", (UserText("hello"),), ())
SECRET = "CANARY-PROVIDER"


def chunk(delta: dict[str, Any] | None = None, finish: str | None = None, **more: Any) -> str:
    """One event of the stream."""
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    document = {
        "id": "x",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": choices,
        **more,
    }
    return f"data: {json.dumps(document)}\n\n"


@asynccontextmanager
async def provider(
    body: str, status: str = "200 OK", kind: str = "text/event-stream"
) -> AsyncIterator[tuple[OpenAIChat, list[bytes]]]:
    """A provider that answers every request with the same bytes."""
    seen: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n"
        writer.write((head + body).encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    client = OpenAIChat(ModelSettings("openai-chat", f"http://127.0.0.1:{port}/v1", "k", ("m",)))
    try:
        yield client, seen
    finally:
        await client.close()
        server.close()
        await server.wait_closed()


async def events_of(client: OpenAIChat) -> list[ModelEvent]:
    """What one reply brings, without mere progress."""
    async with client.stream(REQUEST) as stream:
        return [
            event async for event in stream if isinstance(event, TextDelta | ReasoningDelta | ModelFinished)
        ]


async def test_text_reasoning_calls_and_usage_are_read() -> None:
    """Arguments come in pieces, usage in an event of its own behind the finish."""
    first = {"index": 0, "id": "c1", "function": {"name": "domain_a", "arguments": '{"id"'}}
    body = "".join(
        [
            chunk({"role": "assistant", "reasoning_content": "hm"}),
            chunk({"content": "Let me look."}),
            chunk({"tool_calls": [first]}),
            chunk(
                {"tool_calls": [{"index": 1, "id": "c2", "function": {"name": "view_b", "arguments": "{}"}}]}
            ),
            chunk({"tool_calls": [{"index": 0, "function": {"arguments": ":5}"}}]}),
            chunk({}, "tool_calls"),
            chunk(
                usage={
                    "prompt_tokens": 7,
                    "completion_tokens": 3,
                    "total_tokens": 10,
                    "prompt_tokens_details": {"cached_tokens": 2},
                }
            ),
            "data: [DONE]\n\n",
        ]
    )
    async with provider(body) as (client, _):
        events = await events_of(client)

    calls = (RequestedCall("c1", "domain_a", '{"id":5}'), RequestedCall("c2", "view_b", "{}"))
    assert [
        ReasoningDelta("hm"),
        TextDelta("Let me look."),
        ModelFinished("tool-calls", calls, Usage(7, 3, 10, 2, None)),
    ] == events


async def test_usage_that_is_not_reported_is_absent() -> None:
    """Zero tokens would be a statement that nobody made."""
    async with provider(chunk({"content": "x"}, "stop") + "data: [DONE]\n\n") as (client, _):
        finished = (await events_of(client))[-1]

    assert isinstance(finished, ModelFinished)
    assert finished.usage is None


@pytest.mark.parametrize(
    ("status", "body", "kind", "message"),
    [
        (
            "500 Oops",
            json.dumps({"error": {"message": SECRET}}),
            "application/json",
            "answered with status 500",
        ),
        ("429 Slow", SECRET, "text/plain", "answered with status 429"),
        ("302 Found\r\nlocation: http://127.0.0.1:9/elsewhere", "", "text/plain", "answered with status 302"),
        ("200 OK", chunk({"content": "half"}), "text/event-stream", "ended before"),
        ("200 OK", "data: {" + SECRET + "\n\n", "text/event-stream", "could not be read"),
        (
            "200 OK",
            'data: {"error":{"message":"' + SECRET + '"}}\n\n',
            "text/event-stream",
            "within its stream",
        ),
        ("200 OK", f"<html>{SECRET}</html>", "text/html", "ended before"),
    ],
)
async def test_failures_are_told_in_our_own_words(status: str, body: str, kind: str, message: str) -> None:
    """One request, no retry, and nothing of what the provider wrote: it may name keys, hosts or other people's data."""
    async with provider(body, status, kind) as (client, seen):
        with pytest.raises(ModelError, match=message) as caught:
            await events_of(client)

    assert len(seen) == 1
    assert SECRET not in str(caught.value)


async def test_a_provider_that_is_not_there_is_said_to_be_unreachable() -> None:
    """A closed port is an error of the run, not of the application."""
    async with provider("") as (client, _):
        pass
    with pytest.raises(ModelError, match="reached"):
        await events_of(client)


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
    assert provider_name("ü" * 100) == "_" * 64
