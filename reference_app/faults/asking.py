"""Faults in what a gated call comes to before anybody decides about it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar
from typing import Any

from reference_app.domain import stages
from reference_app.domain.approval_store import ApprovalStore
from reference_app.domain.approvals import Approval, ApprovalStatus
from reference_app.domain.canonical import input_hash
from reference_app.domain.capability import Capability
from reference_app.domain.pipeline import ApprovalRequired, Completed, Execution, Runtime
from reference_app.domain.shapes import Input, input_as_json
from reference_app.faults import Fault, Patches, fault
from reference_app.host import answers
from reference_app.host.stream import StepStream
from reference_app.host.toolbox import HostToolbox
from reference_app.runtime.loop import Disposition, PlannedCall
from reference_app.runtime.model import RequestedCall
from reference_app.strict_json import JsonValue

FAULTS: list[Fault] = []

_CLAIMED: ContextVar[bool] = ContextVar("approval_claimed", default=False)
_TOO_MANY = 100
_APPROVAL_ID = re.compile(r"apr_[0-9a-f-]+")

Request = Callable[[Runtime, Execution, Capability, Input, Any], Awaitable[Any]]


@fault(
    FAULTS, "parallel-approvals-merged", "of several gated calls in one step only the first leaves a record"
)
def _parallel_approvals_merged(patches: Patches) -> None:
    first: dict[str | None, Approval] = {}

    def make(request: Request) -> Any:
        async def merge(
            self: Runtime, execution: Execution, capability: Capability, value: Input, demanded: Any
        ) -> Any:
            step = execution.correlation.step_id
            if step in first and step is not None:
                return ApprovalRequired(execution.id, first[step])
            required = await request(self, execution, capability, value, demanded)
            first[step] = required.approval
            return required

        return merge

    patches.wrap(Runtime, "_request_approval", make)


@fault(FAULTS, "gate-gives-up", "after a hundred gated calls in one step the next ones run")
def _gate_gives_up(patches: Patches) -> None:
    asked: Counter[str | None] = Counter()

    def make(request: Request) -> Any:
        async def give_up(
            self: Runtime, execution: Execution, capability: Capability, value: Input, demanded: Any
        ) -> Any:
            asked[execution.correlation.step_id] += 1
            if asked[execution.correlation.step_id] > _TOO_MANY:
                return Completed(execution.id, await self.perform(execution, capability, value))
            return await request(self, execution, capability, value, demanded)

        return give_up

    patches.wrap(Runtime, "_request_approval", make)


@fault(
    FAULTS, "approval-remembered", "a gated call like one that was approved runs without being asked about"
)
def _approval_remembered(patches: Patches) -> None:
    def make(request: Request) -> Any:
        async def remember(
            self: Runtime, execution: Execution, capability: Capability, value: Input, demanded: Any
        ) -> Any:
            wanted = input_hash(input_as_json(value))
            known = await self.services.approvals.of(execution.actor)
            if any(
                a.status is ApprovalStatus.CONSUMED and a.input_hash == wanted and a.failure is None
                for a in known
            ):
                return Completed(execution.id, await self.perform(execution, capability, value))
            return await request(self, execution, capability, value, demanded)

        return remember

    patches.wrap(Runtime, "_request_approval", make)


@fault(FAULTS, "gated-call-says-done", "the model is told that its gated call is done")
def _gated_call_says_done(patches: Patches) -> None:
    def make(envelope: Callable[[Any], JsonValue]) -> Any:
        def done(result: Any) -> JsonValue:
            return (
                {"status": "ok", "data": None} if isinstance(result, ApprovalRequired) else envelope(result)
            )

        return done

    patches.wrap(answers, "envelope", make)


@fault(FAULTS, "gated-beside-browser-lost", "a gated call beside a browser call leaves no record")
def _gated_beside_browser_lost(patches: Patches) -> None:
    def make_plan(plan: Callable[[HostToolbox, RequestedCall], PlannedCall]) -> Any:
        def notice(self: HostToolbox, requested: RequestedCall) -> PlannedCall:
            planned = plan(self, requested)
            self.__dict__["beside"] = (
                self.__dict__.get("beside", False) or planned.disposition is Disposition.SUSPEND
            )
            return planned

        return notice

    def make_execute(execute: Callable[[HostToolbox, PlannedCall], Awaitable[JsonValue]]) -> Any:
        async def lose(self: HostToolbox, planned: PlannedCall) -> JsonValue:
            tool = self._catalog.find(planned.call.name)
            if self.__dict__.get("beside") and getattr(tool, "requires_approval", False):
                return {"status": "approval-required", "message": "Awaiting approval."}
            return await execute(self, planned)

        return lose

    patches.wrap(HostToolbox, "plan", make_plan)
    patches.wrap(HostToolbox, "execute", make_execute)


@fault(FAULTS, "disconnect-drops-approval", "an approval that waits goes with the client that asked for it")
def _disconnect_drops_approval(patches: Patches) -> None:
    gone: set[str] = set()

    def make_lines(lines: Callable[[StepStream], AsyncIterator[bytes]]) -> Any:
        async def withdraw(self: StepStream) -> AsyncIterator[bytes]:
            try:
                async for line in lines(self):
                    yield line
            finally:
                if not self._closed:
                    gone.update(_APPROVAL_ID.findall(self.recording.decode()))

        return withdraw

    def make_of(of: Callable[[ApprovalStore, Any], Awaitable[tuple[Approval, ...]]]) -> Any:
        async def without(self: ApprovalStore, actor: Any) -> tuple[Approval, ...]:
            return tuple(approval for approval in await of(self, actor) if approval.id not in gone)

        return without

    patches.wrap(StepStream, "lines", make_lines)
    patches.wrap(ApprovalStore, "of", make_of)


@fault(FAULTS, "approval-claim-believed", "a call that says of itself that it is approved runs")
def _approval_claim_believed(patches: Patches) -> None:
    def make_invoke(invoke: Callable[..., Awaitable[Any]]) -> Any:
        async def believe(self: Runtime, capability_id: str, raw: JsonValue, **rest: Any) -> Any:
            _CLAIMED.set(isinstance(raw, dict) and raw.get("approved") is True)
            return await invoke(self, capability_id, raw, **rest)

        return believe

    def make_required(required: Callable[..., tuple[Any, ...]]) -> Any:
        return lambda *arguments: () if _CLAIMED.get() else required(*arguments)

    patches.wrap(Runtime, "invoke", make_invoke)
    patches.wrap(stages, "required_approvals", make_required)


def mark_abandoned(patches: Patches) -> None:
    """Let a stream know that its client has gone."""

    def make(lines: Callable[[StepStream], AsyncIterator[bytes]]) -> Any:
        async def notice(self: StepStream) -> AsyncIterator[bytes]:
            ended = False
            try:
                async for line in lines(self):
                    yield line
                ended = True
            finally:
                self.__dict__["abandoned"] = not ended

        return notice

    patches.wrap(StepStream, "lines", make)


def is_abandoned(stream: StepStream) -> bool:
    """Whether the client of a stream has gone before its end."""
    return bool(stream.__dict__.get("abandoned"))
