"""OpenAI Chat Completions, as OpenAI serves it and as OpenRouter and other compatible gateways do.

Thinking goes out as `reasoning`, the gateways' field; OpenAI itself shows none in this format.
"""

from collections.abc import Iterator

from fake_model.pointer import JsonValue
from fake_model.prefix import Layout, RawPrompt
from fake_model.providers.base import (
    Event,
    Identity,
    Loop,
    compact,
    each,
    object_of,
    read_object,
    role_of,
    text_of,
)
from fake_model.reply import Reply, ReplyCall
from fake_model.request import (
    CallPart,
    Message,
    MessagePart,
    ModelRequest,
    OtherPart,
    ResultPart,
    Role,
    TextPart,
    Tool,
)
from fake_model.script import Endless, Finish, Gate, Pause, Reason, Say, Usage

_LAYOUT = Layout(conversation="messages")

_ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}

_FINISH = {
    Finish.STOP: "stop",
    Finish.TOOL_CALLS: "tool_calls",
    Finish.LENGTH: "length",
    Finish.CONTENT_FILTER: "content_filter",
}

_ERROR_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}


class OpenAIChat:
    """The Chat Completions format."""

    name = "openai-chat"
    path = "/chat/completions"

    def parse(self, body: bytes) -> ModelRequest:
        """Return what was asked; raises RequestError where the body is not of this format."""
        fields = read_object(body)
        return ModelRequest(
            provider=self.name,
            model=text_of(fields.get("model", ""), "model"),
            stream=fields.get("stream") is True,
            messages=tuple(each(fields.get("messages"), "messages", _message)),
            tools=tuple(each(fields.get("tools"), "tools", _tool)),
            raw=RawPrompt(body, _LAYOUT),
        )

    def stream(self, reply: Reply, identity: Identity) -> tuple[Event, ...]:
        """Return the reply as server-sent events, the usage and `[DONE]` last."""
        return tuple(_Stream(identity).events(reply))

    def document(self, reply: Reply, identity: Identity) -> bytes:
        """Return the reply as one JSON document."""
        message: dict[str, JsonValue] = {"role": "assistant", "content": reply.text or None, "refusal": None}
        if reply.reasoning:
            message["reasoning"] = reply.reasoning
        if reply.calls:
            message["tool_calls"] = [_call(call, call.arguments) for call in reply.calls]
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(reply.finish)}
        document = {
            "id": f"chatcmpl-{identity.key}",
            "object": "chat.completion",
            "created": identity.created,
            "model": identity.model,
            "choices": [choice],
        }
        if reply.usage is not None:
            document["usage"] = _usage(reply.usage)
        return compact(document)

    def error(self, status: int, message: str, code: str | None) -> bytes:
        """Return an error body."""
        kind = _ERROR_TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error")
        return compact({"error": {"message": message, "type": kind, "param": None, "code": code}})

    def error_event(self, message: str, code: str, sequence: int) -> bytes:  # noqa: ARG002 - chunks bear no number
        """Return an error in the place of a chunk."""
        error = {"message": message, "type": "server_error", "param": None, "code": code}
        return _event({"error": error})


class _Stream:
    """Writes the chunks of one reply."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._calls = 0

    def events(self, reply: Reply) -> Iterator[Event]:
        yield self._delta({"role": "assistant", "content": ""})
        for part in reply.parts:
            yield from self._part(part)
        if reply.finish != Finish.MISSING:
            yield self._chunk([{"index": 0, "delta": {}, "finish_reason": _finish(reply.finish)}])
        if reply.usage is not None:
            yield self._chunk([], usage=_usage(reply.usage))
        if reply.finish != Finish.MISSING:
            yield b"data: [DONE]\n\n"

    def _part(self, part: Say | Reason | ReplyCall | Gate | Pause | Endless) -> Iterator[Event]:
        match part:
            case Say():
                yield from (self._delta({"content": delta}) for delta in part.deltas)
            case Reason():
                yield from (self._delta({"reasoning": delta}) for delta in part.deltas)
            case ReplyCall():
                yield from self._call(part)
            case Endless():
                yield Loop(self._delta({"content": part.delta}), part.at_most)
            case Gate() | Pause():
                yield part

    def _call(self, call: ReplyCall) -> Iterator[Event]:
        index = self._calls
        self._calls += 1
        yield self._delta({"tool_calls": [{"index": index, **_call(call, "")}]})
        for piece in call.deltas:
            yield self._delta({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})

    def _delta(self, delta: JsonValue) -> bytes:
        return self._chunk([{"index": 0, "delta": delta, "finish_reason": None}])

    def _chunk(self, choices: JsonValue, **more: JsonValue) -> bytes:
        return _event(
            {
                "id": f"chatcmpl-{self._identity.key}",
                "object": "chat.completion.chunk",
                "created": self._identity.created,
                "model": self._identity.model,
                "choices": choices,
                **more,
            }
        )


def _event(data: JsonValue) -> bytes:
    return b"data: " + compact(data) + b"\n\n"


def _call(call: ReplyCall, arguments: str) -> dict[str, JsonValue]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _finish(finish: Finish | str) -> str | None:
    if finish == Finish.MISSING:
        return None
    return _FINISH[finish] if isinstance(finish, Finish) else finish


def _usage(usage: Usage) -> dict[str, JsonValue]:
    figures: dict[str, JsonValue] = {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
    }
    if usage.cached is not None:
        figures["prompt_tokens_details"] = {"cached_tokens": usage.cached}
    if usage.reasoning is not None:
        figures["completion_tokens_details"] = {"reasoning_tokens": usage.reasoning}
    return figures


def _message(value: JsonValue) -> Message:
    message = object_of(value)
    role = role_of(message, _ROLES)
    content = message.get("content")
    parts = _contents(content)
    if role is Role.TOOL:
        text = "".join([part.text for part in parts if isinstance(part, TextPart)])
        call_id = text_of(message.get("tool_call_id", ""), "tool_call_id")
        return Message(role, (ResultPart(call_id, text, name=str(message.get("name") or "")),))
    return Message(role, (*parts, *each(message.get("tool_calls"), "tool_calls", _call_part)))


def _contents(content: JsonValue) -> list[MessagePart]:
    if isinstance(content, str):
        return [TextPart(content)] if content else []
    return each(content, "content", _content)


def _content(value: JsonValue) -> MessagePart:
    part = object_of(value)
    kind = part.get("type")
    return TextPart(text_of(part.get("text"), "text")) if kind == "text" else OtherPart(str(kind))


def _call_part(value: JsonValue) -> CallPart:
    call = object_of(value)
    function = object_of(call.get("function"), "function")
    return CallPart(
        id=text_of(call.get("id"), "id"),
        name=text_of(function.get("name"), "function.name"),
        arguments=text_of(function.get("arguments", ""), "function.arguments"),
    )


def _tool(value: JsonValue) -> Tool:
    tool = object_of(value)
    function = object_of(tool.get("function"), "function")
    return Tool(
        name=text_of(function.get("name"), "function.name"),
        description=str(function.get("description") or ""),
        parameters=function.get("parameters"),
        text=compact(tool).decode(),
    )
