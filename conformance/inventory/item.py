"""One reported change, whoever classified it: our rule table or the public tools' tables."""

from collections.abc import Iterator
from dataclasses import dataclass

from conformance.inventory.canonical import canonical, sha256_hex
from conformance.inventory.compat import CompatChange
from conformance.inventory.finding import FINGERPRINT_LENGTH, Diff, Facts, Finding, Subject
from conformance.inventory.rules import Direction


@dataclass(frozen=True, slots=True)
class Item:
    """A change as reports need it, texts as they stand in the files."""

    fingerprint: str
    rule: str
    direction: Direction
    kind: str
    subject: str
    reason: str
    declaration: str = ""
    detail: str = ""
    before: str = ""
    after: str = ""
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """All changes of one subject, with what is on record about it before and after."""

    subject: str
    items: tuple[Item, ...]
    before: Facts = ()
    after: Facts = ()


def groups_of_diff(diff: Diff) -> Iterator[Group]:
    """Yield the subjects of a difference in its order, the gravest first."""
    return (_group(subject) for subject in diff.subjects)


def _group(subject: Subject) -> Group:
    return Group(
        subject.id, tuple(_item(finding) for finding in subject.findings), subject.before, subject.after
    )


def _item(finding: Finding) -> Item:
    change = finding.change
    return Item(
        fingerprint=finding.fingerprint,
        rule=change.rule,
        direction=finding.direction,
        kind=finding.kind.value if finding.kind else "all inventories",
        subject=finding.subject,
        reason=finding.rule.reason,
        declaration=finding.declaration,
        detail=change.detail,
        before=change.before,
        after=change.after,
        places=tuple(str(place) for place in finding.places),
    )


def groups_of_compat(changes: tuple[CompatChange, ...], kind: str) -> Iterator[Group]:
    """Yield the public tools' changes, each on its own and in their order."""
    return (Group(change.id, (_compat_item(change, kind),)) for change in changes)


def _compat_item(change: CompatChange, kind: str) -> Item:
    parts = ["compat-1", kind, change.direction.value, change.id, change.field, change.before, change.after]
    return Item(
        fingerprint=sha256_hex(canonical(parts))[:FINGERPRINT_LENGTH],
        rule=f"compat-{change.field}",
        direction=change.direction,
        kind=kind,
        subject=change.id,
        reason="As the public tool classifies it.",
        detail=change.field,
        before=change.before,
        after=change.after,
    )
