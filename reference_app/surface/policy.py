"""Policies: who sees a capability, who may call it, and when a person is asked first.

Authority hides, state discloses (The dual-plane model, The invariants, 4): what a discovery vote hides does not
exist for that consumer, at discovery and at invocation alike.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from reference_app.surface.identifiers import Plane
from reference_app.surface.json_value import Json, JsonObject, Unset

Kind: TypeAlias = Literal["observation", "action", "procedure"]
ConsumerKind: TypeAlias = Literal["embedded", "webmcp", "mcp-bridge", "test", "other"]


@dataclass(frozen=True, slots=True)
class Consumer:
    """Who looks at the surface and calls it."""

    id: str = "anonymous"
    kind: ConsumerKind = "embedded"

    @property
    def key(self) -> str:
        """What tells consumers apart, also those with one id under two kinds."""
        return f"{self.kind}:{self.id}"


ANONYMOUS: Final = Consumer()
"""Who calls when nobody says."""


@dataclass(frozen=True, slots=True)
class PolicyContext:
    """What a policy may look at. There is no input in it: authority does not depend on arguments."""

    capability_id: str
    plane: Plane
    kind: Kind
    effect: str
    registration_id: str
    consumer: Consumer
    host: JsonObject
    component_meta: JsonObject
    capability_meta: JsonObject
    internal: JsonObject
    environment: str
    now_ms: int


@dataclass(frozen=True, slots=True)
class InvokeContext:
    """What a policy may look at once the effective input is known."""

    base: PolicyContext
    invocation_id: str
    effective_input: Json


@dataclass(frozen=True, slots=True)
class Expose:
    """Let it be seen."""


@dataclass(frozen=True, slots=True)
class Disable:
    """Show it as unavailable, with a reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Hide:
    """Let it not exist."""


Vote: TypeAlias = Expose | Disable | Hide
Outcome: TypeAlias = Json | Unset
Next: TypeAlias = Callable[[], Awaitable[Outcome]]


@dataclass(frozen=True, slots=True)
class Escalation:
    """Asks the person first: always, or where the predicate over the effective input holds."""

    applies: Callable[[Json], bool] = lambda _input: True
    summary: Callable[[Json], str] | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """A named rule with a hook for each phase that it takes part in."""

    name: str
    on_discovery: Callable[[PolicyContext], Vote] | None = None
    on_authorize: Callable[[PolicyContext, Next], Awaitable[Outcome]] | None = None
    on_invoke: Callable[[InvokeContext, Next], Awaitable[Outcome]] | None = None
    escalation: Escalation | None = None

    @property
    def phases(self) -> frozenset[str]:
        """The phases it has a hook for."""
        hooks = {"discovery": self.on_discovery, "authorize": self.on_authorize, "invoke": self.on_invoke}
        return frozenset(name for name, hook in hooks.items() if hook is not None)

    @property
    def only_discovers(self) -> bool:
        """Whether a discovery vote is all it has: it conceals at invocation too, having no typed answer of its own."""
        return self.on_discovery is not None and self.on_authorize is None and self.on_invoke is None


def vote(policies: Sequence[Policy], context: PolicyContext) -> Vote:
    """Compose the discovery votes: any that hides wins, then the first that disables; else it is exposed."""
    votes = [_vote_of(policy, context) for policy in policies]
    for cast in votes:
        if isinstance(cast, Hide):
            return cast
    for cast in votes:
        if isinstance(cast, Disable):
            return cast
    return Expose()


def _vote_of(policy: Policy, context: PolicyContext) -> Vote:
    """Ask one policy; one that fails hides."""
    if policy.on_discovery is None:
        return Expose()
    try:
        return policy.on_discovery(context)
    except Exception:
        return Hide()


def recheck(policies: Sequence[Policy], context: PolicyContext) -> Vote:
    """Ask again, at invocation, the policies that have nothing but a discovery vote."""
    return vote([policy for policy in policies if policy.only_discovers], context)


async def authorize(policies: Sequence[Policy], context: PolicyContext, inner: Next) -> Outcome:
    """Run the authorize hooks around the rest of the call, the registry's outermost."""
    step = inner
    for policy in reversed(policies):
        if policy.on_authorize is not None:
            step = _layer(policy.on_authorize, context, step)
    return await step()


async def run_invoke(policies: Sequence[Policy], context: InvokeContext, inner: Next) -> Outcome:
    """Run the invoke hooks around the rest of the call, the registry's outermost."""
    step = inner
    for policy in reversed(policies):
        if policy.on_invoke is not None:
            step = _layer(policy.on_invoke, context, step)
    return await step()


def _layer(hook: Callable[..., Awaitable[Outcome]], context: object, inner: Next) -> Next:
    async def layer() -> Outcome:
        return await hook(context, _once(inner))

    return layer


def _once(inner: Next) -> Next:
    """Let a hook go on at most once: twice would execute twice."""
    called = False

    async def proceed() -> Outcome:
        nonlocal called
        if called:
            raise RuntimeError("a policy called next() a second time")
        called = True
        return await inner()

    return proceed


def escalations(policies: Sequence[Policy], effective_input: Json) -> tuple[Escalation, ...]:
    """The escalations that apply to an input; a predicate that fails applies."""
    return tuple(
        policy.escalation
        for policy in policies
        if policy.escalation is not None and _applies(policy.escalation, effective_input)
    )


def _applies(escalation: Escalation, effective_input: Json) -> bool:
    try:
        return escalation.applies(effective_input)
    except Exception:
        return True
