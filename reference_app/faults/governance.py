"""Faults in the governance of operations: redaction, audit, policies, bounds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from reference_app.api import rpc as rpc_api
from reference_app.clock import Clock
from reference_app.domain import audit, policy, stages
from reference_app.domain.actor import Correlation
from reference_app.domain.capability import Capability, Surface
from reference_app.domain.errors import CapabilityError
from reference_app.domain.pipeline import Execution, Runtime
from reference_app.domain.policy import Allow
from reference_app.faults import Fault, Patches, constant, fault
from reference_app.host import step as steps
from reference_app.host.redaction import ResultRedactor
from reference_app.runtime.conversation import ToolCall
from reference_app.strict_json import JsonValue

FAULTS: list[Fault] = []


@fault(FAULTS, "model-sees-everything", "results reach the model without redaction")
def _model_sees_everything(patches: Patches) -> None:
    patches.replace(stages, "for_surface", _whole)


@fault(FAULTS, "contextual-result-unredacted", "what the page ran for the model comes back without redaction")
def _contextual_result_unredacted(patches: Patches) -> None:
    def unchanged(self: ResultRedactor, call: ToolCall, value: JsonValue) -> JsonValue:
        del self, call
        return value

    patches.replace(ResultRedactor, "__call__", unchanged)


@fault(FAULTS, "page-sees-redacted", "the page reads what only a model should read less of")
def _page_sees_redacted(patches: Patches) -> None:
    def redact(capability: Capability, surface: Surface, output: JsonValue) -> JsonValue:
        del surface
        return stages.redacted(capability, output)

    patches.replace(stages, "for_surface", redact)


@fault(FAULTS, "failed-policy-allows", "a policy that fails does not refuse")
def _failed_policy_allows(patches: Patches) -> None:
    def make(ask: Callable[..., Awaitable[Any]]) -> Any:
        async def forgive(*arguments: Any) -> Any:
            answer = await ask(*arguments)
            return Allow() if isinstance(answer, policy.PolicyFailed) else answer

        return forgive

    patches.wrap(policy, "_ask", make)


@fault(FAULTS, "first-policy-wins", "the first policy that does not simply allow decides alone")
def _first_policy_wins(patches: Patches) -> None:
    def make(combine: Callable[..., policy.Verdict]) -> Any:
        def first_only(named: Any) -> policy.Verdict:
            answers = tuple(named)
            deciding = [(name, answer) for name, answer in answers if not isinstance(answer, Allow)]
            return combine(deciding[:1] or answers)

        return first_only

    patches.wrap(policy, "combine", make)


@fault(FAULTS, "time-out-ignored", "an operation may take as long as it likes")
def _time_out_ignored(patches: Patches) -> None:
    def make(handle: Callable[..., Awaitable[Any]]) -> Any:
        async def without_bound(self: Runtime, procedure: Any, value: Any, call: Any, seconds: Any) -> Any:
            del seconds
            return await handle(self, procedure, value, call, 1e9)

        return without_bound

    patches.wrap(Runtime, "_handle", make)


@fault(FAULTS, "time-out-lets-run", "an operation that took too long goes on behind the answer")
def _time_out_lets_run(patches: Patches) -> None:
    import asyncio  # noqa: PLC0415 - only this fault detaches work

    running: set[Any] = set()

    def make(bounded: Callable[..., Awaitable[Any]]) -> Any:
        async def detach(self: Clock, work: Any, seconds: float) -> Any:
            task = asyncio.ensure_future(work)
            running.add(task)
            task.add_done_callback(running.discard)
            return await bounded(self, asyncio.shield(task), seconds)

        return detach

    patches.wrap(Clock, "bounded", make)


@fault(FAULTS, "audit-two-ends", "an execution that completed has two terminal events")
def _audit_two_ends(patches: Patches) -> None:
    def make(note: Callable[[Execution], None]) -> Any:
        def twice(self: Execution) -> None:
            note(self)
            note(self)

        return twice

    patches.wrap(Execution, "note_completion", make)


@fault(FAULTS, "denial-not-audited", "a refused call leaves no trace in the audit")
def _denial_not_audited(patches: Patches) -> None:
    def make(note: Callable[[Execution, CapabilityError], None]) -> Any:
        def forget(self: Execution, error: CapabilityError) -> None:
            if not isinstance(error, stages.DenialError):
                note(self, error)

        return forget

    patches.wrap(Execution, "note_failure", make)


@fault(FAULTS, "audit-carries-input", "the audit repeats what was in a call")
def _audit_carries_input(patches: Patches) -> None:
    def make(invoke: Callable[..., Awaitable[Any]]) -> Any:
        async def tell(self: Runtime, capability_id: str, raw: JsonValue, **rest: Any) -> Any:
            self.services.audit.record(
                audit.Source.RUNTIME,
                "capability.input",
                rest["actor"],
                capability_id=capability_id,
                data={"input": raw},
            )
            return await invoke(self, capability_id, raw, **rest)

        return tell

    patches.wrap(Runtime, "invoke", make)


@fault(
    FAULTS,
    "correlation-trusted",
    "what a browser says about where a call belongs is marked as the server's own word",
)
def _correlation_trusted(patches: Patches) -> None:
    def make(correlation_of: Callable[..., Correlation]) -> Any:
        def believe(request: Any) -> Correlation:
            return Correlation(invocation_id=correlation_of(request).invocation_id, trusted=True)

        return believe

    patches.wrap(rpc_api, "correlation_of", make)


@fault(FAULTS, "inspector-shows-everybody", "the stream shows what happens in other people's name")
def _inspector_shows_everybody(patches: Patches) -> None:
    patches.replace(steps, "is_for_step", constant(True))


@fault(FAULTS, "failed-write-kept", "what an operation had written before it failed stays")
def _failed_write_kept(patches: Patches) -> None:
    def make(handle: Callable[..., Awaitable[Any]]) -> Any:
        async def keep(self: Runtime, procedure: Any, value: Any, call: Any, seconds: Any) -> Any:
            try:
                return await handle(self, procedure, value, call, seconds)
            except CapabilityError:
                connection = await call.work.connection()
                await connection.exec_driver_sql("COMMIT")
                await connection.exec_driver_sql("BEGIN")
                raise

        return keep

    patches.wrap(Runtime, "_handle", make)


@fault(
    FAULTS,
    "unknown-answered-differently",
    "a direct call of a name that never existed is answered in another shape than a hidden one",
)
def _unknown_answered_differently(patches: Patches) -> None:
    def make(serve: Callable[..., Awaitable[Any]]) -> Any:
        async def plain(self: rpc_api.Rpc, request: Any) -> Any:
            answer = await serve(self, request)
            is_known = self._runtime.services.registry.procedure(request.path_params["procedure"]) is not None
            if answer.status_code == 404 and not is_known:
                answer.headers["x-procedure"] = "unknown"
            return answer

        return plain

    patches.wrap(rpc_api.Rpc, "serve", make)


def _whole(capability: Capability, surface: Surface, output: JsonValue) -> JsonValue:
    del capability, surface
    return output
