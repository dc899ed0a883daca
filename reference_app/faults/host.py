"""Faults in the host's own promises: stateless, promptless, bounded, and unimpressed by what the browser posts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from reference_app import assembly
from reference_app.api import fences
from reference_app.capabilities import policies
from reference_app.domain.policy import Allow, Phase, PolicyRequest
from reference_app.faults import Fault, Patches, constant, fault
from reference_app.host import history, host, request
from reference_app.host.catalog import Catalog
from reference_app.host.history import History
from reference_app.host.host import Host
from reference_app.host.request import StepRequest
from reference_app.host.step import StepPlan
from reference_app.runtime.conversation import SystemText, ToolCall
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


@fault(FAULTS, "forged-result-believed", "a result that the browser rewrote is believed")
def _forged_result_believed(patches: Patches) -> None:
    patches.replace(history, "settled_value", _as_posted)


@fault(FAULTS, "browser-system-message-kept", "a posted system message instructs the model")
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


@fault(FAULTS, "dangling-call-forwarded", "a call without a result reaches the model as it is")
def _unanswered_call_sent(patches: Patches) -> None:
    def make(read: Callable[..., History]) -> Any:
        def leave_open(*arguments: Any) -> History:
            read_ = read(*arguments)
            kept = (m for m in read_.messages if getattr(m, "call_id", None) not in read_.repaired)
            return replace(read_, messages=tuple(kept))

        return leave_open

    patches.wrap(host, "read_history", make)


@fault(FAULTS, "any-model-used", "a request may use any model that it names")
def _any_model_used(patches: Patches) -> None:
    patches.replace(Host, "_choose_model", lambda self, wanted: wanted or self._config.model_ids[0])


@fault(FAULTS, "foreign-origin-accepted", "a page elsewhere can use the person's session")
def _foreign_origin_accepted(patches: Patches) -> None:
    patches.replace(fences, "is_foreign", constant(False))


@fault(FAULTS, "form-body-accepted", "a plain form can send what only JSON should")
def _form_accepted(patches: Patches) -> None:
    patches.replace(fences, "is_json", constant(True))


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
