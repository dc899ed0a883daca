"""Policies: who may do what, when, and how their answers become one verdict."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from reference_app.clock import Clock
from reference_app.domain.actor import Actor
from reference_app.strict_json import JsonValue

if TYPE_CHECKING:
    from reference_app.domain.capability import Capability, Surface


class Phase(StrEnum):
    """When a policy is asked."""

    DISCOVERY = "discovery"
    INVOCATION = "invocation"


@dataclass(frozen=True)
class Allow:
    """Nothing against it."""


@dataclass(frozen=True)
class Deny:
    """No, and the caller may know."""

    message: str | None = None
    code: str | None = None


@dataclass(frozen=True)
class Hide:
    """No, and the caller may not even know that there is something to refuse."""


@dataclass(frozen=True)
class RequireApproval:
    """Only when a person agrees.

    Attributes:
        reason: Why, for the person; not empty.
        approval_type: What kind of approval.
        expires_in: Seconds to decide.
    """

    reason: str
    approval_type: str | None = None
    expires_in: float | None = None


Decision: TypeAlias = Allow | Deny | Hide | RequireApproval


@dataclass(frozen=True)
class PolicyRequest:
    """What a policy may look at.

    Attributes:
        phase: Why it is asked.
        capability: About which operation.
        surface: Where the call comes from.
        actor: On whose behalf.
        input: The validated input; None while capabilities are being discovered or concealed.
    """

    phase: Phase
    capability: Capability
    surface: Surface
    actor: Actor
    input: JsonValue = None


@dataclass(frozen=True)
class Policy:
    """One rule about who may do what.

    Attributes:
        name: Its name in audit and inventory.
        evaluate: Decides, at once or asynchronously; an exception counts as a failure and refuses.
        phases: When it is asked.
    """

    name: str
    evaluate: Callable[[PolicyRequest], Decision | Awaitable[Decision]]
    phases: frozenset[Phase] = frozenset({Phase.INVOCATION})


@dataclass(frozen=True)
class PolicyFailed:
    """A policy raised, took too long or answered nonsense; the reason is for the log alone."""

    reason: str


@dataclass(frozen=True)
class PolicyRecord:
    """What one policy answered, for the audit: allow, deny, hide, require-approval or error."""

    policy: str
    type: str


@dataclass(frozen=True)
class Verdict:
    """What all policies answered together.

    Attributes:
        records: Each answer, in order.
        failed: Whether a policy failed.
        denial: The first denial.
        hidden: Whether a policy hides the operation.
        approvals: Every demand for approval, in order.
    """

    records: tuple[PolicyRecord, ...] = ()
    failed: bool = False
    denial: Deny | None = None
    hidden: bool = False
    approvals: tuple[RequireApproval, ...] = ()


Answer: TypeAlias = Allow | Deny | Hide | RequireApproval | PolicyFailed


def combine(answers: Iterable[tuple[str, Answer]]) -> Verdict:
    """Gather named answers into one verdict; which of them wins is the pipeline's to say."""
    named = tuple(answers)
    return Verdict(
        records=tuple(PolicyRecord(name, _kind(answer)) for name, answer in named),
        failed=any(isinstance(answer, PolicyFailed) for _, answer in named),
        denial=next((answer for _, answer in named if isinstance(answer, Deny)), None),
        hidden=any(isinstance(answer, Hide) for _, answer in named),
        approvals=tuple(answer for _, answer in named if isinstance(answer, RequireApproval)),
    )


async def evaluate(
    policies: Iterable[Policy], request: PolicyRequest, clock: Clock, budget: float
) -> Verdict:
    """Ask every policy of the request's phase, in order, within one budget of seconds.

    Returns:
        The verdict. A policy that raises, answers nonsense or exceeds the budget is recorded as failed; after the budget is
        used up nobody further is asked.
    """
    answers: list[tuple[str, Answer]] = []
    due = clock.elapsed() + budget
    for policy in policies:
        if request.phase not in policy.phases:
            continue
        remaining = due - clock.elapsed()
        if remaining <= 0:
            answers.append((policy.name, PolicyFailed("the policies took too long together")))
            break
        answers.append((policy.name, await _ask(policy, request, clock, remaining)))
    return combine(answers)


async def _ask(policy: Policy, request: PolicyRequest, clock: Clock, seconds: float) -> Answer:
    try:
        decision = policy.evaluate(request)
        if inspect.iscoroutine(decision):
            decision = await clock.bounded(decision, seconds)
    except Exception as problem:
        return PolicyFailed(f"{policy.name} raised {type(problem).__name__}")
    if isinstance(decision, RequireApproval) and not decision.reason:
        return PolicyFailed(f"{policy.name} demands an approval without a reason")
    if not isinstance(decision, Allow | Deny | Hide | RequireApproval):
        return PolicyFailed(f"{policy.name} gave no valid decision")
    return decision


def _kind(answer: Answer) -> str:
    match answer:
        case Allow():
            return "allow"
        case Deny():
            return "deny"
        case Hide():
            return "hide"
        case RequireApproval():
            return "require-approval"
        case PolicyFailed():
            return "error"
