"""Discovery: what an actor is offered on a surface, narrowed by scope and never widened by it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reference_app.clock import DeadlineError
from reference_app.domain.actor import Actor
from reference_app.domain.capability import Capability, Surface
from reference_app.domain.errors import CapabilityError, ErrorCode
from reference_app.domain.pipeline import Runtime
from reference_app.domain.policy import Phase, PolicyRequest, Verdict
from reference_app.domain.registry import is_exposed
from reference_app.strict_json import JsonObject


@dataclass(frozen=True)
class Descriptor:
    """A capability as it is offered.

    Attributes:
        id: The bare id.
        description: For the model.
        input_schema: What it accepts.
        side_effect: What a call changes.
        risk: How much a wrong call would hurt.
        tags: The scopes that it belongs to.
        requires_approval: Whether a call by this actor would wait for a person.
    """

    id: str
    description: str
    input_schema: JsonObject
    side_effect: str
    risk: str
    tags: tuple[str, ...]
    requires_approval: bool


async def describe(
    runtime: Runtime, surface: Surface, actor: Actor, tags: Iterable[str]
) -> tuple[Descriptor, ...]:
    """What an actor is offered, in registry order.

    Args:
        runtime: The domain plane.
        surface: Where the offer is made.
        actor: To whom.
        tags: The scope; empty for no narrowing.

    Raises:
        CapabilityError: TIMEOUT; an incomplete list is never returned.
    """
    seconds = runtime.services.bounds.discovery_budget
    try:
        return await runtime.services.clock.bounded(
            _describe(runtime, surface, actor, frozenset(tags)), seconds
        )
    except DeadlineError as problem:
        raise CapabilityError(ErrorCode.TIMEOUT) from problem


async def _describe(
    runtime: Runtime, surface: Surface, actor: Actor, tags: frozenset[str]
) -> tuple[Descriptor, ...]:
    offered = []
    in_force = await runtime.services.policies.in_force()
    for capability in runtime.services.registry:
        if not is_exposed(capability, surface) or not in_scope(capability, tags):
            continue
        asked = PolicyRequest(Phase.DISCOVERY, capability, surface, actor)
        verdict = await runtime.verdict(asked, in_force)
        if is_offered(verdict):
            offered.append(_descriptor(capability, verdict))
    return tuple(offered)


async def may_discover(runtime: Runtime, capability: Capability, surface: Surface, actor: Actor) -> bool:
    """Whether a capability exists for an actor on a surface."""
    if not is_exposed(capability, surface):
        return False
    return is_offered(await runtime.verdict(PolicyRequest(Phase.DISCOVERY, capability, surface, actor)))


def in_scope(capability: Capability, tags: frozenset[str]) -> bool:
    """Whether a capability belongs to a scope: any tag in common, or nothing scoped."""
    return not tags or not tags.isdisjoint(capability.meta.tags)


def is_offered(verdict: Verdict) -> bool:
    """Whether the discovery policies let a capability be seen: a denial, hiding and a failure all take it away."""
    return not (verdict.failed or verdict.hidden or verdict.denial is not None)


def needs_approval(capability: Capability, verdict: Verdict) -> bool:
    """Whether a call would wait for a person."""
    return capability.meta.approval is not None or bool(verdict.approvals)


def _descriptor(capability: Capability, verdict: Verdict) -> Descriptor:
    return Descriptor(
        id=capability.id,
        description=capability.meta.description,
        input_schema=capability.procedure.input_schema,
        side_effect=str(capability.meta.side_effect),
        risk=str(capability.meta.risk),
        tags=capability.meta.tags,
        requires_approval=needs_approval(capability, verdict),
    )
