"""A conversation as the loop and the model providers see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from reference_app.strict_json import JsonObject, JsonValue


@dataclass(frozen=True)
class SystemText:
    """What the application itself tells the model."""

    text: str


@dataclass(frozen=True)
class UserText:
    """What the person said."""

    text: str


@dataclass(frozen=True)
class ToolCall:
    """One call that the model made.

    Attributes:
        id: Unique within the conversation.
        name: The tool's name on the wire.
        input: The arguments; the raw text when they were not a JSON object.
    """

    id: str
    name: str
    input: JsonValue


@dataclass(frozen=True)
class AssistantTurn:
    """What the model said, and what it called, in that order."""

    text: str
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True)
class ToolAnswer:
    """The one result of one call."""

    call_id: str
    name: str
    value: JsonValue


Message: TypeAlias = SystemText | UserText | AssistantTurn | ToolAnswer


@dataclass(frozen=True)
class ToolDefinition:
    """A tool as the model is told about it; nothing in it depends on the state of a screen.

    Attributes:
        name: At most 64 letters, digits, underscores and hyphens.
        description: What it does.
        parameters: JSON Schema of its arguments.
    """

    name: str
    description: str
    parameters: JsonObject
