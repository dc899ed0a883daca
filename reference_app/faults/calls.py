"""Faults in routing calls, running them, and giving each of them its one result."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Set
from dataclasses import replace
from typing import Any

from reference_app.domain import pipeline, stages
from reference_app.domain.capability import Capability, Surface
from reference_app.domain.errors import CapabilityError
from reference_app.faults import Fault, Patches, fault
from reference_app.host import history, toolbox
from reference_app.host.answers import TOOL_NOT_EXECUTED
from reference_app.host.catalog import BrowserTool
from reference_app.host.frames import ToolResultFrame, is_ok
from reference_app.host.step import Step
from reference_app.host.transcript import Transcript
from reference_app.runtime import loop as loops
from reference_app.runtime.conversation import AssistantTurn, ToolAnswer, ToolCall
from reference_app.runtime.loop import (
    CallAnswered,
    CallsPlanned,
    Disposition,
    Ending,
    Loop,
    PlannedCall,
    RunEnded,
    RunEvent,
)
from reference_app.strict_json import JsonError, JsonObject, JsonValue

FAULTS: list[Fault] = []


@fault(
    FAULTS,
    "mixed-result-lost",
    "a server result beside a browser call is not in the history that the step hands back",
)
def _mixed_result_lost(patches: Patches) -> None:
    def make(finish: Callable[[Transcript], tuple[JsonObject, ...]]) -> Any:
        def lose(self: Transcript) -> tuple[JsonObject, ...]:
            messages = finish(self)
            if _is_mixed(self.planned):
                return tuple(message for message in messages if message["role"] != "tool")
            return messages

        return lose

    patches.wrap(Transcript, "finish", make)


@fault(FAULTS, "browser-call-dropped", "a browser call beside a server call is not left to the tab")
def _browser_call_dropped(patches: Patches) -> None:
    def make(settle: Callable[[Step], Awaitable[None]]) -> Any:
        async def answer_it(self: Step) -> None:
            if _is_mixed(self._transcript.planned):
                for planned in self._transcript.planned:
                    if planned.disposition is Disposition.SUSPEND:
                        self._transcript.answered.add(planned.call.id)
                        name = self._canonical_id(planned.call)
                        self._stream.write(ToolResultFrame(planned.call, name, TOOL_NOT_EXECUTED))
            await settle(self)

        return answer_it

    patches.wrap(Step, "_settle", make)


@fault(
    FAULTS,
    "orphan-left-open",
    "of several server calls beside a browser call only the first reaches the model with its result",
)
def _orphan_left_open(patches: Patches) -> None:
    def make(read: Callable[..., history.History]) -> Any:
        def lose(*arguments: Any) -> history.History:
            conversation = read(*arguments)
            lost = {call.id for message in conversation.messages for call in _second_server_calls(message)}
            kept = (m for m in conversation.messages if not (isinstance(m, ToolAnswer) and m.call_id in lost))
            return replace(conversation, messages=tuple(kept))

        return lose

    from reference_app.host import host  # noqa: PLC0415 - patched where it is used

    patches.wrap(host, "read_history", make)


@fault(
    FAULTS,
    "model-asked-while-pending",
    "the model is asked again although the page's only tool has not answered",
)
def _model_asked_while_pending(patches: Patches) -> None:
    def make(run: Callable[..., AsyncIterator[RunEvent]]) -> Any:
        async def ask_on(self: Loop, conversation: Any, state: Any, tools: Any) -> AsyncIterator[RunEvent]:
            planned: tuple[PlannedCall, ...] = ()
            async for event in run(self, conversation, state, tools):
                planned = event.calls if isinstance(event, CallsPlanned) else planned
                is_suspended = isinstance(event, RunEnded) and event.ending is Ending.SUSPENDED
                alone = all(p.disposition is Disposition.SUSPEND for p in planned)
                if is_suspended and alone and len(tools._catalog.admission.accepted) == 1:
                    turn = AssistantTurn("", tuple(p.call for p in planned))
                    answers = [ToolAnswer(p.call.id, p.call.name, None) for p in planned]
                    request = loops._request(self._model_id, (*conversation, turn, *answers), state, tools)
                    async with self._model.stream(request) as stream:
                        async for _ in stream:
                            pass
                yield event

        return ask_on

    patches.wrap(Loop, "run", make)


@fault(FAULTS, "unknown-tool-ends-run", "a call of a name that is not offered ends the run")
def _unknown_tool_ends_run(patches: Patches) -> None:
    def stop(step: Step, batch: list[CallAnswered]) -> bool:
        return any(step._plan.catalog.find(answered.planned.call.name) is None for answered in batch)

    stop_after(patches, stop)


@fault(FAULTS, "stop-after-one-model-call", "the model is not asked again after a server call that succeeded")
def _stop_after_one_model_call(patches: Patches) -> None:
    def stop(step: Step, batch: list[CallAnswered]) -> bool:
        del step
        return all(a.planned.disposition is Disposition.EXECUTE and is_ok(a.value) for a in batch)

    stop_after(patches, stop)


@fault(FAULTS, "malformed-arguments-coerced", "arguments that cannot be read run as an empty object")
def _malformed_arguments_coerced(patches: Patches) -> None:
    def make(read: Callable[[str], JsonObject]) -> Any:
        def coerce(text: str) -> JsonObject:
            try:
                return read(text)
            except JsonError:
                return {}

        return coerce

    patches.wrap(toolbox, "read_arguments", make)


@fault(FAULTS, "model-input-not-validated", "bounds of an input are not checked when a model calls")
def _model_input_not_validated(patches: Patches) -> None:
    def make_validate(validate: Callable[..., Any]) -> Any:
        def skip_bounds(procedure: Any, raw: JsonValue) -> Any:
            try:
                return validate(procedure, raw)
            except CapabilityError as error:
                is_bound = all("greater than" in issue.message for issue in error.issues)
                if not (is_bound and isinstance(raw, dict) and len(raw) > 1):
                    raise
                fields = {
                    name: raw[info.alias]
                    for name, info in procedure.input.model_fields.items()
                    if info.alias in raw
                }
                return procedure.input.model_construct(set(fields), **fields)

        return skip_bounds

    def make_pass(pass_stages: Callable[..., Awaitable[Any]]) -> Any:
        original, lax = stages.validate, make_validate(stages.validate)

        async def lax_for_models(self: pipeline.Runtime, execution: Any, raw: JsonValue) -> Any:
            stages.validate = lax if execution.surface is Surface.MODEL else original
            return await pass_stages(self, execution, raw)

        return lax_for_models

    patches.wrap(pipeline.Runtime, "_pass_stages", make_pass)


@fault(FAULTS, "model-gets-another-answer", "a model reads something else than the page does")
def _model_gets_another_answer(patches: Patches) -> None:
    def make(for_surface: Callable[..., JsonValue]) -> Any:
        def other(capability: Capability, surface: Surface, output: JsonValue) -> JsonValue:
            shown = for_surface(capability, surface, output)
            if surface is Surface.MODEL and isinstance(shown, dict) and "outstanding" in shown:
                return {**shown, "outstanding": 0}
            return shown

        return other

    patches.wrap(stages, "for_surface", make)


@fault(FAULTS, "browser-call-answered-by-host", "the host answers for the page's only tool")
def _browser_call_answered_by_host(patches: Patches) -> None:
    def make(settle: Callable[[Step], Awaitable[None]]) -> Any:
        async def answer_it(self: Step) -> None:
            planned = self._transcript.planned
            if len(self._plan.catalog.admission.accepted) == 1 and not _is_mixed(planned):
                for call in planned:
                    if isinstance(self._plan.catalog.find(call.call.name), BrowserTool):
                        self._answer(call, {"done": True})
            await settle(self)

        return answer_it

    patches.wrap(Step, "_settle", make)


@fault(FAULTS, "duplicate-ids-merged", "two calls of one conversation may have the same id")
def _duplicate_call_ids_kept(patches: Patches) -> None:
    patches.replace(toolbox, "unique_call_id", _as_wanted)


def stop_after(patches: Patches, stop: Callable[[Step, list[CallAnswered]], bool]) -> None:
    """End a run after a message's calls are answered, where ``stop`` says so."""

    async def follow(self: Step) -> None:
        expected = 0
        batch: list[CallAnswered] = []
        run = self._loop.run(self._plan.conversation, self._plan.state, self._toolbox)
        async for event in run:
            self._take(event)
            if isinstance(event, CallsPlanned):
                expected, batch = len(event.calls), []
            if isinstance(event, CallAnswered):
                batch.append(event)
                if len(batch) == expected and stop(self, batch):
                    self._ended = RunEnded(Ending.FINISHED, "stop")
                    return

    patches.replace(Step, "_follow", follow)


def _as_wanted(wanted: str, used: Set[str]) -> str:
    del used
    return wanted


def _is_mixed(planned: list[PlannedCall]) -> bool:
    kinds = {call.disposition for call in planned}
    return {Disposition.EXECUTE, Disposition.SUSPEND} <= kinds


def _second_server_calls(message: object) -> tuple[ToolCall, ...]:
    if not isinstance(message, AssistantTurn) or not any(
        call.name.startswith("view") for call in message.calls
    ):
        return ()
    return tuple(call for call in message.calls if call.name.startswith("domain"))[1:]
