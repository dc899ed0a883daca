"""A finding: one classified change of one capability, or of an inventory as a whole."""

from dataclasses import dataclass, field
from functools import cached_property

from conformance.inventory.canonical import canonical, sha256_hex
from conformance.inventory.model import Kind, Place
from conformance.inventory.rules import RULES, Direction, Rule

Facts = tuple[tuple[str, str], ...]
"""What is on record about a capability, as labelled texts in a fixed order."""

FINGERPRINT_LENGTH = 32


@dataclass(frozen=True, slots=True)
class Change:
    """A change as a comparison sees it, before it is known whose it is.

    Attributes:
        rule: id of the rule.
        detail: which surface, tag, policy or place in a schema; empty where there is only one.
        before: what was there, for people; empty where nothing was.
        after: what is there now.
        exact: everything that an approval of this change must bind, where `before` and `after` are only words about it.
    """

    rule: str
    detail: str = ""
    before: str = ""
    after: str = ""
    exact: tuple[str, str] | None = None


@dataclass(frozen=True)
class Finding:
    """A change with its subject.

    Attributes:
        kind: the inventory that it is in; None where only all of them together show it.
        subject: the capability's id, or what else of the inventory changed, in parentheses.
        declaration: where the capability is declared, for inventories that can hold an id more than once.
        places: where it is so, for offered capabilities.
    """

    kind: Kind | None
    subject: str
    change: Change
    declaration: str = ""
    places: tuple[Place, ...] = ()

    @property
    def rule(self) -> Rule:
        """The row of the table."""
        return RULES[self.change.rule]

    @property
    def direction(self) -> Direction:
        """What the change means."""
        return self.rule.direction

    @cached_property
    def fingerprint(self) -> str:
        """What names this very change in an approvals file: 32 hexadecimal digits.

        It holds as long as the same thing changes in the same way, whatever else changes, and wherever the file lies.
        """
        change = self.change
        parts = [
            *(
                "dualplane-finding-1",
                self.kind.value if self.kind else "",
                change.rule,
                self.subject,
                self.declaration,
                change.detail,
            ),
            list(change.exact or (change.before, change.after)),
            [str(place) for place in self.places],
        ]
        return sha256_hex(canonical(parts))[:FINGERPRINT_LENGTH]

    @property
    def order(self) -> tuple[int, str, str, str, str]:
        """The gravest first, then by subject."""
        return (self.direction.rank, self.subject, self.declaration, self.change.rule, self.change.detail)


@dataclass(frozen=True, slots=True)
class Subject:
    """Everything that changed about one capability, and how it was recorded before and after.

    A subject that is not a capability has no facts.
    """

    kind: Kind | None
    id: str
    findings: tuple[Finding, ...]
    before: Facts = ()
    after: Facts = ()
    declaration: str = ""


@dataclass(frozen=True, slots=True)
class Diff:
    """The difference between two sets of inventories."""

    subjects: tuple[Subject, ...] = ()
    findings: tuple[Finding, ...] = field(default=())

    def count(self, direction: Direction) -> int:
        """How many findings have a direction."""
        return sum(finding.direction is direction for finding in self.findings)
