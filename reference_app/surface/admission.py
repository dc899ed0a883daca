"""Who may run now, who waits and who is turned away: queues of actions, and bounds on observations.

Slots are handed over in the order of arrival; an arrival that is turned away reserves nothing.
"""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from reference_app.surface import refusals
from reference_app.surface.errors import Retry
from reference_app.surface.limits import Limits
from reference_app.surface.live import Group

QUEUE_FULL_RETRY_MS = 250


@dataclass(slots=True)
class _Queue:
    running: int = 0
    waiting: deque["asyncio.Future[None]"] = field(default_factory=deque)


class ActionQueues:
    """One queue a group; the calls of a group run at most so many at once, the others in order of arrival."""

    def __init__(self) -> None:
        self._queues: dict[str, _Queue] = {}

    @property
    def keys(self) -> frozenset[str]:
        """The groups that have a runner or a waiter."""
        return frozenset(self._queues)

    async def enter(self, group: Group) -> None:
        """Wait for a slot.

        Raises:
            CapabilityError: ``RATE_LIMITED`` when the queue is full, ``CANCELLED`` when the surface goes away.
        """
        queue = self._queues.setdefault(group.key, _Queue())
        if queue.running < group.max and not queue.waiting:
            queue.running += 1
            return
        if len(queue.waiting) >= group.depth:
            raise refusals.rate_limited("queue-full", QUEUE_FULL_RETRY_MS)
        await _wait_in(queue.waiting)

    def leave(self, group: Group) -> None:
        """Hand the slot to the next in line."""
        queue = self._queues[group.key]
        if not _admit_next(queue.waiting):
            queue.running -= 1
        if queue.running == 0 and not queue.waiting:
            del self._queues[group.key]

    def drain(self) -> None:
        """Turn away everyone who waits: the surface is going away."""
        for queue in self._queues.values():
            _turn_away(queue.waiting)


@dataclass(slots=True, eq=False)
class _Reader:
    consumer: str
    slot: "asyncio.Future[None]"


class ObservationGate:
    """Bounds on what is read at once, by one consumer and by all."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._running: dict[str, int] = {}
        self._waiting: deque[_Reader] = deque()

    def _has_room(self, consumer: str) -> bool:
        own = self._running.get(consumer, 0)
        return (
            own < self._limits.max_observations_per_consumer
            and sum(self._running.values()) < self._limits.max_observations_total
        )

    async def enter(self, consumer: str) -> None:
        """Wait for a slot.

        Raises:
            CapabilityError: ``RATE_LIMITED`` when this consumer's queue is full, ``CANCELLED`` when the surface goes
                away.
        """
        if self._has_room(consumer):
            self._running[consumer] = self._running.get(consumer, 0) + 1
            return
        queued = sum(reader.consumer == consumer for reader in self._waiting)
        if queued >= self._limits.max_queued_observations_per_consumer:
            raise refusals.rate_limited("queue-full", QUEUE_FULL_RETRY_MS)
        reader = _Reader(consumer, asyncio.get_running_loop().create_future())
        self._waiting.append(reader)
        await reader.slot

    def leave(self, consumer: str) -> None:
        """Free a slot and admit the first in line whose consumer has room."""
        self._running[consumer] -= 1
        if self._running[consumer] == 0:
            del self._running[consumer]
        for reader in self._waiting:
            if self._has_room(reader.consumer):
                self._waiting.remove(reader)
                self._running[reader.consumer] = self._running.get(reader.consumer, 0) + 1
                reader.slot.set_result(None)
                return

    def drain(self) -> None:
        """Turn away everyone who waits."""
        _turn_away(deque(reader.slot for reader in self._waiting))
        self._waiting.clear()


async def _wait_in(line: deque["asyncio.Future[None]"]) -> None:
    slot: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    line.append(slot)
    await slot


def _admit_next(line: deque["asyncio.Future[None]"]) -> bool:
    while line:
        slot = line.popleft()
        if not slot.done():
            slot.set_result(None)
            return True
    return False


def _turn_away(line: deque["asyncio.Future[None]"]) -> None:
    while line:
        slot = line.popleft()
        if not slot.done():
            slot.set_exception(refusals.cancelled(Retry.NO))
