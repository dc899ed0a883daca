"""Who may know whom: the rooms of the application import downwards only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import reference_app

ROOT = Path(reference_app.__file__).parent
MUST_NOT_KNOW = {
    "": ("conformance", "fake_model", "tests"),
    "domain": (
        "starlette",
        "fastapi",
        "uvicorn",
        "reference_app.api",
        "reference_app.host",
        "reference_app.ledger",
        "reference_app.surface",
        "reference_app.runtime",
    ),
    "capabilities": (
        "starlette",
        "fastapi",
        "reference_app.api",
        "reference_app.host",
        "reference_app.runtime",
        "reference_app.surface",
    ),
    "ledger": (
        "starlette",
        "fastapi",
        "reference_app.api",
        "reference_app.host",
        "reference_app.domain",
        "reference_app.capabilities",
    ),
    "runtime": (
        "starlette",
        "fastapi",
        "reference_app.api",
        "reference_app.host",
        "reference_app.domain",
        "reference_app.capabilities",
        "reference_app.surface",
    ),
    "host": (
        "starlette",
        "fastapi",
        "reference_app.api",
        "reference_app.ledger",
        "reference_app.capabilities",
    ),
}


def imports_of(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("room", MUST_NOT_KNOW)
def test_a_room_knows_nothing_of_the_rooms_above_it(room: str) -> None:
    """A mistake in the suite must not be able to hide in the application, nor one plane's rule in another's."""
    forbidden = tuple(f"{name}." for name in MUST_NOT_KNOW[room])
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for name in imports_of(path)
        if f"{name}.".startswith(forbidden)
    ]

    assert [] == found


def test_the_application_has_no_branch_for_its_faults() -> None:
    """A fault replaces a rule from outside; only the command line knows that there are any."""
    knowing = [
        str(path.relative_to(ROOT))
        for path in sorted(ROOT.rglob("*.py"))
        if "faults" not in path.parts
        and any(name.startswith("reference_app.faults") for name in imports_of(path))
    ]

    assert ["cli.py"] == knowing
