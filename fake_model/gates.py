"""Gates: named places where replies wait until somebody lets them go on, from whichever thread."""

import asyncio
import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GateKey:
    """A gate of one run."""

    token: str
    name: str


class Gates:
    """Which gates are released, and what waits at the others."""

    def __init__(self, changed: threading.Condition) -> None:
        self._changed = changed
        self._released: set[GateKey] = set()
        self._waiting: defaultdict[GateKey, list[Callable[[], None]]] = defaultdict(list)

    async def wait(self, key: GateKey) -> None:
        """Return once the gate is released; at once if it already is."""
        loop = asyncio.get_running_loop()
        passed = asyncio.Event()

        def let_go() -> None:
            loop.call_soon_threadsafe(passed.set)

        with self._changed:
            if key in self._released:
                return
            self._waiting[key].append(let_go)
            self._changed.notify_all()
        try:
            await passed.wait()
        finally:
            self._leave(key, let_go)

    def _leave(self, key: GateKey, let_go: Callable[[], None]) -> None:
        with self._changed:
            waiting = self._waiting.get(key, [])
            if let_go in waiting:
                waiting.remove(let_go)
            if not waiting:
                self._waiting.pop(key, None)
            self._changed.notify_all()

    def release(self, key: GateKey) -> int:
        """Open a gate for what waits there and for all that comes; return how many replies were waiting."""
        with self._changed:
            self._released.add(key)
            waiting = self._waiting.pop(key, [])
        for let_go in waiting:
            let_go()
        return len(waiting)

    def hold(self, key: GateKey) -> None:
        """Close a gate again, for what comes from now on."""
        with self._changed:
            self._released.discard(key)

    def waiting(self, key: GateKey) -> int:
        """Return how many replies wait at a gate; the caller holds the lock or takes a glance only."""
        return len(self._waiting.get(key, ()))

    def clear(self) -> None:
        """Forget all gates; replies that wait stay where they are until their connections close."""
        with self._changed:
            self._released.clear()
            self._waiting.clear()
