"""Faults in asking for approval, deciding, and running what was approved."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pydantic import JsonValue as WireValue

from reference_app.api import approvals as approvals_api
from reference_app.capabilities import policies
from reference_app.database import Work
from reference_app.domain import approval_store, approvals, decisions, pipeline, stages
from reference_app.domain.actor import Actor
from reference_app.domain.approvals import Approval, ApprovalStatus
from reference_app.domain.capability import Capability, Surface
from reference_app.domain.decisions import Decision, Decisions, Executed
from reference_app.domain.errors import CapabilityError, ErrorCode
from reference_app.domain.pipeline import ApprovalRequired, Execution, Runtime
from reference_app.domain.policy import Decision as PolicyDecision
from reference_app.domain.policy import PolicyRequest
from reference_app.domain.shapes import Input
from reference_app.faults import Fault, Patches, async_constant, constant, fault
from reference_app.host.frames import InspectorFrame
from reference_app.host.step import Step
from reference_app.host.toolbox import HostToolbox
from reference_app.ledger.store import Ledger
from reference_app.runtime.loop import Disposition, PlannedCall
from reference_app.runtime.model import RequestedCall
from reference_app.strict_json import JsonValue

FAULTS: list[Fault] = []

_RAW: ContextVar[JsonValue] = ContextVar("raw", default=None)
_OTHER_INPUT: ContextVar[JsonValue] = ContextVar("other_input", default=None)


@fault(FAULTS, "gate-skipped", "what a model's gated call is about is touched before anybody has decided")
def _gate_skipped(patches: Patches) -> None:
    def make(request: Callable[..., Awaitable[ApprovalRequired]]) -> Any:
        async def touch_first(
            self: Runtime, execution: Execution, capability: Capability, value: Input, demanded: Any
        ) -> Any:
            async with Work(self.services.database, writes=True) as work:
                ledger = Ledger(work)
                invoice = await ledger.invoice(getattr(value, "id", 0))
                if invoice is not None:
                    await ledger.change_invoice(replace(invoice, notes="being issued"))
            return await request(self, execution, capability, value, demanded)

        return touch_first

    patches.wrap(Runtime, "_request_approval", make)


@fault(FAULTS, "gate-without-record", "the record of a gated call does not say which operation waits")
def _gate_without_record(patches: Patches) -> None:
    def make(card: Callable[[Approval, datetime], Any]) -> Any:
        return lambda approval, now: {**card(approval, now), "capabilityId": "an operation"}

    patches.wrap(approvals_api, "card", make)


@fault(FAULTS, "approve-without-effect", "an approved call is reported as done, and its effect is taken back")
def _approve_without_effect(patches: Patches) -> None:
    class _TakenBackError(Exception):
        output: JsonValue

    def make(execute: Callable[..., Awaitable[Any]]) -> Any:
        async def take_back(self: Decisions, connection: Any, *rest: Any) -> Any:
            try:
                async with connection.begin_nested():
                    outcome = await execute(self, connection, *rest)
                    if isinstance(outcome, Executed):
                        problem = _TakenBackError()
                        problem.output = outcome.output
                        raise problem
                    return outcome
            except _TakenBackError as problem:
                return Executed(problem.output)

        return take_back

    patches.wrap(Decisions, "_execute", make)


@fault(FAULTS, "approval-not-single-use", "an approval that was used can be used again")
def _approval_not_single_use(patches: Patches) -> None:
    _decidable_again(patches, ApprovalStatus.CONSUMED)


@fault(FAULTS, "deny-not-final", "an approval that was denied can be approved afterwards")
def _deny_not_final(patches: Patches) -> None:
    _decidable_again(patches, ApprovalStatus.REJECTED)


def _decidable_again(patches: Patches, status: ApprovalStatus) -> None:
    def is_again(approval: Approval) -> bool:
        return approval.status is status and approval.failure is None

    def make_check(check: Callable[[Approval, datetime], None]) -> Any:
        return lambda approval, now: None if is_again(approval) else check(approval, now)

    def make_consume(consume: Callable[..., Awaitable[None]]) -> Any:
        async def consume_again(connection: Any, approval: Approval, *rest: Any) -> None:
            if not is_again(approval):
                await consume(connection, approval, *rest)

        return consume_again

    def make_stale(is_stale: Callable[[Approval, Any], bool]) -> Any:
        return lambda approval, now: not is_again(approval) and is_stale(approval, now)

    patches.wrap(approvals, "check_pending", make_check)
    patches.wrap(decisions, "consume", make_consume)
    patches.wrap(approvals, "is_stale", make_stale)


@fault(FAULTS, "deny-executes", "a denied call runs all the same")
def _deny_executes(patches: Patches) -> None:
    def make(settle: Callable[..., Awaitable[Any]]) -> Any:
        async def run_anyway(
            self: Decisions, connection: Any, approval: Approval, approved: bool, *rest: Any
        ) -> Any:
            outcome = await settle(self, connection, approval, True, *rest)
            return outcome if approved else decisions.Denied()

        return run_anyway

    patches.wrap(Decisions, "_settle", make)


@fault(FAULTS, "expiry-ignored", "an approval can be decided again once the instant of its expiry has passed")
def _expiry_ignored(patches: Patches) -> None:
    patches.replace(approvals, "is_expired", lambda approval, now: now == approval.expires_at)


@fault(FAULTS, "expiry-off-by-one", "an approval can still be decided at the very instant of its expiry")
def _expiry_off_by_one(patches: Patches) -> None:
    patches.replace(approvals, "is_expired", lambda approval, now: now > approval.expires_at)


@fault(
    FAULTS,
    "decision-input-wins",
    "an input that a decision brings along runs in the place of the recorded one",
)
def _decision_input_wins(patches: Patches) -> None:
    class WithInput(approvals_api.DecisionBody):
        input: WireValue = None

    def make_read(read_shape: Callable[..., Awaitable[Any]]) -> Any:
        async def read_input_too(request: Any, limit: int, shape: Any) -> Any:
            del shape
            body = await read_shape(request, limit, WithInput)
            _OTHER_INPUT.set(body.input)
            return body

        return read_input_too

    def make_revalidated(revalidated: Callable[[Capability, Approval], Input]) -> Any:
        def other(capability: Capability, approval: Approval) -> Input:
            given = _OTHER_INPUT.get()
            return revalidated(capability, approval if given is None else replace(approval, input=given))

        return other

    def make_stale(is_stale: Callable[[Approval, Any], bool]) -> Any:
        return lambda approval, now: _OTHER_INPUT.get() is None and is_stale(approval, now)

    patches.wrap(approvals_api, "read_shape", make_read)
    patches.wrap(decisions, "revalidated", make_revalidated)
    patches.wrap(approvals, "is_stale", make_stale)


@fault(FAULTS, "input-hash-ignored", "a decision about another input than the card's is taken")
def _input_hash_ignored(patches: Patches) -> None:
    patches.replace(approvals, "check_input_hash", constant(None))


@fault(
    FAULTS,
    "anybody-decides",
    "somebody else's decision is taken, although it is answered like one about nothing",
)
def _anybody_decides(patches: Patches) -> None:
    def make(decide: Callable[..., Awaitable[Any]]) -> Any:
        async def decide_for_owner(
            self: Decisions, approval_id: str, decision: Decision, actor: Actor
        ) -> Any:
            approval = await self._services.approvals.get(approval_id)
            if approval is None or approvals.belongs_to(approval, actor):
                return await decide(self, approval_id, decision, actor)
            await decide(self, approval_id, decision, approval.actor)
            return None

        return decide_for_owner

    patches.wrap(Decisions, "decide", make)


@fault(FAULTS, "approvals-visible-to-all", "anybody who knows its id can read somebody else's approval")
def _approvals_visible_to_all(patches: Patches) -> None:
    async def find(self: Decisions, approval_id: str, actor: Actor) -> Approval | None:
        del actor
        return await self._services.approvals.get(approval_id)

    patches.replace(Decisions, "find", find)


@fault(FAULTS, "gate-everybody", "the page's own call of a gated operation waits for an approval too")
def _gate_everybody(patches: Patches) -> None:
    def gate(request: PolicyRequest) -> PolicyDecision:
        return policies.gate_model_writes(replace(request, surface=Surface.MODEL))

    gate_policy, *others = policies.STANDING
    patches.replace(policies, "STANDING", (replace(gate_policy, evaluate=gate), *others))


@fault(
    FAULTS, "card-shows-raw-input", "an approval records what the model wrote instead of what was validated"
)
def _card_shows_raw_input(patches: Patches) -> None:
    def make_validate(validate: Callable[[Any, JsonValue], Input]) -> Any:
        def remember(procedure: Any, raw: JsonValue) -> Input:
            _RAW.set(raw)
            return validate(procedure, raw)

        return remember

    patches.wrap(stages, "validate", make_validate)
    patches.replace(pipeline, "input_as_json", _raw_input)


@fault(FAULTS, "approval-before-validation", "a gated call asks for approval before its input is validated")
def _approval_before_validation(patches: Patches) -> None:
    def make(pass_stages: Callable[..., Awaitable[Any]]) -> Any:
        async def ask_first(self: Runtime, execution: Execution, raw: JsonValue) -> Any:
            try:
                return await pass_stages(self, execution, raw)
            except CapabilityError as error:
                if error.code is ErrorCode.INPUT_INVALID and policies.is_gated(execution.capability_id):
                    await self.services.approvals.add(
                        _unchecked(self, execution.capability_id, raw, execution.actor)
                    )
                raise

        return ask_first

    patches.wrap(Runtime, "_pass_stages", make)


@fault(FAULTS, "gate-before-hide", "a gated call asks for approval before it is found to be hidden")
def _gate_before_hide(patches: Patches) -> None:
    def make_plan(plan: Callable[..., PlannedCall]) -> Any:
        def let_through(self: HostToolbox, requested: RequestedCall) -> PlannedCall:
            planned = plan(self, requested)
            is_gated = policies.is_gated(requested.name.removeprefix("domain_"))
            if self._catalog.find(requested.name) is None and is_gated:
                return replace(planned, disposition=Disposition.EXECUTE)
            return planned

        return let_through

    def make_execute(execute: Callable[..., Awaitable[JsonValue]]) -> Any:
        async def ask_first(self: HostToolbox, planned: PlannedCall) -> JsonValue:
            actor = await self._who()
            if self._catalog.find(planned.call.name) is None and actor is not None:
                name = planned.call.name.removeprefix("domain_")
                await self._runtime.services.approvals.add(
                    _unchecked(self._runtime, name, planned.call.input, actor)
                )
            return await execute(self, planned)

        return ask_first

    patches.wrap(HostToolbox, "plan", make_plan)
    patches.wrap(HostToolbox, "execute", make_execute)
    patches.replace(Decisions, "_may_use", async_constant(True))


@fault(
    FAULTS,
    "stream-held-for-decision",
    "the stream of a step with a gated call stays open for somebody to decide",
)
def _stream_held_for_decision(patches: Patches) -> None:
    def make(settle: Callable[..., Awaitable[None]]) -> Any:
        async def hold(self: Step) -> None:
            await settle(self)
            if any(_awaits_approval(value) for _, value in self._settled):
                await asyncio.sleep(0.3)
                self._stream.write(InspectorFrame("host", "approval.waiting", "still waiting", {}, {}))

        return hold

    patches.wrap(Step, "_settle", make)


@fault(
    FAULTS,
    "failure-returns-approval",
    "an approval is pending again when the operation that it allowed has failed",
)
def _failure_returns_approval(patches: Patches) -> None:
    def make(execute: Callable[..., Awaitable[Any]]) -> Any:
        async def give_back(self: Decisions, connection: Any, *rest: Any) -> Any:
            outcome = await execute(self, connection, *rest)
            approval: Approval = rest[-1]
            if not isinstance(outcome, Executed):
                table = approval_store.APPROVALS
                again = {"status": ApprovalStatus.PENDING.value, "decided_at": None}
                await connection.execute(table.update().where(table.c.id == approval.id).values(**again))
            return outcome

        return give_back

    patches.wrap(Decisions, "_execute", make)
    patches.replace(approvals, "is_stale", constant(False))


@fault(
    FAULTS, "stale-record-approved", "an approval is used although the record has changed since it was shown"
)
def _stale_record_approved(patches: Patches) -> None:
    patches.replace(approvals, "is_stale", constant(False))


def _raw_input(value: Input) -> JsonValue:
    del value
    return _RAW.get()


def _awaits_approval(value: JsonValue) -> bool:
    return isinstance(value, dict) and value.get("status") == "approval-required"


def _unchecked(runtime: Runtime, capability_id: str, raw: JsonValue, actor: Actor) -> Approval:
    now = runtime.services.clock.now()
    return Approval(
        id=runtime.services.ids.uuid("apr"),
        capability_id=capability_id,
        surface="aiSdk",
        actor=actor,
        input=raw,
        input_hash=approvals.fingerprint(raw),
        reasons=("asked too early",),
        types=(),
        risk="high",
        side_effect="destructive",
        requested_at=now,
        expires_at=now + timedelta(seconds=900),
    )
