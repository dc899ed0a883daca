"""`dualplane report`: what can be done with reports afterwards."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

from conformance.catalogue import load_catalogue
from conformance.commands.outputs import DOCUMENT_RENDERERS, parse_write, write, write_option
from conformance.errors import ConformanceError
from conformance.inventory.plain import shown
from conformance.merge import Piece, merge
from conformance.report.document import Document
from conformance.report.json_report import read


@click.group()
def report() -> None:
    """Put the shards of a run together, or render a report in another format.

    \b
    dualplane report merge shard-*.json --write markdown=report.md
    dualplane report render report.json --write html=report.html --write junit=report.xml
    """  # noqa: D301 - click reads the backspace as "keep these lines"


@report.command(
    name="merge", epilog="Exit codes: as of the whole run; 2 when the reports are not the shards of one."
)
@click.argument("files", nargs=-1, required=True, metavar="REPORT...")
@write_option(DOCUMENT_RENDERERS)
def merge_(*, files: tuple[str, ...], writes: tuple[str, ...]) -> NoReturn:
    """Put the JSON reports of all shards together into the report of one run.

    Fails when a shard is missing, is there twice, or is of another suite version, target, seed or option.
    """
    whole = merge([Piece(file, _read(file)) for file in files], load_catalogue())
    _tell(whole, writes)
    sys.exit(whole.exit_code)


@report.command(epilog="Exit codes: 0 it was rendered, whatever it says; 2 it can't be read or written.")
@click.argument("file", metavar="REPORT")
@write_option(DOCUMENT_RENDERERS)
def render(*, file: str, writes: tuple[str, ...]) -> None:
    """Render the JSON report of a run, or of a shard, in other formats; what is red is printed."""
    _tell(_read(file), writes)


def _tell(document: Document, writes: Sequence[str]) -> None:
    """Write what was asked for, and print what is red; beside a report on standard output, on standard error."""
    outputs = [parse_write(text, DOCUMENT_RENDERERS) for text in writes]
    for renderer, file in outputs:
        write(file, renderer(document))
    to_stdout = any(file == "-" for _, file in outputs)
    for text in (*document.problems, *document.findings):
        click.echo(f"error  {shown(text)}", err=to_stdout)
    for row in document.requirements:
        if row.red:
            click.echo(f"{row.verdict:>8}  {shown(row.id):<11} {shown(row.sentence)}", err=to_stdout)
    click.echo(document.last_line, err=to_stdout)


def _read(file: str) -> Document:
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConformanceError(f"{file}: can't be read: {error}") from None
    return read(text, file)
