"""The difference between two sets of inventories: every change, classified. Pure: no files, no clock.

diff(a, b) and diff(b, a) mirror each other rule by rule, and a widening in one part is never outweighed by a narrowing in
another: each change is reported on its own.
"""

from collections.abc import Iterator, Sequence

from conformance.inventory.compare import compare
from conformance.inventory.facts import exact_text, facts_of
from conformance.inventory.finding import Change, Diff, Finding, Subject
from conformance.inventory.model import Inventory, Kind, Place, empty
from conformance.inventory.pairing import Match, match
from conformance.inventory.paths import compare_paths, compare_reach
from conformance.inventory.whole import INVENTORY, compare_whole


def diff(pairs: Sequence[tuple[Inventory | None, Inventory | None]]) -> Diff:
    """Compare inventories.

    Args:
        pairs: inventories of one kind each, before and after; None where there was, or is, none.
    """
    subjects: list[Subject] = []
    for old, new in pairs:
        subjects += _of_pair(old, new)
    olds = [old for old, _ in pairs if old is not None]
    news = [new for _, new in pairs if new is not None]
    subjects += _of_paths(olds, news, subjects)
    subjects.sort(key=lambda subject: (subject.findings[0].order, subject.kind or ""))
    findings = sorted(
        (finding for subject in subjects for finding in subject.findings), key=lambda one: one.order
    )
    return Diff(tuple(subjects), tuple(findings))


def _of_pair(old: Inventory | None, new: Inventory | None) -> Iterator[Subject]:
    kind = (new or old or Inventory(Kind.DOMAIN)).kind
    if old is None or new is None:
        rule = "inventory-appeared" if old is None else "inventory-vanished"
        yield _subject(kind, INVENTORY, [Finding(kind, INVENTORY, Change(rule, kind.value))])
    before, after = old or empty(kind), new or empty(kind)
    grouped: dict[tuple[str, str], list[tuple[Match, Change]]] = {}
    for pair in match(before, after):
        found = grouped.setdefault((pair.capability.id, pair.capability.declaration), [])
        found += [(pair, change) for change in _changes(pair, kind)]
    yield from (_of_capability(kind, found) for found in grouped.values() if found)
    whole: dict[str, list[Finding]] = {}
    for name, change in compare_whole(before, after):
        whole.setdefault(name, []).append(Finding(kind, name, change))
    yield from (_subject(kind, name, findings) for name, findings in whole.items())


def _changes(pair: Match, kind: Kind) -> Iterator[Change]:
    if pair.old is None or pair.new is None:
        yield _come_or_gone(pair, kind)
    elif pair.old != pair.new:
        yield from compare(pair.old, pair.new)
        yield from compare_reach(pair)


def _come_or_gone(pair: Match, kind: Kind) -> Change:
    came = pair.old is None
    exact = exact_text(pair.capability)
    if kind is Kind.DOMAIN and not pair.capability.surfaces:
        rule = "unreachable-added" if came else "unreachable-removed"
    elif pair.known:
        rule = "place-gained" if came else "place-lost"
    else:
        rule = "capability-added" if came else "capability-removed"
    return Change(rule, exact=("", exact) if came else (exact, ""))


def _of_capability(kind: Kind, found: Sequence[tuple[Match, Change]]) -> Subject:
    """Put together what changed about one capability; the same change in several places is one finding."""
    places: dict[Change, set[Place]] = {}
    for pair, change in found:
        places.setdefault(change, set()).update(pair.places)
    first = found[0][0]
    capability = first.capability
    findings = [
        Finding(kind, capability.id, change, capability.declaration, tuple(sorted(where)))
        for change, where in places.items()
    ]
    return Subject(
        kind,
        capability.id,
        tuple(sorted(findings, key=lambda one: one.order)),
        facts_of(first.old) if first.old else (),
        facts_of(first.new) if first.new else (),
        capability.declaration,
    )


def _of_paths(
    old: Sequence[Inventory], new: Sequence[Inventory], found: Sequence[Subject]
) -> Iterator[Subject]:
    """What only all inventories together show, unless one of them has shown it already."""
    known = {(finding.change.rule, finding.subject) for subject in found for finding in subject.findings}
    for name, change in compare_paths(old, new):
        if (change.rule, name) not in known:
            yield _subject(None, name, [Finding(None, name, change)])


def _subject(kind: Kind | None, name: str, findings: Sequence[Finding]) -> Subject:
    return Subject(kind, name, tuple(sorted(findings, key=lambda one: one.order)))
