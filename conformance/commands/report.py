"""`dualplane report`: what can be done with reports afterwards."""

import sys
from pathlib import Path
from typing import NoReturn

import click

from conformance.catalogue import load_catalogue
from conformance.commands.outputs import DOCUMENT_RENDERERS, parse_write, write, write_option
from conformance.errors import ConformanceError
from conformance.merge import Piece, merge
from conformance.report.json_report import read


@click.group()
def report() -> None:
    """Put the shards of a run together, or render a report in another format."""


@report.command(
    name="merge", epilog="Exit codes: as of the whole run; 2 when the reports are not the shards of one."
)
@click.argument("files", nargs=-1, required=True, metavar="REPORT...")
@write_option(DOCUMENT_RENDERERS)
def merge_(*, files: tuple[str, ...], writes: tuple[str, ...]) -> NoReturn:
    """Put the JSON reports of all shards together into the report of one run.

    Fails when a shard is missing, is there twice, or is of another suite version, target, seed or option. A single whole
    report is rendered as it is.
    """
    outputs = [parse_write(text, DOCUMENT_RENDERERS) for text in writes]
    whole = merge([Piece(file, read(_text(file), file)) for file in files], load_catalogue())
    for renderer, file in outputs:
        write(file, renderer(whole))
    to_stdout = any(file == "-" for _, file in outputs)
    for text in (*whole.problems, *whole.findings):
        click.echo(f"error  {text}", err=to_stdout)
    for row in whole.requirements:
        if row.red:
            click.echo(f"{row.verdict:>8}  {row.id:<12}{row.sentence}", err=to_stdout)
    click.echo(whole.last_line, err=to_stdout)
    sys.exit(whole.exit_code)


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConformanceError(f"{file}: can't be read: {error}") from None
