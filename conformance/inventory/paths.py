"""The two invariants that no single field shows: one path that a model sees, and no binding of what is gated.

Sources: The dual-plane model, "The invariants", 2 (a destructive operation is either a direct tool or a contextual reference,
never both) and "Bind for context, gate for consequence" (binding a gated capability trades a persisted approval for a
browser dialog).
"""

from collections.abc import Callable, Iterator, Sequence

from conformance.inventory.canonical import canonical
from conformance.inventory.compare import is_consequential
from conformance.inventory.facts import exact_text
from conformance.inventory.finding import Change
from conformance.inventory.model import Capability, Inventory, Kind
from conformance.inventory.pairing import Match

_MODEL_SURFACE = "aiSdk"
_BUTTON_SURFACE = "direct"


def compare_paths(old: Sequence[Inventory], new: Sequence[Inventory]) -> Iterator[tuple[str, Change]]:
    """Yield the ids for which an invariant came to be broken, or holds again, across all inventories of each side."""
    before, after = _contextual(old), _contextual(new)
    yield from _difference(
        before & _direct(old), after & _direct(new), ("two-paths", "two-paths-ended"), old, new
    )
    yield from _difference(
        before & _gated(old), after & _gated(new), ("gated-bindable", "gated-unbound"), old, new
    )


def compare_reach(pair: Match) -> Iterator[Change]:
    """Yield a gated operation that leaves the model's surface for the one that a binding calls, or comes back from it."""
    old, new = pair.old, pair.new
    if old is None or new is None or not (_is_gated(old) or _is_gated(new)):
        return
    if _only_buttons(new) and _MODEL_SURFACE in old.surfaces:
        yield Change("gated-bindable", exact=(exact_text(old), exact_text(new)))
    elif _only_buttons(old) and _MODEL_SURFACE in new.surfaces:
        yield Change("gated-unbound", exact=(exact_text(old), exact_text(new)))


def _difference(
    before: frozenset[str],
    after: frozenset[str],
    rules: tuple[str, str],
    old: Sequence[Inventory],
    new: Sequence[Inventory],
) -> Iterator[tuple[str, Change]]:
    for name in sorted(before ^ after):
        rule = rules[0] if name in after else rules[1]
        yield name, Change(rule, exact=(_everything(old, name), _everything(new, name)))


def _everything(world: Sequence[Inventory], name: str) -> str:
    records = (one for inventory in world for one in inventory.capabilities if one.id == name)
    return canonical(sorted(exact_text(record) for record in records))


def _direct(world: Sequence[Inventory]) -> frozenset[str]:
    return _ids(world, Kind.DOMAIN, lambda one: _MODEL_SURFACE in one.surfaces) | _ids(
        world, Kind.OFFERED, lambda one: one.kind == "server"
    )


def _contextual(world: Sequence[Inventory]) -> frozenset[str]:
    return _ids(world, Kind.SURFACE, lambda one: one.kind == "procedure") | _ids(
        world, Kind.OFFERED, lambda one: one.kind == "browser" and one.id.startswith("domain:")
    )


def _gated(world: Sequence[Inventory]) -> frozenset[str]:
    return _ids(world, Kind.DOMAIN, _is_gated) | _ids(world, Kind.OFFERED, _is_gated)


def _is_gated(capability: Capability) -> bool:
    """Declared as needing approval, or of an effect that a gate is made for: a runtime policy may gate it unnamed."""
    declared = capability.approval is not None and capability.approval.required is True
    return declared or is_consequential(capability.effect)


def _only_buttons(capability: Capability) -> bool:
    return _BUTTON_SURFACE in capability.surfaces and _MODEL_SURFACE not in capability.surfaces


def _ids(world: Sequence[Inventory], kind: Kind, holds: Callable[[Capability], bool]) -> frozenset[str]:
    return frozenset(
        one.id
        for inventory in world
        if inventory.kind is kind
        for one in inventory.capabilities
        if holds(one)
    )
