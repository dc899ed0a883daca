"""Whether a capability can be used in the state that the page is in, and if not, why.

State discloses (The dual-plane model, The invariants, 4): the reason is what a model plans with.
"""

from dataclasses import dataclass
from typing import Protocol

from reference_app.surface.definition import Reason, When
from reference_app.surface.live import Capability, Registration, Status


@dataclass(frozen=True, slots=True)
class Availability:
    """Available, or not and why."""

    available: bool
    reason: str | None = None


class Conditional(Protocol):
    """Whatever may be available at one time and not at another."""

    @property
    def when(self) -> When | None:
        """The condition, if there is one."""

    @property
    def unavailable_reason(self) -> Reason | None:
        """Why not, in its author's words."""


AVAILABLE = Availability(available=True)


def evaluate(registration: Registration, capability: Capability) -> Availability:
    """Ask, in this order: is it mounted, is its component enabled, was it pushed unavailable, does its ``when`` hold."""
    if registration.status is not Status.ACTIVE:
        return Availability(available=False, reason="component-unregistered")
    if not registration.enabled:
        return Availability(available=False, reason="component-disabled")
    override = registration.overrides.get(capability.id)
    if override is not None and not override.available:
        return Availability(available=False, reason=override.reason or "unavailable")
    return by_state(capability.source)


def by_state(source: Conditional) -> Availability:
    """Ask the capability itself; only a plain False makes it unavailable."""
    if source.when is None:
        return AVAILABLE
    try:
        holds = source.when()
    except Exception:
        return Availability(available=False, reason="when-error")
    return AVAILABLE if holds is not False else Availability(available=False, reason=_reason(source))


def _reason(source: Conditional) -> str:
    reason = source.unavailable_reason
    try:
        text = reason() if callable(reason) else reason
    except Exception:
        text = None
    return text or "Currently unavailable"
