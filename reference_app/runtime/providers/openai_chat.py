"""OpenAI Chat Completions, streamed, through the official SDK.

The SDK takes most of a second to import and is only needed when somebody chats, so it is imported then.
"""

from __future__ import annotations

import asyncio
import importlib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from reference_app.runtime.conversation import (
    AssistantTurn,
    Message,
    SystemText,
    ToolAnswer,
    ToolCall,
    UserText,
)
from reference_app.runtime.model import (
    ModelError,
    ModelEvent,
    ModelFinished,
    ModelRequest,
    Progress,
    ReasoningDelta,
    RequestedCall,
    TextDelta,
    Usage,
)
from reference_app.settings import ModelSettings
from reference_app.strict_json import JsonObject, JsonValue, dumps_text

_CONNECT_SECONDS = 10.0
_NAME = re.compile(r"[^a-zA-Z0-9_-]")
_REASONS = {
    "stop": "stop",
    "tool_calls": "tool-calls",
    "length": "length",
    "content_filter": "content-filter",
}


class OpenAIChat:
    """A model behind an endpoint that speaks OpenAI Chat Completions.

    Args:
        settings: Where the endpoint is, and how to sign in there.
    """

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._client: Any = None
        self._sdk: Any = None

    async def prepare(self) -> None:
        """Import the SDK, if nobody has chatted yet."""
        await self._connect()

    async def close(self) -> None:
        """Close the connections to the provider."""
        if self._client is not None:
            await self._client.close()

    @asynccontextmanager
    async def stream(self, request: ModelRequest) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        """Open one reply; see :class:`reference_app.runtime.model.Model`."""
        client = await self._connect()
        body = request_body(request)
        try:
            chunks = await client.chat.completions.create(**body)
        except Exception as problem:
            raise self._failure(problem, None) from problem
        reply = _Reply()
        try:
            yield self._read(chunks, reply)
        finally:
            await chunks.close()

    async def _connect(self) -> Any:
        if self._client is None:
            self._sdk = await asyncio.to_thread(importlib.import_module, "openai")
            self._client = self._sdk.AsyncOpenAI(
                base_url=self._settings.base_url,
                api_key=self._settings.api_key or "none",
                max_retries=0,
                http_client=self._sdk.DefaultAsyncHttpxClient(
                    # The loop bounds the silence of a model; a second limit here would only blur whose it was.
                    timeout=self._sdk.Timeout(None, connect=_CONNECT_SECONDS),
                    # A redirect would carry the conversation and the key somewhere that nobody configured.
                    follow_redirects=False,
                    trust_env=not _is_loopback(self._settings.base_url),
                ),
            )
        return self._client

    async def _read(self, chunks: Any, reply: _Reply) -> AsyncIterator[ModelEvent]:
        try:
            async for chunk in chunks:
                for event in reply.take(chunk):
                    yield event
        except Exception as problem:
            raise self._failure(problem, reply.usage) from problem
        if not reply.reason:
            raise ModelError("The model provider's stream ended before the reply was finished.", reply.usage)
        yield reply.finished()

    def _failure(self, problem: Exception, usage: Usage | None) -> ModelError:
        if isinstance(problem, ModelError):
            return problem
        return ModelError(_explain(problem, self._sdk), usage)


@dataclass
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass
class _Reply:
    """What the chunks of one reply add up to."""

    reason: str = ""
    usage: Usage | None = None
    calls: dict[int, _Call] = field(default_factory=dict)

    def take(self, chunk: Any) -> list[ModelEvent]:
        """Add one chunk and say what it brought."""
        events: list[ModelEvent] = []
        if getattr(chunk, "usage", None) is not None:
            self.usage = usage_of(chunk.usage)
        for choice in (chunk.choices or ())[:1]:
            if choice.finish_reason is not None:
                self.reason = _REASONS.get(choice.finish_reason, "unknown")
            if choice.delta is not None:
                events.extend(self._take_delta(choice.delta))
        return events or [Progress(0)]

    def finished(self) -> ModelFinished:
        """The end of the reply."""
        calls = tuple(
            RequestedCall(call.id, call.name, call.arguments) for _, call in sorted(self.calls.items())
        )
        return ModelFinished(
            "tool-calls" if calls and self.reason == "stop" else self.reason, calls, self.usage
        )

    def _take_delta(self, delta: Any) -> list[ModelEvent]:
        events: list[ModelEvent] = []
        thought = getattr(delta, "reasoning_content", None) or getattr(delta, "reasoning", None)
        if isinstance(thought, str) and thought:
            events.append(ReasoningDelta(thought))
        if delta.content:
            events.append(TextDelta(delta.content))
        events.extend(self._take_call(piece) for piece in delta.tool_calls or ())
        return events

    def _take_call(self, piece: Any) -> Progress:
        call = self.calls.setdefault(piece.index if piece.index is not None else len(self.calls), _Call())
        call.id = call.id or piece.id or ""
        function = piece.function
        name, arguments = (
            (function.name or "", function.arguments or "") if function is not None else ("", "")
        )
        call.name += name
        call.arguments += arguments
        return Progress(len(name) + len(arguments))


def request_body(request: ModelRequest) -> dict[str, Any]:
    """The body of a streaming request.

    Returns:
        ``model``, ``messages``, ``stream`` and ``stream_options``, and ``tools`` when there are any.
    """
    body: dict[str, Any] = {
        "model": request.model_id,
        "messages": [_message(message) for message in request.messages],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": t.name, "description": t.description, "parameters": t.parameters},
            }
            for t in request.tools
        ]
    return body


def usage_of(reported: Any) -> Usage | None:
    """The figures that a provider reported, or None when they are no figures."""
    counts = [_count(reported, name) for name in ("prompt_tokens", "completion_tokens", "total_tokens")]
    if all(count is None for count in counts):
        return None
    read, written, total = counts
    return Usage(
        input_tokens=read or 0,
        output_tokens=written or 0,
        total_tokens=total if total is not None else (read or 0) + (written or 0),
        cached_input_tokens=_count(getattr(reported, "prompt_tokens_details", None), "cached_tokens"),
        reasoning_tokens=_count(getattr(reported, "completion_tokens_details", None), "reasoning_tokens"),
    )


def _message(message: Message) -> JsonObject:
    match message:
        case SystemText(text):
            return {"role": "system", "content": text}
        case UserText(text):
            return {"role": "user", "content": text}
        case ToolAnswer(call_id, _, value):
            return {"role": "tool", "tool_call_id": call_id, "content": dumps_text(value)}
        case AssistantTurn(text, calls):
            written: dict[str, JsonValue] = {"role": "assistant", "content": text or None}
            if calls:
                written["tool_calls"] = [_call(call) for call in calls]
            return written


def _call(call: ToolCall) -> JsonObject:
    arguments = call.input if isinstance(call.input, str) else dumps_text(call.input)
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": provider_name(call.name), "arguments": arguments},
    }


def provider_name(name: str) -> str:
    """A name that the provider accepts in a history, also where the model wrote one that it would not."""
    return _NAME.sub("_", name)[:64] or "_"


def _count(holder: Any, name: str) -> int | None:
    value = getattr(holder, name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _explain(problem: Exception, sdk: Any) -> str:
    """What happened, without anything that the provider or the network library wrote."""
    if isinstance(problem, sdk.APIStatusError):
        return f"The model provider answered with status {problem.status_code}."
    if isinstance(problem, sdk.APIConnectionError):
        return "The model provider could not be reached."
    if isinstance(problem, sdk.APIError):
        return "The model provider reported an error within its stream."
    return "The model provider's stream could not be read."


def _is_loopback(base_url: str | None) -> bool:
    host = urlsplit(base_url or "").hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
