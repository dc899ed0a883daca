"""The `dualplane` command."""

import os
import sys
from pathlib import Path
from typing import NoReturn

import click

from conformance.catalogue import load_catalogue
from conformance.errors import ConformanceError
from conformance.report.json_report import to_json
from conformance.report.junit import to_junit
from conformance.report.progress import Progress
from conformance.report.terminal import render
from conformance.run import CASES, Options, execute, select

EPILOG = "Exit codes: 0 green; 1 a claimed MUST failed or is untested; 2 the run could not start, erred, or graded nothing."


class _Command(click.Group):
    """A group whose commands turn the suite's own errors into one line on standard error and exit code 2."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except ConformanceError as error:
            click.echo(f"dualplane: {error}", err=True)
            ctx.exit(2)


@click.group(cls=_Command, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.version_option(package_name="dualplane")
def main() -> None:
    """Show whether an application conforms to the dual-plane agent stack.

    A scripted fake model takes the language model's place; HTTP, frames, approvals, the database and the tab are real.
    Without options, `dualplane run` grades the reference app that ships with the suite.

    \b
    dualplane run                              grade the bundled reference app
    dualplane run --target my-app.toml         grade yours
    dualplane run --filter approvals -n 1      one area, one worker
    dualplane explain APPROVAL-04              what a requirement means and where it comes from
    """  # noqa: D301 - click reads the backspace as "keep these lines"


def _workers(_: click.Context, __: click.Parameter, value: str) -> int:
    if value == "auto":
        return min(os.cpu_count() or 1, 8)
    if value.isdecimal():
        return int(value)
    raise click.BadParameter("must be a number or `auto`")


@main.command()
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
@click.option(
    "-n",
    "workers",
    default="auto",
    show_default=True,
    callback=_workers,
    help="Workers; each starts a target.",
)
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


@main.command()
@click.argument("requirement_id")
def explain(requirement_id: str) -> None:
    """Say what a requirement means, where it comes from and which cases show it."""
    from conformance.explain import explain_requirement  # noqa: PLC0415 - collects the cases, which takes a moment

    click.echo(explain_requirement(requirement_id))


if __name__ == "__main__":
    main()
