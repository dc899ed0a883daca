"""Faults in dealing with the model provider, and in streaming what it says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from reference_app.domain import stages
from reference_app.domain.errors import CapabilityError
from reference_app.domain.pipeline import Runtime
from reference_app.faults import Fault, Patches, fault
from reference_app.faults.calls import stop_after
from reference_app.host import answers
from reference_app.host.frames import InspectorFrame, StepFinish
from reference_app.host.host import Host
from reference_app.host.protocol import HostError
from reference_app.host.step import Step
from reference_app.host.stream import StepStream
from reference_app.runtime.loop import CallAnswered, Ending, PlannedCall
from reference_app.runtime.model import ModelError, ModelEvent, ModelFinished, ModelRequest, Usage
from reference_app.runtime.providers.reply import Reply
from reference_app.runtime.providers.sdk import SdkModel
from reference_app.strict_json import JsonObject, JsonValue

FAULTS: list[Fault] = []


@fault(FAULTS, "provider-retried", "a request that the provider fails is sent again")
def _provider_retried(patches: Patches) -> None:
    def make(stream: Callable[..., Any]) -> Any:
        @asynccontextmanager
        async def again(self: SdkModel, request: ModelRequest) -> AsyncIterator[AsyncIterator[ModelEvent]]:
            try:
                first = stream(self, request)
                events = await first.__aenter__()
            except ModelError:
                first = stream(self, request)
                events = await first.__aenter__()
            try:
                yield events
            finally:
                await first.__aexit__(None, None, None)

        return again

    patches.wrap(SdkModel, "stream", make)


@fault(
    FAULTS, "broken-provider-stream-hangs", "a provider's stream that breaks off is taken for a whole answer"
)
def _broken_provider_stream_hangs(patches: Patches) -> None:
    def make(read: Callable[..., AsyncIterator[ModelEvent]]) -> Any:
        async def call_it_whole(self: SdkModel, chunks: Any, reply: Any) -> AsyncIterator[ModelEvent]:
            try:
                async for event in read(self, chunks, reply):
                    yield event
            except ModelError as problem:
                if "within its stream" in str(problem):
                    raise
                yield ModelFinished("stop", (), None)

        return call_it_whole

    patches.wrap(SdkModel, "_read", make)


@fault(
    FAULTS, "provider-pieces-misread", "arguments that come in more than two pieces are put together wrongly"
)
def _provider_pieces_misread(patches: Patches) -> None:
    def make(take_call: Callable[..., Any]) -> Any:
        def misread(self: Reply, index: int, **piece: str) -> Any:
            progress = take_call(self, index, **piece)
            pieces: dict[int, list[str]] = self.__dict__.setdefault("pieces", {})
            if text := piece.get("arguments"):
                pieces.setdefault(index, []).append(text)
            if len(pieces.get(index, [])) > 2:
                self.calls[index].arguments = "".join(reversed(pieces[index]))
            return progress

        return misread

    patches.wrap(Reply, "take_call", make)


@fault(FAULTS, "unserializable-crashes", "an operation that breaks ends the run")
def _unserializable_crashes(patches: Patches) -> None:
    def stop(step: Step, batch: list[CallAnswered]) -> bool:
        del step
        return any("lab-unserializable" in answered.planned.call.name for answered in batch)

    stop_after(patches, stop)


@fault(FAULTS, "model-error-differs", "a refusal is told to the model in other words than to the page")
def _model_error_differs(patches: Patches) -> None:
    def make(face: Callable[[CapabilityError], JsonObject]) -> Any:
        def other_words(error: CapabilityError) -> JsonObject:
            return (
                face(error) if error.business_code is None else {**face(error), "message": "It was refused."}
            )

        return other_words

    patches.wrap(answers, "public_face", make)


@fault(FAULTS, "failure-half-done", "what an operation had written before it failed stays")
def _failure_half_done(patches: Patches) -> None:
    def make(handle: Callable[..., Awaitable[Any]]) -> Any:
        async def keep(self: Runtime, procedure: Any, value: Any, call: Any, seconds: Any) -> Any:
            try:
                return await handle(self, procedure, value, call, seconds)
            except CapabilityError:
                if call.agent is not None and call.agent.approval_id is None:
                    connection = await call.work.connection()
                    await connection.exec_driver_sql("COMMIT")
                    await connection.exec_driver_sql("BEGIN")
                raise

        return keep

    patches.wrap(Runtime, "_handle", make)


@fault(FAULTS, "stream-buffered", "nothing is sent before a step is over")
def _stream_buffered(patches: Patches) -> None:
    def make(lines: Callable[[StepStream], AsyncIterator[bytes]]) -> Any:
        async def hold_back(self: StepStream) -> AsyncIterator[bytes]:
            held = [line async for line in lines(self)]
            for line in held:
                yield line

        return hold_back

    patches.wrap(StepStream, "lines", make)


@fault(FAULTS, "big-frames-cut", "a text of more than a million characters is cut")
def _big_frames_cut(patches: Patches) -> None:
    def make(for_surface: Callable[..., JsonValue]) -> Any:
        def cut(*arguments: Any) -> JsonValue:
            shown = for_surface(*arguments)
            text = shown.get("text") if isinstance(shown, dict) else None
            return (
                {**shown, "text": text[:1_000_000]}
                if isinstance(shown, dict) and isinstance(text, str)
                else shown
            )

        return cut

    patches.wrap(stages, "for_surface", make)


@fault(FAULTS, "error-after-finish", "after a run that failed late something follows step-finish")
def _error_after_finish(patches: Patches) -> None:
    def make(settle: Callable[[Step], Awaitable[None]]) -> Any:
        async def add(self: Step) -> None:
            await settle(self)
            if self._ended.ending is Ending.FAILED and self._executed:
                self._stream.write(InspectorFrame("host", "run.failed", "the run failed", {}, {}))

        return add

    patches.wrap(Step, "_settle", make)


@fault(FAULTS, "call-frame-missing", "something is sent about a call before the frame that introduces it")
def _call_frame_missing(patches: Patches) -> None:
    def make(announce: Callable[[Step, PlannedCall], None]) -> Any:
        def mention(self: Step, planned: PlannedCall) -> None:
            about: JsonObject = {"invocationId": planned.call.id}
            self._stream.write(InspectorFrame("host", "call.planned", "a call is coming", about, {}))
            announce(self, planned)

        return mention

    patches.wrap(Step, "_announce", make)


@fault(FAULTS, "usage-parts-added", "what was cached and what was thought is counted once more with the rest")
def _usage_parts_added(patches: Patches) -> None:
    def count_twice(usage: Usage) -> Usage:
        cached, thought = usage.cached_input_tokens or 0, usage.reasoning_tokens or 0
        return replace(
            usage,
            input_tokens=usage.input_tokens + cached,
            output_tokens=usage.output_tokens + thought,
            total_tokens=usage.total_tokens + cached + thought,
        )

    _report_otherwise(patches, count_twice)


@fault(FAULTS, "usage-parts-invented", "parts of the usage that were not reported are said to be none")
def _usage_parts_invented(patches: Patches) -> None:
    def fill(usage: Usage) -> Usage:
        return replace(
            usage,
            cached_input_tokens=usage.cached_input_tokens or 0,
            reasoning_tokens=usage.reasoning_tokens or 0,
        )

    _report_otherwise(patches, fill)


def _report_otherwise(patches: Patches, change: Callable[[Usage], Usage]) -> None:
    def make(report: Callable[[Reply, Usage | None], None]) -> Any:
        def report_changed(self: Reply, usage: Usage | None) -> None:
            report(self, None if usage is None else change(usage))

        return report_changed

    patches.wrap(Reply, "report", make)


@fault(FAULTS, "usage-lost-on-error", "a step that ended in an error reports no usage")
def _usage_lost_on_error(patches: Patches) -> None:
    def make(finish: Callable[[Step], StepFinish]) -> Any:
        def lose(self: Step) -> StepFinish:
            finished = finish(self)
            return replace(finished, usage=None) if self._ended.ending is Ending.FAILED else finished

        return lose

    patches.wrap(Step, "_finish", make)


@fault(FAULTS, "no-model-hangs", "a step without a model is answered as a breakdown")
def _no_model_hangs(patches: Patches) -> None:
    def broken(self: Host) -> Any:
        if self._model is None:
            raise HostError(500, "MODEL_ERROR", "The run failed.")
        return self._model

    patches.replace(Host, "_require_model", broken)
