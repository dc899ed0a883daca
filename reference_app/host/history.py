"""The posted history, made into a conversation that a model may read.

The messages are the state, and the browser carries them; so they are read as what they are, untrusted. They keep no authority:
system messages are dropped, results that this server recorded are replaced by the record, and every call has exactly one
result. Nothing of that happens silently. (The dual-plane model, The invariants, 6: the browser is not a boundary.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from reference_app.host.answers import TOOL_NOT_EXECUTED
from reference_app.host.request import PostedMessage
from reference_app.runtime.conversation import AssistantTurn, Message, ToolAnswer, ToolCall, UserText
from reference_app.strict_json import JsonObject, JsonValue

HOST_CALL_PENDING: JsonObject = {"status": "pending"}
"""What a tab posts as the result of a call that a tool of the host's own settles."""

ForModel = Callable[[ToolCall, JsonValue], JsonValue]
"""Takes a call and its result and returns what a model may see of the result."""


@dataclass(frozen=True)
class History:
    """A conversation that a model may read, and what had to be done for that.

    Attributes:
        messages: The conversation; each call has exactly one result, right behind its turn.
        call_ids: Every call id in it.
        refused: Roles of messages, and types of parts, that were dropped.
        replaced: Calls whose posted result was not the recorded one.
        repaired: Calls that had no result and got one.
        dropped: Ids of results without a call, and of calls and results that were there before.
        host_results: What the host's own tools said of their calls, by call id.
    """

    messages: tuple[Message, ...]
    call_ids: frozenset[str]
    refused: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    repaired: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    host_results: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """Every call, in order."""
        turns = (message for message in self.messages if isinstance(message, AssistantTurn))
        return tuple(call for turn in turns for call in turn.calls)

    def with_results(self, values: Mapping[str, JsonValue]) -> History:
        """The same conversation with the host's own results for some calls; a posted one that claimed to be one is reported."""
        answers = {m.call_id: m.value for m in self.messages if isinstance(m, ToolAnswer)}
        claimed = (
            call_id
            for call_id, value in values.items()
            if call_id not in self.repaired and answers.get(call_id) not in (HOST_CALL_PENDING, value)
        )
        return replace(
            self,
            messages=tuple(
                replace(message, value=values[message.call_id])
                if isinstance(message, ToolAnswer) and message.call_id in values
                else message
                for message in self.messages
            ),
            replaced=(*self.replaced, *claimed),
            host_results=values,
        )


def read_history(
    posted: Iterable[PostedMessage], recorded: Mapping[str, JsonValue], for_model: ForModel
) -> History:
    """Make a conversation of posted messages.

    Args:
        posted: The messages.
        recorded: The results that this server settled itself in this conversation, by call id.
        for_model: Redacts results.
    """
    reader = _Reader(recorded, for_model)
    for message in posted:
        reader.read(message)
    return reader.finish()


def settled_value(call: ToolCall, posted: JsonValue, recorded: Mapping[str, JsonValue]) -> JsonValue:
    """The result of a call: the recorded one wherever there is a record, whatever was posted."""
    return recorded.get(call.id, posted)


def may_speak(role: str) -> bool:
    """Whether a posted message of a role is passed on; nobody but this application instructs the model."""
    return role != "system"


class _Reader:
    def __init__(self, recorded: Mapping[str, JsonValue], for_model: ForModel) -> None:
        self._recorded = recorded
        self._for_model = for_model
        self._messages: list[Message] = []
        self._open: dict[str, ToolCall] = {}
        self._values: dict[str, JsonValue] = {}
        self._seen: set[str] = set()
        self._refused: list[str] = []
        self._replaced: list[str] = []
        self._repaired: list[str] = []
        self._dropped: list[str] = []

    def read(self, message: PostedMessage) -> None:
        if not may_speak(message.role):
            self._refused.append(message.role)
            return
        parts = _parts(message)
        if message.role == "tool":
            for part in parts:
                self._read_result(part)
            return
        self._close_turn()
        if message.role == "user":
            self._messages.append(UserText(self._texts(parts)))
        else:
            self._read_turn(parts)

    def finish(self) -> History:
        self._close_turn()
        return History(
            messages=tuple(self._messages),
            call_ids=frozenset(self._seen),
            refused=tuple(self._refused),
            replaced=tuple(self._replaced),
            repaired=tuple(self._repaired),
            dropped=tuple(self._dropped),
        )

    def _read_turn(self, parts: Iterable[JsonObject]) -> None:
        texts, calls = [], []
        for part in parts:
            if part.get("type") == "tool-call":
                call = _call(part)
                if call is None or call.id in self._seen:
                    self._dropped.append("" if call is None else call.id)
                    continue
                self._seen.add(call.id)
                self._open[call.id] = call
                calls.append(call)
            else:
                texts.append(part)
        text = self._texts(texts)
        if text or calls:
            self._messages.append(AssistantTurn(text, tuple(calls)))

    def _read_result(self, part: JsonObject) -> None:
        call_id = part.get("toolCallId")
        if part.get("type") != "tool-result" or not isinstance(call_id, str):
            self._refused.append(str(part.get("type"))[:40])
        elif call_id not in self._open or call_id in self._values:
            self._dropped.append(call_id)
        else:
            self._values[call_id] = _value(part)

    def _close_turn(self) -> None:
        for call in self._open.values():
            posted = self._values.get(call.id, TOOL_NOT_EXECUTED)
            value = settled_value(call, posted, self._recorded)
            if call.id not in self._values:
                self._repaired.append(call.id)
            elif value != posted:
                self._replaced.append(call.id)
            self._messages.append(ToolAnswer(call.id, call.name, self._for_model(call, value)))
        self._open, self._values = {}, {}

    def _texts(self, parts: Iterable[JsonObject]) -> str:
        texts = []
        for part in parts:
            text = part.get("text")
            if part.get("type") == "text" and isinstance(text, str):
                texts.append(text)
            elif part.get("type") != "reasoning":
                self._refused.append(str(part.get("type"))[:40])
        return "\n".join(texts)


def _parts(message: PostedMessage) -> list[JsonObject]:
    if isinstance(message.content, str):
        return [{"type": "text", "text": message.content}]
    return list(message.content)


def _call(part: JsonObject) -> ToolCall | None:
    call_id, name, given = part.get("toolCallId"), part.get("toolName"), part.get("input")
    if not isinstance(call_id, str) or not isinstance(name, str) or not call_id or not name:
        return None
    return ToolCall(call_id, name, given if isinstance(given, dict | str) else {})


def _value(part: JsonObject) -> JsonValue:
    output = part.get("output", part.get("result"))
    if isinstance(output, Mapping) and "value" in output and isinstance(output.get("type"), str):
        return output["value"]
    return output
