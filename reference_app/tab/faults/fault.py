"""What a fault is: one rule of the view plane, replaced at start-up by a version that does not hold.

The rule's own code has no branch for it, and knows nothing of it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Replace: TypeAlias = Callable[[object, str, object], None]
"""Puts something in the place of an attribute: ``setattr``, or a test's own that takes it back afterwards."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One deliberate defect."""

    name: str
    defect: str
    install: Callable[[Replace], None]

    def switch_on(self) -> None:
        """Build the defect in, for the rest of the process."""
        self.install(_replace)


def _replace(owner: object, name: str, replacement: object) -> None:
    """Replace a rule that is there; a fault that replaces nothing would prove nothing."""
    if not hasattr(owner, name):
        raise AttributeError(
            f"expected {owner!r} to have {name!r}; the rule moved, and its fault must follow"
        )
    setattr(owner, name, replacement)


CATALOGUE: dict[str, Fault] = {}


def fault(name: str, defect: str) -> Callable[[Callable[[Replace], None]], Callable[[Replace], None]]:
    """Enter a function that builds a defect in into the catalogue."""

    def enter(install: Callable[[Replace], None]) -> Callable[[Replace], None]:
        CATALOGUE[name] = Fault(name, defect, install)
        return install

    return enter
