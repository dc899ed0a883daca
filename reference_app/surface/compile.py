"""Compile the contracts that ship with the app into the view inventory.

``python -m reference_app.surface.compile`` writes ``inventories/view.json``, ``--check`` says whether it is current,
``--output -`` prints it.
"""

import argparse
import difflib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from reference_app.surface.contract_files import contract_folder, read_contracts
from reference_app.surface.errors import DefinitionError
from reference_app.surface.json_value import Json
from reference_app.surface.manifest import CompiledManifest, Declaration, compile_manifest

DEFAULT_OUTPUT = Path("inventories/view.json")
ORIGIN = "reference_app/surface/contracts"


def declarations(*parts: str) -> tuple[Declaration, ...]:
    """The declarations in the contract folder, or in a folder inside it; origins are paths from the project's root."""
    origin = "/".join((ORIGIN, *parts))
    return tuple(
        Declaration(f"{origin}/{name}", contract)
        for name, contract in read_contracts(contract_folder(*parts)).items()
    )


def render(manifest: CompiledManifest) -> str:
    """The bytes of the inventory file: keys sorted, two spaces, a newline at the end, nothing escaped needlessly."""
    body: dict[str, Json] = manifest.to_json()
    return json.dumps(body, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write, check or print the inventory; 0 when it is well, 1 when it is not current, 2 when a contract is wrong."""
    parser = argparse.ArgumentParser(prog="python -m reference_app.surface.compile", description=__doc__)
    parser.add_argument("--output", default=str(DEFAULT_OUTPUT), help="the file, or - for standard output")
    parser.add_argument("--check", action="store_true", help="write nothing; say whether the file is current")
    options = parser.parse_args(arguments)
    try:
        text = render(compile_manifest(declarations()))
    except DefinitionError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if options.output == "-":
        sys.stdout.write(text)
        return 0
    path = Path(options.output)
    if options.check:
        return _check(path, text)
    path.write_text(text, encoding="utf-8")
    return 0


def _check(path: Path, text: str) -> int:
    committed = path.read_text("utf-8") if path.exists() else ""
    if committed == text:
        return 0
    difference = difflib.unified_diff(
        committed.splitlines(), text.splitlines(), str(path), "the contracts", lineterm="", n=1
    )
    sys.stderr.write(
        "\n".join(difference) + f"\n{path} is not current: run python -m reference_app.surface.compile\n"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
