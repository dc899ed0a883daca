"""JUnit XML: a test case for each change, failed when it fails the comparison."""

import xml.etree.ElementTree as ET

from conformance.inventory.render.junit import render
from tests.conformance.inventory.pages import approved_page, page
from tests.conformance.inventory.samples import domain


def test_what_fails_is_a_failure_and_what_is_approved_is_skipped() -> None:
    """CI services count by these elements."""
    suite = ET.fromstring(render(approved_page()))[0]

    assert ("2", "1", "1") == (suite.get("tests"), suite.get("failures"), suite.get("skipped"))
    assert {"failure", "skipped"} == {outcome.tag for case in suite for outcome in case}


def test_no_change_is_one_passing_case() -> None:
    """Some services call an empty report broken."""
    (case,) = ET.fromstring(render(page(domain(), domain())))[0]

    assert ("no change", []) == (case.get("name"), list(case))
