"""The pipeline: the one way in which an operation runs, whoever asks for it."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from sqlalchemy.ext.asyncio import AsyncConnection

from reference_app.clock import Clock, DeadlineError, iso
from reference_app.database import Database, Work
from reference_app.domain import approvals, stages
from reference_app.domain.actor import NO_CORRELATION, Actor, Correlation
from reference_app.domain.approval_store import ApprovalStore
from reference_app.domain.approvals import Approval
from reference_app.domain.audit import AuditTrail, Source
from reference_app.domain.canonical import UnserializableError, input_hash
from reference_app.domain.capability import AgentCall, AnyProcedure, Call, Capability, Subject, Surface
from reference_app.domain.errors import CapabilityError, ErrorCode
from reference_app.domain.policy import Phase, Policy, PolicyRequest, RequireApproval, Verdict, evaluate
from reference_app.domain.policy_book import PolicyBook
from reference_app.domain.registry import Registry
from reference_app.domain.shapes import Input, input_as_json
from reference_app.ids import Ids
from reference_app.strict_json import JsonObject, JsonValue

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Completed:
    """The operation ran; the output is as its caller may see it."""

    execution_id: str
    output: JsonValue


@dataclass(frozen=True)
class ApprovalRequired:
    """Nothing ran; a person has to agree first."""

    execution_id: str
    approval: Approval


@dataclass(frozen=True)
class Failed:
    """The operation ended without a result."""

    execution_id: str
    error: CapabilityError


Result: TypeAlias = Completed | ApprovalRequired | Failed


@dataclass(frozen=True)
class Bounds:
    """How long things may take, in seconds.

    Attributes:
        tool_timeout: One operation, unless it says otherwise.
        policy_timeout: All policies of one evaluation.
        discovery_budget: Composing one catalog.
        approval_ttl: Deciding about one approval, unless something says otherwise.
    """

    tool_timeout: float = 30.0
    policy_timeout: float = 5.0
    discovery_budget: float = 30.0
    approval_ttl: float = 900.0


@dataclass(frozen=True)
class Services:
    """What the domain plane is built from."""

    registry: Registry
    policies: PolicyBook
    database: Database
    clock: Clock
    ids: Ids
    audit: AuditTrail
    approvals: ApprovalStore
    bounds: Bounds


@dataclass
class Execution:
    """One governed call on its way through the stages; it learns the fingerprint of its input on the way."""

    services: Services
    id: str
    capability_id: str
    surface: Surface
    actor: Actor
    correlation: Correlation
    started: datetime
    input_hash: str | None = None

    def note(self, event_type: str, data: JsonObject | None = None) -> None:
        """Record one event of this execution."""
        self.services.audit.record(
            Source.RUNTIME,
            event_type,
            self.actor,
            capability_id=self.capability_id,
            execution_id=self.id,
            surface=str(self.surface),
            input_hash=self.input_hash,
            correlation=self.correlation,
            data=data,
        )

    def note_failure(self, error: CapabilityError) -> None:
        """Record the terminal event of a call that failed."""
        if isinstance(error, stages.DenialError):
            self.note("capability.denied", stages.denial_data(error))
        elif error.code in {ErrorCode.TIMEOUT, ErrorCode.CANCELLED}:
            self.note("capability.cancelled", {"code": str(error.code), "durationMs": self._duration()})
        else:
            data: dict[str, JsonValue] = {
                "code": str(error.code),
                "stage": error.stage,
                "retryable": error.retryable,
                "attempts": 1,
            }
            if error.executed:
                data["executedBeforeFailure"] = True
            self.note("capability.failed", data)

    def note_completion(self) -> None:
        """Record the terminal event of a call that ran."""
        self.note("capability.completed", {"durationMs": self._duration(), "attempts": 1})

    def _duration(self) -> int:
        return round((self.services.clock.now() - self.started).total_seconds() * 1000)


class Runtime:
    """Runs operations for the page, for models and after approvals."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def invoke(
        self,
        capability_id: str,
        raw: JsonValue,
        *,
        surface: Surface,
        actor: Actor,
        correlation: Correlation = NO_CORRELATION,
    ) -> Result:
        """Run one governed call.

        Args:
            capability_id: The bare id.
            raw: The input as it came.
            surface: Where the call comes from.
            actor: On whose behalf, from the verified session.
            correlation: Where the caller says that the call belongs; recorded only.

        Returns:
            The result; governed failures are values, not exceptions.
        """
        execution = self.execution(capability_id, surface, actor, correlation)
        try:
            return await self._pass_stages(execution, raw)
        except CapabilityError as error:
            execution.note_failure(error)
            return Failed(execution.id, error)
        except Exception:
            LOG.exception("%s failed inside the pipeline", execution.id)
            concealed = CapabilityError(ErrorCode.INTERNAL_ERROR)
            execution.note_failure(concealed)
            return Failed(execution.id, concealed)

    async def call_plain(self, procedure: AnyProcedure, raw: JsonValue, actor: Actor) -> Result:
        """Call a procedure that is no capability: validated, without policies and audit."""
        execution_id = self.services.ids.uuid("exe")
        try:
            stages.check_actor(actor)
            value = stages.validate(procedure, raw)
            async with Work(self.services.database, writes=procedure.changes) as work:
                output = await self._handle(procedure, value, Call(work, actor, self.services.clock), None)
            return Completed(execution_id, stages.checked_output(procedure, output))
        except CapabilityError as error:
            return Failed(execution_id, error)

    def execution(
        self, capability_id: str, surface: Surface, actor: Actor, correlation: Correlation = NO_CORRELATION
    ) -> Execution:
        """Begin one execution, with an id of its own."""
        started = self.services.clock.now()
        return Execution(
            self.services,
            self.services.ids.uuid("exe"),
            capability_id,
            surface,
            actor,
            correlation,
            started,
        )

    async def verdict(self, request: PolicyRequest, in_force: tuple[Policy, ...] | None = None) -> Verdict:
        """Ask the policies, the capability's own last.

        Args:
            request: What they are asked about.
            in_force: The application's policies, where the caller asks several times and they must not change between.
        """
        application = await self.services.policies.in_force() if in_force is None else in_force
        policies = (*application, *request.capability.meta.policies)
        return await evaluate(policies, request, self.services.clock, self.services.bounds.policy_timeout)

    async def perform(
        self,
        execution: Execution,
        capability: Capability,
        value: Input,
        *,
        within: AsyncConnection | None = None,
        approval: Approval | None = None,
        approver: Actor | None = None,
    ) -> JsonValue:
        """Run a call that has passed every stage, and hold its result against its declaration.

        Args:
            execution: The call.
            capability: What runs.
            value: The validated input.
            within: The transaction that the effect belongs to; None for one of its own.
            approval: The approval that lets it run.
            approver: Who gave it.

        Returns:
            The complete output.

        Raises:
            CapabilityError: It failed, took too long, or returned something else than it declares.
        """
        execution.note("capability.started", _started_data(approval))
        agent = AgentCall(
            execution.id,
            execution.surface,
            self.services.ids.uuid("idk"),
            approval.id if approval else None,
            approver.id if approver else None,
        )
        async with Work(self.services.database, writes=capability.writes, within=within) as work:
            call = Call(work, execution.actor, self.services.clock, agent)
            output = await self._handle(capability.procedure, value, call, capability.meta.timeout)
        return stages.checked_output(capability.procedure, output)

    async def _pass_stages(self, execution: Execution, raw: JsonValue) -> Result:
        surface, actor = execution.surface, execution.actor
        in_force = await self.services.policies.in_force()
        capability = await self._find(execution, in_force)
        value = stages.validate(capability.procedure, raw)
        document = input_as_json(value)
        execution.input_hash = _hash_or_none(document)
        asked = PolicyRequest(Phase.INVOCATION, capability, surface, actor, document)
        verdict = await self.verdict(asked, in_force)
        stages.judge(verdict)
        demanded = stages.required_approvals(capability, verdict)
        if demanded:
            return await self._request_approval(execution, capability, value, demanded)
        output = await self.perform(execution, capability, value)
        shown = stages.for_surface(capability, surface, output)
        execution.note_completion()
        return Completed(execution.id, shown)

    async def _find(self, execution: Execution, in_force: tuple[Policy, ...]) -> Capability:
        """The capability that is called, as far as it exists for the caller; the request is recorded in any case."""
        surface, actor = execution.surface, execution.actor
        try:
            capability = stages.resolve(self.services.registry, execution.capability_id)
            stages.check_exposure(capability, surface)
            stages.check_actor(actor)
            asked = PolicyRequest(Phase.DISCOVERY, capability, surface, actor)
            stages.check_concealment(await self.verdict(asked, in_force))
        except CapabilityError:
            # What kind of operation it is would tell that there is one.
            execution.note("capability.requested")
            raise
        execution.note("capability.requested", _kind_of(capability))
        return capability

    async def _request_approval(
        self,
        execution: Execution,
        capability: Capability,
        value: Input,
        demanded: tuple[RequireApproval, ...],
    ) -> ApprovalRequired:
        document = input_as_json(value)
        requested_at = self.services.clock.now()
        approval = Approval(
            id=self.services.ids.uuid("apr"),
            capability_id=capability.id,
            surface=str(execution.surface),
            actor=execution.actor,
            input=document,
            input_hash=approvals.fingerprint(document),
            reasons=tuple(demand.reason for demand in demanded),
            types=tuple(dict.fromkeys(d.approval_type for d in demanded if d.approval_type is not None)),
            risk=str(capability.meta.risk),
            side_effect=str(capability.meta.side_effect),
            requested_at=requested_at,
            expires_at=requested_at
            + approvals.lifetime(capability, demanded, self.services.bounds.approval_ttl),
            subject=await self._subject(capability, value),
        )
        data: JsonObject = {
            "approvalId": approval.id,
            "reasons": list(approval.reasons),
            "types": list(approval.types),
            "expiresAt": iso(approval.expires_at),
        }
        execution.note("capability.approval_requested", data)
        await self.services.approvals.add(approval)
        return ApprovalRequired(execution.id, approval)

    async def _subject(self, capability: Capability, value: Input) -> Subject | None:
        async with Work(self.services.database, writes=False) as work:
            return await subject_of(capability, value, work)

    async def _handle(
        self, procedure: AnyProcedure, value: Input, call: Call, seconds: float | None
    ) -> object:
        allowed = self.services.bounds.tool_timeout if seconds is None else seconds
        try:
            return await self.services.clock.bounded(procedure.handler(value, call), allowed)
        except DeadlineError as problem:
            raise CapabilityError(ErrorCode.TIMEOUT) from problem
        except asyncio.CancelledError:
            raise
        except Exception as problem:
            error = stages.failure_of(problem)
            if not error.exposed:
                LOG.exception("%s raised", procedure.id)
            raise error from problem


async def subject_of(capability: Capability, value: Input, work: Work) -> Subject | None:
    """The record that a call is about, as it is now; None when the capability names none."""
    if capability.meta.subject is None:
        return None
    return await capability.meta.subject(value, work)


def _hash_or_none(document: JsonValue) -> str | None:
    try:
        return input_hash(document)
    except UnserializableError:
        return None


def _kind_of(capability: Capability) -> JsonObject:
    return {"sideEffect": str(capability.meta.side_effect), "risk": str(capability.meta.risk)}


def _started_data(approval: Approval | None) -> JsonObject:
    data: dict[str, JsonValue] = {"attempt": 1}
    if approval is not None:
        data["approvalId"] = approval.id
    return data
