"""The excerpt of a run that the README shows: rendered from the catalogue, so that neither a sentence nor a count rots.

`python -m tests.readme_excerpt` writes it anew.
"""

import click

from conformance.catalogue import load_catalogue
from conformance.report.terminal import render
from conformance.run import Options, Run
from conformance.target_file import load_target
from conformance.verdict import CaseResult, Outcome, grade_run
from tests.sources import ROOT

README = ROOT / "README.md"
BEGIN = "<!-- excerpt: python -m tests.readme_excerpt -->"
END = "<!-- end of excerpt -->"
SHOWN_ROWS = 6


def excerpt() -> str:
    """The first rows and the last line of a green run against the reference app."""
    catalogue, target = load_catalogue(), load_target("reference")
    asked = [row.id for row in catalogue if row.fits("process")]  # others wait for `--tab browser`
    results = [CaseResult(name, name, Outcome.PASSED) for name in asked]
    verdict = grade_run(catalogue, results, asked=asked, profiles=target.profiles, own=True)
    run = Run(Options(), target, verdict, (), len(results), 0.0, version="")
    lines = [click.unstyle(line) for line in render(run, catalogue)]
    return "\n".join(["$ dualplane run", *lines[: SHOWN_ROWS + 2], "  ...", "", lines[-1]])


def with_excerpt(text: str) -> str:
    """The README's text with the excerpt of today.

    Raises:
        ValueError: the text has no place for it.
    """
    before, _, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"the README has no block between {BEGIN} and {END}")
    return f"{before}{BEGIN}\n```text\n{excerpt()}\n```\n{END}{after}"


if __name__ == "__main__":
    README.write_text(with_excerpt(README.read_text(encoding="utf-8")), encoding="utf-8")
