"""JSON for machines: pure ASCII, and what is printed is what the page says."""

import json

from conformance.inventory.render.json_report import render
from tests.conformance.inventory.pages import approved_page, hostile_page


def test_the_report_is_ascii() -> None:
    """It may be printed to any terminal and log."""
    assert render(hostile_page()).isascii()


def test_texts_survive() -> None:
    """Escaping for the log changes nothing for who reads the JSON."""
    page = hostile_page()

    changes = json.loads(render(page))["changes"]

    assert [row.before for row in page.rows] == [change["before"] for change in changes]


def test_the_verdict_is_told() -> None:
    """A script needs the counts without counting."""
    report = json.loads(render(approved_page()))

    assert (False, 1, 1, 2) == (
        report["passed"],
        report["failing"],
        report["approved"],
        report["counts"]["widening"],
    )
