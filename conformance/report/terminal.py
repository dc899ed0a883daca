"""The run for people: a verdict a line, what is not green explained, the counts last."""

import textwrap
from collections.abc import Iterator

import click

from conformance.catalogue import Catalogue
from conformance.run import Run
from conformance.verdict import CaseResult, Graded, Verdict

_COLOURS = {
    Verdict.PASSED: "green",
    Verdict.FAILED: "red",
    Verdict.WARNED: "yellow",
    Verdict.UNTESTED: "magenta",
    Verdict.NOT_CLAIMED: "bright_black",
    Verdict.ERROR: "red",
}
_WIDTH = 120
_EXPLAINED = (Verdict.ERROR, Verdict.FAILED, Verdict.WARNED, Verdict.UNTESTED)


def render(run: Run, catalogue: Catalogue) -> Iterator[str]:
    """Yield the report's lines; colours are click's, which drops them where there is no terminal.

    Of a run that could not go on, only what it reached is shown.
    """
    reached = [item for item in run.verdict.graded if item.cases or not run.problems]
    for area in catalogue.areas:
        rows = [item for item in reached if catalogue.area_of(item.requirement.id) is area]
        shown = [item for item in rows if item.verdict is not Verdict.NOT_CLAIMED]
        if shown:
            yield ""
            yield click.style(area.title, bold=True)
            yield from (_row(item) for item in shown)
    for verdict in _EXPLAINED:
        for item in reached:
            if item.verdict is verdict:
                yield from _explain(item)
    for problem in (*run.problems, *run.verdict.findings):
        yield ""
        yield click.style("error", fg="red") + f"  {problem}"
    yield ""
    yield f"{run.cases} {'case' if run.cases == 1 else 'cases'} in {run.seconds:.1f} s"
    yield run.verdict.last_line


def _row(item: Graded) -> str:
    label = click.style(f"{item.verdict.value:>8}", fg=_COLOURS[item.verdict])
    tab = f" [{item.tab}]" if item.tab else ""
    return f"{label}  {item.requirement.id:<11} {item.requirement.sentence}{tab}"


def _explain(item: Graded) -> Iterator[str]:
    yield ""
    yield click.style(f"{item.verdict.value}: {item.requirement.id}", fg=_COLOURS[item.verdict], bold=True)
    if not item.cases:
        yield f"  {item.requirement.sentence}"
        yield "  no case ran for it"
    told: dict[str, list[CaseResult]] = {}
    for case in item.cases:
        if case.message or case.detail:
            told.setdefault(case.message or case.detail, []).append(case)
    for first, *others in told.values():
        yield f"  {first.case}"
        yield textwrap.indent(first.detail or first.message, "    ")
        if others:
            names = ", ".join(other.case.rpartition("::")[2] for other in others)
            yield textwrap.indent(textwrap.fill(f"likewise: {names}", _WIDTH, break_long_words=False), "    ")
