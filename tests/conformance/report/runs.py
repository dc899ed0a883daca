"""A finished run with every kind of verdict, for tests of reports."""

from dataclasses import replace

from conformance.catalogue import Area, Catalogue, Level, Profile, build_catalogue
from conformance.run import Options, Run
from conformance.target import Target
from conformance.target_file import parse_target
from conformance.verdict import CaseResult, Outcome, grade_run
from tests.conformance.rows import requirement, result
from tests.conformance.target_text import MINIMAL

CATALOGUE: Catalogue = build_catalogue(
    [
        Area("things", "Things", tuple(requirement(f"THING-0{number}") for number in (1, 2, 3))),
        Area(
            "screens",
            "What the screen shows",
            (
                requirement("SCREEN-01", Level.SHOULD, Profile.VIEW),
                requirement("SCREEN-02", Level.SHOULD, Profile.VIEW),
                requirement("SCREEN-03", Level.MUST, Profile.META),
            ),
        ),
    ]
)
RESULTS = (
    replace(result("THING-01"), seconds=0.25),
    result("THING-01", Outcome.PASSED, "thing_01_again"),
    replace(
        result("THING-02", Outcome.FAILED),
        detail="THING-02 (MUST): What THING-02 demands is the case.\n\nexpected 1, saw 2",
        transcript="report/transcripts/test_things--test_thing_02.json",
    ),
    result("THING-03", Outcome.ERROR, message="RuntimeError: boom (test_things.py:10, call)"),
    result("SCREEN-01", Outcome.FAILED),
    result("SCREEN-02", Outcome.UNTESTED),
)


def target() -> Target:
    """A target that claims all but one profile."""
    return parse_target(MINIMAL.replace('"host-v2"', '"approvals", "view"'), "tiny.toml")


def run(
    results: tuple[CaseResult, ...] = RESULTS, problems: tuple[str, ...] = (), seconds: float = 1.5
) -> Run:
    """A finished run."""
    verdict = grade_run(CATALOGUE, results, asked=CATALOGUE.by_id, profiles=target().profiles)
    return Run(Options(), target(), verdict, problems, len(results), seconds, version="1.2.3")
