"""``/api/audit``: what was attempted in the caller's name, and how it ended."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from reference_app.api.bodies import json_response
from reference_app.api.identity import Gate, actor_of
from reference_app.domain.audit import AuditTrail

MOST = 500
"""The most events in one answer."""


class Audit:
    """Serves the audit, each actor's own.

    Args:
        gate: Finds out who is asking.
        trail: Keeps it.
    """

    def __init__(self, gate: Gate, trail: AuditTrail) -> None:
        self._gate = gate
        self._trail = trail

    async def show(self, request: Request) -> Response:
        """The caller's latest events, oldest first."""
        actor = actor_of(await self._gate.require(request))
        return json_response(list(await self._trail.of(actor, MOST)))
