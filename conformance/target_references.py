"""Names in a target file that must stand elsewhere in it: a misspelled one would quietly turn cases untested."""

import difflib
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from conformance.catalogue import load_catalogue
from conformance.target import Target
from conformance.target_lines import KeyPath


@dataclass(frozen=True)
class Dangling:
    """A name that nothing answers to: where it stands, and what to do about it."""

    path: KeyPath
    reason: str


@dataclass(frozen=True)
class _Reference:
    path: KeyPath
    table: str
    name: str


def dangling(target: Target) -> Iterator[Dangling]:
    """Yield every name that refers to nothing, in the file's order of tables."""
    known: dict[str, Collection[str]] = {
        "identities": target.identities,
        "routes": target.routes,
        "reads": target.reads,
        "roles": target.roles,
        "the catalogue": load_catalogue().by_id,
    }
    for reference in _references(target):
        names = known[reference.table]
        if reference.name not in names:
            near = difflib.get_close_matches(reference.name, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names) or 'none'}"
            yield Dangling(reference.path, f"{reference.table} has no {reference.name!r}; {hint}")


def _references(target: Target) -> Iterator[_Reference]:
    for name, role in target.roles.items():
        if "route" in role.model_fields_set:
            yield _Reference(("roles", name, "route"), "routes", role.route)
        if role.effect is not None:
            yield _Reference(("roles", name, "effect", "read"), "reads", role.effect.read)
    for identity, hidden in target.hidden_from.items():
        yield _Reference(("hidden_from", identity), "identities", identity)
        for index, name in enumerate(hidden):
            yield _Reference(("hidden_from", identity, index), "roles", name)
    yield from _view_references(target)
    for index, name in enumerate(target.inventory.routes):
        yield _Reference(("inventory", "routes", index), "routes", name)
    for index, departure in enumerate(target.known_departures):
        path = ("known_departures", index, "requirement")
        yield _Reference(path, "the catalogue", departure.requirement)


def _view_references(target: Target) -> Iterator[_Reference]:
    for name, view in target.view.items():
        if view.route:
            yield _Reference(("view", name, "route"), "routes", view.route)
        if view.target_read:
            yield _Reference(("view", name, "target_read"), "reads", view.target_read)
