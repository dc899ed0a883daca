"""``python -m reference_app.tab``: start a headless tab."""

import argparse
import asyncio
import difflib
import logging
import sys
from collections.abc import Sequence

from reference_app.surface.authority import Authority
from reference_app.surface.clock import LoopClock
from reference_app.surface.compile import declarations
from reference_app.surface.contract_files import contract_folder, read_manifest
from reference_app.surface.manifest import compile_manifest
from reference_app.tab import faults, process
from reference_app.tab.desk import Contracts
from reference_app.tab.errors import BadRequestError
from reference_app.tab.settings import parse_settings
from reference_app.tab.tab import Tab


def load_contracts(*, lab: bool = False) -> Contracts:
    """Compile the contracts that ship with the app; a page started from source stands on the same proofs."""
    declared = (*declarations(), *(declarations("lab") if lab else ()))
    return Contracts(
        Authority.mint(compile_manifest(declared)),
        {declaration.contract.component: declaration for declaration in declared},
        read_manifest(contract_folder()),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m reference_app.tab", description="A headless tab.")
    parser.add_argument("--base-url", help="the application, such as http://127.0.0.1:8000")
    parser.add_argument(
        "--mode", choices=("direct", "meta"), default="direct", help="how the surface is offered"
    )
    parser.add_argument(
        "--fault", action="append", default=[], metavar="NAME", help="build one deliberate defect in"
    )
    parser.add_argument(
        "--setting", action="append", default=[], metavar="NAME=VALUE", help="change a setting"
    )
    parser.add_argument("--list-faults", action="store_true", help="list the deliberate defects and end")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tab; 2 when the command line does not fit."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.list_faults:
        for fault in faults.CATALOGUE.values():
            sys.stdout.write(f"{fault.name}: {fault.defect}\n")
        return 0
    if options.base_url is None:
        parser.error("--base-url is needed")
    unknown = [name for name in options.fault if name not in faults.CATALOGUE]
    if unknown:
        near = difflib.get_close_matches(unknown[0], faults.CATALOGUE, 3, 0)
        parser.error(f"--fault {unknown[0]}: there is no such fault; nearest are {', '.join(near)}")
    try:
        settings = parse_settings(options.setting)
    except BadRequestError as error:
        parser.error(str(error))
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    for name in options.fault:
        faults.CATALOGUE[name].switch_on()
    tab = Tab(options.base_url, load_contracts(lab=settings.lab), settings, LoopClock(), mode=options.mode)
    asyncio.run(process.run(tab))
    return 0


if __name__ == "__main__":
    sys.exit(main())
