"""One reply of a model as far as it has come, whatever events the provider sends it in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from reference_app.runtime.model import (
    ModelError,
    ModelEvent,
    ModelFinished,
    Progress,
    ReasoningDelta,
    RequestedCall,
    TextDelta,
    Usage,
)

WITHIN_STREAM = "The model provider reported an error within its stream."


@dataclass
class Call:
    """A call as far as it has come."""

    id: str = ""
    name: str = ""
    arguments: str = ""


class Reply(ABC):
    """What the events of one reply add up to.

    Attributes:
        reason: Why the reply ended; empty until it has.
        usage: What it took, as far as the provider has said.
        calls: What it calls, by its place in the reply.
    """

    def __init__(self) -> None:
        self.reason = ""
        self.usage: Usage | None = None
        self.calls: dict[int, Call] = {}

    @abstractmethod
    def take(self, event: Any) -> list[ModelEvent]:
        """Add one event of the provider's and say what it brought.

        Raises:
            ModelError: It says that the reply failed.
        """

    def finished(self) -> ModelFinished:
        """The end of the reply."""
        calls = tuple(
            RequestedCall(call.id, call.name, call.arguments) for _, call in sorted(self.calls.items())
        )
        reason = "tool-calls" if calls and self.reason == "stop" else self.reason
        return ModelFinished(reason, calls, self.usage)

    def take_call(self, index: int, *, id: str = "", name: str = "", arguments: str = "") -> Progress:  # noqa: A002 - the wire's own word
        """Add a piece of a call: its first id counts, names and arguments are put together."""
        call = self.calls.setdefault(index, Call())
        call.id = call.id or id
        call.name += name
        call.arguments += arguments
        return Progress(len(name) + len(arguments))

    def report(self, usage: Usage | None) -> None:
        """Take the figures that the provider reported."""
        self.usage = usage

    def failed(self) -> ModelError:
        """The error for a reply that the provider itself gave up."""
        return ModelError(WITHIN_STREAM, self.usage)


def said(text: str) -> list[ModelEvent]:
    """What a piece of text brings; an empty one only shows that the model is there."""
    return [TextDelta(text) if text else Progress(0)]


def thought(text: str) -> list[ModelEvent]:
    """What a piece of thinking brings."""
    return [ReasoningDelta(text) if text else Progress(0)]


def count(holder: Any, name: str) -> int | None:
    """A figure that a provider reported, or None when it is no figure."""
    value = getattr(holder, name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def openai_usage(reported: Any, read_name: str, written_name: str) -> Usage | None:
    """The figures as OpenAI's formats nest them, or None when they are no figures.

    Args:
        reported: The usage object.
        read_name: What the format calls the tokens that were read; ``…_details`` has their parts.
        written_name: What it calls those that were written.
    """
    read, written, total = (count(reported, name) for name in (read_name, written_name, "total_tokens"))
    if read is None and written is None and total is None:
        return None
    return Usage(
        input_tokens=read or 0,
        output_tokens=written or 0,
        total_tokens=total if total is not None else (read or 0) + (written or 0),
        cached_input_tokens=count(getattr(reported, f"{read_name}_details", None), "cached_tokens"),
        reasoning_tokens=count(getattr(reported, f"{written_name}_details", None), "reasoning_tokens"),
    )
