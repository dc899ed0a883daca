"""Waiting for a state, and acting at the same instant."""

import threading
from itertools import count

import pytest

from conformance.waiting import at_once, eventually


def test_waiting_ends_when_it_is_as_wanted() -> None:
    """Not before, and not a look later."""
    numbers = count()

    assert eventually(lambda: next(numbers), lambda seen: seen == 3, within=5) == 3
    assert next(numbers) == 4


def test_waiting_gives_up() -> None:
    """What was seen last is what the case looks at, so that its message shows it."""
    assert eventually(lambda: "still not", lambda seen: seen == "done", within=0.05) == "still not"


def test_actions_begin_together() -> None:
    """Each waits for all the others, or the barrier would break."""
    together = threading.Barrier(3)

    def act(number: int) -> int:
        together.wait(timeout=5)
        return number

    assert at_once([lambda: act(1), lambda: act(2), lambda: act(3)]) == (1, 2, 3)


def test_what_an_action_raises_is_raised() -> None:
    """A finding in one of two threads is a finding."""

    def fail() -> None:
        raise ValueError("seen in a thread")

    with pytest.raises(ValueError, match="seen in a thread"):
        at_once([lambda: None, fail])
