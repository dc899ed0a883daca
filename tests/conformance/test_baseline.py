"""What is known not to hold is excused, exactly that, and for no longer than its last day."""

import datetime

import pytest

from conformance.baseline import Baseline, BaselineError, Served, judge, read_baseline, write_baseline
from conformance.catalogue import Level, Profile
from conformance.verdict import Outcome, RunVerdict, grade_run
from tests.conformance.rows import catalogue, requirement, result

ROWS = catalogue(
    requirement("THING-01"),
    requirement("THING-02"),
    requirement("THING-03", Level.SHOULD),
    requirement("THING-04"),
)
TODAY = datetime.date(2027, 1, 31)
THREADS = Served(Profile.THREADS, "GET /api/threads answers with a list")


def run(*outcomes: Outcome, strict: bool = False) -> RunVerdict:
    """A run in which the requirements came to these outcomes."""
    results = [result(row.id, outcome) for row, outcome in zip(ROWS, outcomes, strict=False)]
    return grade_run(ROWS, results, asked=ROWS.by_id, profiles=[Profile.APPROVALS], strict=strict)


RED = run(Outcome.FAILED, Outcome.UNTESTED, Outcome.FAILED, Outcome.PASSED)


def listing(**verdicts: str) -> Baseline:
    """A baseline with an entry for each requirement, its verdict given."""
    text = "\n".join(
        f'[known.{name.replace("_", "-")}]\nverdict = "{verdict}"\nreason = "Known since long."'
        for name, verdict in verdicts.items()
    )
    return read_baseline(text, "baseline.toml", ROWS)


def judged(baseline: Baseline, verdict: RunVerdict = RED, served: tuple[Served, ...] = ()) -> RunVerdict:
    """A run with a baseline applied to it."""
    return judge(verdict, baseline, served, TODAY, probed=True)


def test_what_is_listed_is_not_red() -> None:
    """A run whose only failures are known is green."""
    outcome = judged(listing(THING_01="failed", THING_02="untested"))

    assert (0, []) == (outcome.exit_code, list(outcome.findings))
    assert {"THING-01", "THING-02"} == outcome.listed


def test_what_is_not_listed_stays_red() -> None:
    """The baseline excuses what it names and nothing beside it."""
    assert 1 == judged(listing(THING_01="failed")).exit_code


@pytest.mark.parametrize(("listed", "seen"), [("untested", Outcome.FAILED), ("failed", Outcome.UNTESTED)])
def test_another_verdict_than_the_listed_one_is_red(listed: str, seen: Outcome) -> None:
    """What was known to be untested and fails now is news, and so is what can't be seen failing any more."""
    outcome = judged(listing(THING_01=listed), run(seen, Outcome.PASSED, Outcome.PASSED, Outcome.PASSED))

    assert 1 == outcome.exit_code
    assert frozenset() == outcome.listed
    assert outcome.findings[0].startswith(f"the baseline lists THING-01 as {listed}, and it is {seen.value}")


def test_entry_that_passes_is_stale_and_red() -> None:
    """The file only ever gets shorter."""
    outcome = judged(listing(THING_04="failed"), run(*[Outcome.PASSED] * 4))

    assert 1 == outcome.exit_code
    assert (
        "the baseline lists THING-04 as failed, and it is passed: take the entry out or mend it",
    ) == outcome.findings


@pytest.mark.parametrize(("day", "code"), [("2027-01-31", 0), ("2027-01-30", 1)])
def test_last_day_counts(day: str, code: int) -> None:
    """From the day after it the entry excuses nothing, and says why it was there."""
    text = f'[known.THING-01]\nverdict = "failed"\nreason = "Until the release."\nlast_day = {day}'
    outcome = judged(
        read_baseline(text, "b.toml", ROWS),
        run(Outcome.FAILED, Outcome.PASSED, Outcome.PASSED, Outcome.PASSED),
    )

    assert code == outcome.exit_code
    assert bool(code) == any(
        "was good until 2027-01-30: Until the release." in text for text in outcome.findings
    )


def test_what_a_run_was_not_asked_about_is_not_stale() -> None:
    """A filter or a shard sees a part; the entries of the others are none of its business."""
    part = grade_run(ROWS, [result("THING-04")], asked=["THING-04"], profiles=[Profile.APPROVALS])

    assert () == judged(listing(THING_01="failed"), part).findings


def test_served_profile_that_is_not_claimed_is_a_finding() -> None:
    """It is excused by an entry of its own, which is stale once the profile is claimed or gone."""
    green = run(*[Outcome.PASSED] * 4)
    known = read_baseline('[unclaimed.threads]\nreason = "For one customer."', "b.toml", ROWS)

    assert (1, 0, 1) == (
        judged(Baseline(), green, (THREADS,)).exit_code,
        judged(known, green, (THREADS,)).exit_code,
        judged(known, green).exit_code,
    )


def test_written_baseline_makes_the_run_green() -> None:
    """It lists everything that is red, and keeps the reasons that still fit."""
    text = write_baseline(RED, (THREADS,), listing(THING_01="failed"), "Not looked into yet.")

    outcome = judged(read_baseline(text, "b.toml", ROWS), served=(THREADS,))
    assert 0 == outcome.exit_code
    assert 'reason = "Known since long."' in text
    assert {"THING-01", "THING-02"} == outcome.listed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[known", "b.toml: not TOML: "),
        ('[known.THING-99]\nverdict = "failed"\nreason = "Gone long ago."', "no requirement has this id"),
        ('[known.THING-01]\nreason = "Known since long."', "`known.THING-01.verdict` is missing"),
        ('[known.THING-01]\nverdict = "failed"', "`known.THING-01.reason` is missing"),
        ('[known.THING-01]\nverdict = "error"\nreason = "Known since long."', "`known.THING-01.verdict`"),
        ('[unclaimed.everything]\nreason = "Known since long."', "there is no such profile"),
        ('[odd.THING-01]\nreason = "Known since long."', "unknown key `odd`"),
    ],
)
def test_file_that_is_wrong_is_refused(text: str, message: str) -> None:
    """An entry that says nothing would excuse nothing, and nobody would know."""
    with pytest.raises(BaselineError) as refusal:
        read_baseline(text, "b.toml", ROWS)

    assert message in str(refusal.value)
