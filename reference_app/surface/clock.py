"""Time as the surface is given it: one injected clock with a timer, so that no rule ever reads wall time."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Cancellable(Protocol):
    """A timer that has been set and may be called off."""

    def cancel(self) -> None:
        """Call it off; a timer that already rang is left as it is."""


class Clock(Protocol):
    """The time of one surface, in milliseconds since the Unix epoch."""

    def now_ms(self) -> int:
        """The time now."""

    def call_later(self, delay_ms: int, callback: Callable[[], None]) -> Cancellable:
        """Call back after a number of milliseconds of this clock."""

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Call back once what runs now has returned to the event loop."""


class LoopClock:
    """The running event loop's timers beside the machine's time of day."""

    def now_ms(self) -> int:
        """The machine's time of day."""
        return time.time_ns() // 1_000_000

    def call_later(self, delay_ms: int, callback: Callable[[], None]) -> Cancellable:
        """Set a timer on the running loop."""
        return asyncio.get_running_loop().call_later(delay_ms / 1000, callback)

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Queue on the running loop."""
        asyncio.get_running_loop().call_soon(callback)


def iso(moment_ms: int) -> str:
    """Write a moment as ``2026-11-30T17:33:23.536Z``."""
    moment = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=moment_ms)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
