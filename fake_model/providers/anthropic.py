"""Anthropic Messages.

Waits inside a text do not end its content block, so that a gate can stand in the middle of a sentence.
"""

from collections.abc import Iterator
from enum import StrEnum

import orjson

from fake_model.pointer import JsonValue
from fake_model.prefix import Layout, RawPrompt
from fake_model.providers.base import (
    Event,
    Identity,
    Loop,
    compact,
    each,
    is_json,
    object_of,
    read_object,
    role_of,
    text_of,
)
from fake_model.reply import Reply, ReplyCall, ReplyPart
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

_LAYOUT = Layout(conversation="messages", lead="system")

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}

_STOP_REASONS = {
    Finish.STOP: "end_turn",
    Finish.TOOL_CALLS: "tool_use",
    Finish.LENGTH: "max_tokens",
    Finish.CONTENT_FILTER: "refusal",
}

_ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}

_SIGNATURE = "c2NyaXB0ZWQ="
"""Stands where a real reply signs its thinking."""


class _Kind(StrEnum):
    """The content blocks that a reply is made of."""

    TEXT = "text"
    THINKING = "thinking"


class Anthropic:
    """The Messages format."""

    name = "anthropic"
    path = "/messages"

    def parse(self, body: bytes) -> ModelRequest:
        """Return what was asked; raises RequestError where the body is not of this format."""
        fields = read_object(body)
        return ModelRequest(
            provider=self.name,
            model=text_of(fields.get("model", ""), "model"),
            stream=fields.get("stream") is True,
            messages=(*_system(fields.get("system")), *each(fields.get("messages"), "messages", _message)),
            tools=tuple(each(fields.get("tools"), "tools", _tool)),
            raw=RawPrompt(body, _LAYOUT),
        )

    def stream(self, reply: Reply, identity: Identity) -> tuple[Event, ...]:
        """Return the reply as server-sent events, `message_stop` last."""
        return tuple(_Stream(identity).events(reply))

    def document(self, reply: Reply, identity: Identity) -> bytes:
        """Return the reply as one JSON document; arguments that are no JSON stand in it as a text."""
        return compact(
            {**_envelope(identity, reply.usage), **_outcome(reply), "content": list(_blocks(reply))}
        )

    def error(self, status: int, message: str, code: str | None) -> bytes:
        """Return an error body; the format has a type and no further code, so only a code that is a type is used."""
        usual = _ERROR_TYPES.get(status, "api_error" if status >= 500 else "invalid_request_error")
        kind = code if code and code.endswith("_error") else usual
        return compact({"type": "error", "error": {"type": kind, "message": message}, "request_id": None})

    def error_event(self, message: str, code: str, sequence: int) -> bytes:  # noqa: ARG002 - events bear no number
        """Return an error event inside a stream."""
        return _event({"type": "error", "error": {"type": code, "message": message}})


class _Stream:
    """Writes the events of one reply."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._index = -1
        self._open: _Kind | None = None
        self._pinged = False

    def events(self, reply: Reply) -> Iterator[Event]:
        start = {
            **_envelope(self._identity, reply.usage, output=1),
            "stop_reason": None,
            "stop_sequence": None,
        }
        yield _event({"type": "message_start", "message": {**start, "content": []}})
        for part in reply.parts:
            yield from self._part(part)
        yield from self._close()
        if reply.finish != Finish.MISSING:
            yield _event({"type": "message_delta", **_ending(reply)})
            yield _event({"type": "message_stop"})

    def _part(self, part: ReplyPart) -> Iterator[Event]:
        match part:
            case Say():
                yield from self._in(_Kind.TEXT)
                yield from (self._text(delta) for delta in part.deltas)
            case Endless():
                yield from self._in(_Kind.TEXT)
                yield Loop(self._text(part.delta), part.at_most)
            case Reason():
                yield from self._in(_Kind.THINKING)
                yield from (
                    self._delta({"type": "thinking_delta", "thinking": delta}) for delta in part.deltas
                )
            case ReplyCall():
                yield from self._close()
                yield from self._call(part)
            case Gate() | Pause():
                yield part

    def _in(self, kind: _Kind) -> Iterator[Event]:
        """Begin a block of this kind, unless it is open already."""
        if self._open is kind:
            return
        yield from self._close()
        empty = {"text": ""} if kind is _Kind.TEXT else {"thinking": "", "signature": ""}
        yield from self._start({"type": kind.value, **empty})
        self._open = kind

    def _close(self) -> Iterator[Event]:
        if self._open is _Kind.THINKING:
            yield self._delta({"type": "signature_delta", "signature": _SIGNATURE})
        if self._open is not None:
            self._open = None
            yield self._stop()

    def _call(self, call: ReplyCall) -> Iterator[Event]:
        yield from self._start({"type": "tool_use", "id": call.id, "name": call.name, "input": {}})
        for piece in call.deltas:
            yield self._delta({"type": "input_json_delta", "partial_json": piece})
        yield self._stop()

    def _start(self, block: JsonValue) -> Iterator[Event]:
        self._index += 1
        yield _event({"type": "content_block_start", "index": self._index, "content_block": block})
        if not self._pinged:
            self._pinged = True
            yield _event({"type": "ping"})

    def _text(self, delta: str) -> bytes:
        return self._delta({"type": "text_delta", "text": delta})

    def _delta(self, delta: JsonValue) -> bytes:
        return _event({"type": "content_block_delta", "index": self._index, "delta": delta})

    def _stop(self) -> bytes:
        return _event({"type": "content_block_stop", "index": self._index})


def _event(data: dict[str, JsonValue]) -> bytes:
    return b"event: " + str(data["type"]).encode() + b"\ndata: " + compact(data) + b"\n\n"


def _envelope(identity: Identity, usage: Usage | None, output: int | None = None) -> dict[str, JsonValue]:
    """Return what every message begins with; `output` is the count of tokens so far, by default all of them."""
    message: dict[str, JsonValue] = {
        "id": f"msg_{identity.key}",
        "type": "message",
        "role": "assistant",
        "model": identity.model,
    }
    if usage is not None:
        message["usage"] = _usage(usage, usage.output if output is None else output)
    return message


def _usage(usage: Usage, output: int) -> dict[str, JsonValue]:
    """Return the figures as this provider counts them: what was read from the cache is not in `input_tokens`."""
    figures: dict[str, JsonValue] = {
        "input_tokens": usage.input - (usage.cached or 0),
        "output_tokens": output,
    }
    if usage.cached is not None:
        figures |= {"cache_creation_input_tokens": 0, "cache_read_input_tokens": usage.cached}
    if usage.reasoning is not None and output == usage.output:
        figures["output_tokens_details"] = {"thinking_tokens": usage.reasoning}
    return figures


def _ending(reply: Reply) -> dict[str, JsonValue]:
    """Return delta and usage of the `message_delta` event."""
    ending: dict[str, JsonValue] = {"delta": _outcome(reply)}
    if reply.usage is not None:
        ending["usage"] = _usage(reply.usage, reply.usage.output)
    return ending


def _outcome(reply: Reply) -> dict[str, JsonValue]:
    return {"stop_reason": _stop_reason(reply.finish), "stop_sequence": None}


def _stop_reason(finish: Finish | str) -> str | None:
    if finish == Finish.MISSING:
        return None
    return _STOP_REASONS[finish] if isinstance(finish, Finish) else finish


def _blocks(reply: Reply) -> Iterator[JsonValue]:
    for part in reply.parts:
        match part:
            case Say():
                yield {"type": "text", "text": "".join(part.deltas)}
            case Reason():
                yield {"type": "thinking", "thinking": "".join(part.deltas), "signature": _SIGNATURE}
            case ReplyCall():
                raw = orjson.Fragment(part.arguments) if is_json(part.arguments) else part.arguments
                yield {"type": "tool_use", "id": part.id, "name": part.name, "input": raw}
            case _:
                pass


def _system(system: JsonValue) -> list[Message]:
    """Return the texts outside the conversation, one message for each."""
    if isinstance(system, str):
        return [Message(Role.SYSTEM, (TextPart(system),))]
    return [Message(Role.SYSTEM, (part,)) for part in each(system, "system", _part)]


def _message(value: JsonValue) -> Message:
    message = object_of(value)
    role = role_of(message, _ROLES)
    content = message.get("content")
    if isinstance(content, str):
        return Message(role, (TextPart(content),))
    return Message(role, tuple(each(content, "content", _part)))


def _part(value: JsonValue) -> MessagePart:
    block = object_of(value)
    match block.get("type"):
        case "text":
            return TextPart(text_of(block.get("text"), "text"))
        case "tool_use":
            return CallPart(
                id=text_of(block.get("id"), "id"),
                name=text_of(block.get("name"), "name"),
                arguments=compact(block.get("input")).decode(),
            )
        case "tool_result":
            return ResultPart(
                call_id=text_of(block.get("tool_use_id"), "tool_use_id"),
                text=_result_text(block.get("content")),
                is_error=block.get("is_error") is True,
            )
        case kind:
            return OtherPart(str(kind))


def _result_text(content: JsonValue) -> str:
    if isinstance(content, str):
        return content
    parts = each(content, "content", _part)
    return "".join(part.text for part in parts if isinstance(part, TextPart))


def _tool(value: JsonValue) -> Tool:
    tool = object_of(value)
    return Tool(
        name=text_of(tool.get("name"), "name"),
        description=str(tool.get("description") or ""),
        parameters=tool.get("input_schema"),
        text=compact(tool).decode(),
    )
