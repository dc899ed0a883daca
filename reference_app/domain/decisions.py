"""Deciding about an approval: the decision, its use and the effect are one transaction.

A crash before the commit leaves the approval pending and the ledger untouched; after it, both are done. Nothing runs twice,
whichever process decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from sqlalchemy.ext.asyncio import AsyncConnection

from reference_app.database import Work
from reference_app.domain import approval_store, approvals, stages
from reference_app.domain.actor import Actor
from reference_app.domain.approvals import Approval, ApprovalStatus, DecisionError, DecisionRecord
from reference_app.domain.audit import Source
from reference_app.domain.capability import Capability, Surface
from reference_app.domain.errors import CapabilityError, ErrorCode
from reference_app.domain.pipeline import Execution, Runtime, subject_of
from reference_app.domain.policy import Phase, PolicyRequest, Verdict
from reference_app.domain.shapes import Input
from reference_app.strict_json import JsonObject, JsonValue


@dataclass(frozen=True)
class Decision:
    """What a person decides.

    Attributes:
        approved: Yes or no.
        input_hash: The fingerprint of the input that the person saw, when the decision says so.
    """

    approved: bool
    input_hash: str | None = None


@dataclass(frozen=True)
class Denied:
    """The person said no; nothing was executed."""


@dataclass(frozen=True)
class Executed:
    """The person said yes, and the operation ran."""

    output: JsonValue


@dataclass(frozen=True)
class ExecutionFailed:
    """The person said yes, and the operation failed; the approval is used up."""

    error: CapabilityError


Outcome: TypeAlias = Denied | Executed | ExecutionFailed


class Decisions:
    """What its owner can do with an approval."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._services = runtime.services

    async def pending(self, actor: Actor) -> tuple[Approval, ...]:
        """The approvals that an actor can decide now, oldest first."""
        now = self._services.clock.now()
        own = await self._services.approvals.of(actor)
        waiting = [a for a in own if approvals.status_at(a, now) is ApprovalStatus.PENDING]
        # One answer for each operation: hundreds of approvals can wait for the same one.
        one_each = {(approval.capability_id, approval.surface): approval for approval in waiting}
        usable = {key for key, approval in one_each.items() if await self._may_use(approval, actor)}
        return tuple(approval for approval in waiting if (approval.capability_id, approval.surface) in usable)

    async def find(self, approval_id: str, actor: Actor) -> Approval | None:
        """An approval of an actor in any status; None when it is unknown, somebody else's, or about something hidden."""
        approval = await self._services.approvals.get(approval_id)
        return approval if await self._is_visible(approval, actor) else None

    async def decide(
        self, approval_id: str, decision: Decision, actor: Actor
    ) -> tuple[Approval, Outcome] | None:
        """Take a decision and, if it is yes, run exactly what the card showed.

        Returns:
            The approval as it was and what came of it, or None when there is no such approval for this actor.

        Raises:
            DecisionError: The decision cannot be taken; nothing was executed.
        """
        async with self._services.database.writing() as connection:
            approval = await approval_store.locked(connection, approval_id)
            if approval is None or not await self._is_visible(approval, actor):
                return None
            now = self._services.clock.now()
            approvals.check_pending(approval, now)
            approvals.check_input_hash(approval, decision.input_hash)
            outcome = await self._settle(connection, approval, decision.approved, actor, now)
        if outcome is None:
            raise stale()
        return approval, outcome

    async def _settle(
        self, connection: AsyncConnection, approval: Approval, approved: bool, actor: Actor, now: datetime
    ) -> Outcome | None:
        """Take the decision; None when the record has changed, and the approval has been withdrawn for that."""
        record = DecisionRecord(approved, actor.id, actor.display_name, now)
        if not approved:
            await consume(connection, approval, ApprovalStatus.REJECTED, record, None)
            self._note(approval, actor, "capability.rejected")
            return Denied()
        capability = self._capability_of(approval)
        await self._recheck_policies(capability, approval, actor)
        value = revalidated(capability, approval)
        async with Work(self._services.database, writes=False, within=connection) as work:
            if approvals.is_stale(approval, await subject_of(capability, value, work)):
                await approval_store.withdraw(connection, approval.id)
                return None
        execution = self._runtime.execution(capability.id, Surface(approval.surface), actor)
        execution.input_hash = approval.input_hash
        await consume(connection, approval, ApprovalStatus.CONSUMED, record, execution.id)
        self._note(approval, actor, "capability.approved")
        return await self._execute(connection, execution, capability, value, approval)

    async def _execute(
        self,
        connection: AsyncConnection,
        execution: Execution,
        capability: Capability,
        value: Input,
        approval: Approval,
    ) -> Outcome:
        try:
            output = await self._runtime.perform(
                execution, capability, value, within=connection, approval=approval, approver=execution.actor
            )
        except CapabilityError as error:
            await approval_store.note_failure(connection, approval.id, error.public_message)
            execution.note_failure(error)
            return ExecutionFailed(error)
        execution.note_completion()
        return Executed(output)

    async def _recheck_policies(self, capability: Capability, approval: Approval, actor: Actor) -> None:
        surface = Surface(approval.surface)
        asked = PolicyRequest(Phase.INVOCATION, capability, surface, actor, approval.input)
        verdict = await self._runtime.verdict(asked)
        check_still_allowed(verdict)

    async def _is_visible(self, approval: Approval | None, actor: Actor) -> bool:
        return (
            approval is not None
            and approvals.belongs_to(approval, actor)
            and await self._may_use(approval, actor)
        )

    async def _may_use(self, approval: Approval, actor: Actor) -> bool:
        """Whether the operation still exists for the actor; if not, neither does the approval."""
        capability = self._services.registry.capability(approval.capability_id)
        if capability is None:
            return False
        asked = PolicyRequest(Phase.DISCOVERY, capability, Surface(approval.surface), actor)
        verdict = await self._runtime.verdict(asked)
        try:
            stages.check_concealment(verdict)
        except stages.DenialError:
            return False
        return True

    def _capability_of(self, approval: Approval) -> Capability:
        return stages.resolve(self._services.registry, approval.capability_id)

    def _note(self, approval: Approval, approver: Actor, event_type: str) -> None:
        data: JsonObject = {
            "approvalId": approval.id,
            "approver": {"id": approver.id, "kind": str(approver.kind)},
        }
        self._services.audit.record(
            Source.RUNTIME,
            event_type,
            approver,
            capability_id=approval.capability_id,
            surface=approval.surface,
            input_hash=approval.input_hash,
            data=data,
        )


async def consume(
    connection: AsyncConnection,
    approval: Approval,
    status: ApprovalStatus,
    record: DecisionRecord,
    execution_id: str | None,
) -> None:
    """Use an approval up; only one decision can.

    Raises:
        DecisionError: Somebody else was first.
    """
    if not await approval_store.settle(connection, approval.id, status, record, execution_id):
        raise DecisionError(ErrorCode.APPROVAL_CONSUMED, f'Approval "{approval.id}" has just been decided.')


def check_still_allowed(verdict: Verdict) -> None:
    """Refuse what policy no longer allows; the approval itself stays as it is.

    Raises:
        DecisionError: A policy denies the operation now, hides it, or failed.
    """
    try:
        stages.judge(verdict)
    except stages.DenialError as denial:
        raise DecisionError(denial.code, denial.public_message, forbidden=True) from denial


def revalidated(capability: Capability, approval: Approval) -> Input:
    """The recorded input, held against what the operation accepts today.

    Raises:
        DecisionError: INPUT_INVALID; the approval stays pending.
    """
    try:
        return stages.validate(capability.procedure, approval.input)
    except CapabilityError as problem:
        raise DecisionError(ErrorCode.INPUT_INVALID, "The recorded input is no longer valid.") from problem


def stale() -> DecisionError:
    """The refusal of an approval whose record has changed since it was shown."""
    error = CapabilityError(ErrorCode.APPROVAL_STALE)
    return DecisionError(error.code, error.public_message)
