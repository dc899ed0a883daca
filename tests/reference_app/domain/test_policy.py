"""Policies: everybody is asked, failure refuses, and the strongest answer wins."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable

import pytest

from reference_app.capabilities.issue_invoice import PROCEDURE
from reference_app.clock import Clock
from reference_app.domain import stages
from reference_app.domain.actor import Actor, ActorKind
from reference_app.domain.capability import Capability, Surface
from reference_app.domain.errors import ErrorCode
from reference_app.domain.policy import (
    Allow,
    Decision,
    Deny,
    Hide,
    Phase,
    Policy,
    PolicyRequest,
    RequireApproval,
    Verdict,
    evaluate,
)
from reference_app.domain.stages import DenialError

pytestmark = pytest.mark.anyio
assert PROCEDURE.agent is not None
REQUEST = PolicyRequest(
    Phase.INVOCATION,
    Capability(PROCEDURE, PROCEDURE.agent),
    Surface.MODEL,
    Actor("carla@ledger.example", ActorKind.USER, "Carla", "controller"),
)


def crash(request: PolicyRequest) -> Decision:
    """A policy that breaks."""
    raise KeyError(request.capability.id)


ANSWERS: dict[str, Callable[[PolicyRequest], Decision]] = {
    "error": crash,
    "deny": lambda _: Deny("closed for audit"),
    "hide": lambda _: Hide(),
    "require-approval": lambda _: RequireApproval("because"),
    "allow": lambda _: Allow(),
}
OUTCOMES = {
    "error": ErrorCode.POLICY_FAILED,
    "deny": ErrorCode.POLICY_DENIED,
    "hide": ErrorCode.CAPABILITY_NOT_FOUND,
    "require-approval": None,
    "allow": None,
}


async def ask(*policies: Policy, budget: float = 5) -> Verdict:
    """Ask policies with a clock of their own."""
    return await evaluate(policies, REQUEST, Clock(), budget)


@pytest.mark.parametrize(("one", "other"), list(itertools.product(ANSWERS, repeat=2)))
async def test_the_strongest_answer_wins_in_either_order(one: str, other: str) -> None:
    """Failure beats denial beats hiding beats approval beats allowing, whoever is asked first."""
    verdict = await ask(Policy("one", ANSWERS[one]), Policy("other", ANSWERS[other]))
    strongest = min(one, other, key=list(ANSWERS).index)

    assert [one, other] == [record.type for record in verdict.records]
    if OUTCOMES[strongest] is None:
        stages.judge(verdict)
        assert (strongest == "require-approval") == bool(verdict.approvals)
    else:
        with pytest.raises(DenialError) as caught:
            stages.judge(verdict)
        assert OUTCOMES[strongest] == caught.value.code


async def test_a_policy_is_asked_in_its_phases_only() -> None:
    """A policy about calls has no say in what is shown, and the other way round."""
    verdict = await ask(Policy("shown", ANSWERS["deny"], frozenset({Phase.DISCOVERY})))

    assert Verdict() == verdict


async def test_demands_are_merged_in_order() -> None:
    """One request carries every reason, and nobody is asked twice for one call."""
    verdict = await ask(
        Policy("a", lambda _: RequireApproval("first", "x", 60)),
        Policy("b", lambda _: RequireApproval("second", "x", 30)),
    )

    assert ["first", "second"] == [demand.reason for demand in verdict.approvals]


@pytest.mark.parametrize("answer", [None, "yes", RequireApproval("")])
async def test_nonsense_refuses(answer: object) -> None:
    """A policy that answers nonsense must not have allowed anything."""
    verdict = await ask(Policy("odd", lambda _: answer))  # type: ignore[arg-type,return-value]  # that is the point

    assert verdict.failed


async def test_a_policy_that_never_answers_refuses_and_ends_the_asking() -> None:
    """The budget is shared, so a slow policy cannot hold everybody up."""
    clock = Clock()

    async def slow(request: PolicyRequest) -> Decision:
        del request
        await clock.sleep(3600)
        return Allow()

    asking = asyncio.create_task(
        evaluate([Policy("slow", slow), Policy("next", ANSWERS["allow"])], REQUEST, clock, 5)
    )
    await asyncio.sleep(0)
    clock.advance(5)
    verdict = await asking

    assert [("slow", "error"), ("next", "error")] == [(r.policy, r.type) for r in verdict.records]


async def test_an_asynchronous_policy_is_awaited() -> None:
    """A policy may look something up."""

    async def asks(request: PolicyRequest) -> Decision:
        del request
        return Deny("no")

    assert Deny("no") == (await ask(Policy("asks", asks))).denial
