"""Faults in the stream: one object a line, in an order that readers rely on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.responses import Response

from reference_app.api import chat
from reference_app.faults import Fault, Patches, fault
from reference_app.host import frames
from reference_app.host.frames import (
    Frame,
    InspectorFrame,
    StepFinish,
    StepStart,
    TextFrame,
    ToolCallFrame,
    ToolResultFrame,
)
from reference_app.host.step import Step
from reference_app.host.stream import StepStream
from reference_app.runtime.loop import PlannedCall, RunEvent
from reference_app.runtime.model import TextDelta
from reference_app.strict_json import JsonObject, JsonValue

FAULTS: list[Fault] = []

_NOISE = InspectorFrame("host", "noise", "noise", {}, {})


@fault(FAULTS, "half-lines", "where a page has at most one tool, a frame is written over two lines")
def _half_lines(patches: Patches) -> None:
    def make(settle: Callable[[Step], Awaitable[None]]) -> Any:
        async def halve(self: Step) -> None:
            if len(self._plan.catalog.admission.accepted) <= 1:
                line = frames.encode(_NOISE)
                self._stream.write_line(line[:20] + b"\n" + line[20:])
            await settle(self)

        return halve

    patches.wrap(Step, "_settle", make)


@fault(FAULTS, "start-late", "something is said before step-start")
def _start_late(patches: Patches) -> None:
    def make(write: Callable[[StepStream, Frame], None]) -> Any:
        def noise_first(self: StepStream, frame: Frame) -> None:
            if isinstance(frame, StepStart):
                write(self, _NOISE)
            write(self, frame)

        return noise_first

    patches.wrap(StepStream, "write", make)


@fault(FAULTS, "finish-early", "something is said after step-finish")
def _finish_early(patches: Patches) -> None:
    def make(close: Callable[[StepStream], None]) -> Any:
        def noise_last(self: StepStream) -> None:
            self.write(_NOISE)
            close(self)

        return noise_last

    patches.wrap(StepStream, "close", make)


@fault(FAULTS, "wrong-media-type", "the stream is announced as one that may be stored")
def _wrong_media_type(patches: Patches) -> None:
    def make(response: Callable[..., Response]) -> Any:
        return lambda lines, headers: response(lines, headers={**headers, "cache-control": "max-age=600"})

    patches.wrap(chat, "StreamingResponse", make)


@fault(FAULTS, "version-header-missing", "the answer does not name the version of the protocol")
def _version_header_missing(patches: Patches) -> None:
    patches.replace(chat, "VERSION_HEADER", "x-other")


@fault(
    FAULTS, "call-neither-nor", "a call that the model makes after it has said something has no result frame"
)
def _call_neither_nor(patches: Patches) -> None:
    def make_take(take: Callable[[Step, RunEvent], None]) -> Any:
        def notice(self: Step, event: RunEvent) -> None:
            if isinstance(event, TextDelta):
                self.has_spoken = True  # type: ignore[attr-defined]  # the fault's own mark
            take(self, event)

        return notice

    def make_answer(answer: Callable[[Step, PlannedCall, JsonValue], None]) -> Any:
        def swallow(self: Step, planned: PlannedCall, value: JsonValue) -> None:
            if getattr(self, "has_spoken", False):
                self._transcript.answer(planned.call, value)
            else:
                answer(self, planned, value)

        return swallow

    patches.wrap(Step, "_take", make_take)
    patches.wrap(Step, "_answer", make_answer)


@fault(FAULTS, "result-before-call", "a result is written before the call that it belongs to")
def _result_before_call(patches: Patches) -> None:
    def make(write: Callable[[StepStream, Frame], None]) -> Any:
        def swap(self: StepStream, frame: Frame) -> None:
            held: dict[str, Frame] = self.__dict__.setdefault("held_calls", {})
            if isinstance(frame, ToolCallFrame) and frame.executor == "server":
                held[frame.call.id] = frame
                return
            write(self, frame)
            if isinstance(frame, ToolResultFrame) and frame.call.id in held:
                write(self, held.pop(frame.call.id))

        return swap

    patches.wrap(StepStream, "write", make)


@fault(FAULTS, "text-reordered", "two pieces of text change places")
def _text_reordered(patches: Patches) -> None:
    def make(write: Callable[[StepStream, Frame], None]) -> Any:
        def swap(self: StepStream, frame: Frame) -> None:
            held: list[Frame] = self.__dict__.setdefault("held_text", [])
            if isinstance(frame, TextFrame) and frame.kind == "text-delta" and not held:
                held.append(frame)
                return
            if isinstance(frame, TextFrame):
                write(self, frame)
            for text in held:
                write(self, text)
            held.clear()
            if not isinstance(frame, TextFrame):
                write(self, frame)

        return swap

    def make_line(write_line: Callable[..., None]) -> Any:
        def release(self: StepStream, line: bytes, **kind: bool) -> None:
            for text in self.__dict__.pop("held_text", []):
                write_line(self, frames.encode(text))
            write_line(self, line, **kind)

        return release

    patches.wrap(StepStream, "write_line", make_line)
    patches.wrap(StepStream, "write", make)


@fault(FAULTS, "reasoning-in-history", "what the model thought becomes part of the history")
def _reasoning_in_history(patches: Patches) -> None:
    from reference_app.runtime.model import ReasoningDelta  # noqa: PLC0415 - only this fault looks at it

    def make(take: Callable[[Step, RunEvent], None]) -> Any:
        def remember(self: Step, event: RunEvent) -> None:
            take(self, event)
            if isinstance(event, ReasoningDelta):
                self._transcript.say(event.text)

        return remember

    patches.wrap(Step, "_take", make)


@fault(FAULTS, "usage-invented", "a step for which no usage was reported reports none used")
def _usage_invented(patches: Patches) -> None:
    zero = {"inputTokens": 0, "outputTokens": 0, "totalTokens": 0, "reportedSteps": 1}

    def make(as_json: Callable[[StepFinish], JsonObject]) -> Any:
        return lambda self: {"usage": zero, **as_json(self)}

    patches.wrap(StepFinish, "as_json", make)


@fault(FAULTS, "usage-last-call-only", "a step reports the usage of its last model request only")
def _usage_of_last_request_only(patches: Patches) -> None:
    from reference_app.host import step  # noqa: PLC0415 - patched where it is used

    patches.replace(step, "add_usage", lambda one, other: other or one)


@fault(FAULTS, "scope-not-announced", "step-start does not say in which mode the catalog is")
def _catalog_mode_missing(patches: Patches) -> None:
    def make(as_json: Callable[[StepStart], JsonObject]) -> Any:
        return lambda self: {key: value for key, value in as_json(self).items() if key != "catalogMode"}

    patches.wrap(StepStart, "as_json", make)
