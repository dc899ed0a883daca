"""A request to the model, in one shape for all providers, and the questions that a test can put to it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

from fake_model import state_block
from fake_model.ids import CallId, Marker, last_marker, read_call_id
from fake_model.names import Alias, resolve
from fake_model.pointer import JsonValue, look_up
from fake_model.prefix import RawPrompt, unchanged
from fake_model.state_block import Place, StateLine


class Role(StrEnum):
    """Who a message is from; a developer message counts as a system message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class TextPart:
    """A text."""

    text: str


@dataclass(frozen=True, slots=True)
class CallPart:
    """A tool call that the assistant made; `arguments` is its JSON text as the request has it."""

    id: str
    name: str
    arguments: str

    @property
    def input(self) -> JsonValue:
        """The arguments as a value, or the text itself where it is no JSON."""
        return _value(self.arguments)


@dataclass(frozen=True, slots=True)
class ResultPart:
    """The answer to a tool call; `text` is what the model reads."""

    call_id: str
    text: str
    is_error: bool = False
    name: str = ""

    @property
    def value(self) -> JsonValue:
        """The result as a value, or the text itself where it is no JSON."""
        return _value(self.text)

    def at(self, pointer: str) -> JsonValue:
        """Return the value at a JSON pointer; raises LookupError where there is none."""
        return look_up(self.value, pointer)

    @property
    def code(self) -> str | None:
        """The error code: at `/error/code` or `/code`; None when the result carries none."""
        return self._first_text("/error/code", "/code")

    @property
    def status(self) -> str | None:
        """The envelope's `status`; None when the result carries none."""
        return self._first_text("/status")

    def _first_text(self, *pointers: str) -> str | None:
        for pointer in pointers:
            try:
                found = self.at(pointer)
            except LookupError:
                continue
            if isinstance(found, str):
                return found
        return None


@dataclass(frozen=True, slots=True)
class OtherPart:
    """A part that the questions don't look into: an image, a file, thinking or a reference that was sent back."""

    kind: str
    id: str = ""


MessagePart = TextPart | CallPart | ResultPart | OtherPart

_P = TypeVar("_P", TextPart, CallPart, ResultPart, OtherPart)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the prompt, in the provider's order."""

    role: Role
    parts: tuple[MessagePart, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of this message."""
        return tuple(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def is_state_block(self) -> bool:
        """Whether the message holds nothing but the capability state."""
        return bool(self.parts) and all(_is_state(part) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that was offered. `parameters` is its input schema as sent, `text` the JSON of the whole entry."""

    name: str
    description: str
    parameters: JsonValue
    text: str

    @property
    def fields(self) -> frozenset[str]:
        """The names of the schema's properties."""
        properties = self.parameters.get("properties") if isinstance(self.parameters, dict) else None
        return frozenset(properties) if isinstance(properties, dict) else frozenset()

    @property
    def required(self) -> frozenset[str]:
        """The names of the properties that the schema requires."""
        required = self.parameters.get("required") if isinstance(self.parameters, dict) else None
        return frozenset(required) if isinstance(required, list) else frozenset()


@dataclass(frozen=True, slots=True)
class ToolChanges:
    """How one tool block differs from an earlier one, by wire name."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return bool(self.added or self.removed or self.changed)


@dataclass(frozen=True)
class ModelRequest:
    """What the model was asked.

    `raw` is the prompt's text as it came, for questions about bytes; `aliases` are the caller's own wire names.
    """

    provider: str
    model: str
    stream: bool
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    raw: RawPrompt = field(repr=False)
    aliases: tuple[Alias, ...] = ()

    def with_aliases(self, aliases: tuple[Alias, ...]) -> "ModelRequest":
        """Return this request as one whose questions know a caller's own wire names."""
        return replace(self, aliases=aliases)

    @cached_property
    def tool_names(self) -> tuple[str, ...]:
        """The wire names of the offered tools, in their order."""
        return tuple(tool.name for tool in self.tools)

    @property
    def tool_block(self) -> bytes:
        """The tool block exactly as it came; empty when the request has none."""
        return self.raw.tool_block

    def offers(self, name: str) -> bool:
        """Tell whether a capability (canonical id or wire name) is among the tools."""
        return self.tool(name) is not None

    def tool(self, name: str) -> Tool | None:
        """Return the offered tool for a canonical id or wire name, or None."""
        wire_name = resolve(name, self.tool_names, self.aliases)
        return next((tool for tool in self.tools if tool.name == wire_name), None)

    def tool_changes_since(self, earlier: "ModelRequest") -> ToolChanges:
        """Return what differs in the tool block since an earlier request."""
        before = {tool.name: tool.text for tool in earlier.tools}
        after = {tool.name: tool.text for tool in self.tools}
        return ToolChanges(
            added=tuple(name for name in after if name not in before),
            removed=tuple(name for name in before if name not in after),
            changed=tuple(name for name in after if name in before and after[name] != before[name]),
        )

    @property
    def system(self) -> tuple[str, ...]:
        """The system and developer texts, wherever they stand, in their order."""
        return tuple(
            text for message in self.messages if message.role is Role.SYSTEM for text in message.texts
        )

    @property
    def user_texts(self) -> tuple[str, ...]:
        """What the user said, in order."""
        return tuple(text for message in self.messages if message.role is Role.USER for text in message.texts)

    @cached_property
    def marker(self) -> Marker | None:
        """The last marker in the user's texts."""
        for message in reversed(self.messages):
            if message.role is Role.USER:
                for part in reversed(message.parts):
                    if isinstance(part, TextPart) and (marker := last_marker(part.text)):
                        return marker
        return None

    @property
    def since_user(self) -> tuple[Message, ...]:
        """The messages after the user's last one (the last with a text of the user's that is no state block)."""
        for index in range(len(self.messages) - 1, -1, -1):
            if _is_users_turn(self.messages[index]):
                return self.messages[index + 1 :]
        return self.messages

    @property
    def results(self) -> tuple[ResultPart, ...]:
        """The tool results since the user's message, in order."""
        return tuple(_parts(self.since_user, ResultPart))

    @property
    def last_result(self) -> ResultPart | None:
        """The last tool result since the user's message, or None."""
        results = self.results
        return results[-1] if results else None

    @property
    def all_results(self) -> tuple[ResultPart, ...]:
        """Every tool result of the conversation, in order."""
        return tuple(_parts(self.messages, ResultPart))

    @property
    def all_calls(self) -> tuple[CallPart, ...]:
        """Every tool call of the conversation, in order."""
        return tuple(_parts(self.messages, CallPart))

    @property
    def unanswered_calls(self) -> tuple[CallPart, ...]:
        """The calls that have no result; providers refuse a conversation with one."""
        answered = {result.call_id for result in self.all_results}
        return tuple(call for call in self.all_calls if call.id not in answered)

    @cached_property
    def state_lines(self) -> tuple[StateLine, ...]:
        """The lines of the capability state in the prompt, with the place of each; not those in the tool block."""
        return tuple(
            line for text, place in self._state_texts() for line in state_block.read_lines(text, place)
        )

    def state_of(self, canonical_id: str) -> tuple[StateLine, ...]:
        """The lines of the capability state that are about one capability, in their order."""
        return tuple(line for line in self.state_lines if line.canonical_id == canonical_id)

    @cached_property
    def state_lines_in_tool_block(self) -> tuple[StateLine, ...]:
        """State lines that stand in tool descriptions, where live state must never be."""
        return tuple(
            line for tool in self.tools for line in state_block.read_lines(tool.description, Place.TOOL_BLOCK)
        )

    def prefix_unchanged_since(self, earlier: "ModelRequest") -> bool:
        """Tell whether tools and conversation of an earlier request begin this one, byte for byte.

        The earlier request's state block at the end of the conversation does not count: it is meant to move.
        """
        return unchanged(earlier.raw, self.raw)

    @cached_property
    def places(self) -> tuple[CallId, ...]:
        """The places in scripts that the calls and results of the conversation come from, in order."""
        ids = [
            _id_of(part)
            for message in self.messages
            for part in message.parts
            if not isinstance(part, TextPart)
        ]
        return tuple([place for identity in ids if (place := read_call_id(identity))])

    def step_asked(self, token: str, turn: int) -> int:
        """Return the step that the messages ask for: one more than the highest step that made a call."""
        highest = -1
        for place in self.places:
            if place.step > highest and (place.token, place.turn) == (token, turn):
                highest = place.step
        return highest + 1

    def _state_texts(self) -> Iterator[tuple[str, Place]]:
        """Yield each text that can hold state, with its place."""
        ends = [i for i, message in enumerate(self.messages) if not _is_system_or_state(message)]
        first, last = (ends[0], ends[-1]) if ends else (len(self.messages), -1)
        for index, message in enumerate(self.messages):
            place = Place.WITHIN_CONVERSATION
            if index < first:
                place = Place.BEFORE_CONVERSATION
            elif index > last or index == len(self.messages) - 1:
                place = Place.AFTER_CONVERSATION
            for text in message.texts:
                if message.role is Role.SYSTEM or state_block.is_block(text):
                    yield text, place


def _parts(messages: tuple[Message, ...], kind: type[_P]) -> Iterator[_P]:
    return (part for message in messages for part in message.parts if isinstance(part, kind))


def _id_of(part: CallPart | ResultPart | OtherPart) -> str:
    """Return the call id that a part carries; a reference to a call item of the Responses format carries one too."""
    match part:
        case CallPart():
            return part.id
        case ResultPart():
            return part.call_id
        case OtherPart():
            return part.id.removeprefix("fc_")


def _is_state(part: MessagePart) -> bool:
    return isinstance(part, TextPart) and state_block.is_block(part.text)


def _is_users_turn(message: Message) -> bool:
    return message.role is Role.USER and any(
        isinstance(part, TextPart) and not _is_state(part) for part in message.parts
    )


def _is_system_or_state(message: Message) -> bool:
    return message.role is Role.SYSTEM or message.is_state_block


def _value(text: str) -> JsonValue:
    try:
        return json.loads(text)
    except ValueError:
        return text
