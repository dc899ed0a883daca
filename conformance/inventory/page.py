"""A difference as a reader sees it: every text made plain and every credential masked, once, before any renderer.

Renderers take a page and nothing else, so none of them can show a text as it stood in a file.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from conformance.inventory.gate import Decision, FailOn, Gate, Status
from conformance.inventory.item import Group, Item
from conformance.inventory.locate import Location, Locator
from conformance.inventory.plain import shown
from conformance.inventory.rules import Direction


@dataclass(frozen=True, slots=True)
class Row:
    """One change."""

    fingerprint: str
    rule: str
    direction: Direction
    kind: str
    subject: str
    reason: str
    declaration: str
    detail: str
    before: str
    after: str
    places: tuple[str, ...]
    status: Status
    fails: bool
    note: str
    location: Location | None


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing on record about a capability, before and after; empty where it was not on record."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Card:
    """One subject with all its changes, and with everything that is on record about it."""

    subject: str
    rows: tuple[Row, ...]
    facts: tuple[Fact, ...]

    @property
    def kind(self) -> str:
        """The inventory that it is in."""
        return self.rows[0].kind


@dataclass(frozen=True)
class Page:
    """A difference, ready to be rendered.

    Attributes:
        old: name of what was compared with.
        new: name of what was compared.
        cards: by subject, the gravest first (in the public tools' order under `--compat`).
        fail_on: which changes fail.
        unused: approvals that fit no change.
        compat: whether the public tools' tables classified the changes.
    """

    old: str
    new: str
    cards: tuple[Card, ...]
    fail_on: FailOn
    unused: tuple[str, ...] = ()
    compat: bool = False

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Every change, in the order of the cards."""
        return tuple(row for card in self.cards for row in card.rows)

    @cached_property
    def counts(self) -> Counter[Direction]:
        """How many changes have each direction."""
        return Counter(row.direction for row in self.rows)

    @cached_property
    def failing(self) -> int:
        """How many changes fail the comparison."""
        return sum(row.fails for row in self.rows)

    @cached_property
    def approved(self) -> int:
        """How many changes are approved."""
        return sum(row.status is Status.APPROVED for row in self.rows)

    @property
    def exit_code(self) -> int:
        """1 when something fails, else 0."""
        return 1 if self.failing else 0

    @property
    def summary(self) -> str:
        """The counts in one line."""
        if not self.rows:
            return "no change"
        counted = ", ".join(f"{self.counts[direction]} {direction.value}" for direction in Direction)
        return f"{counted}; {self.approved} approved, {self.failing} failing (--fail-on {self.fail_on.value})"


def make_page(
    names: tuple[str, str], groups: Sequence[Group], gate: Gate, locator: Locator, *, compat: bool = False
) -> Page:
    """Make everything fit to be shown; `names` are those of the old and the new side."""
    return Page(
        old=shown(names[0]),
        new=shown(names[1]),
        cards=tuple(_card(group, gate, locator) for group in groups),
        fail_on=gate.fail_on,
        unused=gate.unused,
        compat=compat,
    )


def _card(group: Group, gate: Gate, locator: Locator) -> Card:
    before, after = dict(group.before), dict(group.after)
    labels = dict.fromkeys([*before, *after])
    return Card(
        subject=shown(group.subject),
        rows=tuple(_row(item, gate.decisions[item.fingerprint], locator) for item in group.items),
        facts=tuple(
            Fact(shown(name), shown(before.get(name, "")), shown(after.get(name, ""))) for name in labels
        ),
    )


def _row(item: Item, decision: Decision, locator: Locator) -> Row:
    found = locator.find(item.kind, item.subject)
    return Row(
        fingerprint=item.fingerprint,
        rule=shown(item.rule),
        direction=item.direction,
        kind=item.kind,
        subject=shown(item.subject),
        reason=item.reason,
        declaration=shown(item.declaration),
        detail=shown(item.detail),
        before=shown(item.before),
        after=shown(item.after),
        places=tuple(shown(place) for place in item.places),
        status=decision.status,
        fails=decision.fails,
        note=shown(decision.note),
        location=Location(shown(found.file), found.line) if found else None,
    )
