"""The run for CI."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.report.junit import to_junit
from conformance.verdict import Outcome
from tests.conformance.report.runs import CATALOGUE, run
from tests.conformance.rows import result


def parsed(text: str) -> ET.Element:
    """The document; parsing fails when it is not well-formed."""
    return ET.fromstring(text)


def outcome(case: ET.Element) -> str:
    """What CI takes a case for."""
    return next((child.tag for child in case if child.tag in ("failure", "error", "skipped")), "passed")


def test_requirements_are_test_cases() -> None:
    """CI shows requirements, by area: red is failure, an error is an error, what is no claim or no means is skipped."""
    root = parsed(to_junit(run(), CATALOGUE))

    assert [
        ("THING-01", "passed"),
        ("THING-02", "failure"),
        ("THING-03", "error"),
        ("SCREEN-01", "passed"),
        ("SCREEN-02", "skipped"),
        ("SCREEN-03", "skipped"),
    ] == [((case.get("name") or "").split()[0], outcome(case)) for case in root.iter("testcase")]
    assert [("things", "3", "1", "1", "0"), ("screens", "3", "0", "0", "2")] == [
        tuple(suite.get(key) or "" for key in ("name", "tests", "failures", "errors", "skipped"))
        for suite in root.iter("testsuite")
    ]


def test_an_untested_must_is_a_failure() -> None:
    """It turns the run red, so CI must not call it skipped."""
    root = parsed(
        to_junit(run(results=(result("THING-01"), result("THING-02", Outcome.UNTESTED))), CATALOGUE)
    )
    cases = {(case.get("name") or "").split()[0]: case for case in root.iter("testcase")}

    assert ("failure", "untested: roles.gated") == (
        outcome(cases["THING-02"]),
        cases["THING-02"][0].get("message"),
    )


def test_what_stopped_the_run_is_an_error_of_its_own() -> None:
    """A file that a broken run leaves behind must not look green."""
    root = parsed(to_junit(run(results=(), problems=("Tiny did not start", "again")), CATALOGUE))
    last = list(root)[-1]

    assert ("run", "1") == (last.get("name"), last.get("errors"))
    assert "Tiny did not start\nagain" == last[0][0].text


@given(st.text(), st.text())
def test_any_text_is_well_formed(message: str, missing: str) -> None:
    """What a target answers can hold anything; the file stays XML."""
    hostile = result("THING-02", Outcome.FAILED, message="<&]]>\x00\ud800" + message)
    object.__setattr__(hostile, "missing", "<&\x01" + missing)

    root = parsed(
        to_junit(run(results=(result("THING-01"), hostile), problems=("\x1b" + message,)), CATALOGUE)
    )

    assert 7 == len(list(root.iter("testcase")))


@pytest.mark.parametrize("text", ["tab\t and\nnewline", "emoji 😀", "\u2028 \ufffd"])
def test_readable_text_is_kept(text: str) -> None:
    """Only what XML can't hold is replaced."""
    root = parsed(to_junit(run(results=(result("THING-02", Outcome.FAILED, message=text),)), CATALOGUE))

    assert text in [failure.text for failure in root.iter("failure")]
