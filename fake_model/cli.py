"""The commands that serve and record without a line of Python, for callers in other languages."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import click

from fake_model.errors import FakeModelError
from fake_model.findings import Finding
from fake_model.ids import Marker
from fake_model.loading import load_scripts, load_side_calls
from fake_model.model import FakeModel
from fake_model.recording.proxy import Recorder
from fake_model.script import Script


class _Command(click.Group):
    """A group whose commands turn the package's own errors into lines on standard error and exit code 2."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except FakeModelError as error:
            click.echo(str(error), err=True)
            ctx.exit(2)


_HOST = click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")


@click.group(name="model", cls=_Command)
def model() -> None:
    """A scripted model in the place of a provider: serve scripts, check them, record new ones."""


@model.command()
@click.option(
    "--scripts",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder of .yaml and .json scripts; the file name without - and _ is the run's token.",
)
@click.option(
    "--side-calls", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="File of side calls."
)
@click.option(
    "--port", default=9099, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 takes a free one."
)
@_HOST
@click.option(
    "--journal-limit", default=10_000, show_default=True, type=click.IntRange(1), help="Exchanges to keep."
)
@click.option(
    "--export", type=click.Path(path_type=Path, dir_okay=False), help="Write the journal here at the end."
)
@click.pass_context
def serve(
    ctx: click.Context,
    *,
    scripts: Path | None,
    side_calls: Path | None,
    port: int,
    host: str,
    journal_limit: int,
    export: Path | None,
) -> None:
    """Serve scripts until interrupted; exit 1 when something was not played as written."""
    standing = load_scripts(scripts) if scripts else ()
    canned = load_side_calls(side_calls) if side_calls else ()
    with (
        _interruption() as interrupted,
        FakeModel(
            host=host, port=port, journal_limit=journal_limit, standing=standing, side_calls=canned
        ) as served,
    ):
        click.echo(f"listening on {served.url}")
        for token, script in standing:
            click.echo(f"{token:<16} {Marker(token)}  {served.url}/run/{token}/v1  {_size(script)}")
        interrupted.wait()
        if export is not None:
            served.export(export)
        findings = served.findings
    ctx.exit(_report(findings))


@model.command()
@click.argument("scripts", type=click.Path(path_type=Path, file_okay=False, exists=True))
def check(scripts: Path) -> None:
    """Read the scripts of a folder, and say what is wrong with them."""
    for token, script in load_scripts(scripts):
        click.echo(f"{token:<16} {_size(script)}")


@model.command()
@click.option("--upstream", required=True, help="The provider's address, without /v1.")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder for the scripts."
)
@click.option(
    "--port", default=9099, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 takes a free one."
)
@_HOST
def record(upstream: str, out: Path, port: int, host: str) -> None:
    """Pass requests on to a provider until interrupted, and write a script of each conversation."""
    with _interruption() as interrupted, Recorder(upstream, out, host=host, port=port) as recorder:
        click.echo(f"listening on {recorder.url}, recording {upstream} into {out}")
        interrupted.wait()


@contextlib.contextmanager
def _interruption() -> Iterator[threading.Event]:
    """Give an event that SIGINT and SIGTERM set, and put the old handlers back afterwards."""
    interrupted = threading.Event()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, lambda *_: interrupted.set())
    try:
        yield interrupted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _size(script: Script) -> str:
    return f"{len(script.turns)} turn(s) {script.name}".rstrip()


def _report(findings: tuple[Finding, ...]) -> int:
    """Print findings, and return the exit code."""
    for finding in findings:
        click.echo(str(finding), err=True)
    return 1 if findings else 0
