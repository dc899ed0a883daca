"""The ready-made policies: what each hides, and what it answers."""

from typing import Any

import pytest

from reference_app.surface.policies import (
    authenticated,
    exists_for,
    rate_limit,
)
from reference_app.surface.policy import Consumer, Hide, Policy, PolicyContext, Vote
from tests.reference_app.surface.world import code_of, make_world

pytestmark = pytest.mark.anyio


def _broken(_context: PolicyContext) -> Vote:
    raise RuntimeError("no answer")


OPEN: dict[str, Any] = {"user": {"role": "owner"}, "tenant": "a"}


@pytest.mark.parametrize(
    ("policy", "host", "code"),
    [
        (authenticated(), {}, "NOT_AUTHENTICATED"),
        (exists_for("owners", lambda host: host.get("user") is not None), {}, "CAPABILITY_NOT_FOUND"),
        (Policy("broken", on_discovery=_broken), {}, "CAPABILITY_NOT_FOUND"),
    ],
)
async def test_what_a_policy_refuses_is_not_listed_either(
    policy: Policy, host: dict[str, Any], code: str
) -> None:
    """Hidden at discovery, refused at the call; a policy that fails hides."""
    world = make_world(policies=(policy,), host=lambda: host)
    world.mount()

    result = await world.call("refresh", {})

    assert (world.registry.snapshot().components, code_of(result)) == ((), code)


@pytest.mark.parametrize(
    "policy",
    [
        authenticated(),
        exists_for("owners", lambda host: host.get("user") is not None),
    ],
)
async def test_what_a_policy_allows_is_there(policy: Policy) -> None:
    """And can be called."""
    world = make_world(policies=(policy,), host=lambda: OPEN)
    world.mount()

    assert code_of(await world.call("refresh", {})) == "ok"
    assert len(world.registry.snapshot().capabilities) == 7


async def test_a_rate_is_limited_in_a_sliding_window() -> None:
    """By consumer and capability, with the surface's own clock, and the wait is told."""
    world = make_world(policies=(rate_limit(2, 1000),))
    world.mount()
    for _ in range(2):
        await world.call("refresh", {})
        world.clock.advance(100)

    refused = await world.call("refresh", {})
    other = await world.call("refresh", {}, consumer=Consumer("b", "test"))
    another = await world.call("selectRows", {"ids": []})
    world.clock.advance(800)
    later = await world.call("refresh", {})

    assert refused.error is not None
    assert refused.error.details == {"reason": "rate", "retryAfterMs": 800}
    assert [code_of(result) for result in (other, another, later)] == ["ok"] * 3


async def test_a_host_that_does_not_answer_is_unknown() -> None:
    """Without surroundings nobody is signed in."""

    def broken() -> dict[str, Any]:
        raise RuntimeError("no session")

    world = make_world(policies=(authenticated(),), host=broken)
    world.mount()

    assert code_of(await world.call("refresh", {})) == "NOT_AUTHENTICATED"


async def test_one_vote_to_hide_is_enough() -> None:
    """Whatever the others say."""
    world = make_world(
        policies=(exists_for("all", lambda _host: True), Policy("no", on_discovery=lambda _context: Hide()))
    )
    world.mount()

    assert world.registry.snapshot().capabilities == ()
