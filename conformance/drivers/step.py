"""What one posted chat step came to: frames, or a refusal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from conformance.errors import Departure
from conformance.wire.answer import Answer
from conformance.wire.frames import (
    ErrorFrame,
    Frame,
    FrameLog,
    Inspector,
    PendingCall,
    ReasoningDelta,
    StepFinish,
    StepStart,
    TextDelta,
    ToolCall,
    ToolResult,
    Usage,
)

_F = TypeVar("_F")
_SHOWN_FRAMES = 40


@dataclass(frozen=True)
class Refusal:
    """A step that was not run: the status, and the code and message of the error body where there is one."""

    answer: Answer
    code: str
    message: str

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.answer.status

    @property
    def sentence(self) -> str:
        """What came in the place of a step, as a sentence."""
        if 300 <= self.status < 400:
            return f"the step was sent elsewhere: {self.status} to {self.answer.headers.get('location', 'nowhere')}"
        if self.status >= 400:
            return f"the step was refused with {self.status} {self.code}: {self.message}"
        kind = self.answer.media_type or "nothing in particular"
        return f"the step was answered {self.status} as {kind}, which is no stream of frames: {self.message[:120]!r}"


def read_refusal(answer: Answer) -> Refusal:
    """Read the error body of a refused step; a body in any other shape gives an empty code."""
    try:
        body = answer.json()
    except Departure:
        body = None
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, Mapping):
        return Refusal(answer, code="", message=answer.text[:300])
    return Refusal(answer, code=str(error.get("code", "")), message=str(error.get("message", "")))


@dataclass(frozen=True)
class Step:
    """One step that was run, read to its end.

    A property that needs a frame raises `Departure` when the step has none such.
    """

    headers: Mapping[str, str]
    log: FrameLog
    complete: bool = True

    @property
    def frames(self) -> tuple[Frame, ...]:
        """Every readable frame, in order."""
        return self.log.frames

    def of(self, kind: type[_F]) -> tuple[_F, ...]:
        """The frames of one kind, in order."""
        return tuple(frame for frame in self.frames if isinstance(frame, kind))

    @property
    def start(self) -> StepStart:
        """The `step-start` frame."""
        return self._one(StepStart, "step-start")

    @property
    def finish(self) -> StepFinish:
        """The `step-finish` frame."""
        return self._one(StepFinish, "step-finish")

    @property
    def text(self) -> str:
        """The answer's text."""
        return "".join(frame.text for frame in self.of(TextDelta))

    @property
    def reasoning(self) -> str:
        """The reasoning's text."""
        return "".join(frame.text for frame in self.of(ReasoningDelta))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The `tool-call` frames."""
        return self.of(ToolCall)

    @property
    def results(self) -> tuple[ToolResult, ...]:
        """The `tool-result` frames."""
        return self.of(ToolResult)

    @property
    def errors(self) -> tuple[ErrorFrame, ...]:
        """The `error` frames."""
        return self.of(ErrorFrame)

    @property
    def pending(self) -> tuple[PendingCall, ...]:
        """The calls that wait for the browser."""
        return self.finish.pending_tool_calls

    @property
    def usage(self) -> Usage | None:
        """The usage of the step, where the target reported any."""
        return self.finish.usage

    def reports(self, event_type: str) -> tuple[Inspector, ...]:
        """The inspector frames of one event type."""
        return tuple(frame for frame in self.of(Inspector) if frame.event_type == event_type)

    @property
    def messages(self) -> tuple[Mapping[str, Any], ...]:
        """The messages that the step adds to the history."""
        return tuple(message for message in self.finish.response_messages if isinstance(message, Mapping))

    def offered_by_server(self) -> tuple[str, ...]:
        """Canonical ids of the server tools that `step-start` announces."""
        return tuple(tool.canonical_id for tool in self.start.domain_tools)

    def result_of(self, canonical_id: str) -> ToolResult:
        """The one result of a capability.

        Raises:
            Departure: there is none, or more than one.
        """
        found = [result for result in self.results if result.canonical_id == canonical_id]
        if len(found) != 1:
            seen = [f"{result.canonical_id} {result.tool_call_id}" for result in self.results]
            raise Departure(f"expected one result of {canonical_id}, saw {len(found)} among {seen}")
        return found[0]

    def answers(self) -> Mapping[str, Sequence[Any]]:
        """The values with which `responseMessages` answers each call id, in order."""
        return answers_in(self.messages)

    def _one(self, kind: type[_F], name: str) -> _F:
        found = self.of(kind)
        if not found:
            problems = f"; {'; '.join(self.log.problems)}" if self.log.problems else ""
            seen = [frame.type for frame in self.frames][:_SHOWN_FRAMES]
            raise Departure(f"the step has no {name} frame; it has {seen}{problems}")
        return found[-1]


def answers_in(messages: Sequence[Mapping[str, Any]]) -> Mapping[str, Sequence[Any]]:
    """Collect the tool results of a history by call id."""
    answers: dict[str, list[Any]] = {}
    for part in parts_of(messages, "tool-result"):
        output = part.get("output")
        value = output.get("value") if isinstance(output, Mapping) else output
        answers.setdefault(str(part.get("toolCallId")), []).append(value)
    return answers


def call_ids_in(messages: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Collect the ids of the calls in a history, in order."""
    return tuple(str(part.get("toolCallId")) for part in parts_of(messages, "tool-call"))


def parts_of(messages: Sequence[Mapping[str, Any]], kind: str) -> list[Mapping[str, Any]]:
    """Collect the message parts of one type, in order."""
    return [
        part
        for message in messages
        if isinstance(message.get("content"), list)
        for part in message["content"]
        if isinstance(part, Mapping) and part.get("type") == kind
    ]
