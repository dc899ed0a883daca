"""Anthropic Messages, streamed, through the official SDK.

The live state goes out as a system message behind the conversation, so that what was cached of the conversation stays valid. That
needs a model which takes system messages there (Anthropic's documentation, "Mid-conversation system messages").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, takewhile
from typing import Any

from reference_app.runtime.conversation import (
    AssistantTurn,
    Message,
    SystemText,
    ToolAnswer,
    ToolCall,
    UserText,
)
from reference_app.runtime.model import ModelEvent, ModelRequest, Progress, Usage
from reference_app.runtime.providers.reply import Reply, count, said, thought
from reference_app.runtime.providers.sdk import SdkModel, accepted_name
from reference_app.strict_json import JsonObject, JsonValue, dumps_text

_MAX_TOKENS = 32_000
"""The format wants a bound on every reply; the loop has its own on characters."""

_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool-calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content-filter",
}


class Anthropic(SdkModel):
    """A model behind an endpoint that speaks Anthropic Messages."""

    sdk = "anthropic"
    client = "AsyncAnthropic"

    async def _open(self, client: Any, request: ModelRequest) -> Any:
        return await client.messages.create(**request_body(request))

    def _begin(self) -> Reply:
        return _Reply()


class _Reply(Reply):
    def __init__(self) -> None:
        super().__init__()
        self._stop_reason = ""
        self._given: dict[int, JsonValue] = {}
        self._read: Any = None

    def take(self, event: Any) -> list[ModelEvent]:
        match event.type:
            case "message_start":
                self._read = getattr(event.message, "usage", None)
                self.report(usage_of(self._read, self._read))
            case "content_block_start":
                return self._take_block(event.index, event.content_block)
            case "content_block_delta":
                return self._take_delta(event.index, event.delta)
            case "message_delta":
                self._stop_reason = event.delta.stop_reason or ""
                self.report(usage_of(self._read, getattr(event, "usage", None)))
            case "message_stop":
                self._fill_in()
                self.reason = _REASONS.get(self._stop_reason, "unknown")
        return [Progress(0)]

    def _take_block(self, index: int, block: Any) -> list[ModelEvent]:
        if block.type == "tool_use":
            self._given[index] = block.input
            return [self.take_call(index, id=block.id, name=block.name)]
        return said(block.text if block.type == "text" else "")

    def _take_delta(self, index: int, delta: Any) -> list[ModelEvent]:
        match delta.type:
            case "text_delta":
                return said(delta.text)
            case "thinking_delta":
                return thought(delta.thinking)
            case "input_json_delta":
                return [self.take_call(index, arguments=delta.partial_json)]
        return [Progress(0)]

    def _fill_in(self) -> None:
        """Where no argument was streamed, the input that the block began with holds: an empty object, as a rule."""
        for index, given in self._given.items():
            if not self.calls[index].arguments:
                self.take_call(index, arguments=dumps_text(given))


def usage_of(begun: Any, ended: Any) -> Usage | None:
    """The figures of a reply: what stands at its end, and else what stood at its begin.

    The provider counts what was read from its cache, and what was written there, beside the input; here both are part of it.

    Returns:
        None when neither has figures.
    """

    def figure(name: str) -> int | None:
        last = count(ended, name)
        return count(begun, name) if last is None else last

    read, written = figure("input_tokens"), figure("output_tokens")
    if read is None and written is None:
        return None
    cached = figure("cache_read_input_tokens")
    total_read = (read or 0) + (cached or 0) + (figure("cache_creation_input_tokens") or 0)
    return Usage(
        input_tokens=total_read,
        output_tokens=written or 0,
        total_tokens=total_read + (written or 0),
        cached_input_tokens=cached,
        reasoning_tokens=count(getattr(ended, "output_tokens_details", None), "thinking_tokens"),
    )


def request_body(request: ModelRequest) -> dict[str, Any]:
    """The body of a streaming request.

    Returns:
        ``model``, ``max_tokens``, ``messages`` and ``stream``, and ``system`` and ``tools`` when there are any.
    """
    lead = tuple(takewhile(lambda message: isinstance(message, SystemText), request.messages))
    body: dict[str, Any] = {
        "model": request.model_id,
        "max_tokens": _MAX_TOKENS,
        "messages": list(_messages(request.messages[len(lead) :])),
        "stream": True,
    }
    if lead:
        body["system"] = [_text(message.text) for message in lead if isinstance(message, SystemText)]
    if request.tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
            for tool in request.tools
        ]
    return body


def _messages(messages: Iterable[Message]) -> Iterator[JsonObject]:
    """Yield the conversation; all results of one turn stand in one message, and no message is empty."""
    for answers, group in groupby(messages, lambda message: isinstance(message, ToolAnswer)):
        if answers:
            yield {"role": "user", "content": [block for message in group for block in _blocks(message)]}
            continue
        for message in group:
            if content := list(_blocks(message)):
                yield {"role": _role(message), "content": content}


def _role(message: Message) -> str:
    if isinstance(message, SystemText):
        return "system"
    return "assistant" if isinstance(message, AssistantTurn) else "user"


def _blocks(message: Message) -> Iterator[JsonObject]:
    match message:
        case SystemText(text) | UserText(text):
            if text:
                yield _text(text)
        case ToolAnswer(call_id, _, value):
            yield {"type": "tool_result", "tool_use_id": call_id, "content": dumps_text(value)}
        case AssistantTurn(text, calls):
            if text:
                yield _text(text)
            for call in calls:
                yield {
                    "type": "tool_use",
                    "id": call.id,
                    "name": accepted_name(call.name),
                    "input": _input(call),
                }


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}


def _input(call: ToolCall) -> JsonObject:
    """The arguments as the object that the format wants; what the model wrote instead of one is shown to it in one."""
    return call.input if isinstance(call.input, dict) else {"INVALID_JSON": call.input}
