"""Carries a plan out on a connection: writes, waits at gates, pauses, and ends it as planned."""

import asyncio
from collections.abc import Awaitable, Callable

from fake_model import http
from fake_model.exchange import Carried, Clock, Ending
from fake_model.http import Connection
from fake_model.plan import Abort, Action, Hangup, Plan
from fake_model.providers.base import Loop
from fake_model.script import Gate, Pause

KEPT_REPEATS = 1000
"""How many repeats of an endless event are kept for the journal."""

WaitAtGate = Callable[[str], Awaitable[None]]


class Carrier:
    """One answer on its way out."""

    def __init__(self, connection: Connection, plan: Plan, wait: WaitAtGate, clock: Clock) -> None:
        self._connection = connection
        self._plan = plan
        self._head = plan.head
        self._wait = wait
        self._written: list[bytes] = []
        self._ran_out = False
        self._clock = clock
        self._started_at: float | None = None

    async def carry(self, over: Callable[[Carried], None]) -> None:
        """Carry the plan out; `over` hears how it ended before the last byte leaves, also when the reader leaves."""
        told = False
        try:
            if self._plan.hold is not None:
                await self._wait(self._plan.hold)
            ending, last = await self._act()
            if self._connection.is_open:
                over(self._carried(ending))
                told = True
                last()
        finally:
            if not told:
                over(self._carried(Ending.READER_LEFT))

    def _carried(self, ending: Ending) -> Carried:
        return Carried(b"".join(self._written), ending, self._started_at, self._ran_out)

    async def _act(self) -> tuple[Ending, Callable[[], None]]:
        """Do everything but the last thing; return how it ends, and the last thing."""
        for action in self._plan.actions[:-1]:
            await self._do(action)
        last = self._plan.actions[-1] if self._plan.actions else b""
        if isinstance(last, Hangup):
            return Ending.CUT, self._connection.hang_up
        if isinstance(last, Abort):
            return Ending.RESET, self._connection.reset
        if isinstance(last, bytes):
            data = self._framed(last)
            return Ending.COMPLETE, lambda: self._connection.write(data + self._end())
        await self._do(last)
        return Ending.COMPLETE, lambda: self._connection.write(self._head + self._end())

    async def _do(self, action: Action) -> None:
        match action:
            case bytes():
                self._connection.write(self._framed(action))
                await self._connection.flush()
            case Gate():
                self._connection.write(self._framed(b""))
                await self._wait(action.name)
            case Pause():
                self._connection.write(self._framed(b""))
                await asyncio.sleep(action.seconds)
            case Loop():
                await self._loop(action)
            case Hangup() | Abort():
                raise AssertionError(f"{action} stands before the end of a plan")

    async def _loop(self, loop: Loop) -> None:
        for number in range(loop.at_most):
            if not self._connection.is_open:
                return
            data = self._framed(loop.event)
            if number >= KEPT_REPEATS:
                self._written.pop()
            self._connection.write(data)
            await self._connection.flush()
        self._ran_out = True

    def _framed(self, data: bytes) -> bytes:
        """Return data as it goes on the wire, with the head before the first."""
        if self._started_at is None:
            self._started_at = self._clock()
        start, self._head = self._head, b""
        self._written.append(data)
        return start + (http.chunk(data) if self._plan.length is None else data)

    def _end(self) -> bytes:
        return http.LAST_CHUNK if self._plan.length is None else b""
