"""OpenAI Chat Completions, streamed, through the official SDK; the format of the compatible gateways too."""

from __future__ import annotations

from typing import Any

from reference_app.runtime.conversation import (
    AssistantTurn,
    Message,
    SystemText,
    ToolAnswer,
    ToolCall,
    UserText,
)
from reference_app.runtime.model import ModelEvent, ModelRequest, Progress, ReasoningDelta, TextDelta
from reference_app.runtime.providers.reply import Reply, openai_usage
from reference_app.runtime.providers.sdk import SdkModel, accepted_name, arguments_text
from reference_app.strict_json import JsonObject, JsonValue, dumps_text

_REASONS = {
    "stop": "stop",
    "tool_calls": "tool-calls",
    "length": "length",
    "content_filter": "content-filter",
}


class OpenAIChat(SdkModel):
    """A model behind an endpoint that speaks OpenAI Chat Completions."""

    sdk = "openai"
    client = "AsyncOpenAI"

    async def _open(self, client: Any, request: ModelRequest) -> Any:
        return await client.chat.completions.create(**request_body(request))

    def _begin(self) -> Reply:
        return _Reply()


class _Reply(Reply):
    def take(self, event: Any) -> list[ModelEvent]:
        events: list[ModelEvent] = []
        if getattr(event, "usage", None) is not None:
            self.report(openai_usage(event.usage, "prompt_tokens", "completion_tokens"))
        for choice in (event.choices or ())[:1]:
            if choice.finish_reason is not None:
                self.reason = _REASONS.get(choice.finish_reason, "unknown")
            if choice.delta is not None:
                events.extend(self._take_delta(choice.delta))
        return events or [Progress(0)]

    def _take_delta(self, delta: Any) -> list[ModelEvent]:
        events: list[ModelEvent] = []
        thought = getattr(delta, "reasoning_content", None) or getattr(delta, "reasoning", None)
        if isinstance(thought, str) and thought:
            events.append(ReasoningDelta(thought))
        if delta.content:
            events.append(TextDelta(delta.content))
        events.extend(self._take_piece(piece) for piece in delta.tool_calls or ())
        return events

    def _take_piece(self, piece: Any) -> Progress:
        index = piece.index if piece.index is not None else len(self.calls)
        function = piece.function
        if function is None:
            return self.take_call(index, id=piece.id or "")
        return self.take_call(
            index, id=piece.id or "", name=function.name or "", arguments=function.arguments or ""
        )


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
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": accepted_name(call.name), "arguments": arguments_text(call)},
    }
