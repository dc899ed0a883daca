"""`dualplane run`: grade a target."""

import sys
from pathlib import Path
from typing import NoReturn

import click

from conformance.case_index import CASES
from conformance.catalogue import load_catalogue
from conformance.commands.options import workers_option
from conformance.errors import ConformanceError
from conformance.report.json_report import to_json
from conformance.report.junit import to_junit
from conformance.report.progress import Progress
from conformance.report.terminal import render
from conformance.run import Options, execute, select


@click.command()
@click.option(
    "--target",
    "-t",
    default="reference",
    show_default=True,
    help="Target file, or the name of a bundled one.",
)
@click.option(
    "--filter",
    "-f",
    "filters",
    multiple=True,
    help="Requirement id (`*` allowed), area or profile; repeatable.",
)
@click.option("--case", default="", help="Only cases whose name contains this.")
@workers_option("Workers; each starts a target.")
@click.option(
    "--tab",
    type=click.Choice(["process", "browser"]),
    default="process",
    show_default=True,
    help="Kind of tab.",
)
@click.option(
    "--provider",
    default="",
    help="Wire format between target and model, where the target file names several.",
)
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="0 keeps catalogue order; others shuffle the cases.",
)
@click.option("--strict", is_flag=True, help="Warnings count as failures.")
@click.option("--json", "json_file", metavar="FILE", help="Write the report as JSON; `-` is standard output.")
@click.option(
    "--junit", "junit_file", metavar="FILE", help="Write the report as JUnit XML; `-` is standard output."
)
@click.option(
    "--report-dir", default="dualplane-report", show_default=True, help="Transcripts of what is not green."
)
@click.option(
    "--fault",
    "faults",
    multiple=True,
    help="Start the target with a deliberate fault (the reference app has many).",
)
@click.option("--tab-fault", "tab_faults", multiple=True, help="Start its tab with a deliberate fault.")
@click.option(
    "--list", "list_only", is_flag=True, help="List the requirements that would be graded, and stop."
)
@click.option("--cases", type=click.Path(path_type=Path), default=CASES, hidden=True, help="Other cases.")
def run(
    json_file: str | None, junit_file: str | None, list_only: bool, cases: Path, **options: object
) -> NoReturn:
    """Grade a target and print a verdict for each requirement."""
    chosen = Options(**options)  # type: ignore[arg-type]
    if list_only:
        _list(chosen)
    to_stdout = "-" in (json_file, junit_file)
    with Progress(sys.stderr) as progress:
        result = execute(chosen, progress.case_done, cases)
    for line in render(result, load_catalogue()):
        click.echo(line, err=to_stdout)
    _write(json_file, to_json(result))
    _write(junit_file, to_junit(result, load_catalogue()))
    sys.exit(result.exit_code)


def _list(options: Options) -> NoReturn:
    catalogue = load_catalogue()
    for requirement_id in select(catalogue, options.filters):
        requirement = catalogue[requirement_id]
        click.echo(
            f"{requirement.id:<14}{requirement.level:<8}{requirement.profile:<18}{requirement.sentence}"
        )
    sys.exit(0)


def _write(file: str | None, text: str) -> None:
    if file == "-":
        click.echo(text, nl=False)
    elif file:
        try:
            Path(file).write_text(text, encoding="utf-8")
        except OSError as error:
            raise ConformanceError(f"{file} can't be written: {error.strerror}") from None
