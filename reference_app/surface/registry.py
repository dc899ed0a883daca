"""The surface of one page: what mounts registers here, what calls is served here.

A component that registers nothing has no capabilities, and what unmounts takes its capabilities with it
(The dual-plane model, The idea and The invariants, 1).
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from reference_app.surface import authority as authorities
from reference_app.surface import definition_check, refusals, snapshot
from reference_app.surface.audit import AuditEvent, AuditSink, AuditTrail, AuditType, MemorySink
from reference_app.surface.authority import Authority
from reference_app.surface.clock import Clock, LoopClock, iso
from reference_app.surface.confirmation import ConfirmationBook
from reference_app.surface.core import Core, Settings
from reference_app.surface.definition import Component
from reference_app.surface.errors import DefinitionCode, DefinitionError, DisposedError, Retry
from reference_app.surface.events import (
    AvailabilityChanged,
    CollisionSuspected,
    ComponentRegistered,
    ComponentRejected,
    ComponentUnregistered,
    Emitter,
    Listener,
)
from reference_app.surface.identifiers import ViewId
from reference_app.surface.invocation import Invoker
from reference_app.surface.invocation_types import (
    DEFAULT_OPTIONS,
    CallOptions,
    InvocationRequest,
    InvocationResult,
)
from reference_app.surface.live import LiveComponents, Override, Registration, Status, make_capabilities
from reference_app.surface.snapshot import Snapshot, View
from reference_app.surface.tokens import TokenSource

_log = logging.getLogger(__name__)
_WHOLE_VIEW = View()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a registry is given from outside: time, chance, and where its records go."""

    clock: Clock
    random: Random
    audit_sinks: Sequence[AuditSink] = ()


class Handle:
    """A component's hold on its own registration; a dead one does nothing."""

    def __init__(self, registry: "Registry", registration: Registration) -> None:
        self._registry = registry
        self._registration = registration

    @property
    def registration_id(self) -> str:
        """The id of this mount."""
        return self._registration.id

    @property
    def status(self) -> Status:
        """Where this registration is in its life."""
        return self._registration.status

    def update(self, *, enabled: bool | None = None, availability: dict[str, Override] | None = None) -> None:
        """Change what may change: whether the component is enabled, and which of its capabilities are available.

        Capabilities are named by their bare name, procedures by their path.
        """
        self._registry.update(self._registration, enabled, availability or {})

    def invalidate(self) -> None:
        """Say that something that the surface shows has changed."""
        self._registry.invalidate(self._registration)

    def unregister(self) -> None:
        """Leave the page."""
        self._registry.unregister(self._registration)


class Registry:
    """One surface. It lives as long as its page; what is called after that raises."""

    def __init__(
        self, authority: Authority, settings: Settings | None = None, surroundings: Surroundings | None = None
    ) -> None:
        if not isinstance(authority, Authority):
            raise DefinitionError(
                DefinitionCode.INVALID_DEFINITION,
                "a registry needs an authority minted from a compiled inventory",
            )
        settings = settings or Settings()
        around = surroundings or Surroundings(LoopClock(), Random())
        tokens = TokenSource(around.random)
        emitter = Emitter()
        audit = AuditTrail(around.audit_sinks or (MemorySink(),))
        self._core = Core(
            surface_id=tokens.surface(),
            settings=settings,
            authority=authority,
            clock=around.clock,
            tokens=tokens,
            live=LiveComponents(settings.limits),
            emitter=emitter,
            audit=audit,
            confirmations=ConfirmationBook(around.clock, tokens, settings.limits, emitter, audit),
        )
        self._invoker = Invoker(self._core)

    @property
    def surface_id(self) -> str:
        """The id of this surface."""
        return self._core.surface_id

    @property
    def version(self) -> str:
        """A decimal number as text; it moves with every registration, unregistration and real update."""
        return self._core.version

    @property
    def tokens(self) -> TokenSource:
        """Where this surface's ids come from."""
        return self._core.tokens

    @property
    def confirmations(self) -> ConfirmationBook:
        """The questions put to the person."""
        return self._core.confirmations

    @property
    def disposed(self) -> bool:
        """Whether the page is gone."""
        return self._core.disposed

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Be told of every event; returns what ends it."""
        return self._core.emitter.subscribe(listener)

    def snapshot(self, view: View = _WHOLE_VIEW) -> Snapshot:
        """Look at the surface; see ``snapshot.take``."""
        return snapshot.take(self._core, view)

    async def invoke(
        self, request: InvocationRequest, options: CallOptions = DEFAULT_OPTIONS
    ) -> InvocationResult:
        """Call a capability; see ``Invoker.invoke``. Every governed failure is a result, not an exception."""
        return await self._invoker.invoke(request, options)

    def register(self, component: Component) -> Handle:
        """Mount a component.

        Returns a handle whose status is ``rejected`` where its place is taken or a guard refuses it.

        Raises:
            DisposedError: The page is gone.
            DefinitionError: The definition is not proven, or not well formed.
        """
        self._check_live()
        executor = self._core.settings.executor
        authorities.check_proof(self._core.authority, component)
        definition_check.check_component(
            component, self._core.settings.limits, executor.paths if executor is not None else None
        )
        self._lint_collisions(component)
        registration = self._make(component)
        reason = self._refusal(component)
        if reason is not None:
            return self._reject(registration, reason)
        self._commit(registration)
        return Handle(self, registration)

    def _check_live(self) -> None:
        if self._core.disposed:
            raise DisposedError("this surface was disposed of; register with the one that replaced it")

    def _make(self, component: Component) -> Registration:
        settings = self._core.settings
        registration_id = self._core.tokens.registration()
        capabilities = make_capabilities(component, registration_id, settings.policies, settings.limits)
        return Registration(registration_id, component, capabilities, component.enabled)

    def _lint_collisions(self, component: Component) -> None:
        """Look for view capabilities that shadow a server operation's name."""
        settings = self._core.settings
        if settings.executor is None or settings.suffix_collision == "off":
            return
        names = [item.name for item in component.observations] + [item.name for item in component.actions]
        for name in names:
            path = f"{component.type}.{name}"
            if path not in settings.executor.paths:
                continue
            view_id = ViewId(component.type, name).text
            if settings.suffix_collision == "error":
                raise DefinitionError(DefinitionCode.PLANE_VIOLATION, f"{view_id} shadows domain:{path}")
            self._core.emitter.emit(CollisionSuspected(view_id, f"domain:{path}"))
            self._record(AuditType.COLLISION_SUSPECTED, capability_id=view_id)

    def _refusal(self, component: Component) -> str | None:
        """Ask the guard, then see whether the place is free; replacing frees it."""
        try:
            allowed = self._core.settings.guard(component)
        except Exception:
            allowed = False
        if not allowed:
            return "guard"
        holder = self._core.live.at((component.type, component.instance_id))
        if holder is None:
            return None
        if self._core.settings.on_duplicate == "reject":
            return "duplicate"
        self.unregister(holder)
        return None

    def _reject(self, registration: Registration, reason: str) -> Handle:
        registration.status = Status.REJECTED
        component_type, instance_id = registration.key
        self._core.emitter.emit(
            ComponentRejected(component_type, instance_id, "guard" if reason == "guard" else "duplicate")
        )
        self._record(AuditType.REGISTRATION_REJECTED, registration_id=registration.id)
        return Handle(self, registration)

    def _commit(self, registration: Registration) -> None:
        self._core.live.add(registration)
        self._core.bump()
        self._core.emitter.emit(ComponentRegistered(registration.id, *registration.key))
        self._record(AuditType.REGISTRATION, registration_id=registration.id)

    def update(
        self, registration: Registration, enabled: bool | None, availability: dict[str, Override]
    ) -> None:
        """Take a component's update; one that changes nothing moves nothing."""
        if registration.status is not Status.ACTIVE:
            return
        changed = enabled is not None and enabled != registration.enabled
        if changed and enabled is not None:
            registration.enabled = enabled
        flipped = []
        for name, override in availability.items():
            capability = registration.named(name)
            if capability is not None and registration.overrides.get(capability.id) != override:
                registration.overrides[capability.id] = override
                flipped.append(AvailabilityChanged(registration.id, capability.id, override.available))
        if not changed and not flipped:
            return
        self._core.bump()
        for event in flipped:
            self._core.emitter.emit(event)

    def invalidate(self, registration: Registration) -> None:
        """Move the version on behalf of a live component."""
        if registration.status is Status.ACTIVE:
            self._core.bump()

    def unregister(self, registration: Registration) -> None:
        """Unmount: its capabilities are gone at once, calls in flight are told."""
        if registration.status is not Status.ACTIVE:
            return
        registration.status = Status.UNREGISTERED
        self._core.live.remove(registration, self._core.clock.now_ms())
        for in_flight in tuple(self._core.in_flight):
            if in_flight.candidate.registration is registration:
                in_flight.owner_unmounted()
        self._core.bump()
        self._core.emitter.emit(ComponentUnregistered(registration.id, *registration.key))
        self._record(AuditType.UNREGISTRATION, registration_id=registration.id)

    def dispose(self) -> None:
        """Let go of everything: calls end as cancelled, questions are withdrawn, nothing can be called any more."""
        if self._core.disposed:
            return
        self._core.disposed = True
        for in_flight in tuple(self._core.in_flight):
            in_flight.stop(refusals.cancelled(Retry.NO))
        self._invoker.drain()
        self._core.confirmations.expire_all()
        for task in tuple(self._core.handlers):
            task.cancel()
        self._core.emitter.clear()

    def _record(
        self, kind: AuditType, *, registration_id: str | None = None, capability_id: str | None = None
    ) -> None:
        self._core.record(
            AuditEvent(
                at=iso(self._core.clock.now_ms()),
                type=kind,
                registration_id=registration_id,
                capability_id=capability_id,
            )
        )
