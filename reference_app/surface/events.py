"""What a surface tells those who watch it, in the order in which it happened."""

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from reference_app.surface.errors import ErrorCode

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SurfaceChanged:
    """The version moved; at most one a turn of the event loop, with the latest version."""

    surface_version: str


@dataclass(frozen=True, slots=True)
class ComponentRegistered:
    """A component was mounted."""

    registration_id: str
    component_type: str
    instance_id: str


@dataclass(frozen=True, slots=True)
class ComponentUnregistered:
    """A component left the page."""

    registration_id: str
    component_type: str
    instance_id: str


@dataclass(frozen=True, slots=True)
class ComponentRejected:
    """A component may not register now: its place is taken, or a guard refused it."""

    component_type: str
    instance_id: str
    reason: Literal["duplicate", "guard"]


@dataclass(frozen=True, slots=True)
class AvailabilityChanged:
    """A capability became available or unavailable, or is so for another reason."""

    registration_id: str
    capability_id: str
    available: bool


@dataclass(frozen=True, slots=True)
class CollisionSuspected:
    """A view capability has the name of a server operation."""

    view_capability_id: str
    domain_procedure_id: str


@dataclass(frozen=True, slots=True)
class InvocationStarted:
    """A call entered the pipeline."""

    invocation_id: str
    capability_id: str
    consumer_id: str


@dataclass(frozen=True, slots=True)
class InvocationSettled:
    """A call left the pipeline."""

    invocation_id: str
    capability_id: str
    status: Literal["ok", "error"]
    code: ErrorCode | None
    duration_ms: int


@dataclass(frozen=True, slots=True)
class ConfirmationRequested:
    """The person is asked."""

    confirmation_id: str
    capability_id: str
    expires_at_ms: int


@dataclass(frozen=True, slots=True)
class ConfirmationResolved:
    """The person answered, or did not in time."""

    confirmation_id: str
    outcome: Literal["approved", "denied", "expired"]


SurfaceEvent: TypeAlias = (
    SurfaceChanged
    | ComponentRegistered
    | ComponentUnregistered
    | ComponentRejected
    | AvailabilityChanged
    | CollisionSuspected
    | InvocationStarted
    | InvocationSettled
    | ConfirmationRequested
    | ConfirmationResolved
)
Listener: TypeAlias = Callable[[SurfaceEvent], None]


class Emitter:
    """Delivers events in order, never one inside another, and no listener can harm the next."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._queue: deque[SurfaceEvent] = deque()
        self._delivering = False

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Add a listener; returns what removes it."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe

    def emit(self, event: SurfaceEvent) -> None:
        """Deliver an event, after those that are being delivered."""
        self._queue.append(event)
        if self._delivering:
            return
        self._delivering = True
        try:
            while self._queue:
                self._deliver(self._queue.popleft())
        finally:
            self._delivering = False

    def _deliver(self, event: SurfaceEvent) -> None:
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception:
                _log.exception("a listener failed on %s", type(event).__name__)

    def clear(self) -> None:
        """Let go of every listener."""
        self._listeners.clear()
        self._queue.clear()
