"""`dualplane run`: grade a target."""

import datetime
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn

import click

from conformance.baseline import write_baseline
from conformance.case_index import CASES
from conformance.catalogue import load_catalogue
from conformance.commands.options import (
    allow_remote_option,
    allow_writes_option,
    model_options,
    workers_option,
)
from conformance.commands.outputs import (
    DOCUMENT_RENDERERS,
    Renderer,
    joined,
    parse_write,
    write,
    write_option,
)
from conformance.report.document import document_of
from conformance.report.junit import to_junit
from conformance.report.progress import Progress
from conformance.report.terminal import render
from conformance.run import Options, Run, execute, seen_through, select
from conformance.safety import announce
from conformance.target import Target


def of_document(renderer: Renderer) -> Callable[[Run], str]:
    """A renderer of documents, as one of runs."""
    return lambda result: renderer(document_of(result))


NEW_ENTRY = "Not looked into yet."
RENDERERS: Mapping[str, Callable[[Run], str]] = {
    **{name: of_document(renderer) for name, renderer in DOCUMENT_RENDERERS.items()},
    "terminal": joined(lambda result: (click.unstyle(line) for line in render(result, load_catalogue()))),
    "junit": lambda result: to_junit(result, load_catalogue()),
}


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
@click.option(
    "--examples",
    type=click.IntRange(1),
    default=300,
    show_default=True,
    help="How many made-up values a property is tried on.",
)
@click.option("--strict", is_flag=True, help="Warnings count as failures.")
@click.option("--json", "json_file", metavar="FILE", help="Write the report as JSON; `-` is standard output.")
@click.option(
    "--junit", "junit_file", metavar="FILE", help="Write the report as JUnit XML; `-` is standard output."
)
@write_option(RENDERERS)
@click.option("--shard", default="", metavar="N/OF", help="Run one part of several, 2/5 for instance.")
@click.option("--baseline", default="", metavar="FILE", help="TOML file of what is known not to hold.")
@click.option(
    "--write-baseline",
    "baseline_file",
    metavar="FILE",
    help="Write a baseline of everything that is red; reasons of --baseline are kept.",
)
@click.option(
    "--policy-ref",
    default="",
    metavar="REF",
    help="Take target file and baseline from this git ref, so that a change can't loosen its own gate.",
)
@click.option(
    "--today",
    type=click.DateTime(["%Y-%m-%d"]),
    help="The day that the baseline is judged on; by default the present one.",
)
@allow_remote_option
@allow_writes_option
@model_options
@click.option(
    "--model-url", default="", help="Its address as the target sees it, from a container for instance."
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
    *,
    json_file: str | None,
    junit_file: str | None,
    writes: tuple[str, ...],
    baseline_file: str | None,
    today: datetime.datetime | None,
    list_only: bool,
    cases: Path,
    **options: object,
) -> NoReturn:
    """Grade a target and print a verdict for each requirement."""
    chosen = Options(**options)  # type: ignore[arg-type]
    if list_only:
        _list(chosen)
    wanted = [("json", json_file), ("junit", junit_file)]
    texts = [f"{name}={file}" for name, file in wanted if file] + list(writes)
    outputs = [parse_write(text, RENDERERS) for text in texts]
    with Progress(sys.stderr) as progress:
        result = execute(
            chosen,
            progress.case_done,
            cases,
            today=today.date() if today else None,
            announce=lambda target: _announce(target, chosen),
        )
    to_stdout = any(file == "-" for _, file in outputs)
    for line in render(result, load_catalogue()):
        click.echo(line, err=to_stdout)
    for renderer, file in outputs:
        write(file, renderer(result))
    if baseline_file:
        text = write_baseline(result.verdict, result.served or (), result.baseline, NEW_ENTRY)
        write(baseline_file, text)
    sys.exit(result.exit_code)


def _announce(target: Target, options: Options) -> None:
    """Say what is going to be written; of an application that ships with the suite nobody needs to be told."""
    if target.folder is not None or target.connect is not None:
        for line in announce(target):
            click.echo(line, err=True)
    if target.connect is not None:
        port = options.model_port or "a free port; --model-port gives it one that the target can be told"
        click.echo(
            f"  its model must be the fake one, which listens on {options.model_host}, port {port}", err=True
        )


def _list(options: Options) -> NoReturn:
    catalogue = load_catalogue()
    chosen = select(catalogue, options.filters)
    for requirement_id in seen_through(catalogue, chosen, options.tab, all_of_it=not options.filters):
        requirement = catalogue[requirement_id]
        click.echo(
            f"{requirement.id:<16}{requirement.level:<8}{requirement.profile:<18}{requirement.sentence}"
        )
    sys.exit(0)
