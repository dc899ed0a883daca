"""What the parts of one registry share: its clock, its rules, its live components, its version and its records."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from reference_app.surface import policy
from reference_app.surface.audit import AuditEvent, AuditTrail
from reference_app.surface.authority import Authority
from reference_app.surface.clock import Clock
from reference_app.surface.confirmation import ConfirmationBook
from reference_app.surface.definition import Component, HandlerContext
from reference_app.surface.events import Emitter, SurfaceChanged
from reference_app.surface.execution import InFlight
from reference_app.surface.identifiers import plane_of
from reference_app.surface.json_value import Json, JsonObject
from reference_app.surface.limits import Limits
from reference_app.surface.live import Candidate, LiveComponents
from reference_app.surface.policy import Consumer, Policy, PolicyContext
from reference_app.surface.tokens import TokenSource

Environment: TypeAlias = Literal["production", "development", "test"]


class ProcedureExecutor(Protocol):
    """Carries out server operations in the person's own session."""

    @property
    def paths(self) -> frozenset[str]:
        """The operations that may be bound at all."""

    async def execute(self, path: str, effective_input: JsonObject, context: HandlerContext) -> Json:
        """Carry one out.

        Raises:
            CapabilityError: What the server's answer means to the caller.
            TransportError: The server could not be asked.
        """


@dataclass(frozen=True, slots=True)
class Settings:
    """How a registry is set up. ``host`` says what the page knows of its surroundings, such as who is signed in."""

    environment: Environment = "production"
    limits: Limits = field(default_factory=Limits)
    policies: tuple[Policy, ...] = ()
    host: Callable[[], JsonObject] = dict
    route: Callable[[], str] | None = None
    on_duplicate: Literal["reject", "replace"] = "reject"
    suffix_collision: Literal["off", "warn", "error"] = "warn"
    guard: Callable[[Component], bool] = lambda _component: True
    executor: ProcedureExecutor | None = None


@dataclass(slots=True, eq=False)
class Core:
    """The shared state of one registry; it is put together by the registry and by nobody else."""

    surface_id: str
    settings: Settings
    authority: Authority
    clock: Clock
    tokens: TokenSource
    live: LiveComponents
    emitter: Emitter
    audit: AuditTrail
    confirmations: ConfirmationBook
    version_number: int = 0
    disposed: bool = False
    in_flight: list[InFlight] = field(default_factory=list)
    handlers: "set[asyncio.Task[Json]]" = field(default_factory=set)
    _change_announced: bool = False

    @property
    def version(self) -> str:
        """The surface's version, a decimal number as text."""
        return str(self.version_number)

    def bump(self) -> None:
        """Move the version on, and announce it once what runs now has ended."""
        self.version_number += 1
        if not self._change_announced:
            self._change_announced = True
            self.clock.call_soon(self._announce)

    def _announce(self) -> None:
        self._change_announced = False
        if not self.disposed:
            self.emitter.emit(SurfaceChanged(self.version))

    def host_context(self) -> JsonObject:
        """What the page says of its surroundings; nothing, when it fails to say."""
        try:
            return self.settings.host()
        except Exception:
            return {}

    def policy_context(self, candidate: Candidate, consumer: Consumer) -> PolicyContext:
        """What policies may look at for one capability and consumer."""
        definition, capability = candidate.registration.definition, candidate.capability
        return PolicyContext(
            capability_id=capability.id,
            plane=plane_of(capability.id),
            kind=capability.kind,
            effect=capability.effect,
            registration_id=candidate.registration.id,
            consumer=consumer,
            host=self.host_context(),
            component_meta=definition.meta,
            capability_meta=capability.meta,
            internal=definition.internal,
            environment=self.settings.environment,
            now_ms=self.clock.now_ms(),
        )

    def may_know_of(self, candidate: Candidate, consumer: Consumer) -> bool:
        """Whether a capability exists at all for a consumer that calls it."""
        cast = policy.recheck(candidate.capability.policies, self.policy_context(candidate, consumer))
        return not isinstance(cast, policy.Hide)

    def known(self, candidates: Sequence[Candidate], consumer: Consumer) -> list[Candidate]:
        """Those candidates that exist for a consumer."""
        return [candidate for candidate in candidates if self.may_know_of(candidate, consumer)]

    def record(self, event: AuditEvent) -> None:
        """Write to the audit trail."""
        self.audit.record(event)
