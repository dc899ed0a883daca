"""The fake model as one object: a server in a thread of its own, and the runs that are played on it."""

import asyncio
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from fake_model import export
from fake_model.background import Background
from fake_model.control import Control
from fake_model.exchange import Clock, Exchange
from fake_model.findings import Finding
from fake_model.gates import Gates
from fake_model.journal import Journal
from fake_model.run import Run
from fake_model.script import Script
from fake_model.server import ModelServer
from fake_model.side_calls import SideCall
from fake_model.writing import aliases


class FakeModel:
    """A scripted model behind real sockets.

    Use it as a context manager, or call `start` and `close`.

    Args:
        host: the address to listen on.
        port: the port; 0 takes a free one.
        journal_limit: how many exchanges the journal keeps.
        journal_bytes: how many bytes of requests and replies it keeps; the oldest exchanges go first.
        clock: seconds for the journal's times.
        side_calls: what gets a canned reply and belongs to no script.
        standing: scripts by token that are played from the start, and again after each reset.
        strict: whether a prompt that a provider would refuse is refused, with a finding.
    """

    def __init__(
        self,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        journal_limit: int = 10_000,
        journal_bytes: int = 268_435_456,
        clock: Clock = time.monotonic,
        side_calls: Iterable[SideCall] = (),
        standing: Iterable[tuple[str, Script]] = (),
        strict: bool = False,
    ) -> None:
        self._host = host
        self._port = port
        self.journal = Journal(clock, journal_limit, journal_bytes, tuple(standing))
        self._gates = Gates(self.journal.changed)
        self._control = Control(self.journal, self._gates, self._drop_late)
        self._server = ModelServer(
            self.journal, self._gates, self._control, side_calls=tuple(side_calls), strict=strict
        )
        self._background = Background(self._listen, self._stop)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> Self:
        """Begin to listen; raises FakeModelError when that does not succeed."""
        self._port = self._background.start()
        return self

    def close(self) -> None:
        """Stop listening, reset connections that are open, and wait until the thread has ended."""
        self._background.close()

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

    def export(self, path: Path | str) -> None:
        """Write the exchanges of this generation to a file as JSON Lines."""
        Path(path).write_bytes(export.as_jsonl(self.exchanges))

    def reset(self) -> None:
        """Begin a new generation: end all runs, empty the journal, reset connections that still wait for an answer."""
        self._control.reset()

    def _drop_late(self) -> None:
        self._background.call(self._server.drop_late)

    async def _listen(self) -> asyncio.Server:
        return await self._server.listen(self._host, self._port)

    async def _stop(self) -> None:
        self._server.drop_connections()
