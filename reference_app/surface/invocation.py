"""The one path of every call: ten phases in a fixed order, each able to end it with a typed error.

Identity, resolution, availability, authority, effective input, consent, precondition, admission, execution, output.
Nothing that an earlier snapshot said is trusted: each phase asks again.
"""

import asyncio
import logging
from dataclasses import dataclass, replace

from reference_app.surface import (
    availability,
    binding,
    consent,
    dedupe,
    execution,
    outputs,
    policy,
    preconditions,
    refusals,
    resolution,
    validation,
)
from reference_app.surface.admission import ActionQueues, ObservationGate
from reference_app.surface.audit import AuditEvent, AuditLevel, AuditType
from reference_app.surface.clock import iso
from reference_app.surface.core import Core
from reference_app.surface.definition import Action, HandlerContext, Observation, SpentConfirmation
from reference_app.surface.errors import CapabilityError, DisposedError, OutputDefectError, Retry
from reference_app.surface.events import InvocationSettled, InvocationStarted
from reference_app.surface.execution import Guard, InFlight
from reference_app.surface.invocation_types import CallOptions, InvocationRequest, InvocationResult
from reference_app.surface.json_value import UNSET, Json, Unset
from reference_app.surface.live import Candidate, Capability
from reference_app.surface.signal import Signal

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Call:
    """One call on its way through the phases, and what was learnt on the way."""

    id: str
    request: InvocationRequest
    options: CallOptions
    started_ms: int
    started_version: int
    candidate: Candidate | None = None
    effective_input: Json = None
    evidence: SpentConfirmation | None = None
    queue_wait_ms: int | None = None
    execution_ms: int | None = None

    @property
    def audit_level(self) -> AuditLevel:
        """How much is recorded: what the capability says, and metadata for a call that never found one."""
        return AuditLevel.METADATA if self.candidate is None else self.candidate.capability.audit


class Invoker:
    """Runs calls on one registry."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._seen = dedupe.DedupeCache(core.settings.limits)
        self._queues = ActionQueues()
        self._observations = ObservationGate(core.settings.limits)

    async def invoke(self, request: InvocationRequest, options: CallOptions) -> InvocationResult:
        """Run a call, join the one that it repeats, or give back what that one came to.

        Raises:
            DisposedError: The surface is gone.
            OutputDefectError: A handler returned what is not JSON, outside production.
        """
        if self._core.disposed:
            raise DisposedError("this surface was disposed of; call the one that replaced it")
        call = self._begin(request, options)
        key = f"{options.consumer.key} {call.id}"
        print_of_request = dedupe.fingerprint(request)
        try:
            known = self._seen.find(key, print_of_request, call.started_ms)
        except CapabilityError as error:
            self._announce(call)
            return self._settle(call, error)
        if known is not None:
            return await asyncio.shield(known)
        task = asyncio.ensure_future(self._attempt(call, key))
        self._seen.begin(key, print_of_request, task)
        return await asyncio.shield(task)

    def drain(self) -> None:
        """Turn away everyone who waits in a queue: the surface is going away."""
        self._queues.drain()
        self._observations.drain()

    def _begin(self, request: InvocationRequest, options: CallOptions) -> Call:
        call_id = request.invocation_id or self._core.tokens.invocation()
        return Call(call_id, request, options, self._core.clock.now_ms(), self._core.version_number)

    async def _attempt(self, call: Call, key: str) -> InvocationResult:
        self._announce(call)
        outcome: Json | Unset | CapabilityError
        try:
            outcome = await self._phases(call)
        except CapabilityError as error:
            outcome = error
        except OutputDefectError:
            self._seen.end(key, self._settle(call, refusals.execution_failed("output-invalid")), self._now)
            raise
        except Exception:
            _log.exception("the pipeline failed on %s", call.request.capability_id)
            outcome = refusals.execution_failed("handler-error")
        result = self._settle(call, outcome)
        self._seen.end(key, result, self._now)
        return result

    @property
    def _now(self) -> int:
        return self._core.clock.now_ms()

    async def _phases(self, call: Call) -> Json | Unset:
        """Phases 2 to 4; the rest runs inside the authorize hooks."""
        candidate = call.candidate = self._resolve(call)
        self._record(call, AuditType.INVOCATION_STARTED)
        check_available(candidate)
        context = self._core.policy_context(candidate, call.options.consumer)
        check_vote(candidate.capability, context)
        return await policy.authorize(
            candidate.capability.policies, context, lambda: self._authorized(call, candidate)
        )

    def _resolve(self, call: Call) -> Candidate:
        """Phase 2, among what the caller may know of."""
        core, request = self._core, call.request
        consumer = call.options.consumer
        scene = resolution.Scene(
            core.known(core.live.candidates(request.capability_id), consumer),
            core.known(core.live.buried(request.capability_id, self._now), consumer),
            core.version,
        )
        return resolution.resolve(request, scene)

    async def _authorized(self, call: Call, candidate: Candidate) -> Json | Unset:
        """Phase 5, then the invoke hooks around the rest."""
        call.effective_input = effective_input(candidate.capability, call.request.input)
        context = policy.InvokeContext(
            self._core.policy_context(candidate, call.options.consumer), call.id, call.effective_input
        )
        return await policy.run_invoke(
            candidate.capability.policies, context, lambda: self._consented(call, candidate)
        )

    async def _consented(self, call: Call, candidate: Candidate) -> Json | Unset:
        """Phases 6 to 8: consent, precondition, a slot."""
        capability = candidate.capability
        if self._core.disposed:
            raise refusals.cancelled(Retry.NO)
        if capability.kind != "observation":
            question = consent.question(self._core, candidate, call.options.consumer, call.effective_input)
            call.evidence = consent.gate(self._core, capability, question, call.request.confirmation_id)
        in_flight = InFlight(candidate)
        self._core.in_flight.append(in_flight)
        try:
            preconditions.check(capability, call.effective_input, self._context(call, in_flight.signal))
            return await self._admitted(call, in_flight)
        finally:
            self._core.in_flight.remove(in_flight)

    async def _admitted(self, call: Call, in_flight: InFlight) -> Json | Unset:
        """Phases 8 to 10: wait for a slot, execute, check the output."""
        capability = in_flight.candidate.capability
        queued_at = self._now
        if capability.group is None:
            await self._observations.enter(call.options.consumer.key)
        else:
            await self._queues.enter(capability.group)
        call.queue_wait_ms = self._now - queued_at
        try:
            value = await self._execute(call, in_flight)
        finally:
            if capability.group is None:
                self._observations.leave(call.options.consumer.key)
            else:
                self._queues.leave(capability.group)
        settings = self._core.settings
        return outputs.check_output(capability, value, settings.limits, settings.environment)

    async def _execute(self, call: Call, in_flight: InFlight) -> Json:
        capability = in_flight.candidate.capability
        guard = Guard(
            clock=self._core.clock,
            timeout_ms=call.options.timeout_ms or capability.timeout_ms,
            caller=call.options.signal,
            keep=self._keep,
            on_late=lambda: self._record(call, AuditType.LATE_SETTLEMENT),
        )
        began_at = self._now
        try:
            return await execution.run(self._handler(call, in_flight), in_flight, guard)
        finally:
            call.execution_ms = self._now - began_at

    def _handler(self, call: Call, in_flight: InFlight) -> execution.Handler:
        """The handler as it stands on the definition now."""
        context = self._context(call, in_flight.signal)
        source = in_flight.candidate.capability.source
        given = call.effective_input if isinstance(call.effective_input, dict) else {}
        if isinstance(source, Observation):
            return lambda _signal: source.read(context)
        if isinstance(source, Action):
            return lambda _signal: source.execute(given, context)
        executor = self._core.settings.executor
        if executor is None:
            raise refusals.transport_failed(transient=False)
        return lambda _signal: executor.execute(source.ref.path, given, context)

    def _context(self, call: Call, signal: Signal) -> HandlerContext:
        assert call.candidate is not None  # set in phase 2, and this is a later one
        return HandlerContext(
            capability_id=call.candidate.capability.id,
            registration_id=call.candidate.registration.id,
            consumer=call.options.consumer,
            host=self._core.host_context(),
            invocation_id=call.id,
            signal=signal,
            confirmation=call.evidence,
        )

    def _keep(self, task: "asyncio.Task[Json]") -> None:
        """Hold on to a handler that may outlive its call, so that disposal can end it."""
        self._core.handlers.add(task)
        task.add_done_callback(self._core.handlers.discard)

    def _announce(self, call: Call) -> None:
        self._core.emitter.emit(
            InvocationStarted(call.id, call.request.capability_id, call.options.consumer.id)
        )

    def _settle(self, call: Call, outcome: Json | Unset | CapabilityError) -> InvocationResult:
        """Turn an outcome into the result, and tell events and audit."""
        failed = outcome if isinstance(outcome, CapabilityError) else None
        result = InvocationResult(
            invocation_id=call.id,
            capability_id=call.request.capability_id,
            surface_version=self._core.version,
            output=UNSET if isinstance(outcome, CapabilityError) else outcome,
            error=failed.payload if failed else None,
            surface_changed=self._core.version_number != call.started_version,
        )
        code = result.error.code if result.error else None
        self._core.emitter.emit(
            InvocationSettled(
                call.id,
                call.request.capability_id,
                "ok" if result.ok else "error",
                code,
                self._now - call.started_ms,
            )
        )
        self._record(call, AuditType.INVOCATION_SETTLED, result=result)
        return result

    def _record(self, call: Call, kind: AuditType, *, result: InvocationResult | None = None) -> None:
        if call.audit_level is AuditLevel.NONE:
            return
        registration_id = call.candidate.registration.id if call.candidate else call.request.registration_id
        event = AuditEvent(
            at=iso(self._now),
            type=kind,
            capability_id=call.request.capability_id,
            registration_id=registration_id,
            invocation_id=call.id,
            consumer=call.options.consumer.key,
        )
        self._core.record(event if result is None else self._with_result(event, call, result))

    def _with_result(self, event: AuditEvent, call: Call, result: InvocationResult) -> AuditEvent:
        return replace(
            event,
            status="ok" if result.ok else "error",
            code=result.error.code if result.error else None,
            duration_ms=self._now - call.started_ms,
            queue_wait_ms=call.queue_wait_ms,
            execution_ms=call.execution_ms,
            payload=payload_of(call, result),
        )


def check_available(candidate: Candidate) -> None:
    """Phase 3: ask the page again whether it is in the right state.

    Raises:
        CapabilityError: ``CAPABILITY_NOT_AVAILABLE`` with the reason.
    """
    state = availability.evaluate(candidate.registration, candidate.capability)
    if not state.available:
        raise refusals.not_available(state.reason or "Currently unavailable")


def check_vote(capability: Capability, context: policy.PolicyContext) -> None:
    """Phase 4: ask the policies again that only vote.

    Raises:
        CapabilityError: ``CAPABILITY_NOT_FOUND`` or ``CAPABILITY_NOT_AVAILABLE``.
    """
    cast = policy.recheck(capability.policies, context)
    if isinstance(cast, policy.Hide):
        raise refusals.not_found(capability.id)
    if isinstance(cast, policy.Disable):
        raise refusals.not_available(cast.reason)


def effective_input(capability: Capability, given: Json) -> Json:
    """Phase 5: the input that will really be used; an observation takes none.

    Raises:
        CapabilityError: ``INVALID_INPUT``, or ``PRECONDITION_FAILED`` when a binding can't be filled.
    """
    source = capability.source
    if isinstance(source, Observation):
        return {}
    if isinstance(source, Action):
        issues = validation.validate(source.input, given)
        if issues:
            raise refusals.invalid_input(issues)
        return given
    return binding.effective_input(source, given)


def payload_of(call: Call, result: InvocationResult) -> "dict[str, Json] | None":
    """Input and output for the record, only where the capability wants them there."""
    if call.audit_level is not AuditLevel.FULL:
        return None
    payload: dict[str, Json] = {"input": call.effective_input}
    if not isinstance(result.output, Unset):
        payload["output"] = result.output
    return payload
