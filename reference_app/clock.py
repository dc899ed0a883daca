"""The one source of time: what the calendar says, and how long something has taken.

The calendar can be set, moved and frozen. Durations run on regardless of a frozen calendar, and a jump of the calendar
made by :meth:`Clock.advance` moves both, so that a pending timer ends without anybody waiting for it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from datetime import UTC, date, datetime, timedelta
from typing import TypeVar

from reference_app.errors import ReferenceAppError

T = TypeVar("T")


class DeadlineError(ReferenceAppError):
    """The time that :meth:`Clock.bounded` allows is over."""


class Clock:
    """Wall clock, stopwatch and timer in one, under the application's control."""

    def __init__(self) -> None:
        self._offset = timedelta(0)
        self._frozen_at: datetime | None = None
        self._skipped = 0.0
        self._jumped = asyncio.Event()

    def now(self) -> datetime:
        """The present instant in UTC, to the millisecond."""
        instant = self._frozen_at or datetime.now(UTC) + self._offset
        return instant.replace(microsecond=instant.microsecond // 1000 * 1000)

    def today(self) -> date:
        """The present calendar date in UTC."""
        return self.now().date()

    def elapsed(self) -> float:
        """Seconds on a stopwatch that never runs backwards; only differences mean anything."""
        return time.monotonic() + self._skipped

    @property
    def frozen(self) -> bool:
        """Whether the calendar stands still."""
        return self._frozen_at is not None

    def set(self, instant: datetime) -> None:
        """Make the calendar show an instant (with a time zone); durations are not touched."""
        instant = instant.astimezone(UTC)
        if self._frozen_at is not None:
            self._frozen_at = instant
        else:
            self._offset = instant - datetime.now(UTC)

    def advance(self, seconds: float) -> None:
        """Move calendar and stopwatch forward together, ending the timers that fall due."""
        if self._frozen_at is not None:
            self._frozen_at += timedelta(seconds=seconds)
        else:
            self._offset += timedelta(seconds=seconds)
        self._skipped += seconds
        self._jumped.set()
        self._jumped = asyncio.Event()

    def freeze(self, frozen: bool) -> None:
        """Stop the calendar where it is, or let it go on from there."""
        if frozen == self.frozen:
            return
        if frozen:
            self._frozen_at = self.now()
        else:
            shown, self._frozen_at = self.now(), None
            self.set(shown)

    def reset(self) -> None:
        """Show the machine's own calendar again."""
        self._offset, self._frozen_at = timedelta(0), None

    async def sleep(self, seconds: float) -> None:
        """Wait until so many seconds have passed on the stopwatch."""
        await self._sleep_until(self.elapsed() + seconds)

    async def _sleep_until(self, due: float) -> None:
        while (remaining := due - self.elapsed()) > 0:
            try:
                async with asyncio.timeout(remaining):
                    await self._jumped.wait()
            except TimeoutError:
                continue

    async def bounded(self, work: Awaitable[T], seconds: float) -> T:
        """Run something awaitable for at most so many seconds.

        Returns:
            What it returns.

        Raises:
            DeadlineError: The time is over; the work was cancelled and has ended.
        """
        task = asyncio.ensure_future(work)
        timer = asyncio.ensure_future(self._sleep_until(self.elapsed() + seconds))
        try:
            await asyncio.wait({task, timer}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise DeadlineError(f"not finished within {seconds:g} s")
        finally:
            for pending in (task, timer):
                if not pending.done():
                    pending.cancel()
            await asyncio.wait({task, timer})


def milliseconds(instant: datetime) -> int:
    """An instant as whole milliseconds since 1970, as it is stored."""
    return round(instant.timestamp() * 1000)


def from_milliseconds(count: int) -> datetime:
    """The instant that :func:`milliseconds` stored."""
    return datetime.fromtimestamp(count // 1000, UTC) + timedelta(milliseconds=count % 1000)


def iso(instant: datetime) -> str:
    """An instant as the wire writes it: ISO 8601 in UTC with milliseconds and ``Z``."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
