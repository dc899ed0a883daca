"""Faults in deciding about approvals: races, restarts, and what is told about a decision."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from datetime import datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from reference_app.api import approvals as approvals_api
from reference_app.api.bodies import BadBodyError, json_response
from reference_app.api.errors import api_error
from reference_app.api.identity import actor_of
from reference_app.database import Work
from reference_app.domain import approval_store, approvals, decisions
from reference_app.domain.actor import Actor
from reference_app.domain.approval_store import ApprovalStore
from reference_app.domain.approvals import Approval, ApprovalStatus, DecisionError
from reference_app.domain.decisions import Decision, Decisions, ExecutionFailed
from reference_app.domain.errors import ErrorCode
from reference_app.domain.policy import Policy
from reference_app.domain.policy_book import PolicyBook
from reference_app.faults import Fault, Patches, fault
from reference_app.ledger.store import Ledger
from reference_app.strict_json import JsonObject

FAULTS: list[Fault] = []

_UNCHECKED: ContextVar[bool] = ContextVar("unchecked", default=False)
_COUNTED: ContextVar[bool] = ContextVar("counted", default=False)
_RACE_SECONDS = 0.3

Decide = Callable[[Decisions, str, Decision, Actor], Awaitable[Any]]


@fault(FAULTS, "decide-race", "of two decisions of one process at the same instant both are taken")
def _decide_race(patches: Patches) -> None:
    under_way: Counter[str] = Counter()

    def make(decide: Decide) -> Any:
        async def race(self: Decisions, approval_id: str, decision: Decision, actor: Actor) -> Any:
            _UNCHECKED.set(under_way[approval_id] > 0)
            under_way[approval_id] += 1
            try:
                return await decide(self, approval_id, decision, actor)
            finally:
                under_way[approval_id] -= 1

        return race

    patches.wrap(Decisions, "decide", make)
    _without_checks(patches)


@fault(
    FAULTS,
    "decide-race-across-processes",
    "of two decisions of two processes at the same instant both are taken",
)
def _decide_race_across_processes(patches: Patches) -> None:
    in_turn: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def make(decide: Decide) -> Any:
        async def race(self: Decisions, approval_id: str, decision: Decision, actor: Actor) -> Any:
            async with in_turn[approval_id]:
                seen = await self._services.approvals.get(approval_id)
                is_open = seen is not None and seen.status is ApprovalStatus.PENDING
                is_open = (
                    is_open
                    and seen is not None
                    and not approvals.is_expired(seen, self._services.clock.now())
                )
                if (
                    is_open
                    and decision.approved
                    and seen is not None
                    and seen.capability_id == "lab-gated-bump"
                ):
                    await asyncio.sleep(_RACE_SECONDS)
                    _UNCHECKED.set(True)
                return await decide(self, approval_id, decision, actor)

        return race

    patches.wrap(Decisions, "decide", make)
    _without_checks(patches)


def _without_checks(patches: Patches) -> None:
    """Let decisions pass that are marked as unchecked."""

    def make_check(check: Callable[..., None]) -> Any:
        return lambda *arguments: None if _UNCHECKED.get() else check(*arguments)

    def make_consume(consume: Callable[..., Awaitable[None]]) -> Any:
        async def use(*arguments: Any) -> None:
            try:
                await consume(*arguments)
            except DecisionError:
                if not _UNCHECKED.get():
                    raise

        return use

    def make_stale(is_stale: Callable[..., bool]) -> Any:
        return lambda *arguments: not _UNCHECKED.get() and is_stale(*arguments)

    patches.wrap(approvals, "check_pending", make_check)
    patches.wrap(decisions, "consume", make_consume)
    patches.wrap(approvals, "is_stale", make_stale)


@fault(FAULTS, "consume-after-effect", "a slow operation's effect is kept before its approval is used up")
def _consume_after_effect(patches: Patches) -> None:
    def make_consume(consume: Callable[..., Awaitable[None]]) -> Any:
        async def later(connection: Any, approval: Approval, *rest: Any) -> None:
            if approval.capability_id != "lab-gated-wait":
                await consume(connection, approval, *rest)

        return later

    def make_execute(execute: Callable[..., Awaitable[Any]]) -> Any:
        async def effect_first(self: Decisions, connection: Any, execution: Any, *rest: Any) -> Any:
            if execution.capability_id == "lab-gated-wait":
                async with Work(self._services.database, writes=False, within=connection) as work:
                    await Ledger(work).count_up("lab-default")
                await connection.exec_driver_sql("COMMIT")
                await connection.exec_driver_sql("BEGIN")
                _COUNTED.set(True)
            return await execute(self, connection, execution, *rest)

        return effect_first

    def make_count(count_up: Callable[[Ledger, str], Awaitable[int]]) -> Any:
        async def not_again(self: Ledger, name: str) -> int:
            return await (self.count(name) if _COUNTED.get() else count_up(self, name))

        return not_again

    patches.wrap(decisions, "consume", make_consume)
    patches.wrap(Decisions, "_execute", make_execute)
    patches.wrap(Ledger, "count_up", make_count)


@fault(FAULTS, "approvals-in-memory", "an approval can be decided only by the process that made it")
def _approvals_in_memory(patches: Patches) -> None:
    made: set[str] = set()

    def make_add(add: Callable[[ApprovalStore, Approval], Awaitable[None]]) -> Any:
        async def remember(self: ApprovalStore, approval: Approval) -> None:
            made.add(approval.id)
            await add(self, approval)

        return remember

    def make_locked(locked: Callable[..., Awaitable[Approval | None]]) -> Any:
        async def forget(connection: Any, approval_id: str) -> Approval | None:
            return await locked(connection, approval_id) if approval_id in made else None

        return forget

    patches.wrap(ApprovalStore, "add", make_add)
    patches.wrap(approval_store, "locked", make_locked)


@fault(FAULTS, "empty-decision-approves", "a decision that says neither yes nor no is taken for a yes")
def _empty_decision_approves(patches: Patches) -> None:
    def make(read_shape: Callable[..., Awaitable[Any]]) -> Any:
        async def assume(request: Request, limit: int, shape: Any) -> Any:
            raw = await request.body()
            try:
                return await read_shape(request, limit, shape)
            except BadBodyError:
                if not raw.startswith(b"{"):
                    raise
                return shape(approved=True)

        return assume

    patches.wrap(approvals_api, "read_shape", make)


@fault(FAULTS, "second-decision-accepted", "a second decision is answered as if it had counted")
def _second_decision_accepted(patches: Patches) -> None:
    def make(refused: Callable[[DecisionError], Response]) -> Any:
        def accept(refusal: DecisionError) -> Response:
            if refusal.code in {ErrorCode.APPROVAL_CONSUMED, ErrorCode.APPROVAL_REJECTED}:
                receipt: JsonObject = {"text": "You decided. Nothing was changed.", "ok": False}
                return json_response({"receipt": receipt, "resolution": {"status": "rejected"}})
            return refused(refusal)

        return accept

    patches.wrap(approvals_api, "refused", make)


@fault(FAULTS, "decision-anonymous", "a decided approval does not say who decided")
def _decision_anonymous(patches: Patches) -> None:
    def make(card: Callable[[Approval, datetime], JsonObject]) -> Any:
        return lambda approval, now: {
            key: value for key, value in card(approval, now).items() if key != "decision"
        }

    patches.wrap(approvals_api, "card", make)


@fault(FAULTS, "expired-still-listed", "an approval that has expired is still listed")
def _expired_still_listed(patches: Patches) -> None:
    async def pending(self: Decisions, actor: Actor) -> tuple[Approval, ...]:
        own = await self._services.approvals.of(actor)
        return tuple(approval for approval in own if approval.status is ApprovalStatus.PENDING)

    patches.replace(Decisions, "pending", pending)


@fault(FAULTS, "failed-approval-says-done", "an approved operation that refused is reported as done")
def _failed_approval_says_done(patches: Patches) -> None:
    def make(resolution: Callable[[Any], JsonObject]) -> Any:
        def done(outcome: Any) -> JsonObject:
            is_failed = isinstance(outcome, ExecutionFailed)
            return {"status": "completed", "output": None} if is_failed else resolution(outcome)

        return done

    patches.wrap(approvals_api, "resolution", make)


@fault(FAULTS, "read-decides", "reading an approval with a yes in the address approves it")
def _read_decides(patches: Patches) -> None:
    def make(show: Callable[..., Awaitable[Response]]) -> Any:
        async def decide(self: approvals_api.Approvals, request: Request) -> Response:
            if request.query_params.get("approved") == "true":
                actor = actor_of(await self._gate.require(request))
                await self._decisions.decide(request.path_params["approval"], Decision(approved=True), actor)
            return await show(self, request)

        return decide

    patches.wrap(approvals_api.Approvals, "show", make)


@fault(
    FAULTS,
    "decision-skips-policies",
    "an approval is used although its requester may no longer use the operation",
)
def _decision_skips_policies(patches: Patches) -> None:
    def make(decide: Decide) -> Any:
        async def as_then(self: Decisions, approval_id: str, decision: Decision, actor: Actor) -> Any:
            approval = await self._services.approvals.get(approval_id)
            is_own = approval is not None and approvals.belongs_to(approval, actor)
            return await decide(
                self, approval_id, decision, approval.actor if approval is not None and is_own else actor
            )

        return as_then

    patches.wrap(Decisions, "decide", make)


@fault(
    FAULTS,
    "decision-skips-new-policies",
    "a policy that came into force after an approval was asked for does not count for its decision",
)
def _decision_skips_new_policies(patches: Patches) -> None:
    deciding: ContextVar[bool] = ContextVar("deciding", default=False)

    def make_decide(decide: Decide) -> Any:
        async def mark(self: Decisions, *arguments: Any) -> Any:
            deciding.set(True)
            try:
                return await decide(self, *arguments)
            finally:
                deciding.set(False)

        return mark

    def make_in_force(in_force: Callable[[PolicyBook], Awaitable[tuple[Policy, ...]]]) -> Any:
        async def as_started(self: PolicyBook) -> tuple[Policy, ...]:
            return self.standing if deciding.get() else await in_force(self)

        return as_started

    patches.wrap(Decisions, "decide", make_decide)
    patches.wrap(PolicyBook, "in_force", make_in_force)


@fault(
    FAULTS,
    "refused-decision-untold",
    "who decides too late is not told what has become of the approval",
)
def _refused_decision_untold(patches: Patches) -> None:
    late = {ErrorCode.APPROVAL_CONSUMED, ErrorCode.APPROVAL_REJECTED, ErrorCode.APPROVAL_EXPIRED}

    def make(refused: Callable[[DecisionError], Response]) -> Any:
        def say_nothing(refusal: DecisionError) -> Response:
            if refusal.code in late:
                return api_error(409, "CONFLICT", "The decision was not taken.")
            return refused(refusal)

        return say_nothing

    patches.wrap(approvals_api, "refused", make)
