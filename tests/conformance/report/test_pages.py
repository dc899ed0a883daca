"""The generated pages: what they show, and that the ones in the tree are of today."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.case_index import Case
from conformance.catalogue import build_catalogue, parse_area
from conformance.cli import main
from conformance.commands.docs import pages
from conformance.coverage import parse_coverage
from conformance.report.pages import catalogue_page, coverage_page
from tests.sources import ROOT

CATALOGUE = build_catalogue(
    [
        parse_area(
            """
area = "things"
title = "Things | and others"

[[requirement]]
id = "THING-01"
level = "MUST"
profile = "domain"
sentence = "A thing is a thing, whatever it is called."
source = "Architecture, The transport"
faults = ["thing-is-none"]
""",
            "things.toml",
        )
    ]
)
COVERAGE = parse_coverage(
    """
[[statement]]
source = "Architecture, The transport"
says = "Things are things."
requirements = ["THING-01"]

[[statement]]
source = "Architecture, The transport"
says = "Things have an inside."
unseen = "Nobody looks inside."
"""
)


def test_catalogue_page_has_a_row_for_each_requirement() -> None:
    """Id, level, profile, sentence, source, cases and faults stand side by side."""
    page = catalogue_page(CATALOGUE, [Case("test_things.py", "test_thing", "THING-01", "Because.")])

    assert (
        "| THING-01 | MUST | domain | A thing is a thing, whatever it is called. | Architecture, The transport "
        "| `test_things.py::test_thing` | `thing-is-none` |"
    ) in page.splitlines()


def test_coverage_page_shows_requirements_or_the_reason() -> None:
    """A statement that nothing shows says why."""
    lines = coverage_page(COVERAGE, CATALOGUE).splitlines()

    assert "| Things are things. | THING-01: A thing is a thing, whatever it is called. |" in lines
    assert "| Things have an inside. | *Nobody looks inside.* |" in lines


def test_a_bar_does_not_end_a_cell() -> None:
    """Markdown would take it for the next column."""
    row = CATALOGUE["THING-01"].model_copy(update={"sentence": "This | that, as it may be."})
    area = CATALOGUE.areas[0]
    page = catalogue_page(build_catalogue([type(area)(area.name, area.title, (row,))]), [])

    assert "This \\| that, as it may be." in page


@pytest.mark.parametrize("name", ["catalogue.md", "coverage.md"])
def test_the_pages_in_the_tree_are_of_today(name: str) -> None:
    """`dualplane docs` writes them anew."""
    assert pages()[name] == (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_docs_writes_what_check_misses(tmp_path: Path) -> None:
    """The check fails before, names the page, and passes after."""
    run = CliRunner()
    before = run.invoke(main, ["docs", "--check", "--folder", str(tmp_path)])
    written = run.invoke(main, ["docs", "--folder", str(tmp_path)])
    after = run.invoke(main, ["docs", "--check", "--folder", str(tmp_path)])

    assert (1, 0, 0) == (before.exit_code, written.exit_code, after.exit_code)
    assert "catalogue.md is not of today" in before.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["catalogue.md", "coverage.md"]


def test_docs_says_where_it_can_not_write(tmp_path: Path) -> None:
    """A folder that is not there is a sentence and exit code 2."""
    outcome = CliRunner().invoke(main, ["docs", "--folder", str(tmp_path / "nowhere")])

    assert outcome.exit_code == 2
    assert "can't be written" in outcome.output
