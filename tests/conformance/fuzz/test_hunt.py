"""The hunt: findings are told apart, made small, and the same seed finds the same."""

from hypothesis import strategies as st

from conformance.fuzz.attempt import Attempt, Request
from conformance.fuzz.hunt import Bag, Make, hunt, seed_of
from conformance.fuzz.problem import Check, Problem


def sized(number: int) -> Attempt:
    """An attempt with a number in it."""
    return Attempt("carla", (Request("POST /x", "POST", "/x", str(number).encode()),))


def number_in(attempt: Attempt) -> int:
    """The number."""
    return int(attempt.requests[0].body)


def hunted(make: Make, seed: int = 1) -> Bag:
    """Look among the numbers up to a thousand."""
    return hunt(st.integers(0, 1000).map(sized), make, count=60, seed=seed)


def two_faults(attempt: Attempt) -> tuple[Problem, ...]:
    """Wrong from 700 on in one way, and from 300 on in another."""
    found = []
    if number_in(attempt) >= 700:
        found.append(Problem(Check.SERVER_ERROR, "POST /x", "500"))
    if number_in(attempt) >= 300:
        found.append(Problem(Check.STATUS, "POST /x", "418"))
    return tuple(found)


def test_each_finding_is_made_as_small_as_it_goes() -> None:
    """One finding must not hide another, nor lend it its size."""
    found = {one.problem.check: number_in(one.attempt) for one in hunted(two_faults).found}

    assert {Check.SERVER_ERROR: 700, Check.STATUS: 300} == found


def test_nothing_is_sent_twice() -> None:
    """The target is asked once for each attempt, whatever Hypothesis wants to see again."""
    sent: list[Attempt] = []

    def make(attempt: Attempt) -> tuple[Problem, ...]:
        sent.append(attempt)
        return two_faults(attempt)

    bag = hunted(make)

    assert len(set(sent)) == len(sent) == bag.attempts


def test_a_change_of_mind_is_no_error() -> None:
    """A target that fails once and never again is a finding, and no failure of the suite."""
    met: list[int] = []

    def make(attempt: Attempt) -> tuple[Problem, ...]:
        met.append(number_in(attempt))
        return (Problem(Check.STATUS, "POST /x", "418"),) if len(met) == 5 else ()

    (found,) = hunted(make).found

    assert met[4] == number_in(found.attempt)


def test_after_a_silence_nothing_more_is_sent() -> None:
    """Each further attempt could cost as much as the first."""
    sent: list[Attempt] = []

    def make(attempt: Attempt) -> tuple[Problem, ...]:
        sent.append(attempt)
        return (Problem(Check.NO_ANSWER, "POST /x", "silence"),) if len(sent) == 3 else ()

    assert ([Check.NO_ANSWER], 3) == ([one.problem.check for one in hunted(make).found], len(sent))


def test_as_many_cases_are_made_as_were_asked_for() -> None:
    """Hypothesis generates some attempts twice; those do not count."""
    assert hunted(lambda _: ()).attempts >= 60


def test_the_seed_decides_what_is_sent() -> None:
    """Another seed looks elsewhere; each part of a run has a seed of its own that does not depend on the others."""

    def sent_with(seed: int) -> list[Attempt]:
        sent: list[Attempt] = []

        def make(attempt: Attempt) -> tuple[Problem, ...]:
            sent.append(attempt)
            return ()

        hunted(make, seed)
        return sent

    assert sent_with(1) == sent_with(1) != sent_with(2)
    assert seed_of(0, "carla", "steps") != seed_of(0, "ada", "steps")
