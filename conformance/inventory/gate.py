"""Whether a difference passes: what fails it, what was approved, and for how long. Pure: today is handed in."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from conformance.inventory.approvals import Approvals
from conformance.inventory.item import Group, Item
from conformance.inventory.rules import Direction


class FailOn(StrEnum):
    """Which changes fail a comparison."""

    WIDENING = "widening"
    ANY = "any"
    NONE = "none"


class Status(StrEnum):
    """What became of one change."""

    OPEN = "open"
    APPROVED = "approved"
    EXPIRED = "approval expired"


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one change, and whether it fails the comparison."""

    status: Status = Status.OPEN
    fails: bool = False
    note: str = ""


@dataclass(frozen=True)
class Gate:
    """The verdict on a difference.

    Attributes:
        fail_on: what was asked for.
        decisions: one for each item, by fingerprint.
        unused: fingerprints that the approvals file names and no change has; they approve nothing.
    """

    fail_on: FailOn
    decisions: Mapping[str, Decision]
    unused: tuple[str, ...] = ()

    @property
    def failing(self) -> int:
        """How many changes fail the comparison."""
        return sum(decision.fails for decision in self.decisions.values())


def decide(groups: Sequence[Group], fail_on: FailOn, approvals: Approvals, today: datetime.date) -> Gate:
    """Judge every change."""
    items = [item for group in groups for item in group.items]
    decisions = {item.fingerprint: _decide(item, fail_on, approvals, today) for item in items}
    unused = tuple(name for name in sorted(approvals.approved) if name not in decisions)
    return Gate(fail_on, decisions, unused)


def _decide(item: Item, fail_on: FailOn, approvals: Approvals, today: datetime.date) -> Decision:
    counts = _counts(item.direction, fail_on)
    approval = approvals.approved.get(item.fingerprint)
    if approval is None:
        return Decision(fails=counts)
    day = approval.last_day.isoformat()
    if approval.holds(today):
        return Decision(Status.APPROVED, note=f"{approval.reason} (until {day})")
    return Decision(Status.EXPIRED, fails=counts, note=f"{approval.reason} (ended on {day})")


def _counts(direction: Direction, fail_on: FailOn) -> bool:
    match fail_on:
        case FailOn.ANY:
            return True
        case FailOn.WIDENING:
            return direction in (Direction.BREACH, Direction.WIDENING)
        case FailOn.NONE:
            return False
