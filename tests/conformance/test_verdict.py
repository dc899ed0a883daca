"""Verdicts, the last line and exit codes: each rule once."""

import pytest

from conformance.catalogue import Level, Profile, Requirement
from conformance.verdict import (
    CaseResult,
    Graded,
    Outcome,
    RunVerdict,
    Verdict,
    grade,
    grade_run,
)
from tests.conformance.rows import catalogue, requirement, result

MUST = requirement("THING-01")
SHOULD = requirement("THING-02", Level.SHOULD)
OWN = requirement("THING-03", own=True)
VIEW = requirement("THING-04", profile=Profile.VIEW)
PASSED, FAILED, UNTESTED, ERROR = Outcome.PASSED, Outcome.FAILED, Outcome.UNTESTED, Outcome.ERROR


@pytest.mark.parametrize(
    ("row", "outcomes", "verdict"),
    [
        (MUST, [PASSED, PASSED], Verdict.PASSED),
        (MUST, [PASSED, FAILED, UNTESTED], Verdict.FAILED),
        (MUST, [PASSED, UNTESTED], Verdict.UNTESTED),
        (MUST, [FAILED, ERROR, UNTESTED], Verdict.ERROR),
        (MUST, [], Verdict.UNTESTED),
        (SHOULD, [PASSED], Verdict.PASSED),
        (SHOULD, [PASSED, FAILED], Verdict.WARNED),
        (SHOULD, [UNTESTED], Verdict.UNTESTED),
        (OWN, [FAILED], Verdict.WARNED),
    ],
)
def test_the_worst_case_is_the_verdict(row: Requirement, outcomes: list[Outcome], verdict: Verdict) -> None:
    """An error of the suite hides nothing, a failure hides no error, and a part that was not shown is not passed."""
    cases = [result(row.id, outcome, str(number)) for number, outcome in enumerate(outcomes)]

    assert verdict == grade(row, cases, claimed=True)


def test_our_own_contract_binds_us() -> None:
    """What this project published itself is a MUST for the reference app and a SHOULD for everybody else."""
    cases = [result(OWN.id, FAILED)]

    assert (Verdict.FAILED, Verdict.WARNED) == (
        grade(OWN, cases, claimed=True, own=True),
        grade(OWN, cases, claimed=True, own=False),
    )


def test_what_is_not_claimed_is_not_graded() -> None:
    """Not even when a case ran and failed: a target is held to what its file claims."""
    assert Verdict.NOT_CLAIMED == grade(MUST, [result(MUST.id, FAILED)], claimed=False)


def run_of(*results: CaseResult, strict: bool = False, own: bool = False) -> RunVerdict:
    """Grade a run of the first three requirements at a target that claims their profile."""
    asked = [row.id for row in (MUST, SHOULD, OWN) if row.id in {item.requirement for item in results}]
    return grade_run(
        catalogue(MUST, SHOULD, OWN),
        results,
        asked=asked,
        profiles=[Profile.APPROVALS],
        strict=strict,
        own=own,
    )


@pytest.mark.parametrize(
    ("results", "strict", "code"),
    [
        ([result(MUST.id)], False, 0),
        ([result(MUST.id), result(SHOULD.id, FAILED)], False, 0),
        ([result(MUST.id), result(SHOULD.id, FAILED)], True, 1),
        ([result(MUST.id), result(SHOULD.id, UNTESTED)], False, 0),
        ([result(MUST.id), result(SHOULD.id, UNTESTED)], True, 0),
        ([result(MUST.id, FAILED), result(SHOULD.id)], False, 1),
        ([result(MUST.id, UNTESTED), result(SHOULD.id)], False, 1),
        ([result(MUST.id), result(OWN.id, UNTESTED)], False, 0),
        ([result(MUST.id), result(OWN.id, FAILED)], False, 0),
        ([result(MUST.id, ERROR), result(SHOULD.id)], False, 2),
        ([result(MUST.id, FAILED), result(SHOULD.id, ERROR)], False, 2),
        ([result(MUST.id, UNTESTED)], False, 2),
        ([], False, 2),
    ],
)
def test_the_exit_code_follows_from_the_verdicts(results: list[CaseResult], strict: bool, code: int) -> None:
    """0 green; 1 a claimed MUST failed or untested, or a warning under --strict; 2 an error, or nothing graded."""
    assert code == run_of(*results, strict=strict).exit_code


def test_the_reference_app_must_show_its_own_contract() -> None:
    """What is optional for others is not for us, untested included."""
    results = [result(MUST.id), result(OWN.id, UNTESTED)]

    assert (0, 1) == (run_of(*results).exit_code, run_of(*results, own=True).exit_code)


@pytest.mark.parametrize("outcome", [FAILED, UNTESTED])
def test_a_listed_failure_is_not_red(outcome: Outcome) -> None:
    """A baseline lists what is known, so that only what is new turns a run red."""
    graded = run_of(result(MUST.id, outcome), result(SHOULD.id)).graded

    assert (1, 0) == (RunVerdict(graded).exit_code, RunVerdict(graded, listed=frozenset({MUST.id})).exit_code)


def test_a_baseline_does_not_excuse_an_error() -> None:
    """An error says nothing about the target, known or not."""
    graded = run_of(result(MUST.id, ERROR), result(SHOULD.id)).graded

    assert 2 == RunVerdict(graded, listed=frozenset({MUST.id})).exit_code


def test_a_stale_baseline_is_red() -> None:
    """An entry for what is fixed must go, or the next regression hides behind it."""
    graded = run_of(result(MUST.id)).graded

    assert 1 == RunVerdict(graded, findings=("THING-01 passes now",)).exit_code


def test_the_last_line_counts_every_verdict_in_order() -> None:
    """Scripts read it, so its words and their order are fixed."""
    verdicts = [
        *[Verdict.PASSED] * 5,
        *[Verdict.FAILED] * 4,
        *[Verdict.WARNED] * 3,
        *[Verdict.UNTESTED] * 2,
        Verdict.NOT_CLAIMED,
    ]

    line = RunVerdict(tuple(Graded(MUST, verdict) for verdict in verdicts)).last_line

    assert "5 passed, 4 failed, 3 warned, 2 untested, 1 not claimed" == line


def test_results_are_sorted_whatever_order_they_came_in() -> None:
    """Workers finish in any order; a report must not show it."""
    results = [result(MUST.id, PASSED, name) for name in ("b", "a", "c")]

    graded = run_of(*results).graded

    assert ["test_a", "test_b", "test_c"] == [case.case.partition("::")[2] for case in graded[0].cases]


def test_the_tab_is_named_where_one_was_used() -> None:
    """A view requirement is shown through one kind of tab; others know nothing of tabs."""
    results = [result(MUST.id), result(VIEW.id)]
    run = grade_run(
        catalogue(MUST, VIEW),
        results,
        asked=[MUST.id, VIEW.id],
        profiles=[Profile.APPROVALS, Profile.VIEW],
        tab="browser",
    )

    assert ["", "browser"] == [item.tab for item in run.graded]


def test_missing_keys_are_named_once() -> None:
    """Three cases that lack one key are one thing to add to the target file."""
    cases = [result(MUST.id, UNTESTED, str(number)) for number in range(3)]

    assert ("roles.gated",) == run_of(*cases).graded[0].missing
