"""``/api/threads``: the caller's own conversations."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from reference_app.api.bodies import json_response, storable
from reference_app.api.errors import api_error
from reference_app.api.identity import Gate
from reference_app.host.threads import Thread, ThreadStore


class Threads:
    """Serves threads, each to its owner alone.

    Args:
        gate: Finds out who is asking.
        store: Keeps them.
    """

    def __init__(self, gate: Gate, store: ThreadStore) -> None:
        self._gate = gate
        self._store = store

    async def list(self, request: Request) -> Response:
        """The caller's threads without their messages, the one that changed last first."""
        person = await self._gate.require(request)
        return json_response([thread.as_json() for thread in await self._store.of(person.email)])

    async def show(self, request: Request) -> Response:
        """What is known about one thread."""
        thread = await self._find(request)
        return _not_found() if thread is None else json_response(thread.as_json())

    async def messages(self, request: Request) -> Response:
        """The messages of one thread, as a browser would post them."""
        thread = await self._find(request)
        return _not_found() if thread is None else json_response(list(thread.messages))

    async def remove(self, request: Request) -> Response:
        """Delete one thread."""
        person = await self._gate.require(request)
        removed = await self._store.remove(person.email, storable(request.path_params["thread"]))
        return json_response({"ok": True}) if removed else _not_found()

    async def _find(self, request: Request) -> Thread | None:
        person = await self._gate.require(request)
        return await self._store.find(person.email, storable(request.path_params["thread"]))


def _not_found() -> Response:
    return api_error(404, "NOT_FOUND", "not found")
