"""`dualplane selftest`: the kill pass."""

import sys

import click

from conformance.catalogue import load_catalogue
from conformance.commands.options import workers_option
from conformance.consequences import load_consequences
from conformance.errors import ConformanceError
from conformance.run import select
from conformance.selftest import Kill, faults_of, kill_pass, sample, unguarded
from conformance.target_file import load_target


@click.command()
@click.option(
    "--target", "-t", default="reference", show_default=True, help="A target that has deliberate faults."
)
@click.option("--fault", "only", multiple=True, help="Only this fault; repeatable.")
@click.option(
    "--filter",
    "filters",
    multiple=True,
    help="Only faults that these requirements name: ids, areas or profiles; repeatable.",
)
@click.option(
    "--tab",
    type=click.Choice(["process", "browser"]),
    default="process",
    show_default=True,
    help="Kind of tab; `browser` tries the faults of the page.",
)
@click.option(
    "--soak",
    is_flag=True,
    help="Run everything that could notice it against each fault, for unexpected kills.",
)
@click.option(
    "--part", type=click.IntRange(1), default=1, help="Try one PART-th of the faults, chosen by the seed."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Chooses the faults of --part.")
@workers_option("Processes that run cases.")
def selftest(
    *,
    target: str,
    only: tuple[str, ...],
    filters: tuple[str, ...],
    tab: str,
    soak: bool,
    part: int,
    seed: int,
    workers: int,
) -> None:
    """Show that every case can fail: start the target with each deliberate fault and see what turns red."""
    whole = load_catalogue()
    catalogue, wanted = whole.of(load_target(target).profiles), select(whole, filters)
    known = faults_of(catalogue, only, tab, load_consequences())
    faults = tuple(fault for fault in known if any(name in wanted for name in fault.declared))
    if unknown := sorted(set(only) - {fault.name for fault in faults}):
        raise ConformanceError(f"no requirement names the fault {unknown[0]!r}")
    if part > 1:
        faults = sample(faults, part, seed)

    def watch(kill: Kill) -> None:
        click.echo(kill.line)

    kills = kill_pass(
        faults, target=target, workers=workers, soak=catalogue if soak else None, tab=tab, watcher=watch
    )
    for requirement_id in unguarded(catalogue):
        click.echo(f"unguarded {requirement_id}: no fault shows that its cases can fail")
    clean = sum(kill.clean for kill in kills)
    survivors = sum(bool(kill.survived) for kill in kills)
    unexpected = sum(bool(kill.unexpected) for kill in kills)
    errors = sum(bool(kill.problem) for kill in kills)
    click.echo(f"{clean} killed, {survivors} survived, {unexpected} with unexpected kills, {errors} errors")
    sys.exit(2 if errors else int(clean < len(kills) or bool(unguarded(catalogue))))
