"""The report at a terminal: what changed, why it matters, how to approve it, the counts last."""

import click

from conformance.inventory.page import Page
from conformance.inventory.render.terminal import render
from tests.conformance.inventory.pages import approved_page, page
from tests.conformance.inventory.samples import domain, domain_entry


def plain_lines(shown: Page) -> list[str]:
    """The lines without colour."""
    return [click.unstyle(line) for line in render(shown)]


def test_the_report_reads_top_to_bottom() -> None:
    """One look tells whose, what, why, before, after and how to go on."""
    lines = plain_lines(page(domain(domain_entry()), domain(domain_entry(risk="low"))))

    assert [
        "old.json → new.json",
        "",
        "domain:issue-note  domain snapshot",
        "     widening  risk-lowered",
        "               It counts as less risky.",
        "               - medium",
        "               + low",
        "               fails; to approve it: 1feca193447df43168f3a837ba00f8f6",
        "",
        "0 breach, 1 widening, 0 prompt text, 0 narrowing, 0 neutral; 0 approved, 1 failing (--fail-on widening)",
    ] == lines


def test_an_approval_is_shown_with_its_reason() -> None:
    """Who reads the report sees why a widening passed."""
    assert "               approved: Agreed on. (until 2027-01-31)" in plain_lines(approved_page())
