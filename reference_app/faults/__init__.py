"""Deliberate defects: each replaces one named rule by a broken one, to show that a case can fail.

The application itself knows nothing of them. A defect is switched on at start by its name, by putting a defective function in the
place of the one that enforces the rule.
"""

from __future__ import annotations

import difflib
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from reference_app.errors import SettingsError

_AREAS = (
    "approvals",
    "asking",
    "authority",
    "calls",
    "card_answers",
    "card_compiling",
    "card_doors",
    "card_templates",
    "catalog",
    "changes",
    "claims",
    "conversation",
    "deciding",
    "errors",
    "frames",
    "governance",
    "host",
    "identity",
    "page",
    "procedures",
    "provider",
    "records",
    "scope",
    "state",
    "steps",
    "telemetry",
)


class Patches:
    """The replacements that are in force, each with what it replaced."""

    def __init__(self) -> None:
        self._undo: list[tuple[Any, str, Any]] = []

    def replace(self, owner: Any, name: str, replacement: Any) -> None:
        """Put something else in the place of an attribute that exists.

        Args:
            owner: The module or class that has the attribute.
            name: The attribute.
            replacement: What takes its place.

        Raises:
            AttributeError: There is no such attribute, so the rule has moved and the fault would do nothing.
        """
        before = (
            vars(owner)[name] if isinstance(owner, type) and name in vars(owner) else getattr(owner, name)
        )
        self._undo.append((owner, name, before))
        setattr(owner, name, replacement)

    def wrap(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        """Put something else in the place of an attribute, made from what is there now."""
        before = (
            vars(owner)[name] if isinstance(owner, type) and name in vars(owner) else getattr(owner, name)
        )
        self.replace(owner, name, make(before))

    def undo(self) -> None:
        """Put everything back, the last replacement first."""
        while self._undo:
            owner, name, before = self._undo.pop()
            setattr(owner, name, before)


Install = Callable[[Patches], None]


@dataclass(frozen=True)
class Fault:
    """One deliberate defect.

    Attributes:
        name: What ``--fault`` calls it.
        summary: What is wrong while it is on, in one line.
        install: Puts it in the place of the rule.
    """

    name: str
    summary: str
    install: Install


def catalogue() -> tuple[Fault, ...]:
    """Every fault by name."""
    found = (fault for area in _AREAS for fault in _faults_of(area))
    return tuple(sorted(found, key=lambda fault: fault.name))


@contextmanager
def installed(names: Iterable[str]) -> Iterator[None]:
    """Switch faults on while the block runs.

    Raises:
        SettingsError: A name is unknown; the message has the nearest ones.
    """
    wanted = tuple(names)
    by_name = {fault.name: fault for fault in catalogue()} if wanted else {}
    patches = Patches()
    try:
        for name in wanted:
            if name not in by_name:
                close = difflib.get_close_matches(name, by_name, n=3, cutoff=0.4)
                nearest = f"; nearest: {', '.join(close)}" if close else ""
                raise SettingsError(f"There is no fault {name!r}{nearest}. --list-faults prints them all.")
            by_name[name].install(patches)
        yield
    finally:
        patches.undo()


def fault(register: list[Fault], name: str, summary: str) -> Callable[[Install], Install]:
    """Enter a fault into an area's list."""

    def enter(install: Install) -> Install:
        register.append(Fault(name, summary, install))
        return install

    return enter


def constant(value: Any) -> Callable[..., Any]:
    """A function that returns the same value, whatever it is called with."""
    return lambda *_positional, **_named: value


def async_constant(value: Any) -> Callable[..., Awaitable[Any]]:
    """A coroutine function that returns the same value, whatever it is called with."""

    async def answer(*_positional: Any, **_named: Any) -> Any:
        return value

    return answer


def _faults_of(area: str) -> tuple[Fault, ...]:
    return tuple(import_module(f"reference_app.faults.{area}").FAULTS)
