"""Waiting until the surface has caught up with what was done to it.

A call returns before the screen that it changed is shown; a snapshot in between would tell the model of a page that
is no more (Architecture, The transport). So the loop waits until what was asked for is shown and nothing moves any
more, within a budget.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from reference_app.surface.clock import Clock
from reference_app.surface.events import AvailabilityChanged, SurfaceChanged, SurfaceEvent
from reference_app.surface.registry import Registry

QUIET_TICKS = 2
"""How many turns of the event loop must pass without a change."""


class Settling(Protocol):
    """What is waited for."""

    @property
    def registry(self) -> Registry:
        """The surface that has to come to rest."""

    def is_caught_up(self) -> bool:
        """Whether what was asked for is shown."""

    async def until_shown(self) -> None:
        """Wait for that."""


async def settle(page: Settling, clock: Clock, budget_ms: int) -> None:
    """Wait until the page has caught up and is quiet, or the budget is spent; neither is an error."""
    moved = asyncio.Event()
    unsubscribe = page.registry.subscribe(lambda event: moved.set() if is_movement(event) else None)
    try:
        await within(clock, budget_ms, lambda: _until_quiet(page, moved))
    finally:
        unsubscribe()


def is_movement(event: SurfaceEvent) -> bool:
    """Whether an event means that a snapshot would now be another one."""
    return isinstance(event, (SurfaceChanged, AvailabilityChanged))


async def _until_quiet(page: Settling, moved: asyncio.Event) -> None:
    quiet = 0
    while not page.registry.disposed and (quiet < QUIET_TICKS or not page.is_caught_up()):
        await page.until_shown()
        moved.clear()
        await asyncio.sleep(0)  # one turn of the event loop, in which queued changes are announced
        quiet = 0 if moved.is_set() else quiet + 1


async def within(clock: Clock, budget_ms: int, wait: Callable[[], Awaitable[None]]) -> None:
    """Wait for something, but not longer than a number of the clock's milliseconds."""
    task = asyncio.ensure_future(wait())
    timer = clock.call_later(budget_ms, lambda: _give_up(task))
    try:
        await asyncio.wait({task})
    finally:
        timer.cancel()
        task.cancel()
    if not task.cancelled():
        task.result()


def _give_up(task: "asyncio.Future[None]") -> None:
    task.cancel()
