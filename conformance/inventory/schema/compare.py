"""How one schema differs from another: what the new one accepts beyond the old, what it no longer does, what only reads otherwise."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from conformance.inventory.canonical import canonical
from conformance.inventory.schema.gaps import Document, find_gaps
from conformance.inventory.schema.keywords import Gap, GapKind
from conformance.inventory.schema.words import sayings_of

ALL = '{"additionalProperties":true}'
"""A schema that accepts everything: what an absent output schema means."""

NONE = '{"additionalProperties":false,"properties":{},"type":"object"}'
"""A schema that accepts an object without fields: what an absent input schema means."""

_ALTERNATIVE = re.compile(r"/anyOf/\d+")


@dataclass(frozen=True, slots=True)
class Pair:
    """Something at one place before and after; empty where it was not there."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """How a schema changed.

    Attributes:
        wider: why the new schema may accept what the old one refuses.
        narrower: why the old schema may accept what the new one refuses.
        text: descriptions and other words in it that changed.
        default: what stands in for a field that is left out, where that changed.
    """

    wider: tuple[Gap, ...] = ()
    narrower: tuple[Gap, ...] = ()
    text: Pair | None = None
    default: Pair | None = None

    @property
    def says_the_same(self) -> bool:
        """Whether nothing but the way of writing it differs."""
        return not (self.wider or self.narrower or self.text or self.default)


@lru_cache(maxsize=4096)
def compare_schemas(old: str, new: str) -> SchemaChange:
    """Compare two schemas, each as canonical JSON text."""
    if old == new:
        return SchemaChange()
    before, after = Document(old), Document(new)
    said, says = sayings_of(before), sayings_of(after)
    wider = _with_fields(find_gaps(after, before), says.fields - said.fields)
    narrower = _with_fields(find_gaps(before, after), said.fields - says.fields)
    if not (said.complete and says.complete):
        too_large = Gap(GapKind.UNREADABLE, "", "too large to compare", "too large to compare")
        wider, narrower = (too_large, *wider), (too_large, *narrower)
    moved = said.fields ^ says.fields
    return SchemaChange(
        wider,
        narrower,
        text=_difference(said.texts, says.texts, moved),
        default=_difference(said.defaults, says.defaults, moved),
    )


def _with_fields(gaps: tuple[Gap, ...], declared: frozenset[str]) -> tuple[Gap, ...]:
    """Add the fields that only one side declares: naming a field is news even where any field was let through before."""
    known = {_ALTERNATIVE.sub("", gap.path) for gap in gaps if gap.kind is GapKind.FIELD}
    added = [Gap(GapKind.FIELD, path, "declared", "not declared") for path in sorted(declared - known)]
    return (*gaps, *added)


def _difference(
    before: Mapping[str, tuple[str, ...]], after: Mapping[str, tuple[str, ...]], moved: frozenset[str]
) -> Pair | None:
    """What differs by place, leaving out what belongs to fields that came or went as a whole."""
    places = [
        path
        for path in sorted({*before, *after})
        if before.get(path) != after.get(path) and not _belongs_to(path, moved)
    ]
    if not places:
        return None
    return Pair(_listed(before, places), _listed(after, places))


def _belongs_to(path: str, fields: frozenset[str]) -> bool:
    return any(path == field or path.startswith(f"{field}/") for field in fields)


def _listed(found: Mapping[str, tuple[str, ...]], places: list[str]) -> str:
    return canonical({path: list(found[path]) for path in places if path in found})
