"""What the loop needs from a model provider."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from reference_app.errors import ReferenceAppError
from reference_app.runtime.conversation import Message, ToolDefinition


@dataclass(frozen=True)
class ModelRequest:
    """One request to a model.

    Attributes:
        model_id: Which model.
        messages: The conversation, instructions first and live state last.
        tools: Everything that the model may call.
    """

    model_id: str
    messages: tuple[Message, ...]
    tools: tuple[ToolDefinition, ...]


@dataclass(frozen=True)
class TextDelta:
    """The model said a little more."""

    text: str


@dataclass(frozen=True)
class ReasoningDelta:
    """The model thought a little more."""

    text: str


@dataclass(frozen=True)
class Progress:
    """The model produced something that is of no use before it is complete."""

    characters: int


@dataclass(frozen=True)
class RequestedCall:
    """A call as the model wrote it.

    Attributes:
        id: As the provider named it; empty when it gave none.
        name: As the model wrote it.
        arguments: The text of the arguments, not parsed.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Usage:
    """Tokens of one or several model requests.

    Attributes:
        input_tokens: Read.
        output_tokens: Written.
        total_tokens: Both.
        cached_input_tokens: The part of the input that came from a cache, when that was reported.
        reasoning_tokens: The part of the output that was thinking, when that was reported.
        reported_steps: How many requests these figures are from.
    """

    input_tokens: int
    output_tokens: int
    total_tokens: int
    cached_input_tokens: int | None = None
    reasoning_tokens: int | None = None
    reported_steps: int = 1


@dataclass(frozen=True)
class ModelFinished:
    """The model has ended its reply.

    Attributes:
        reason: stop, tool-calls, length, content-filter or unknown.
        calls: What it calls, in its order.
        usage: What it took, or None when the provider reported nothing.
    """

    reason: str
    calls: tuple[RequestedCall, ...]
    usage: Usage | None


ModelEvent: TypeAlias = TextDelta | ReasoningDelta | Progress | ModelFinished


class ModelError(ReferenceAppError):
    """The provider failed; the message is for people and names no internals.

    Args:
        message: What happened.
        usage: What the failed reply took, when the provider said so before it failed.
    """

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        self.usage = usage
        super().__init__(message)


class Model(Protocol):
    """A model behind a provider."""

    async def prepare(self) -> None:
        """Get ready to answer; takes as long as it takes, and nothing the second time."""
        ...

    def stream(self, request: ModelRequest) -> AbstractAsyncContextManager[AsyncIterator[ModelEvent]]:
        """Open one reply; leaving the context closes the connection.

        The events end with one :class:`ModelFinished`.

        Raises:
            ModelError: While opening or reading.
        """
        ...


def add_usage(one: Usage | None, other: Usage | None) -> Usage | None:
    """The sum of two figures; what neither reported stays absent."""
    if one is None or other is None:
        return one or other
    return Usage(
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        total_tokens=one.total_tokens + other.total_tokens,
        cached_input_tokens=_add(one.cached_input_tokens, other.cached_input_tokens),
        reasoning_tokens=_add(one.reasoning_tokens, other.reasoning_tokens),
        reported_steps=one.reported_steps + other.reported_steps,
    )


def _add(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    return one + other
