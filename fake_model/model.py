"""The fake model as one object: a server in a thread of its own, and the runs that are played on it."""

import asyncio
import contextlib
import importlib.util
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Self

from fake_model.control import Control
from fake_model.errors import FakeModelError
from fake_model.findings import Finding
from fake_model.gates import Gates
from fake_model.journal import Clock, Exchange, Journal
from fake_model.run import Run
from fake_model.script import Script
from fake_model.server import ModelServer
from fake_model.writing import aliases

START_TIMEOUT = 10.0
"""Seconds that the server may take to listen."""


class FakeModel:
    """A scripted model behind real sockets on the loopback address.

    Use it as a context manager, or call `start` and `close`.

    Args:
        host: the address to listen on.
        port: the port; 0 takes a free one.
        journal_limit: how many exchanges the journal keeps.
        clock: seconds for the journal's times.
    """

    def __init__(
        self,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        journal_limit: int = 10_000,
        clock: Clock = time.monotonic,
    ) -> None:
        self._host = host
        self._port = port
        self.journal = Journal(clock, journal_limit)
        self._gates = Gates(self.journal.changed)
        self._control = Control(self.journal, self._gates, self._drop_busy)
        self._server = ModelServer(self.journal, self._gates, self._control)
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._failure: BaseException | None = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> Self:
        """Begin to listen; raises FakeModelError when that does not succeed."""
        listening = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(listening,), name="fake-model", daemon=True)
        self._thread.start()
        if not listening.wait(START_TIMEOUT) or self._failure is not None:
            raise FakeModelError(
                f"expected to listen on {self._host}:{self._port}: {self._failure or 'timed out'}"
            )
        return self

    def close(self) -> None:
        """Stop listening, reset connections that are open, and wait until the thread has ended."""
        if self._loop is not None and self._stop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._stop.set)
        if self._thread is not None:
            self._thread.join()

    @property
    def url(self) -> str:
        """Where the server listens, as `http://127.0.0.1:PORT`, without `/v1`."""
        return f"http://{self._host}:{self._port}"

    def play(
        self, script: Script, token: str | None = None, *, names: Mapping[str, str] | None = None
    ) -> Run:
        """Begin a run of a script.

        Args:
            script: what the model answers.
            token: what names the run, 1 to 16 characters of a-z and 0-9; left out, the next of a counter.
            names: wire names by canonical id, for targets with an encoding of their own.

        Raises:
            JournalError: the token was used before.
            ScriptError: the token is malformed.
        """
        if names:
            script = replace(script, aliases=(*script.aliases, *aliases(names)))
        return Run(self.journal.open_run(script, token), script, self.url, self.journal, self._gates)

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The requests of this generation, those of no run included."""
        return self.journal.exchanges()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything in this generation that is not as scripted."""
        return self.journal.findings()

    def assert_complete(self) -> None:
        """Raise IncompleteError with every finding of every run and outside of any, if there is one."""
        self.journal.assert_complete()

    def reset(self) -> None:
        """Begin a new generation: end all runs, empty the journal, reset connections that are being answered."""
        self._control.reset()

    def _drop_busy(self) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._server.drop_busy)

    def _run(self, listening: threading.Event) -> None:
        try:
            with asyncio.Runner(loop_factory=loop_factory()) as runner:
                runner.run(self._serve(listening))
        except BaseException as error:
            self._failure = error
            listening.set()

    async def _serve(self, listening: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        server = await self._server.listen(self._host, self._port)
        self._port = server.sockets[0].getsockname()[1]
        listening.set()
        await self._stop.wait()
        server.close()
        self._server.drop_connections()
        await server.wait_closed()


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvloop's event loop where that is installed, else None for asyncio's own."""
    if importlib.util.find_spec("uvloop") is None:
        return None
    import uvloop  # noqa: PLC0415 - an optional dependency

    return uvloop.new_event_loop
