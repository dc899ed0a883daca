"""Taking the inventories of a target, and comparing what is committed with what is true now."""

import datetime
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from conformance.inventory.errors import InventoryError
from conformance.inventory.gate import FailOn
from conformance.inventory.observe import Progress, observe
from conformance.inventory.page import Page
from conformance.inventory.reading import Loaded, read_inventory
from conformance.inventory.review import Side, Terms, review
from conformance.target import Target, expand
from conformance.worker import ANYWHERE, ModelPlace

DOMAIN = "domain.json"
OFFERED = "offered.json"
_WITHIN = 60.0


@dataclass(frozen=True)
class Check:
    """What became of a check.

    Attributes:
        missing: files that should be there and are not.
        rewritten: files that say the same in other bytes.
        page: what differs in what they say.
    """

    missing: tuple[str, ...]
    rewritten: tuple[str, ...]
    page: Page

    @property
    def current(self) -> bool:
        """Whether every committed file is, to the byte, what the target gives now."""
        return not (self.missing or self.rewritten or self.page.rows)


def take(
    target: Target, progress: Progress = lambda _: None, place: ModelPlace = ANYWHERE
) -> Mapping[str, str]:
    """Return the target's inventories as texts by file name: what is offered, and the domain snapshot if it prints one.

    Raises:
        InventoryError: the target, or the command that its file names, does not do its part.
    """
    taken = {DOMAIN: _domain(target)} if target.inventory.domain else {}
    return {**taken, OFFERED: observe(target, progress, place)}


def compare(folder: Path, taken: Mapping[str, str]) -> Check:
    """Compare committed files with what was taken.

    Raises:
        FormatError: a committed file is no inventory.
    """
    committed = {name: (folder / name).read_bytes() for name in taken if (folder / name).is_file()}
    old = [read_inventory(content, str(folder / name)) for name, content in committed.items()]
    new = [_read(text, name) for name, text in taken.items() if name in committed]
    page = _page(folder, old, new) if committed else Page(str(folder), "the target", (), FailOn.ANY)
    differing = [name for name, content in committed.items() if content != taken[name].encode()]
    told = {row.kind for row in page.rows}
    kinds = {Path(one.file).name: one.inventory.kind.value for one in old}
    return Check(
        missing=tuple(name for name in taken if name not in committed),
        rewritten=tuple(name for name in differing if kinds[name] not in told),
        page=page,
    )


def _page(folder: Path, old: list[Loaded], new: list[Loaded]) -> Page:
    """No approval is asked here, so the day does not matter."""
    terms = Terms(datetime.date.min, FailOn.ANY)
    return review(Side(str(folder), old), Side("the target", new), terms)


def _read(text: str, name: str) -> Loaded:
    return read_inventory(text.encode(), name)


def _domain(target: Target) -> str:
    """Run the command that prints the domain snapshot, and make sure that it printed one."""
    command = [str(expand(part, {"python": sys.executable})) for part in target.inventory.domain]
    shown = " ".join(command)
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_WITHIN,
            cwd=target.folder,
            check=False,
        )
    except OSError as error:
        raise InventoryError(f"inventory.domain can't be run: {shown}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise InventoryError(f"inventory.domain did not end within {_WITHIN:g} s: {shown}") from None
    if done.returncode != 0:
        lines = [line for line in done.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
        last = f"; it printed last: {lines[-1]}" if lines else ""
        raise InventoryError(f"inventory.domain ended with exit code {done.returncode}: {shown}{last}")
    read_inventory(done.stdout, f"the output of {shown}")
    return done.stdout.decode("utf-8")
