"""``/agent/chat``: one step of a conversation, streamed as newline-delimited JSON."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from reference_app.api.bodies import read_body
from reference_app.api.errors import host_error
from reference_app.api.identity import Gate, actor_of
from reference_app.domain.actor import Actor
from reference_app.host.host import Host
from reference_app.host.protocol import VERSION_HEADER, HostError
from reference_app.host.request import decode

MEDIA_TYPE = "application/x-ndjson; charset=utf-8"


class Chat:
    """Serves the host.

    Args:
        gate: Finds out who is asking.
        host: Runs steps.
        body_limit: The largest body, in bytes.
    """

    def __init__(self, gate: Gate, host: Host, body_limit: int) -> None:
        self._gate = gate
        self._host = host
        self._body_limit = body_limit

    async def serve(self, request: Request) -> Response:
        """Answer one step."""
        person = await self._gate.require(request)

        async def who() -> Actor | None:
            return await self._gate.actor_now(person.email)

        body = await read_body(request, self._body_limit)
        try:
            step = decode(body)
            lines = await self._host.begin(step, actor_of(person), who)
        except HostError as refusal:
            return host_error(refusal.status, refusal.code, str(refusal))
        headers = {"cache-control": "no-store", VERSION_HEADER: str(step.version), "content-type": MEDIA_TYPE}
        return StreamingResponse(lines, headers=headers)
