"""Waiting for the page."""

import asyncio
from dataclasses import dataclass, field

import pytest

from reference_app.surface.registry import Registry
from reference_app.tab.settle import settle
from tests.reference_app.surface.world import ManualClock, World, make_world, turn_loop

pytestmark = pytest.mark.anyio


@dataclass
class Page:
    """A page that is shown when the test says so."""

    registry: Registry
    shown: asyncio.Event = field(default_factory=asyncio.Event)

    def is_caught_up(self) -> bool:
        """Whether it was said."""
        return self.shown.is_set()

    async def until_shown(self) -> None:
        """Wait for that."""
        await self.shown.wait()


def _page(world: World, *, shown: bool = True) -> Page:
    page = Page(world.registry)
    if shown:
        page.shown.set()
    return page


async def test_a_quiet_page_is_waited_for_two_turns_only() -> None:
    """Waiting costs nothing where nothing moves."""
    async with asyncio.timeout(5):
        await settle(_page(make_world()), ManualClock(), 1500)


async def test_the_page_is_waited_for() -> None:
    """Until what was asked for is shown."""
    world = make_world()
    page = _page(world, shown=False)
    waiting = asyncio.ensure_future(settle(page, ManualClock(), 1500))
    await turn_loop()
    before = waiting.done()

    page.shown.set()
    await waiting

    assert before is False


async def test_movement_is_waited_out() -> None:
    """As long as something changes, a snapshot would be out of date at once."""
    world = make_world()
    handle = world.mount()
    moves: list[int] = []

    def move() -> None:
        if len(moves) < 10:
            moves.append(1)
            handle.invalidate()
            asyncio.get_running_loop().call_soon(move)

    move()
    await settle(_page(world), ManualClock(), 1500)

    assert len(moves) == 10


async def test_the_budget_ends_the_wait_without_an_error() -> None:
    """A page that never comes must not hold the turn for ever."""
    world, clock = make_world(), ManualClock()
    waiting = asyncio.ensure_future(settle(_page(world, shown=False), clock, 1500))
    await turn_loop()

    clock.advance(1500)
    await waiting


async def test_a_page_that_is_gone_is_not_waited_for() -> None:
    """There is nothing left that could settle."""
    world = make_world()
    world.registry.dispose()

    async with asyncio.timeout(5):
        await settle(_page(world), ManualClock(), 1500)


async def test_nobody_listens_afterwards() -> None:
    """Each wait takes its listener with it."""
    world = make_world()
    emitter = world.registry._core.emitter
    before = len(emitter._listeners)

    await settle(_page(world), ManualClock(), 1500)

    assert len(emitter._listeners) == before
