"""`dualplane target`: begin a target file, and see whether one is right."""

import sys
from pathlib import Path
from typing import NoReturn

import click

from conformance.catalogue import load_catalogue
from conformance.commands.options import allow_remote_option, allow_writes_option, model_options
from conformance.commands.outputs import write
from conformance.errors import ConformanceError
from conformance.means import Means, means_of, unasked
from conformance.safety import refuse_unasked
from conformance.target import Target
from conformance.target_file import load_target

MOST_GAPS = 12


@click.group()
def target() -> None:
    """Describe an application to the suite.

    \b
    dualplane target init http://127.0.0.1:3000 -o my-app.toml   begin a file from what a running application shows
    dualplane target check my-app.toml                           what is missing for which profile
    dualplane run --target my-app.toml                           grade it
    """  # noqa: D301 - click reads the backspace as "keep these lines"


@target.command()
@click.argument("url")
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Where to write it; `-` is standard output."
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def init(*, url: str, output: str, force: bool) -> None:
    """Look at a running application, and write a commented target file to complete.

    Only harmless requests are made: reads of the usual addresses, a chat step in a version that nobody serves, and a procedure that nobody has.
    """
    from conformance.first_look import look, starting_file  # noqa: PLC0415 - only this command needs it
    from conformance.schemas import target_schema  # noqa: PLC0415 - likewise

    if output != "-" and Path(output).exists() and not force:
        raise ConformanceError(f"{output} is there already; --force writes over it")
    text = starting_file(look(url))
    write(output, text)
    if output != "-":
        write(str(Path(output).parent / "target.schema.json"), target_schema())
        click.echo(f"wrote {output} and, for your editor, target.schema.json beside it", err=True)


@target.command(
    epilog="Exit codes: 0 every claimed profile can be tested and each driver works; 1 something is missing or wrong; 2 it can't be read or started."
)
@click.argument("file")
@click.option("--offline", is_flag=True, help="Only read the file; start and ask nothing.")
@click.option(
    "--all", "everything", is_flag=True, help="Profiles that are not claimed as well, and every gap."
)
@allow_remote_option
@allow_writes_option
@model_options
def check(
    *,
    file: str,
    offline: bool,
    everything: bool,
    allow_remote: bool,
    allow_writes: bool,
    model_host: str,
    model_port: int,
) -> NoReturn:
    """Say what a target file lacks for which profile, and show one exchange of each driver."""
    described = load_target(file)
    click.echo(f"{described.name} claims {', '.join(described.profiles)}")
    complete = True
    for means in means_of(described, load_catalogue()):
        if means.claimed or everything:
            complete &= not (means.claimed and means.gaps)
            _tell(means, everything=everything)
    for text in unasked(described):
        click.echo(f"\nnot used: {text}")
    if not offline:
        refuse_unasked(described, allow_remote=allow_remote, allow_writes=allow_writes)
        complete &= _show(described, model_host, model_port)
    sys.exit(0 if complete else 1)


def _tell(means: Means, *, everything: bool) -> None:
    claim = "" if means.claimed else " (not claimed)"
    done = means.requirements - means.hindered
    click.echo(
        f"\n{means.profile.value}{claim}: {done} of {means.requirements} requirements have all they need"
    )
    shown = means.gaps if everything else means.gaps[:MOST_GAPS]
    for gap in shown:
        some = ", ".join(gap.requirements[:4]) + (" …" if len(gap.requirements) > 4 else "")
        click.echo(f"  {gap.key:<40} for {some}")
    if len(shown) < len(means.gaps):
        click.echo(f"  and {len(means.gaps) - len(shown)} more; --all shows them")


def _show(described: Target, model_host: str, model_port: int) -> bool:
    from conformance.exchanges import show_each  # noqa: PLC0415 - brings the drivers and the fake model along
    from conformance.worker import ModelPlace  # noqa: PLC0415 - likewise

    fine = True
    click.echo("\none exchange of each driver:")
    for shown in show_each(described, ModelPlace(model_host, model_port)):
        fine &= shown.outcome != "wrong"
        click.echo(f"\n{shown.driver:<10} {shown.outcome:<8} {shown.text}")
        for line in shown.lines:
            click.echo(f"    {line}")
    return fine


@target.command()
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Where to write it; `-` is standard output."
)
def schema(*, output: str) -> None:
    """Print the JSON Schema of target files, for editors."""
    from conformance.schemas import target_schema  # noqa: PLC0415 - only this command needs it

    write(output, target_schema())
