"""A whole comparison, from what was loaded to the page that is rendered. Pure: sources and today are handed in."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field

from conformance.inventory.approvals import Approvals
from conformance.inventory.compat import compat
from conformance.inventory.diff import diff
from conformance.inventory.errors import SourceError
from conformance.inventory.gate import FailOn, decide
from conformance.inventory.item import Group, groups_of_compat, groups_of_diff
from conformance.inventory.locate import Locator
from conformance.inventory.page import Page, make_page
from conformance.inventory.reading import Loaded
from conformance.inventory.source import pair_up


@dataclass(frozen=True)
class Side:
    """One side of a comparison: what it is called, and what was loaded for it."""

    name: str
    loaded: Sequence[Loaded]


@dataclass(frozen=True)
class Terms:
    """On which terms a difference is judged."""

    today: datetime.date
    fail_on: FailOn = FailOn.WIDENING
    approvals: Approvals = field(default_factory=Approvals)
    compat: bool = False


def review(old: Side, new: Side, terms: Terms) -> Page:
    """Compare two sides and judge the difference.

    Raises:
        SourceError: the two sides can't be compared, or there is nothing on either.
        InventoryError: the public tools' verdict is asked for a format that they do not have.
    """
    pairs = pair_up(old.loaded, new.loaded)
    if not pairs:
        raise SourceError(f"there is no inventory at {old.name} nor at {new.name}")
    groups = _by_public_tools(pairs) if terms.compat else _by_ours(pairs)
    gate = decide(groups, terms.fail_on, terms.approvals, terms.today)
    return make_page((old.name, new.name), groups, gate, Locator(new.loaded), compat=terms.compat)


_Pairs = Sequence[tuple[Loaded | None, Loaded | None]]


def _by_ours(pairs: _Pairs) -> list[Group]:
    inventories = [(old.inventory if old else None, new.inventory if new else None) for old, new in pairs]
    return list(groups_of_diff(diff(inventories)))


def _by_public_tools(pairs: _Pairs) -> list[Group]:
    found: list[Group] = []
    for old, new in pairs:
        if new is None:
            raise SourceError(
                f"{old.file if old else 'nothing'} has no counterpart; the public tools can't compare it"
            )
        changes = compat(old.document if old else None, new.document)
        found += groups_of_compat(changes, new.inventory.kind.value)
    return found
