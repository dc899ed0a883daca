"""How an inventory as a whole differs: runtime policies, exclusions, foreign contracts, places that were looked at."""

from collections.abc import Iterator

from conformance.inventory.canonical import canonical, sha256_hex
from conformance.inventory.compare import compare_policies
from conformance.inventory.facts import exact_text
from conformance.inventory.finding import Change
from conformance.inventory.model import Inventory, Place, Policy, RuntimePolicy

RUNTIME = "(runtime)"
CONTRACT = "(contract)"
INVENTORY = "(inventory)"


def compare_whole(old: Inventory, new: Inventory) -> Iterator[tuple[str, Change]]:
    """Yield every change that belongs to no single capability, with the subject that it is about."""
    yield from ((RUNTIME, change) for change in _runtime(old.runtime, new.runtime))
    yield from _excluded(old, new)
    yield from ((CONTRACT, change) for change in _contract(old, new))
    yield from _externals(old, new)
    yield from ((INVENTORY, change) for change in _places(old, new))
    yield from ((INVENTORY, change) for change in _unknown(old, new))


def _runtime(
    old: tuple[RuntimePolicy, ...] | None, new: tuple[RuntimePolicy, ...] | None
) -> Iterator[Change]:
    if old is None or new is None:
        if old is not new:
            yield Change(
                "runtime-observed" if old is None else "runtime-unobserved",
                exact=(_listed(old), _listed(new)),
            )
        return
    yield from compare_policies(_names(old), _names(new))
    before, after = (
        {policy.name: policy.phases for policy in old},
        {policy.name: policy.phases for policy in new},
    )
    for name in sorted(before.keys() & after.keys()):
        for phase in sorted(before[name] - after[name]):
            yield Change("phase-lost", f"{name}@{phase}", before=phase)
        for phase in sorted(after[name] - before[name]):
            yield Change("phase-gained", f"{name}@{phase}", after=phase)


def _names(policies: tuple[RuntimePolicy, ...]) -> tuple[Policy, ...]:
    return tuple(Policy(policy.name) for policy in policies)


def _listed(policies: tuple[RuntimePolicy, ...] | None) -> str:
    return (
        "" if policies is None else canonical([[policy.name, sorted(policy.phases)] for policy in policies])
    )


def _excluded(old: Inventory, new: Inventory) -> Iterator[tuple[str, Change]]:
    for name in sorted(new.excluded - old.excluded):
        yield name, Change("exclusion-added")
    for name in sorted(old.excluded - new.excluded):
        yield name, Change("exclusion-dropped")
    for name in sorted(new.unexposed - old.unexposed):
        yield name, Change("unexposed-listed")
    for name in sorted(old.unexposed - new.unexposed):
        yield name, Change("unexposed-unlisted")


def _contract(old: Inventory, new: Inventory) -> Iterator[Change]:
    yield from (Change("target-gained", name, after=name) for name in sorted(new.targets - old.targets))
    yield from (Change("target-lost", name, before=name) for name in sorted(old.targets - new.targets))
    if old.proven is not new.proven:
        yield Change("proof-gained" if new.proven else "proof-lost")
    if old.compiler != new.compiler:
        yield Change("compiler-changed", before=old.compiler or "", after=new.compiler or "")


def _externals(old: Inventory, new: Inventory) -> Iterator[tuple[str, Change]]:
    before = {external.package: external.text for external in old.externals}
    after = {external.package: external.text for external in new.externals}
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            rule = (
                "external-added"
                if name not in before
                else "external-removed"
                if name not in after
                else "external-changed"
            )
            yield f"(package {name})", Change(rule, before=before.get(name, ""), after=after.get(name, ""))


def _places(old: Inventory, new: Inventory) -> Iterator[Change]:
    for place in sorted(new.places - old.places):
        yield Change("place-observed", str(place), exact=("", _offered_at(new, place)))
    for place in sorted(old.places - new.places):
        yield Change("place-unobserved", str(place), exact=(_offered_at(old, place), ""))


def _offered_at(inventory: Inventory, place: Place) -> str:
    offered = (exact_text(offer.capability) for offer in inventory.offers if place in offer.places)
    return sha256_hex(canonical(sorted(offered)))


def _unknown(old: Inventory, new: Inventory) -> Iterator[Change]:
    before = {unknown.field: unknown.text for unknown in old.unknown}
    after = {unknown.field: unknown.text for unknown in new.unknown}
    for field in sorted({*before, *after}):
        if before.get(field) != after.get(field):
            yield Change("unknown-changed", field, before=before.get(field, ""), after=after.get(field, ""))
