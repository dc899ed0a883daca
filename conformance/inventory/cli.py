"""The `dualplane inventory` commands."""

import datetime
import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from conformance.commands.options import allow_remote_option, model_options
from conformance.inventory.approvals import Approvals, read_approvals
from conformance.inventory.errors import InventoryError
from conformance.inventory.gate import FailOn
from conformance.inventory.page import Page
from conformance.inventory.plain import shown
from conformance.inventory.render import github, html, json_report, junit, markdown, sarif, terminal
from conformance.inventory.review import Side, Terms, review
from conformance.inventory.rules import RULES
from conformance.inventory.source import fetch, load
from conformance.repository import at_ref

if TYPE_CHECKING:  # comparing files needs no target
    from conformance.target import Target

EPILOG = "Exit codes: 0 passes; 1 a change fails; 2 the comparison could not be made."


def _joined(lines: Callable[[Page], Iterator[str]]) -> Callable[[Page], str]:
    return lambda page: "".join(f"{line}\n" for line in lines(page))


RENDERERS: dict[str, Callable[[Page], str]] = {
    "terminal": _joined(terminal.render),
    "markdown": markdown.render,
    "github": _joined(github.render),
    "sarif": sarif.render,
    "junit": junit.render,
    "json": json_report.render,
    "html": html.render,
}


@click.group()
def inventory() -> None:
    """Review what an agent may do, like an API.

    An inventory lists capabilities with everything that decides what a model can do with them: schemas, effects, gates,
    audiences, and the words that it reads. Commit it, and review each change.

    \b
    dualplane inventory diff git:origin/main:inventories inventories
    dualplane inventory observe --target my-app.toml -o inventories/offered.json
    dualplane inventory check --target my-app.toml
    """  # noqa: D301 - click reads the backspace as "keep these lines"


@inventory.command(epilog=EPILOG)
@click.argument("old")
@click.argument("new")
@click.option(
    "--format",
    "form",
    type=click.Choice(sorted(RENDERERS)),
    default="terminal",
    show_default=True,
    help="What to print on standard output.",
)
@click.option(
    "--write",
    "writes",
    multiple=True,
    metavar="FORMAT=FILE",
    help="Write the same in another format as well; repeatable.",
)
@click.option(
    "--fail-on",
    type=click.Choice([choice.value for choice in FailOn]),
    default=FailOn.WIDENING.value,
    show_default=True,
    help="Which changes end with exit code 1; `widening` includes breaches.",
)
@click.option(
    "--approvals",
    metavar="FILE",
    help="TOML file of approved changes, or git:REF:PATH so that a change can't approve itself.",
)
@click.option(
    "--policy-ref",
    metavar="REF",
    help="Take the approvals file from this git ref, so that a change can't approve itself.",
)
@click.option("--compat", is_flag=True, help="Classify as the public tools do: looser, to compare with.")
@click.option("--first", is_flag=True, help="A first review: an OLD that is not there counts as empty.")
@click.option(
    "--today",
    type=click.DateTime(["%Y-%m-%d"]),
    help="The day that approvals are judged on; by default the present one.",
)
def diff(
    *,
    old: str,
    new: str,
    form: str,
    writes: tuple[str, ...],
    fail_on: str,
    approvals: str | None,
    policy_ref: str | None,
    compat: bool,
    first: bool,
    today: datetime.datetime | None,
) -> NoReturn:
    """Classify every change between two inventories.

    OLD and NEW are each a file, a folder of inventories, or either at a git ref (git:REF:PATH). Formats are recognised:
    offered capabilities (ours), domain snapshots version 1 and 2, surface contracts format 5, whose hashes are verified.

    \b
    breach       an invariant is broken: two paths to one operation, or a binding of a gated one
    widening     an agent may do more, or is guarded less; also whatever can't be read
    prompt text  a model reads other words
    narrowing    an agent may do less, or is guarded more
    neutral      nothing changes for an agent

    To approve a change, put its fingerprint into the approvals file:

    \b
    [approved.0f1e2d3c4b5a69788796a5b4c3d2e1f0]
    reason = "Clerks need it, see the ticket."
    last_day = 2027-01-31
    """  # noqa: D301
    # nothing that a comparison builds goes round in circles; looking for that takes as long as the comparison itself
    gc.disable()
    outputs = [_output(write) for write in writes]
    terms = Terms(
        today=today.date() if today else datetime.date.today(),
        fail_on=FailOn(fail_on),
        approvals=_approvals(approvals, policy_ref),
        compat=compat,
    )
    page = review(Side(old, load(old, may_be_missing=first)), Side(new, load(new)), terms)
    for renderer, file in outputs:
        _write(file, renderer(page))
    click.echo(RENDERERS[form](page), nl=False)
    sys.exit(page.exit_code)


def _approvals(reference: str | None, policy_ref: str | None) -> Approvals:
    if reference is None:
        return Approvals()
    if policy_ref and not reference.startswith("git:"):
        reference = at_ref(policy_ref, Path(reference))
    content = fetch(reference)
    return read_approvals(content.data, content.file)


def _output(text: str) -> tuple[Callable[[Page], str], str]:
    name, equals, file = text.partition("=")
    if name not in RENDERERS or not equals or not file:
        raise click.BadParameter(
            f"expected FORMAT=FILE with FORMAT one of {', '.join(sorted(RENDERERS))}, not {text!r}",
            param_hint="--write",
        )
    return RENDERERS[name], file


def _write(file: str, text: str) -> None:
    try:
        Path(file).write_text(click.unstyle(text), encoding="utf-8")
    except OSError as error:
        raise InventoryError(f"{file} can't be written: {error.strerror}") from None


TARGET = click.option(
    "--target",
    "-t",
    default="reference",
    show_default=True,
    help="Target file, or the name of a bundled one.",
)
TO = click.option(
    "--to", "folder", default="inventories", show_default=True, help="Folder of the committed inventories."
)


@inventory.command()
@TARGET
@click.option(
    "-o", "--output", metavar="FILE", default="-", help="Where to write it; `-` is standard output."
)
@allow_remote_option
@model_options
def observe(*, target: str, output: str, allow_remote: bool, model_host: str, model_port: int) -> None:
    """Write down what each identity is offered on each route, as it is seen at the model.

    The target is started as for a run (or connected to), each identity of its file signs in, and on each route the model is
    asked once: through the target's own tab, in meta mode through its discovery too, or without a tab where the file has none.
    Nothing is written to the target.

    \b
    [inventory]                      # in the target file; every key is optional
    routes = ["main", "clients"]     # look at these routes only
    leave_out = ["domain:test-*"]    # what exists only for tests
    """  # noqa: D301
    from conformance.inventory.observe import observe as look  # noqa: PLC0415 - brings the drivers and the fake model along
    from conformance.worker import ModelPlace  # noqa: PLC0415 - likewise

    text = look(_to_look_at(target, allow_remote=allow_remote), _progress, ModelPlace(model_host, model_port))
    if output == "-":
        click.echo(text, nl=False)
    else:
        _write(output, text)


@inventory.command()
@TARGET
@TO
@allow_remote_option
@model_options
def snapshot(*, target: str, folder: str, allow_remote: bool, model_host: str, model_port: int) -> None:
    """Write the inventories of a target into a folder, to be committed.

    offered.json says what each identity is offered on each route; domain.json is what the command `inventory.domain` of
    the target file prints, where it names one.
    """
    from conformance.inventory.snapshot import take  # noqa: PLC0415 - see observe
    from conformance.worker import ModelPlace  # noqa: PLC0415 - see observe

    described = _to_look_at(target, allow_remote=allow_remote)
    for name, text in take(described, _progress, ModelPlace(model_host, model_port)).items():
        Path(folder).mkdir(parents=True, exist_ok=True)
        _write(str(Path(folder) / name), text)
        click.echo(f"wrote {Path(folder) / name}", err=True)


@inventory.command(epilog="Exit codes: 0 current; 1 something differs; 2 the target could not be observed.")
@TARGET
@TO
@allow_remote_option
@model_options
def check(*, target: str, folder: str, allow_remote: bool, model_host: str, model_port: int) -> NoReturn:
    """Fail when a committed inventory is not what the target gives now, and print what differs."""
    from conformance.inventory.snapshot import compare, take  # noqa: PLC0415 - see observe
    from conformance.worker import ModelPlace  # noqa: PLC0415 - see observe

    described = _to_look_at(target, allow_remote=allow_remote)
    outcome = compare(Path(folder), take(described, _progress, ModelPlace(model_host, model_port)))
    for name in outcome.missing:
        click.echo(f"{name} is not in {folder}")
    for name in outcome.rewritten:
        click.echo(f"{name} says the same as the target, in other bytes")
    if outcome.page.rows:
        click.echo(RENDERERS["terminal"](outcome.page), nl=False)
    if not outcome.current:
        click.echo(
            f"run `dualplane inventory snapshot --target {target} --to {folder}` and review what it writes"
        )
        sys.exit(1)
    click.echo(f"the inventories in {folder} are current")
    sys.exit(0)


def _to_look_at(file: str, *, allow_remote: bool) -> "Target":
    """Read a target file, and refuse one that may not be looked at; nothing is written, so that it needs no leave for that."""
    from conformance.safety import refuse_unasked  # noqa: PLC0415 - not needed to compare files
    from conformance.target_file import load_target  # noqa: PLC0415 - likewise

    described = load_target(file)
    refuse_unasked(described, allow_remote=allow_remote, allow_writes=True)
    return described


def _progress(place: str) -> None:
    click.echo(f"looking over the shoulder of {shown(place)}", err=True)


@inventory.command()
def rules() -> None:
    """List the table by which changes are classified: id, direction, mirror, reason."""
    for rule in RULES.values():
        click.echo(f"{rule.id:<26}{rule.direction.value:<13}{rule.mirror:<26}{rule.reason}")
