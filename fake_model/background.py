"""A socket server in a thread of its own, for callers that are not asynchronous."""

import asyncio
import contextlib
import importlib.util
import threading
from collections.abc import Awaitable, Callable

from fake_model.errors import FakeModelError

START_TIMEOUT = 10.0
"""Seconds that a server may take to listen."""

Listen = Callable[[], Awaitable[asyncio.Server]]
"""Begins to accept connections."""

Stop = Callable[[], Awaitable[None]]
"""Lets go of what is still open."""


class Background:
    """Runs a server on an event loop in a daemon thread.

    Args:
        listen: begins to accept connections.
        stop: called on the loop when the server has stopped accepting.
    """

    def __init__(self, listen: Listen, stop: Stop) -> None:
        self._listen = listen
        self._stop_serving = stop
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._failure: BaseException | None = None
        self._port = 0

    def start(self) -> int:
        """Begin to listen and return the port; raises FakeModelError when that does not succeed."""
        listening = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(listening,), name="fake-model", daemon=True)
        self._thread.start()
        if not listening.wait(START_TIMEOUT) or self._failure is not None:
            raise FakeModelError(f"expected to listen on the address given: {self._failure or 'timed out'}")
        return self._port

    def close(self) -> None:
        """Stop listening, and wait until the thread has ended."""
        if self._loop is not None and self._stopping is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended by itself
                self._loop.call_soon_threadsafe(self._stopping.set)
        if self._thread is not None:
            self._thread.join()

    def call(self, action: Callable[[], None]) -> None:
        """Have something done on the loop, soon."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(action)

    def _run(self, listening: threading.Event) -> None:
        try:
            with asyncio.Runner(loop_factory=loop_factory()) as runner:
                runner.run(self._serve(listening))
        except BaseException as error:
            self._failure = error
            listening.set()

    async def _serve(self, listening: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        server = await self._listen()
        self._port = server.sockets[0].getsockname()[1]
        listening.set()
        await self._stopping.wait()
        server.close()
        await self._stop_serving()
        await server.wait_closed()


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvloop's event loop where that is installed, else None for asyncio's own."""
    if importlib.util.find_spec("uvloop") is None:
        return None
    import uvloop  # noqa: PLC0415 - an optional dependency

    return uvloop.new_event_loop
