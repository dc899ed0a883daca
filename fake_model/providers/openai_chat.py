"""OpenAI Chat Completions, as OpenAI serves it and as OpenRouter and other compatible gateways do.

Thinking goes out as `reasoning`, the gateways' field; OpenAI itself shows none in this format.
"""

from collections.abc import Iterator

from fake_model.errors import RequestError
from fake_model.names import Alias
from fake_model.pointer import JsonValue
from fake_model.prefix import Layout, RawPrompt
from fake_model.providers.base import (
    Event,
    Identity,
    Loop,
    compact,
    list_of,
    members_of,
    pieces_of,
    read_object,
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

    def parse(self, body: bytes, aliases: tuple[Alias, ...] = ()) -> ModelRequest:
        """Return what was asked; raises RequestError where the body is not of this format."""
        fields = read_object(body)
        options = fields.get("stream_options")
        return ModelRequest(
            provider=self.name,
            model=text_of(fields.get("model", ""), "model"),
            stream=fields.get("stream") is True,
            messages=tuple(
                _message(members_of(message, f"messages[{index}]"), f"messages[{index}]")
                for index, message in enumerate(list_of(fields.get("messages"), "messages"))
            ),
            tools=tuple(
                _tool(members_of(tool, f"tools[{index}]"), f"tools[{index}]")
                for index, tool in enumerate(list_of(fields.get("tools"), "tools"))
            ),
            raw=RawPrompt(body, _LAYOUT),
            aliases=aliases,
            wants_usage=isinstance(options, dict) and options.get("include_usage") is True,
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

    def error_event(self, message: str, code: str) -> bytes:
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
        for piece in pieces_of(call.arguments, call.pieces):
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


def _message(message: dict[str, JsonValue], where: str) -> Message:
    role = _ROLES.get(text_of(message.get("role"), f"{where}.role"))
    if role is None:
        raise RequestError(f"{where}.role: expected one of {sorted(_ROLES)}, got {message.get('role')!r}")
    texts = tuple(_contents(message.get("content"), f"{where}.content"))
    if role is Role.TOOL:
        text = "".join(part.text for part in texts if isinstance(part, TextPart))
        call_id = text_of(message.get("tool_call_id", ""), f"{where}.tool_call_id")
        return Message(role, (ResultPart(call_id, text, name=str(message.get("name") or "")),))
    calls = list_of(message.get("tool_calls"), f"{where}.tool_calls")
    return Message(role, (*texts, *(_call_part(call, f"{where}.tool_calls") for call in calls)))


def _contents(content: JsonValue, where: str) -> Iterator[MessagePart]:
    if isinstance(content, str):
        if content:
            yield TextPart(content)
        return
    for item in list_of(content, where):
        part = members_of(item, where)
        if part.get("type") == "text":
            yield TextPart(text_of(part.get("text"), f"{where}.text"))
        else:
            yield OtherPart(str(part.get("type")))


def _call_part(call: JsonValue, where: str) -> CallPart:
    fields = members_of(call, where)
    function = members_of(fields.get("function"), f"{where}.function")
    return CallPart(
        id=text_of(fields.get("id"), f"{where}.id"),
        name=text_of(function.get("name"), f"{where}.function.name"),
        arguments=text_of(function.get("arguments", ""), f"{where}.function.arguments"),
    )


def _tool(tool: dict[str, JsonValue], where: str) -> Tool:
    function = members_of(tool.get("function"), f"{where}.function")
    return Tool(
        name=text_of(function.get("name"), f"{where}.function.name"),
        description=str(function.get("description") or ""),
        parameters=function.get("parameters"),
        text=compact(tool).decode(),
    )
