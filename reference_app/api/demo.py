"""``/api/demo``: what a demonstration may do to the application; none of it exists without ``--demo-controls``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from reference_app.api.bodies import BadBodyError, json_response, read_shape
from reference_app.api.errors import api_error
from reference_app.api.session import user_json
from reference_app.clock import Clock, iso
from reference_app.domain.policy_book import PolicyBook
from reference_app.identity import Directory, Role

_BODY_LIMIT = 4096
_CENTURY = 36_525 * 86_400


class ClockBody(BaseModel):
    """What to do to the clock, in this order: set, freeze or let go, advance."""

    model_config = ConfigDict(extra="forbid")

    now: AwareDatetime | None = None
    frozen: Annotated[bool, Field(strict=True)] | None = None
    advance: Annotated[float, Field(strict=True, ge=0, le=_CENTURY)] | None = None


class RoleBody(BaseModel):
    """Which person gets which role."""

    model_config = ConfigDict(extra="forbid")

    user: str
    role: Role


class PolicyBody(BaseModel):
    """Which policy is put into or out of force."""

    model_config = ConfigDict(strict=True, extra="forbid")

    name: str
    enabled: bool


class Demo:
    """Serves the controls.

    Args:
        clock: Can be set.
        directory: Knows the people.
        policies: Can be switched.
        reset: Puts everything back to how it started.
    """

    def __init__(
        self, clock: Clock, directory: Directory, policies: PolicyBook, reset: Callable[[], Awaitable[None]]
    ) -> None:
        self._clock = clock
        self._directory = directory
        self._policies = policies
        self._reset = reset

    async def reset(self, request: Request) -> Response:
        """Ledger, approvals, threads, steps, audit, roles, policies and clock, as at the start."""
        del request
        await self._reset()
        return json_response({"ok": True})

    async def set_clock(self, request: Request) -> Response:
        """Set, freeze and advance the clock; answers what it shows."""
        try:
            body = await read_shape(request, _BODY_LIMIT, ClockBody)
            _apply(self._clock, body)
        except (BadBodyError, OverflowError):
            return _bad("Expected now as ISO 8601 with a zone, frozen as true or false, advance in seconds.")
        return json_response({"now": iso(self._clock.now()), "frozen": self._clock.frozen})

    async def set_role(self, request: Request) -> Response:
        """Give a person another role, from the next request on."""
        try:
            body = await read_shape(request, _BODY_LIMIT, RoleBody)
        except BadBodyError:
            return _bad(f"Expected user and role, one of {', '.join(Role)}.")
        person = await self._directory.set_role(body.user, body.role)
        return (
            _bad(f"There is nobody called {body.user!r}.")
            if person is None
            else json_response({"user": user_json(person)})
        )

    async def set_policy(self, request: Request) -> Response:
        """Put a policy into or out of force, from the next evaluation on."""
        expected = f"Expected enabled and name, one of {', '.join(self._policies.names)}."
        try:
            body = await read_shape(request, _BODY_LIMIT, PolicyBody)
        except BadBodyError:
            return _bad(expected)
        if body.name not in self._policies.names:
            return _bad(expected)
        await self._policies.switch(body.name, body.enabled)
        in_force = [policy.name for policy in await self._policies.in_force()]
        return json_response({"inForce": in_force})


def _apply(clock: Clock, body: ClockBody) -> None:
    if body.now is not None:
        instant: datetime = body.now
        clock.set(instant)
    if body.frozen is not None:
        clock.freeze(body.frozen)
    if body.advance is not None:
        clock.advance(body.advance)


def _bad(message: str) -> Response:
    return api_error(400, "BAD_REQUEST", message)
