"""Waiting until the target is as wanted, and doing things at the same instant; nothing here decides by the time that passed."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_T = TypeVar("_T")
_BETWEEN_LOOKS = 0.02


def eventually(look: Callable[[], _T], wanted: Callable[[_T], bool], within: float) -> _T:
    """Look again and again until what is seen is as wanted; returns what was seen last, wanted or not, after `within` seconds."""
    pause = threading.Event()
    deadline = time.monotonic() + within
    while not wanted(seen := look()) and time.monotonic() < deadline:
        pause.wait(_BETWEEN_LOOKS)
    return seen


def at_once(actions: Sequence[Callable[[], _T]]) -> tuple[_T, ...]:
    """Do several things at the same instant, each in a thread of its own; returns what came of each, in their order.

    What an action raises is raised here, the first one's first.
    """
    start = threading.Barrier(len(actions))

    def act(action: Callable[[], _T]) -> _T:
        start.wait()
        return action()

    with ThreadPoolExecutor(len(actions)) as threads:
        return tuple(threads.map(act, actions))
