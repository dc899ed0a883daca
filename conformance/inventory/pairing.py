"""Which record of the old inventory is which of the new one: pure matching, the same in both directions."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from conformance.inventory.facts import exact_text
from conformance.inventory.model import Capability, Inventory, Kind, Offer, Place


@dataclass(frozen=True, slots=True)
class Match:
    """A capability before and after; one of the two is None where it came or went.

    Attributes:
        places: where it is so, for offered capabilities.
        known: the capability is in both inventories, though not in these places.
    """

    old: Capability | None
    new: Capability | None
    places: frozenset[Place] = frozenset()
    known: bool = False

    @property
    def capability(self) -> Capability:
        """The newer record of the two."""
        found = self.new or self.old
        if found is None:
            raise ValueError("a match without a capability")
        return found


def match(old: Inventory, new: Inventory) -> Iterator[Match]:
    """Yield every capability of two inventories of one kind, by id and declaration."""
    matching: Mapping[Kind, Callable[[Inventory, Inventory], Iterator[Match]]] = {
        Kind.DOMAIN: _by_id,
        Kind.SURFACE: _by_declaration,
        Kind.OFFERED: _by_place,
    }
    return matching[new.kind](old, new)


def _by_id(old: Inventory, new: Inventory) -> Iterator[Match]:
    before = {capability.id: capability for capability in old.capabilities}
    after = {capability.id: capability for capability in new.capabilities}
    for name in sorted({*before, *after}):
        yield Match(before.get(name), after.get(name))


def _by_declaration(old: Inventory, new: Inventory) -> Iterator[Match]:
    """Match by declaration and id; what is left over under one id has moved to another declaration."""
    before = {(capability.declaration, capability.id): capability for capability in old.capabilities}
    after = {(capability.declaration, capability.id): capability for capability in new.capabilities}
    for key in before.keys() & after.keys():
        yield Match(before[key], after[key])
    gone = _grouped(before[key] for key in before.keys() - after.keys())
    come = _grouped(after[key] for key in after.keys() - before.keys())
    for name in sorted({*gone, *come}):
        yield from _moves(gone.get(name, []), come.get(name, []))


def _grouped(capabilities: Iterable[Capability]) -> Mapping[str, list[Capability]]:
    groups: dict[str, list[Capability]] = {}
    for capability in sorted(capabilities, key=lambda one: one.declaration):
        groups.setdefault(capability.id, []).append(capability)
    return groups


def _moves(gone: list[Capability], come: list[Capability]) -> Iterator[Match]:
    """Pair what is the same but for its place first, then the rest in the order of declarations."""
    waiting: dict[str, list[Capability]] = {}
    for new in come:
        waiting.setdefault(_content(new), []).append(new)
    rest: list[Capability] = []
    for old in gone:
        same = waiting.get(_content(old))
        if same:
            yield Match(old, same.pop(0))
        else:
            rest.append(old)
    left = sorted((new for group in waiting.values() for new in group), key=lambda one: one.declaration)
    for number in range(max(len(rest), len(left))):
        yield Match(
            rest[number] if number < len(rest) else None, left[number] if number < len(left) else None
        )


def _content(capability: Capability) -> str:
    return exact_text(replace(capability, declaration="", origin=None))


def _by_place(old: Inventory, new: Inventory) -> Iterator[Match]:
    """Compare what is offered in the places that both inventories looked at; a group for each pair of records.

    A capability that only one of the inventories has at all is matched with nothing, wherever it is offered.
    """
    before, after = _offers(old), _offers(new)
    seen_by_both = old.places & new.places
    for name in sorted({*before, *after}):
        if name not in before or name not in after:
            yield from (Match(offer.capability, None, offer.places) for offer in before.get(name, ()))
            yield from (Match(None, offer.capability, offer.places) for offer in after.get(name, ()))
        elif before[name] != after[name]:
            yield from _common(before[name], after[name], seen_by_both)


def _common(before: list[Offer], after: list[Offer], seen_by_both: frozenset[Place]) -> Iterator[Match]:
    then = {place: offer.capability for offer in before for place in offer.places & seen_by_both}
    now = {place: offer.capability for offer in after for place in offer.places & seen_by_both}
    groups: dict[tuple[Capability | None, Capability | None], set[Place]] = {}
    for place in sorted({*then, *now}):
        groups.setdefault((then.get(place), now.get(place)), set()).add(place)
    for (old, new), places in groups.items():
        yield Match(old, new, frozenset(places), known=True)


def _offers(inventory: Inventory) -> Mapping[str, list[Offer]]:
    groups: dict[str, list[Offer]] = {}
    for offer in inventory.offers:
        groups.setdefault(offer.capability.id, []).append(offer)
    return groups
