"""One step: a run of the loop, written as frames while it happens, and settled whatever becomes of it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Literal

from reference_app.domain.actor import Actor, Correlation
from reference_app.domain.audit import AuditEvent, AuditTrail, Source
from reference_app.host import answers, frames
from reference_app.host.catalog import BrowserTool, Catalog
from reference_app.host.frames import Names
from reference_app.host.history import History
from reference_app.host.memory import StepMemory
from reference_app.host.records import StepKey
from reference_app.host.request import StepRequest
from reference_app.host.stream import StepStream
from reference_app.host.toolbox import HostToolbox, canonical_id_of
from reference_app.host.transcript import Transcript, left_to_browser, settle_orphans
from reference_app.runtime.conversation import Message, SystemText, ToolCall
from reference_app.runtime.loop import (
    CallAnswered,
    CallsPlanned,
    Disposition,
    Ending,
    Loop,
    ModelStepEnded,
    PlannedCall,
    RunEnded,
    RunEvent,
)
from reference_app.runtime.model import ReasoningDelta, TextDelta, Usage, add_usage
from reference_app.strict_json import JsonObject, JsonValue

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class StepPlan:
    """Everything that is known before a step begins.

    Attributes:
        request: What was posted.
        owner: Who posted it.
        names: The step's ids.
        key: Names the step in the records.
        catalog: What the model is offered.
        history: The conversation so far, fit for a model.
        instructions: What the model is told first; empty for nothing.
        state: What the model is told last.
    """

    request: StepRequest
    owner: Actor
    names: Names
    key: StepKey
    catalog: Catalog
    history: History
    instructions: str
    state: SystemText | None

    @property
    def conversation(self) -> tuple[Message, ...]:
        """Instructions and history."""
        opening = (SystemText(self.instructions),) if self.instructions else ()
        return (*opening, *self.history.messages)


class Step:
    """Runs one step.

    Args:
        plan: What to run.
        loop: Runs it.
        toolbox: The tools.
        stream: Takes the frames.
        audit: Hears and tells what happens.
        memory: Keeps what has to be kept.
    """

    def __init__(
        self,
        plan: StepPlan,
        *,
        loop: Loop,
        toolbox: HostToolbox,
        stream: StepStream,
        audit: AuditTrail,
        memory: StepMemory,
    ) -> None:
        self._plan = plan
        self._loop = loop
        self._toolbox = toolbox
        self._stream = stream
        self._audit = audit
        self._memory = memory
        self._transcript = Transcript()
        self._usage: Usage | None = None
        self._ended = RunEnded(Ending.FAILED, "error", "The run failed.")
        self._settled: list[tuple[str, JsonValue]] = []
        self._executed = False

    async def run(self) -> None:
        """Run to the end, whether or not anybody still reads."""
        try:
            with self._audit.listening(self._hear):
                self._stream.write(frames.StepStart(self._plan.names, self._plan.catalog))
                self._report_catalog()
                self._report_history()
                await self._follow()
                await self._settle()
        finally:
            self._stream.close()

    async def _follow(self) -> None:
        run = self._loop.run(self._plan.conversation, self._plan.state, self._toolbox)
        try:
            async for event in run:
                self._take(event)
        except Exception:
            LOG.exception("step %s broke", self._plan.names.step_id)

    def _take(self, event: RunEvent) -> None:
        match event:
            case TextDelta(text):
                self._transcript.say(text)
                self._stream.write(frames.TextFrame("text-delta", text))
            case ReasoningDelta(text):
                self._stream.write(frames.TextFrame("reasoning-delta", text))
            case CallsPlanned(calls):
                for planned in calls:
                    self._announce(planned)
            case CallAnswered(planned, value):
                self._executed = self._executed or planned.disposition is Disposition.EXECUTE
                self._answer(planned, value)
            case ModelStepEnded(usage):
                self._usage = add_usage(self._usage, usage)
            case RunEnded():
                self._ended = event

    def _announce(self, planned: PlannedCall) -> None:
        self._transcript.call(planned)
        tool = self._plan.catalog.find(planned.call.name)
        if tool is None:
            self._note("tool.unknown", {"wireName": planned.call.name[:64]})
            return
        executor: Literal["server", "browser"] = (
            "browser"
            if isinstance(tool, BrowserTool) or planned.disposition is Disposition.SUSPEND
            else "server"
        )
        self._stream.write(frames.ToolCallFrame(planned.call, self._canonical_id(planned.call), executor))

    def _answer(self, planned: PlannedCall, value: JsonValue) -> None:
        if not self._transcript.answer(planned.call, value):
            return
        self._settled.append((planned.call.id, value))
        if self._plan.catalog.find(planned.call.name) is not None:
            self._stream.write(frames.ToolResultFrame(planned.call, self._canonical_id(planned.call), value))

    async def _settle(self) -> None:
        await self._present_host_calls()
        code = _ERRORS.get(self._ended.ending)
        if code is not None:
            self._stream.write(frames.ErrorFrame(code, self._ended.message))
        for settlement in settle_orphans(self._transcript.planned, self._transcript.answered):
            self._answer(settlement.planned, settlement.value)
        if self._usage is not None:
            self._stream.write(self._usage_frame(self._usage))
        finish = self._finish()
        line = frames.encode(finish)
        await self._memory.keep_step(
            self._plan,
            settled=self._settled,
            stream=self._stream.recording + line,
            worth_keeping=self._executed or code is None,
            response=finish.response_messages,
            usage=self._usage,
        )
        self._audit.flush_soon()
        self._stream.write_line(line)
        if self._stream.dropped:
            self._stream.write_line(frames.encode(self._dropped_frame()))

    async def _present_host_calls(self) -> None:
        for planned in left_to_browser(self._transcript.planned, self._transcript.answered):
            tool = self._plan.catalog.host_tool(planned.call.name)
            if tool is None:
                continue
            try:
                await tool.present(self._plan.owner, self._plan.key, planned.call)
            except Exception:
                LOG.exception("%s could not be presented", planned.call.name)
                self._answer(planned, answers.EXECUTION_FAILED)

    def _finish(self) -> frames.StepFinish:
        response = self._transcript.finish()
        pending = left_to_browser(self._transcript.planned, self._transcript.answered)
        return frames.StepFinish(
            step_id=self._plan.names.step_id,
            finish_reason=finish_reason(self._ended),
            response_messages=response,
            pending=tuple(frames.PendingCall(p.call, self._canonical_id(p.call)) for p in pending),
            usage=self._usage,
        )

    def _report_catalog(self) -> None:
        admission, truncated = self._plan.catalog.admission, self._plan.request.truncated
        if admission.collisions:
            self._note("catalog.collision", {"capabilityIds": list(admission.collisions)})
        if admission.refused:
            self._note("catalog.refused", {"capabilityIds": list(admission.refused)})
        if admission.undecodable:
            self._note("catalog.undecodable", {"wireNames": list(admission.undecodable)})
        if truncated is not None:
            self._note("catalog.truncated", {"dropped": truncated.dropped, "reason": truncated.reason})

    def _report_history(self) -> None:
        history = self._plan.history
        for event_type, key, values in (
            ("history.refused", "what", history.refused),
            ("history.replaced", "toolCallIds", history.replaced),
            ("history.repaired", "toolCallIds", history.repaired),
            ("history.dropped", "toolCallIds", history.dropped),
        ):
            if values:
                self._note(event_type, {key: list(values)})

    def _note(self, event_type: str, data: JsonObject) -> None:
        names = self._plan.names
        correlation = Correlation(names.conversation_id, names.turn_id, names.step_id)
        self._audit.record(Source.HOST, event_type, self._plan.owner, correlation=correlation, data=data)

    def _hear(self, event: AuditEvent) -> None:
        if is_for_step(event, self._plan.names, self._plan.owner):
            self._stream.write(frames.from_audit(event, self._plan.names))

    def _canonical_id(self, call: ToolCall) -> str:
        return canonical_id_of(self._plan.catalog.find(call.name), call)

    def _usage_frame(self, usage: Usage) -> frames.InspectorFrame:
        steps = f"{usage.reported_steps} model step{'' if usage.reported_steps == 1 else 's'}"
        summary = f"{usage.input_tokens} in · {usage.output_tokens} out · {steps}"
        return self._inspector("model.usage", summary, frames.usage_json(usage))

    def _dropped_frame(self) -> frames.InspectorFrame:
        dropped = self._stream.dropped
        return self._inspector("inspector.dropped", f"{dropped} entries dropped", {"dropped": dropped})

    def _inspector(self, event_type: str, summary: str, data: JsonObject) -> frames.InspectorFrame:
        names = self._plan.names
        correlation: JsonObject = {
            "conversationId": names.conversation_id,
            "turnId": names.turn_id,
            "stepId": names.step_id,
        }
        return frames.InspectorFrame("runtime", event_type, summary, correlation, data)


def is_for_step(event: AuditEvent, names: Names, owner: Actor) -> bool:
    """Whether an audit event belongs into a step's stream: the host's own of this step, and others of this actor only."""
    if event.source is Source.HOST:
        return event.correlation.step_id == names.step_id
    return event.actor.id == owner.id


def finish_reason(ended: RunEnded) -> str:
    """The reason that step-finish gives."""
    match ended.ending:
        case Ending.SUSPENDED:
            return "tool-calls"
        case Ending.TIMEOUT:
            return "timeout"
        case Ending.FAILED | Ending.LIMIT:
            return "error"
        case _:
            return ended.reason


_ERRORS = {
    Ending.TIMEOUT: "MODEL_TIMEOUT",
    Ending.FAILED: "MODEL_ERROR",
    Ending.LIMIT: "RUN_LIMIT_EXCEEDED",
}
