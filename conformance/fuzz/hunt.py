"""Hypothesis at work: attempts are generated from a seed, and what shows a problem is made as small as it goes."""

import contextlib
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.errors import Flaky

from conformance.fuzz.attempt import Attempt
from conformance.fuzz.problem import Check, Problem

MOST_FINDINGS = 8
"""How many findings one hunt goes for; a target with more needs no more to be mended first."""

MOST_TRIES = 250
"""How many attempts are spent on making one finding smaller."""

MOST_ROUNDS = 6
"""How often a hunt goes on with another seed, since Hypothesis generates some attempts twice."""

Key = tuple[Check, str]
Make = Callable[[Attempt], tuple[Problem, ...]]


class _SeenError(Exception):
    """Tells Hypothesis that an attempt shows what is being hunted."""


class _SmallEnoughError(BaseException):
    """Ends a round. No `Exception`, since Hypothesis would take it for another failure."""


@dataclass(frozen=True)
class Found:
    """A problem, and the smallest attempt that showed it.

    Attributes:
        problem: what is wrong.
        attempt: what was sent.
        steady: whether it came again when the same was sent once more.
    """

    problem: Problem
    attempt: Attempt
    steady: bool = True


@dataclass
class Quarry:
    """What attempts have shown so far, and which problem is being made smaller.

    Attributes:
        found: the smallest attempt for each problem.
        hunted: the problem that counts as a failure now; None until one is met.
        tries: how many attempts were spent on making it smaller.
        done: the problems that were hunted before.
    """

    found: dict[Key, Found] = field(default_factory=dict)
    hunted: Key | None = None
    tries: int = 0
    done: set[Key] = field(default_factory=set)

    def note(self, attempt: Attempt, problems: tuple[Problem, ...]) -> None:
        """Take down what an attempt showed.

        Raises:
            _SeenError: it shows what is being hunted.
            _SmallEnoughError: enough was tried.
        """
        if self.hunted is not None:
            self.tries += 1
            if self.tries > MOST_TRIES:
                raise _SmallEnoughError
        for problem in problems:
            known = self.found.get(problem.key)
            if known is None or attempt.size < known.attempt.size:
                self.found[problem.key] = Found(problem, attempt)
        keys = [problem.key for problem in problems if problem.key not in self.done]
        if self.hunted is None and keys:
            self.hunted = keys[0]
        if self.hunted is not None and self.hunted in keys:
            raise _SeenError

    @property
    def is_full(self) -> bool:
        """Whether enough was found."""
        return len(self.done) >= MOST_FINDINGS

    def next_round(self) -> bool:
        """Put the problem aside that was hunted, for the next one; False when none was met, or enough were."""
        if self.hunted is None:
            return False
        self.done.add(self.hunted)
        self.hunted = None
        self.tries = 0
        return not self.is_full


@dataclass
class Memory:
    """Makes each attempt once: asked again, the first answer counts, so that shrinking meets no change of mind.

    Once something was not answered in time, nothing more is sent: every further attempt could cost as much.
    """

    make: Make
    seen: dict[Attempt, tuple[Problem, ...]] = field(default_factory=dict)
    silent: bool = False

    def __call__(self, attempt: Attempt) -> tuple[Problem, ...]:
        """Make an attempt, or remember it."""
        if attempt not in self.seen:
            if self.silent:
                return ()
            self.seen[attempt] = self.make(attempt)
            self.silent = any(problem.check is Check.NO_ANSWER for problem in self.seen[attempt])
        return self.seen[attempt]


@dataclass(frozen=True)
class Bag:
    """What one hunt came to.

    Attributes:
        found: one finding for each check and operation, in the order in which they were met.
        attempts: how many different attempts were made, those of shrinking included.
    """

    found: tuple[Found, ...]
    attempts: int


def hunt(attempts: st.SearchStrategy[Attempt], make: Make, *, count: int, seed: int) -> Bag:
    """Generate attempts and make each; what shows a problem is made smaller.

    Args:
        attempts: how they are generated.
        make: sends one and says what is wrong with the answers.
        count: how many are generated.
        seed: the same one gives the same attempts, as long as the target answers alike.
    """
    memory, quarry = Memory(make), Quarry()

    def once(number: int) -> None:
        @seeded(seed + number)
        @hunting_settings(count)
        @given(attempts)
        def go(attempt: Attempt) -> None:
            quarry.note(attempt, memory(attempt))

        go()

    for number in range(MOST_ROUNDS):
        chase(lambda number=number: once(number), quarry)  # type: ignore[misc] # bound at once
        if len(memory.seen) >= count or memory.silent or quarry.is_full:
            break
    return Bag(tuple(quarry.found.values()), len(memory.seen))


def chase(once: Callable[[], None], quarry: Quarry) -> None:
    """Run rounds until one meets nothing new; what Hypothesis says about a failure is in the quarry already.

    Nor does it matter when a failure does not come again: the smallest attempt that showed it is kept.
    """
    while True:
        with contextlib.suppress(_SeenError, _SmallEnoughError, Flaky):
            once()
        if not quarry.next_round():
            return


def hunting_settings(count: int, requests: int = 1) -> settings:
    """Settings under which a run depends on its seed alone; `requests` is how many a sequence has at most."""
    return settings(
        max_examples=count,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        print_blob=False,
        stateful_step_count=requests,
    )


def seed_of(seed: int, *about: str) -> int:
    """A seed of its own for each part of a run, so that parts can be left out without changing the others."""
    return int.from_bytes(hashlib.sha256("|".join((str(seed), *about)).encode()).digest()[:8], "big")
