"""The command line of ``python -m reference_app``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from reference_app.errors import ReferenceAppError
from reference_app.settings import Settings, model_from_environment, parse_tunables


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Returns:
        0 when it ended as asked, 2 when it could not start.
    """
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except (ReferenceAppError, OSError) as problem:
        sys.stderr.write(f"reference_app: {problem}\n")
        return 2


def _run(options: argparse.Namespace) -> int:
    # What is only asked for is only imported then: the start should take less than a second.
    from reference_app import faults  # noqa: PLC0415

    if options.list_faults:
        sys.stdout.write("".join(f"{fault.name}: {fault.summary}\n" for fault in faults.catalogue()))
        return 0
    if options.print_inventory:
        from reference_app.assembly import build_registry  # noqa: PLC0415
        from reference_app.capabilities.policies import STANDING  # noqa: PLC0415
        from reference_app.domain.inventory import snapshot_text  # noqa: PLC0415

        sys.stdout.buffer.write(snapshot_text(build_registry(demo_controls=False), STANDING).encode("utf-8"))
        return 0
    from reference_app.serve import run  # noqa: PLC0415

    settings = _settings(options)
    with faults.installed(settings.faults):
        run(settings)
    return 0


def _settings(options: argparse.Namespace) -> Settings:
    return Settings(
        host=options.host,
        port=options.port,
        database=options.database,
        data_dir=options.data_dir,
        demo_controls=options.demo_controls,
        a2ui=options.a2ui,
        faults=tuple(options.fault),
        tunables=parse_tunables(options.setting),
        model=model_from_environment(os.environ),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m reference_app", description=__doc__, allow_abbrev=False)
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
    parser.add_argument("--port", type=int, default=0, help="the port to listen on; 0 for a free one")
    parser.add_argument(
        "--database", metavar="URL", help="a SQLAlchemy URL; an embedded SQLite file without it"
    )
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="where the embedded file lives")
    parser.add_argument("--demo-controls", action="store_true", help="serve /api/demo and the lab")
    parser.add_argument("--a2ui", action="store_true", help="offer the model cards (a2ui_present)")
    parser.add_argument(
        "--fault", action="append", default=[], metavar="NAME", help="switch on a deliberate defect"
    )
    parser.add_argument(
        "--setting", action="append", default=[], metavar="NAME=VALUE", help="change a setting"
    )
    parser.add_argument("--list-faults", action="store_true", help="print the deliberate defects and stop")
    parser.add_argument("--print-inventory", action="store_true", help="print the domain snapshot and stop")
    return parser
