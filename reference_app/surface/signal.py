"""A signal that something was given up: the caller's, the handler's, the turn's."""

import asyncio
from collections.abc import Callable


class Signal:
    """Raised once, seen by everyone who asked, also by those who ask later."""

    def __init__(self) -> None:
        self._aborted = False
        self._listeners: list[Callable[[], None]] = []

    @property
    def aborted(self) -> bool:
        """Whether it was raised."""
        return self._aborted

    def abort(self) -> None:
        """Raise it; raising it again changes nothing."""
        if self._aborted:
            return
        self._aborted = True
        listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener()

    def on_abort(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call back when it is raised, at once if it was; returns what takes the listener away again."""
        if self._aborted:
            listener()
            return lambda: None
        self._listeners.append(listener)

        def remove() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return remove

    async def wait(self) -> None:
        """Wait until it is raised."""
        raised = asyncio.Event()
        remove = self.on_abort(raised.set)
        try:
            await raised.wait()
        finally:
            remove()
