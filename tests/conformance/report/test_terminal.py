"""The run for people."""

import click
from syrupy.assertion import SnapshotAssertion

from conformance.report.terminal import render
from conformance.verdict import Outcome, RunVerdict
from tests.conformance.report.runs import CATALOGUE, RESULTS, run
from tests.conformance.rows import result


def shown(*lines: str) -> str:
    """Lines as a file has them: without colours."""
    return click.unstyle("\n".join(lines))


def test_every_verdict_has_its_line_and_what_is_not_green_its_reason(snapshot: SnapshotAssertion) -> None:
    """What a newcomer sees: areas, verdicts, reasons, counts."""
    assert snapshot == shown(*render(run(), CATALOGUE))


def test_a_run_that_could_not_go_on_shows_what_it_reached(snapshot: SnapshotAssertion) -> None:
    """One line says why; ninety requirements that nothing was found out about are no news."""
    stopped = run(
        results=RESULTS[:1], problems=("Tiny died in test_thing_02; it printed last: out of memory",)
    )

    assert snapshot == shown(*render(stopped, CATALOGUE))


def test_the_last_line_is_the_counts() -> None:
    """Exactly that and nothing else, without colour, whatever came before."""
    assert "1 passed, 1 failed, 1 warned, 1 untested, 1 not claimed" == list(render(run(), CATALOGUE))[-1]


def test_a_requirement_without_a_case_says_so() -> None:
    """Nobody showed it, and no key of the target file would help."""
    lines = shown(*render(run(results=(result("THING-01"),)), CATALOGUE)).splitlines()
    place = lines.index("untested: THING-02")

    assert ["  What THING-02 demands is the case.", "  no case ran for it"] == lines[place + 1 : place + 3]


def test_findings_are_shown() -> None:
    """They turn the run red, so they must be read."""
    finished = run(results=(result("THING-01"),))
    graded = RunVerdict(finished.verdict.graded, findings=("THING-09 is no requirement",))
    object.__setattr__(finished, "verdict", graded)

    assert "error  THING-09 is no requirement" in shown(*render(finished, CATALOGUE))


def test_cases_that_say_the_same_are_told_once() -> None:
    """Twenty cases that miss one key are one gap; the others are named, so that each can be run alone."""
    names = ("first", "second", "third")
    same = [result("THING-02", Outcome.UNTESTED, name, message="needs roles.gated") for name in names]
    other = result("THING-02", Outcome.UNTESTED, "fourth", message="needs reads")

    text = shown(*render(run(results=(*same, other)), CATALOGUE))

    assert (1, 1) == (text.count("needs roles.gated"), text.count("needs reads"))
    assert "likewise: test_second, test_third" in text
