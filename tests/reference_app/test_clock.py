"""The clock: a calendar that can be set and frozen, and timers that only real time or a jump can end."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from reference_app.clock import Clock, DeadlineError, from_milliseconds, iso, milliseconds

pytestmark = pytest.mark.anyio
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


async def test_a_frozen_calendar_stands_still_and_moves_by_jumps_only() -> None:
    """A case that freezes the clock decides alone when an approval expires."""
    clock = Clock()
    clock.set(NOON)
    clock.freeze(True)
    clock.set(NOON)

    assert clock.now() == NOON
    clock.advance(90)
    assert clock.now() == NOON + timedelta(seconds=90)


async def test_thawing_goes_on_from_the_shown_instant() -> None:
    """Letting the calendar go must not jump back to the machine's own time."""
    clock = Clock()
    clock.freeze(True)
    clock.set(NOON)
    clock.freeze(False)

    assert NOON <= clock.now() < NOON + timedelta(minutes=1)
    assert not clock.frozen


async def test_reset_shows_the_machines_time() -> None:
    """After a reset nothing of an earlier case's time is left."""
    clock = Clock()
    clock.set(NOON)
    clock.freeze(True)
    clock.reset()

    assert abs(clock.now() - datetime.now(UTC)) < timedelta(minutes=1)


async def test_a_jump_ends_a_pending_timer() -> None:
    """A time-out can be shown without anybody waiting for it."""
    clock = Clock()
    sleeper = asyncio.create_task(clock.sleep(3600))
    await asyncio.sleep(0)
    clock.advance(1800)
    await asyncio.sleep(0)
    assert not sleeper.done()

    clock.advance(1800)
    await asyncio.wait_for(sleeper, 5)


async def test_bounded_work_is_cancelled_and_has_ended_when_its_time_is_over() -> None:
    """Nothing goes on behind the back of whoever was told that the time is over."""
    clock, ended = Clock(), asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    bounded = asyncio.create_task(clock.bounded(work(), 10))
    await asyncio.sleep(0)
    clock.advance(10)
    with pytest.raises(DeadlineError):
        await bounded
    assert ended.is_set()


async def test_a_time_out_of_the_work_itself_is_not_mistaken_for_the_bound() -> None:
    """An operation that raises TimeoutError failed; it did not run out of its own time."""

    async def work() -> None:
        raise TimeoutError("the archive did not answer")

    with pytest.raises(TimeoutError, match="archive"):
        await Clock().bounded(work(), 10)


async def test_instants_survive_storage_to_the_millisecond() -> None:
    """What a card says about its expiry is what the database decides by."""
    instant = datetime(2026, 3, 2, 12, 0, 0, 123_000, tzinfo=UTC)

    assert instant == from_milliseconds(milliseconds(instant))
    assert iso(instant) == "2026-03-02T12:00:00.123Z"
