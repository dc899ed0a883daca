"""What a step adds to the conversation, gathered while it happens."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

from reference_app.host.answers import TOOL_NOT_EXECUTED
from reference_app.runtime.conversation import ToolCall
from reference_app.runtime.loop import Disposition, PlannedCall
from reference_app.strict_json import JsonObject, JsonValue


@dataclass(frozen=True)
class Settlement:
    """The answer to a call that the run left open."""

    planned: PlannedCall
    value: JsonValue


class Transcript:
    """Builds the response messages: text before calls in one assistant message, then one tool message for each result."""

    def __init__(self) -> None:
        self._messages: list[JsonObject] = []
        self._text = ""
        self._calls: list[ToolCall] = []
        self.planned: list[PlannedCall] = []
        self.answered: set[str] = set()

    def say(self, text: str) -> None:
        """The model said something."""
        if self._calls:
            self._flush()
        self._text += text

    def call(self, planned: PlannedCall) -> None:
        """The model called something."""
        self._calls.append(planned.call)
        self.planned.append(planned)

    def answer(self, call: ToolCall, value: JsonValue) -> bool:
        """A call has its result.

        Returns:
            Whether it is the first; a later one for the same call is ignored.
        """
        if call.id in self.answered:
            return False
        self.answered.add(call.id)
        self._flush()
        self._messages.append({"role": "tool", "content": [result_part(call, value)]})
        return True

    def finish(self) -> tuple[JsonObject, ...]:
        """The messages so far."""
        self._flush()
        return tuple(self._messages)

    def _flush(self) -> None:
        parts: list[JsonValue] = []
        if self._text:
            parts.append({"type": "text", "text": self._text})
        parts.extend(
            {"type": "tool-call", "toolCallId": call.id, "toolName": call.name, "input": call.input}
            for call in self._calls
        )
        if parts:
            self._messages.append({"role": "assistant", "content": parts})
        self._text, self._calls = "", []


def settle_orphans(planned: Iterable[PlannedCall], answered: Set[str]) -> tuple[Settlement, ...]:
    """Answer every call that the run left open and that is nobody else's to execute.

    A history in which a call has no result is one that providers refuse. (Architecture, The transport.)
    """
    open_calls = [call for call in planned if call.call.id not in answered]
    return tuple(
        Settlement(call, call.answer if call.disposition is Disposition.ANSWERED else TOOL_NOT_EXECUTED)
        for call in open_calls
        if call.disposition is not Disposition.SUSPEND
    )


def left_to_browser(planned: Iterable[PlannedCall], answered: Set[str]) -> tuple[PlannedCall, ...]:
    """The open calls that the tab has to execute, in call order."""
    return tuple(p for p in planned if p.disposition is Disposition.SUSPEND and p.call.id not in answered)


def result_part(call: ToolCall, value: JsonValue) -> JsonObject:
    """A result as a message carries it."""
    return {
        "type": "tool-result",
        "toolCallId": call.id,
        "toolName": call.name,
        "output": {"type": "json", "value": value},
    }
