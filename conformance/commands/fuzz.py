"""`dualplane fuzz`: send what nobody foresaw."""

import importlib.util
import sys
from pathlib import Path
from typing import NoReturn

import click

from conformance.commands.options import allow_remote_option, allow_writes_option, model_options
from conformance.errors import ConformanceError
from conformance.safety import refuse_unasked
from conformance.target import Target
from conformance.target_file import load_target

LEAST_CASES = 300


@click.command()
@click.option(
    "--target", "-t", default="", help="Target file, or the name of a bundled one.  [default: reference]"
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed sends the same requests.")
@click.option(
    "--cases",
    type=click.IntRange(LEAST_CASES),
    default=600,
    show_default=True,
    help="How many cases are generated, over all identities.",
)
@click.option(
    "--as", "identities", multiple=True, help="An identity of the target file, or `nobody`; repeatable."
)
@click.option(
    "--replay", type=click.Path(path_type=Path), help="Send what a finding's file holds, and nothing else."
)
@click.option(
    "--report-dir",
    type=click.Path(path_type=Path),
    default=Path("dualplane-report/fuzz"),
    show_default=True,
    help="Where findings are written.",
)
@allow_remote_option
@allow_writes_option
@model_options
def fuzz(
    *,
    target: str,
    seed: int,
    cases: int,
    identities: tuple[str, ...],
    replay: Path | None,
    report_dir: Path,
    allow_remote: bool,
    allow_writes: bool,
    model_host: str,
    model_port: int,
) -> NoReturn:
    """Send generated requests to a target as each of its identities, and check every answer.

    Every procedure that the target publishes is called, with whatever fits and with what does not.

    A finding is made as small as it goes and written as a file that `--replay` sends again. Exit codes: 0 without findings, 1
    with findings, 2 when the run could not start or the target did not live to its end.
    """
    _require_extra()
    from conformance.fuzz import command  # noqa: PLC0415 - needs the optional extra
    from conformance.worker import ModelPlace  # noqa: PLC0415 - brings the drivers and the fake model along

    def permit(asked: Target) -> None:
        refuse_unasked(asked, allow_remote=allow_remote, allow_writes=allow_writes)

    place = ModelPlace(model_host, model_port)
    if replay is not None:
        sys.exit(command.replay(replay, target, click.echo, permit, place))
    loaded = load_target(target or "reference")
    permit(loaded)
    sys.exit(
        command.fuzz(
            loaded,
            target or "reference",
            identities,
            cases=cases,
            seed=seed,
            folder=report_dir,
            echo=click.echo,
            place=place,
        )
    )


def _require_extra() -> None:
    if importlib.util.find_spec("schemathesis") is None:
        raise ConformanceError(
            "fuzzing needs schemathesis, which is not installed here; install it with: pip install 'dualplane[fuzz]'"
        )
