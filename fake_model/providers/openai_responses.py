"""OpenAI Responses.

The format's own item ids are made of the reply's key and the item's place, so that the same script gives the same
bytes; the call id, which the result comes back under, is the script's.
"""

from collections.abc import Iterator
from enum import StrEnum

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

_LAYOUT = Layout(conversation="input", lead="instructions")

_ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
}

_TEXT_TYPES = frozenset({"input_text", "output_text", "text"})

_INCOMPLETE = {Finish.LENGTH: "max_output_tokens", Finish.CONTENT_FILTER: "content_filter"}


class _Kind(StrEnum):
    """The items that can stay open while more of their text comes."""

    MESSAGE = "message"
    REASONING = "reasoning"


class OpenAIResponses:
    """The Responses format."""

    name = "openai-responses"
    path = "/responses"

    def parse(self, body: bytes) -> ModelRequest:
        """Return what was asked; raises RequestError where the body is not of this format."""
        fields = read_object(body)
        return ModelRequest(
            provider=self.name,
            model=text_of(fields.get("model", ""), "model"),
            stream=fields.get("stream") is True,
            messages=(*_instructions(fields.get("instructions")), *_input(fields.get("input"))),
            tools=tuple(each(fields.get("tools"), "tools", _tool)),
            raw=RawPrompt(body, _LAYOUT),
        )

    def stream(self, reply: Reply, identity: Identity) -> tuple[Event, ...]:
        """Return the reply as server-sent events, the terminal one with the whole response last."""
        return tuple(_Stream(identity).events(reply))

    def document(self, reply: Reply, identity: Identity) -> bytes:
        """Return the reply as one JSON document."""
        stream = _Stream(identity)
        for _ in stream.events(reply):
            pass
        return compact(stream.response(reply))

    def error(self, status: int, message: str, code: str | None) -> bytes:
        """Return an error body."""
        kind = "server_error" if status >= 500 else "invalid_request_error"
        return compact({"error": {"message": message, "type": kind, "param": None, "code": code}})

    def error_event(self, message: str, code: str, sequence: int) -> bytes:
        """Return an error event inside a stream."""
        return _event(
            {"type": "error", "code": code, "message": message, "param": None, "sequence_number": sequence}
        )


class _Stream:
    """Writes the events of one reply, and gathers the items that the whole response holds."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._sequence = 0
        self._items: list[JsonValue] = []
        self._open: _Kind | None = None
        self._text = ""

    def events(self, reply: Reply) -> Iterator[Event]:
        begun = {**_envelope(self._identity), "status": "in_progress", "output": [], "usage": None}
        yield self._emit("response.created", response=begun)
        yield self._emit("response.in_progress", response=begun)
        for part in reply.parts:
            yield from self._part(part)
        yield from self._close()
        if reply.finish != Finish.MISSING:
            incomplete = reply.finish in _INCOMPLETE
            kind = "response.incomplete" if incomplete else "response.completed"
            yield self._emit(kind, response=self.response(reply))

    def response(self, reply: Reply) -> dict[str, JsonValue]:
        """Return the whole response; the events must have been written."""
        reason = _INCOMPLETE.get(reply.finish) if isinstance(reply.finish, Finish) else None
        return {
            **_envelope(self._identity),
            "status": _status(reply.finish),
            "incomplete_details": {"reason": reason} if reason else None,
            "output": self._items,
            "usage": _usage(reply.usage) if reply.usage else None,
        }

    def _part(self, part: ReplyPart) -> Iterator[Event]:
        match part:
            case Say():
                yield from self._in(_Kind.MESSAGE)
                yield from (self._delta(delta) for delta in part.deltas)
            case Endless():
                yield from self._in(_Kind.MESSAGE)
                yield Loop(self._delta(part.delta), part.at_most)
            case Reason():
                yield from self._in(_Kind.REASONING)
                yield from (self._delta(delta) for delta in part.deltas)
            case ReplyCall():
                yield from self._close()
                yield from self._call(part)
            case Gate() | Pause():
                yield part

    def _in(self, kind: _Kind) -> Iterator[Event]:
        """Begin an item of this kind, unless it is open already."""
        if self._open is kind:
            return
        yield from self._close()
        self._open, self._text = kind, ""
        yield self._emit("response.output_item.added", **self._place, item=self._item("in_progress", []))
        if kind is _Kind.MESSAGE:
            yield self._emit(
                "response.content_part.added", **self._in_item, content_index=0, part=_output_text("")
            )
        else:
            part = {"type": "summary_text", "text": ""}
            yield self._emit(
                "response.reasoning_summary_part.added", **self._in_item, summary_index=0, part=part
            )

    def _delta(self, delta: str) -> bytes:
        self._text += delta
        if self._open is _Kind.MESSAGE:
            more = {"content_index": 0, "delta": delta, "logprobs": []}
            return self._emit("response.output_text.delta", **self._in_item, **more)
        more = {"summary_index": 0, "delta": delta}
        return self._emit("response.reasoning_summary_text.delta", **self._in_item, **more)

    def _close(self) -> Iterator[Event]:
        """End the item that is open."""
        if self._open is None:
            return
        if self._open is _Kind.MESSAGE:
            part = _output_text(self._text)
            done = {"content_index": 0, "text": self._text, "logprobs": []}
            yield self._emit("response.output_text.done", **self._in_item, **done)
            yield self._emit("response.content_part.done", **self._in_item, content_index=0, part=part)
        else:
            part = {"type": "summary_text", "text": self._text}
            done = {"summary_index": 0, "text": self._text}
            yield self._emit("response.reasoning_summary_text.done", **self._in_item, **done)
            yield self._emit(
                "response.reasoning_summary_part.done", **self._in_item, summary_index=0, part=part
            )
        item = self._item("completed", [part])
        yield self._emit("response.output_item.done", **self._place, item=item)
        self._items.append(item)
        self._open = None

    def _call(self, call: ReplyCall) -> Iterator[Event]:
        item_id = f"fc_{call.id}"
        item = {"type": "function_call", "id": item_id, "call_id": call.id, "name": call.name}
        begun = {**item, "status": "in_progress", "arguments": ""}
        yield self._emit("response.output_item.added", **self._place, item=begun)
        here = {"item_id": item_id, **self._place}
        for piece in call.deltas:
            yield self._emit("response.function_call_arguments.delta", **here, delta=piece)
        yield self._emit(
            "response.function_call_arguments.done", **here, arguments=call.arguments, name=call.name
        )
        whole = {**item, "status": "completed", "arguments": call.arguments}
        yield self._emit("response.output_item.done", **self._place, item=whole)
        self._items.append(whole)

    def _item(self, status: str, content: list[JsonValue]) -> JsonValue:
        if self._open is _Kind.MESSAGE:
            more = {"role": "assistant", "status": status, "content": content}
            return {"type": "message", "id": self._item_id, **more}
        return {"type": "reasoning", "id": self._item_id, "summary": content}

    @property
    def _item_id(self) -> str:
        prefix = "msg" if self._open is _Kind.MESSAGE else "rs"
        return f"{prefix}_{self._identity.key}_{len(self._items)}"

    @property
    def _place(self) -> dict[str, JsonValue]:
        return {"output_index": len(self._items)}

    @property
    def _in_item(self) -> dict[str, JsonValue]:
        return {"item_id": self._item_id, **self._place}

    def _emit(self, kind: str, **fields: JsonValue) -> bytes:
        number = self._sequence
        self._sequence += 1
        return _event({"type": kind, **fields, "sequence_number": number})


def _event(data: dict[str, JsonValue]) -> bytes:
    return b"event: " + str(data["type"]).encode() + b"\ndata: " + compact(data) + b"\n\n"


def _envelope(identity: Identity) -> dict[str, JsonValue]:
    return {
        "id": f"resp_{identity.key}",
        "object": "response",
        "created_at": identity.created,
        "model": identity.model,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "top_p": 1.0,
        "tool_choice": "auto",
        "tools": [],
    }


def _status(finish: Finish | str) -> str:
    if isinstance(finish, Finish):
        return "incomplete" if finish in _INCOMPLETE else "completed"
    return finish


def _output_text(text: str) -> dict[str, JsonValue]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _usage(usage: Usage) -> dict[str, JsonValue]:
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.cached or 0, "cache_write_tokens": 0},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning or 0},
        "total_tokens": usage.input + usage.output,
    }


def _instructions(instructions: JsonValue) -> Iterator[Message]:
    if instructions is not None:
        yield Message(Role.SYSTEM, (TextPart(text_of(instructions, "instructions")),))


def _input(value: JsonValue) -> list[Message]:
    if isinstance(value, str):
        return [Message(Role.USER, (TextPart(value),))]
    return each(value, "input", _item)


def _item(value: JsonValue) -> Message:
    item = object_of(value)
    match item.get("type", "message"):
        case "message":
            return Message(role_of(item, _ROLES), tuple(_contents(item.get("content"), "content")))
        case "function_call":
            call = CallPart(
                id=text_of(item.get("call_id"), "call_id"),
                name=text_of(item.get("name"), "name"),
                arguments=text_of(item.get("arguments", ""), "arguments"),
            )
            return Message(Role.ASSISTANT, (call,))
        case "function_call_output":
            parts = _contents(item.get("output"), "output")
            text = "".join(part.text for part in parts if isinstance(part, TextPart))
            return Message(Role.TOOL, (ResultPart(text_of(item.get("call_id"), "call_id"), text),))
        case kind:
            return Message(Role.ASSISTANT, (OtherPart(str(kind), str(item.get("id") or "")),))


def _contents(content: JsonValue, field: str) -> list[MessagePart]:
    return [TextPart(content)] if isinstance(content, str) else each(content, field, _content)


def _content(value: JsonValue) -> MessagePart:
    part = object_of(value)
    if part.get("type") in _TEXT_TYPES:
        return TextPart(text_of(part.get("text"), "text"))
    return OtherPart(str(part.get("type")))


def _tool(value: JsonValue) -> Tool:
    """Return a tool; the provider's own tools have a type in the place of a name."""
    tool = object_of(value)
    return Tool(
        name=text_of(tool.get("name", tool.get("type")), "name"),
        description=str(tool.get("description") or ""),
        parameters=tool.get("parameters"),
        text=compact(tool).decode(),
    )
