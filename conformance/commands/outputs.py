"""Reports in many formats: `--write FORMAT=FILE` says which, and where to."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import click

from conformance.catalogue import load_catalogue
from conformance.errors import ConformanceError
from conformance.report import github, html, json_report, junit, markdown
from conformance.report.document import Document

_T = TypeVar("_T")
Renderer = Callable[[Document], str]


def joined(lines: Callable[[_T], Iterator[str]]) -> Callable[[_T], str]:
    """A renderer that yields lines, as one that returns a text."""
    return lambda value: "".join(f"{line}\n" for line in lines(value))


DOCUMENT_RENDERERS: Mapping[str, Renderer] = {
    "json": json_report.render,
    "markdown": markdown.render,
    "html": html.render,
    "github": joined(github.render),
    "junit": lambda document: junit.render(document, load_catalogue()),
}
"""The formats that a report read from a file can be rendered in as well."""


def write_option(formats: Mapping[str, object]) -> Callable[..., Callable[..., object]]:
    """The option `--write`."""
    return click.option(
        "--write",
        "writes",
        multiple=True,
        metavar="FORMAT=FILE",
        help=f"Write a report in a format ({', '.join(sorted(formats))}); `-` is standard output; repeatable.",
    )


def parse_write(text: str, renderers: Mapping[str, Callable[[_T], str]]) -> tuple[Callable[[_T], str], str]:
    """Read one `FORMAT=FILE`."""
    name, equals, file = text.partition("=")
    if name not in renderers or not equals or not file:
        known = ", ".join(sorted(renderers))
        raise click.BadParameter(
            f"expected FORMAT=FILE with FORMAT one of {known}, not {text!r}", param_hint="--write"
        )
    return renderers[name], file


def write(file: str, text: str) -> None:
    """Write a report to a file or, for `-`, to standard output.

    Raises:
        ConformanceError: it can't be written.
    """
    if file == "-":
        click.echo(text, nl=False)
        return
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConformanceError(f"{file} can't be written: {error.strerror}") from None
