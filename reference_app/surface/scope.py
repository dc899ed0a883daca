"""Narrowing a catalog by component-type prefixes; it shapes what is discovered and grants nothing."""

from collections.abc import Sequence
from dataclasses import dataclass


def in_scope(name: str, scope: Sequence[str]) -> bool:
    """Whether a dotted name lies under one of the prefixes, by whole segments; no prefixes mean everything."""
    return not scope or any(name == prefix or name.startswith(f"{prefix}.") for prefix in scope)


@dataclass(frozen=True, slots=True)
class Admission:
    """What a request for scope comes to: the prefixes to look under, those refused, and whether nothing is left."""

    prefixes: tuple[str, ...]
    rejected: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether everything that was asked for was refused: nothing may be shown, not even the floor."""
        return bool(self.rejected) and not self.prefixes


def admit(requested: Sequence[str], floor: Sequence[str]) -> Admission:
    """Narrow a floor by a request, which can never widen it; asking for nothing gives the floor."""
    if not requested or not floor:
        return Admission(tuple(requested or floor), ())
    admitted: dict[str, None] = {}
    rejected: dict[str, None] = {}
    for prefix in requested:
        matching = [
            prefix if in_scope(prefix, [bound]) else bound for bound in floor if _touches(prefix, bound)
        ]
        admitted.update(dict.fromkeys(matching))
        if not matching:
            rejected[prefix] = None
    return Admission(tuple(admitted), tuple(rejected))


def _touches(prefix: str, bound: str) -> bool:
    return in_scope(prefix, [bound]) or in_scope(bound, [prefix])
