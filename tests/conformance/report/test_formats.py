"""The formats beside JSON and JUnit: what is red comes first, and nothing that a target sent becomes more than text."""

from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from conformance.report import github, html, markdown
from conformance.report.document import Document, document_of
from conformance.report.json_report import read, render
from conformance.verdict import Outcome
from tests.conformance.report.runs import RESULTS, run
from tests.conformance.rows import result

HOSTILE = "</code><script>alert(1)</script> `` ![x](http://evil.example) @everybody\n::error::pwned\n\x1b[31m ##[group] \u202e"
DOCUMENT = document_of(run((*RESULTS[2:], result("THING-01", Outcome.FAILED, message=HOSTILE))))


def test_report_comes_back_from_its_file() -> None:
    """What `report merge` reads is what a run wrote."""
    assert DOCUMENT == read(render(DOCUMENT), "report.json")


def test_markdown_tells_what_is_red_first() -> None:
    """A reviewer reads the top of a comment."""
    lines = [line for line in markdown.render(DOCUMENT).splitlines() if line.startswith("- ")]

    assert [line[:3] for line in lines] == sorted((line[:3] for line in lines), reverse=False)
    assert "**error** THING-03" in lines[0]


def test_markdown_is_cut_below_the_limit() -> None:
    """GitHub refuses a comment that is too long; what is left out is counted."""
    many = replace_rows(2000)

    text = markdown.render(many)

    assert len(text) < 65_536
    assert "more do not fit here" in text


def test_hostile_text_stays_text_in_markdown() -> None:
    """Neither markup nor an image nor a link comes of it."""
    page = MarkdownIt("commonmark").render(markdown.render(DOCUMENT))

    assert [] == [tag for tag in ("<script", "<img", "<a ") if tag in page]


def test_hostile_text_stays_text_in_html() -> None:
    """And the page's own policy would stop what got through."""
    page = html.render(DOCUMENT)

    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "default-src 'none'" in page
    assert "\x1b" not in page


def test_hostile_text_is_no_workflow_command() -> None:
    """Each line is a command of ours, and nothing in it is one of theirs."""
    lines = list(github.render(DOCUMENT))

    assert [] == [line for line in lines if not line.startswith(("::error ", "::warning ", "::notice "))]
    assert [] == [line for line in lines if line.count("::") > 2 or "\x1b" in line or "##[" in line]


@pytest.mark.parametrize("name", ["THING-03", "THING-02", "SCREEN-02"])
def test_every_format_names_what_is_not_green(name: str) -> None:
    """An annotation, a comment and a page that say different things would be three reports."""
    texts = [markdown.render(DOCUMENT), html.render(DOCUMENT), "\n".join(github.render(DOCUMENT))]

    assert [True] * 3 == [name in text for text in texts]


def replace_rows(number: int) -> Document:
    """The document with as many failed rows."""
    row = next(row for row in DOCUMENT.requirements if row.id == "THING-02")
    return DOCUMENT.model_copy(update={"requirements": (row,) * number})


def test_strict_run_shows_warnings_as_red() -> None:
    """What counts as a failure must look like one."""
    finished = run()
    strict = replace(finished, verdict=replace(finished.verdict, strict=True))

    warned = [row.red for row in document_of(strict).requirements if row.verdict == "warned"]

    assert [True] == warned
