"""Faults in the order and completeness of a conversation: each call once, each result its own, and nothing lost or made up."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any

from reference_app.domain.capability import Surface
from reference_app.faults import Fault, Patches, fault
from reference_app.faults.asking import is_abandoned, mark_abandoned
from reference_app.host import answers, host, toolbox
from reference_app.host import step as steps
from reference_app.host.answers import TOOL_NOT_EXECUTED
from reference_app.host.catalog import BrowserTool
from reference_app.host.history import History
from reference_app.host.redaction import ResultRedactor
from reference_app.host.step import Step
from reference_app.host.toolbox import HostToolbox
from reference_app.host.transcript import Transcript
from reference_app.runtime.conversation import ToolAnswer, ToolCall
from reference_app.runtime.loop import (
    CallAnswered,
    Disposition,
    Ending,
    Loop,
    PlannedCall,
    RunEnded,
    RunEvent,
)
from reference_app.runtime.model import RequestedCall
from reference_app.strict_json import JsonError, JsonObject, JsonValue

FAULTS: list[Fault] = []

Plan = Callable[[HostToolbox, RequestedCall], PlannedCall]
Execute = Callable[[HostToolbox, PlannedCall], Awaitable[JsonValue]]


@fault(
    FAULTS,
    "results-swapped",
    "of several server calls in one message each is answered with the first one's result",
)
def _results_swapped(patches: Patches) -> None:
    def make_plan(plan: Plan) -> Any:
        def begin(self: HostToolbox, requested: RequestedCall) -> PlannedCall:
            self.__dict__["first_result"] = None
            return plan(self, requested)

        return begin

    def make_execute(execute: Execute) -> Any:
        async def swap(self: HostToolbox, planned: PlannedCall) -> JsonValue:
            result = await execute(self, planned)
            self.__dict__["first_result"] = self.__dict__.get("first_result") or result
            first: JsonValue = self.__dict__["first_result"]
            return first

        return swap

    patches.wrap(HostToolbox, "plan", make_plan)
    patches.wrap(HostToolbox, "execute", make_execute)


@fault(FAULTS, "same-tool-once", "of two equal calls in one message only the first runs")
def _same_tool_once(patches: Patches) -> None:
    def make_plan(plan: Plan) -> Any:
        def begin(self: HostToolbox, requested: RequestedCall) -> PlannedCall:
            self.__dict__["known"] = {}
            return plan(self, requested)

        return begin

    def make_execute(execute: Execute) -> Any:
        async def once(self: HostToolbox, planned: PlannedCall) -> JsonValue:
            known: dict[str, JsonValue] = self.__dict__.setdefault("known", {})
            key = json.dumps([planned.call.name, planned.call.input], sort_keys=True)
            if key not in known or planned.call.id.endswith("_2"):
                known[key] = await execute(self, planned)
            return known[key]

        return once

    patches.wrap(HostToolbox, "plan", make_plan)
    patches.wrap(HostToolbox, "execute", make_execute)


@fault(
    FAULTS, "malformed-call-unanswered", "a call with malformed arguments goes to the model without an answer"
)
def _malformed_call_unanswered(patches: Patches) -> None:
    def make(answer: Callable[..., AsyncIterator[CallAnswered]]) -> Any:
        async def leave_open(
            self: Loop, planned: tuple[PlannedCall, ...], tools: Any
        ) -> AsyncIterator[CallAnswered]:
            readable = tuple(p for p in planned if not isinstance(p.call.input, str))
            async for answered in answer(self, readable, tools):
                yield answered

        return leave_open

    patches.wrap(Loop, "_answer", make)


@fault(
    FAULTS,
    "unknown-answered-twice",
    "a call of an unknown name is answered twice when the conversation comes back",
)
def _unknown_answered_twice(patches: Patches) -> None:
    def make(read: Callable[..., History]) -> Any:
        def twice(*arguments: Any) -> History:
            conversation = read(*arguments)
            doubled = [copy for m in conversation.messages for copy in ((m, m) if _is_unknown(m) else (m,))]
            return replace(conversation, messages=tuple(doubled))

        return twice

    patches.wrap(host, "read_history", make)


@fault(FAULTS, "orphan-result-forwarded", "a result without a call reaches the model")
def _orphan_result_forwarded(patches: Patches) -> None:
    def make(read: Callable[..., History]) -> Any:
        def forward(posted: Any, *rest: Any) -> History:
            messages = tuple(posted)
            conversation = read(messages, *rest)
            parts = [
                part
                for m in messages
                if m.role == "tool" and not isinstance(m.content, str)
                for part in m.content
            ]
            orphans = [p for p in parts if p.get("toolCallId") in conversation.dropped]
            more = [
                ToolAnswer(str(p["toolCallId"]), str(p.get("toolName")), p.get("output")) for p in orphans
            ]
            head, *tail = conversation.messages
            return replace(conversation, messages=(head, *more, *tail))

        return forward

    patches.wrap(host, "read_history", make)


@fault(
    FAULTS,
    "contextual-run-by-host",
    "the host runs a contextual call itself where it is the page's only tool",
)
def _contextual_run_by_host(patches: Patches) -> None:
    def make_plan(plan: Plan) -> Any:
        def take_over(self: HostToolbox, requested: RequestedCall) -> PlannedCall:
            planned = plan(self, requested)
            return (
                replace(planned, disposition=Disposition.EXECUTE)
                if _is_lone_contextual(self, planned)
                else planned
            )

        return take_over

    def make_execute(execute: Execute) -> Any:
        async def run_it(self: HostToolbox, planned: PlannedCall) -> JsonValue:
            tool, actor = self._catalog.find(planned.call.name), await self._who()
            if not isinstance(tool, BrowserTool) or actor is None:
                return await execute(self, planned)
            name = tool.canonical_id.removeprefix("domain:")
            result = await self._runtime.invoke(name, planned.call.input, surface=Surface.DIRECT, actor=actor)
            return answers.envelope(result)

        return run_it

    patches.wrap(HostToolbox, "plan", make_plan)
    patches.wrap(HostToolbox, "execute", make_execute)


@fault(
    FAULTS,
    "malformed-browser-call-pending",
    "a browser call whose arguments cannot be read is left to the tab",
)
def _malformed_browser_call_pending(patches: Patches) -> None:
    def make(plan: Plan) -> Any:
        def hand_over(self: HostToolbox, requested: RequestedCall) -> PlannedCall:
            planned = plan(self, requested)
            is_malformed = isinstance(planned.call.input, str)
            if is_malformed and isinstance(self._catalog.find(requested.name), BrowserTool):
                return replace(planned, disposition=Disposition.SUSPEND)
            return planned

        return hand_over

    patches.wrap(HostToolbox, "plan", make)


@fault(FAULTS, "run-limit-off", "a run is stopped only after sixty model requests")
def _run_limit_off(patches: Patches) -> None:
    from reference_app import assembly  # noqa: PLC0415 - patched where it is used

    def make(host_config: Callable[..., Any]) -> Any:
        def further(*arguments: Any) -> Any:
            config = host_config(*arguments)
            return replace(config, limits=replace(config.limits, model_steps=60))

        return further

    patches.wrap(assembly, "_host_config", make)


@fault(FAULTS, "run-limit-silent", "a run that is stopped at its limit does not say so")
def _run_limit_silent(patches: Patches) -> None:
    codes = {ending: code for ending, code in steps._ERRORS.items() if ending is not Ending.LIMIT}
    patches.replace(steps, "_ERRORS", codes)


@fault(FAULTS, "disconnect-drops-step", "a call that is made after the client has gone does not run")
def _disconnect_drops_step(patches: Patches) -> None:
    mark_abandoned(patches)

    def make_run(run: Callable[[Step], Awaitable[None]]) -> Any:
        async def tell(self: Step) -> None:
            self._toolbox.__dict__["stream"] = self._stream
            await run(self)

        return tell

    def make_execute(execute: Execute) -> Any:
        async def drop(self: HostToolbox, planned: PlannedCall) -> JsonValue:
            return (
                TOOL_NOT_EXECUTED if is_abandoned(self.__dict__["stream"]) else await execute(self, planned)
            )

        return drop

    patches.wrap(Step, "run", make_run)
    patches.wrap(HostToolbox, "execute", make_execute)


@fault(FAULTS, "silence-endless", "a model that falls silent is taken to have finished")
def _silence_endless(patches: Patches) -> None:
    def make(run: Callable[..., AsyncIterator[RunEvent]]) -> Any:
        async def call_it_done(self: Loop, *arguments: Any) -> AsyncIterator[RunEvent]:
            async for event in run(self, *arguments):
                is_silence = isinstance(event, RunEnded) and event.ending is Ending.TIMEOUT
                yield RunEnded(Ending.FINISHED, "stop") if is_silence else event

        return call_it_done

    patches.wrap(Loop, "run", make)


@fault(FAULTS, "tool-timeout-off", "an operation that took too long is answered as if it had broken")
def _tool_timeout_off(patches: Patches) -> None:
    def make(envelope: Callable[[Any], JsonValue]) -> Any:
        def hide(result: Any) -> JsonValue:
            is_late = getattr(getattr(result, "error", None), "code", None) == "TIMEOUT"
            return answers.EXECUTION_FAILED if is_late else envelope(result)

        return hide

    patches.wrap(answers, "envelope", make)


@fault(FAULTS, "browser-result-altered", "a tab's empty result reaches the model as another")
def _browser_result_altered(patches: Patches) -> None:
    def make(redact: Callable[[ResultRedactor, ToolCall, JsonValue], JsonValue]) -> Any:
        def alter(self: ResultRedactor, call: ToolCall, value: JsonValue) -> JsonValue:
            return {"done": True} if value is None else redact(self, call, value)

        return alter

    patches.wrap(ResultRedactor, "__call__", make)


@fault(
    FAULTS,
    "history-without-results",
    "after words and a server call the history that a step hands back lacks the result",
)
def _history_without_results(patches: Patches) -> None:
    def make(finish: Callable[[Transcript], tuple[JsonObject, ...]]) -> Any:
        def lose(self: Transcript) -> tuple[JsonObject, ...]:
            messages: tuple[Any, ...] = finish(self)
            kinds = [part.get("type") for part in messages[0]["content"]] if messages else []
            is_plain = all(p.disposition is Disposition.EXECUTE for p in self.planned)
            if is_plain and kinds == ["text", "tool-call"]:
                return tuple(message for message in messages if message["role"] != "tool")
            return messages

        return lose

    patches.wrap(Transcript, "finish", make)


@fault(FAULTS, "ambiguous-arguments-accepted", "arguments that readers of JSON take differently run")
def _ambiguous_arguments_accepted(patches: Patches) -> None:
    def make(read: Callable[[str], JsonObject]) -> Any:
        def lax(text: str) -> JsonObject:
            try:
                return read(text)
            except JsonError:
                try:
                    value = json.loads(text)
                except (ValueError, RecursionError) as problem:
                    raise JsonError("not JSON") from problem
                if not isinstance(value, dict):
                    raise
                return {}

        return lax

    patches.wrap(toolbox, "read_arguments", make)


@fault(FAULTS, "input-error-untyped", "invalid input is answered in words only")
def _input_error_untyped(patches: Patches) -> None:
    def make(envelope: Callable[[Any], JsonValue]) -> Any:
        def words(result: Any) -> JsonValue:
            is_input = getattr(getattr(result, "error", None), "code", None) == "INPUT_INVALID"
            return {"error": "That was not right."} if is_input else envelope(result)

        return words

    patches.wrap(answers, "envelope", make)


@fault(
    FAULTS, "conversations-mixed", "a model reads what somebody says in another conversation at the same time"
)
def _conversations_mixed(patches: Patches) -> None:
    from reference_app.runtime.conversation import UserText  # noqa: PLC0415 - only this fault makes one up

    running: dict[str, str] = {}

    def make_run(run: Callable[[Step], Awaitable[None]]) -> Any:
        async def overhear(self: Step) -> None:
            said = [m.text for m in self._plan.history.messages if isinstance(m, UserText)]
            others = [text for name, text in running.items() if name != self._plan.names.conversation_id]
            heard = tuple(UserText(text.partition("[[")[0]) for text in others)
            history = replace(self._plan.history, messages=(*heard, *self._plan.history.messages))
            self._plan = replace(self._plan, history=history)
            running[self._plan.names.conversation_id] = said[-1] if said else ""
            try:
                await run(self)
            finally:
                running.pop(self._plan.names.conversation_id, None)

        return overhear

    patches.wrap(Step, "run", make_run)


@fault(FAULTS, "conversation-needs-process", "a conversation that another process has begun cannot go on")
def _conversation_needs_process(patches: Patches) -> None:
    known: set[str] = set()

    def make(plan: Callable[..., Awaitable[Any]]) -> Any:
        async def forget(self: host.Host, request: Any, owner: Any, catalog: Any) -> Any:
            recorded = await self._steps.settled(owner.id, request.conversation_id)
            if recorded and request.conversation_id not in known:
                request = replace(request, messages=tuple(m for m in request.messages if m.role == "user"))
            known.add(request.conversation_id)
            return await plan(self, request, owner, catalog)

        return forget

    patches.wrap(host.Host, "_plan", make)


def _is_unknown(message: object) -> bool:
    value = message.value if isinstance(message, ToolAnswer) else None
    error = value.get("error") if isinstance(value, dict) else None
    return isinstance(error, dict) and error.get("code") == "NO_SUCH_TOOL"


def _is_lone_contextual(self: HostToolbox, planned: PlannedCall) -> bool:
    tool = self._catalog.find(planned.call.name)
    is_contextual = isinstance(tool, BrowserTool) and tool.canonical_id.startswith("domain:")
    return (
        is_contextual and len(self._catalog.admission.accepted) == 1 and isinstance(planned.call.input, dict)
    )
