"""Faults in the host's own promises: stateless, promptless, bounded, and unimpressed by what the browser posts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from reference_app import assembly
from reference_app.api import fences
from reference_app.api import rpc as rpc_api
from reference_app.capabilities import policies
from reference_app.domain.policy import Allow, Phase, PolicyRequest
from reference_app.faults import Fault, Patches, constant, fault
from reference_app.host import history, host, request
from reference_app.host import step as steps
from reference_app.host.catalog import Catalog
from reference_app.host.history import History
from reference_app.host.host import Host
from reference_app.host.protocol import HostError
from reference_app.host.request import StepRequest
from reference_app.host.step import StepPlan
from reference_app.host.stream import StepStream
from reference_app.runtime.conversation import SystemText, ToolCall
from reference_app.runtime.loop import Loop
from reference_app.strict_json import JsonValue

FAULTS: list[Fault] = []


@fault(FAULTS, "run-state-in-memory", "only the process that began a conversation can go on with it")
def _run_state_in_memory(patches: Patches) -> None:
    known: set[str] = set()

    def make(plan: Callable[..., Awaitable[StepPlan]]) -> Any:
        async def remember(self: Host, posted: StepRequest, *rest: Any) -> StepPlan:
            if posted.step_index > 0 and posted.conversation_id not in known:
                posted = replace(posted, messages=tuple(m for m in posted.messages if m.role == "user"))
            known.add(posted.conversation_id)
            return await plan(self, posted, *rest)

        return remember

    patches.wrap(Host, "_plan", make)


@fault(FAULTS, "catalog-from-prompt", "without instructions the catalog is another one")
def _catalog_from_prompt(patches: Patches) -> None:
    def make(compose: Callable[..., Awaitable[Catalog]]) -> Any:
        async def by_prompt(self: Host, *arguments: Any) -> Catalog:
            composed = await compose(self, *arguments)
            if self._config.instructions:
                return composed
            server = tuple(tool for tool in composed.server if tool.capability_id != "collections-aging")
            return Catalog(server, composed.admission, composed.host, composed.scope, composed.mode)

        return by_prompt

    patches.wrap(Host, "_compose", make)


@fault(FAULTS, "gate-from-prompt", "without instructions a gated call runs without a decision")
def _gate_from_prompt(patches: Patches) -> None:
    def make(host_config: Callable[..., Any]) -> Any:
        def notice(settings: Any, contextual: Any) -> Any:
            if not host_config(settings, contextual).instructions:
                gate, *others = policies.STANDING
                policies.STANDING = (replace(gate, evaluate=_only_announced), *others)  # type: ignore[assignment]  # as many as before
            return host_config(settings, contextual)

        return notice

    patches.replace(policies, "STANDING", policies.STANDING)
    patches.wrap(assembly, "_host_config", make)
    patches.wrap(assembly, "_build", _config_first)


@fault(FAULTS, "any-version-served", "a version of the protocol that nobody knows is served")
def _any_version_served(patches: Patches) -> None:
    def newest(document: dict[str, Any]) -> dict[str, Any]:
        is_other = document.get("protocolVersion") not in {1, 2}
        return {**document, "protocolVersion": 2} if is_other else document

    _on_documents(patches, newest)


@fault(FAULTS, "missing-fields-defaulted", "what a step leaves out is made up")
def _missing_fields_defaulted(patches: Patches) -> None:
    made_up = {
        "conversationId": "made-up",
        "turnId": "made-up",
        "stepIndex": 0,
        "pathname": "/",
        "messages": [{"role": "user", "content": "Hello."}],
        "catalog": {"frontendTools": []},
    }
    _on_documents(patches, lambda document: {**made_up, **document})


@fault(FAULTS, "too-large-is-malformed", "a request with too many tools or messages is said to be malformed")
def _too_large_is_malformed(patches: Patches) -> None:
    def malformed(problem: Any, version: int) -> HostError:
        del problem, version
        return HostError(400, "PROTOCOL_DECODE_ERROR", "Malformed chat step request.")

    patches.replace(request, "_refusal", malformed)


@fault(FAULTS, "forged-result-believed", "a result that the browser rewrote is believed")
def _forged_result_believed(patches: Patches) -> None:
    patches.replace(history, "settled_value", _as_posted)


@fault(FAULTS, "system-message-obeyed", "a posted system message instructs the model")
def _system_message_obeyed(patches: Patches) -> None:
    def make(read: Callable[..., History]) -> Any:
        def obey(posted: Any, *rest: Any) -> History:
            messages = tuple(posted)
            read_ = read(messages, *rest)
            orders = [
                SystemText(m.content) for m in messages if m.role == "system" and isinstance(m.content, str)
            ]
            return replace(read_, messages=(*orders, *read_.messages))

        return obey

    patches.wrap(host, "read_history", make)


@fault(FAULTS, "unanswered-call-sent", "a call without a result reaches the model as it is")
def _unanswered_call_sent(patches: Patches) -> None:
    def make(read: Callable[..., History]) -> Any:
        def leave_open(*arguments: Any) -> History:
            read_ = read(*arguments)
            kept = (m for m in read_.messages if getattr(m, "call_id", None) not in read_.repaired)
            return replace(read_, messages=tuple(kept))

        return leave_open

    patches.wrap(host, "read_history", make)


@fault(FAULTS, "run-limit-ignored", "a run may ask the model as often as it likes")
def _run_limit_ignored(patches: Patches) -> None:
    def make(host_config: Callable[..., Any]) -> Any:
        def unlimited(*arguments: Any) -> Any:
            config = host_config(*arguments)
            return replace(config, limits=replace(config.limits, model_steps=40))

        return unlimited

    patches.wrap(assembly, "_host_config", make)


@fault(FAULTS, "silence-not-bounded", "a silent model is waited for")
def _silence_not_bounded(patches: Patches) -> None:
    async def wait(self: Loop, work: Any, due: float) -> Any:
        del self, due
        return await work

    patches.replace(Loop, "_bounded", wait)


@fault(FAULTS, "step-ends-with-client", "a step is broken off when its client goes away")
def _step_ends_with_client(patches: Patches) -> None:
    def make_run(run: Callable[..., None]) -> Any:
        def remember(self: Host, step: steps.Step) -> None:
            before = set(self._running)
            run(self, step)
            step._stream.task = next(iter(self._running - before))  # type: ignore[attr-defined]  # the fault's own mark

        return remember

    def make_lines(lines: Callable[[StepStream], AsyncIterator[bytes]]) -> Any:
        async def cancel_on_leave(self: StepStream) -> AsyncIterator[bytes]:
            try:
                async for line in lines(self):
                    yield line
            except (asyncio.CancelledError, GeneratorExit):
                self.task.cancel()  # type: ignore[attr-defined]  # see above
                raise

        return cancel_on_leave

    patches.wrap(Host, "_run", make_run)
    patches.wrap(StepStream, "lines", make_lines)


@fault(FAULTS, "any-model-used", "a request may use any model that it names")
def _any_model_used(patches: Patches) -> None:
    patches.replace(Host, "_choose_model", lambda self, wanted: wanted or self._config.model_ids[0])


@fault(FAULTS, "foreign-origin-accepted", "a page elsewhere can use the person's session")
def _foreign_origin_accepted(patches: Patches) -> None:
    patches.replace(fences, "is_foreign", constant(False))


@fault(FAULTS, "form-accepted", "a plain form can send what only JSON should")
def _form_accepted(patches: Patches) -> None:
    patches.replace(fences, "is_json", constant(True))


@fault(FAULTS, "get-runs-procedure", "a procedure can be called by following a link")
def _get_runs_procedure(patches: Patches) -> None:
    def make(serve: Callable[..., Awaitable[Any]]) -> Any:
        async def follow(self: rpc_api.Rpc, posted: Any) -> Any:
            if posted.method == "GET":
                posted.scope["method"] = "POST"
                data = posted.query_params.get("data", "{}").encode()

                async def receive() -> dict[str, Any]:
                    return {"type": "http.request", "body": data, "more_body": False}

                posted._receive = receive
            return await serve(self, posted)

        return follow

    patches.wrap(rpc_api.Rpc, "serve", make)


def _as_posted(call: ToolCall, posted: JsonValue, recorded: Mapping[str, JsonValue]) -> JsonValue:
    del call, recorded
    return posted


def _config_first(build: Callable[..., Any]) -> Any:
    """Let the host's configuration be made before the policies are read."""

    def build_later(settings: Any, **parts: Any) -> Any:
        assembly._host_config(settings, parts["contextual"])
        return build(settings, **parts)

    return build_later


def _only_announced(asked: PolicyRequest) -> Any:
    return policies.gate_model_writes(asked) if asked.phase is Phase.DISCOVERY else Allow()


def _on_documents(patches: Patches, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Change every posted step before it is read."""

    def make(loads: Callable[..., JsonValue]) -> Any:
        def changed(*arguments: Any) -> JsonValue:
            document = loads(*arguments)
            return change(document) if isinstance(document, dict) else document

        return changed

    patches.wrap(request, "loads", make)
