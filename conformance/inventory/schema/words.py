"""What a schema says beside constraints: the fields that it declares, the words in it, and its defaults, each by place.

Places are JSON pointers with references followed; alternatives are walked through without a number, so that their order
does not matter.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from conformance.inventory.canonical import canonical
from conformance.inventory.schema.gaps import Document, definition_name, escape
from conformance.inventory.schema.node import MAX_DEPTH, TEXTS

MOST_PLACES = 20_000


@dataclass(frozen=True)
class Sayings:
    """What one schema says.

    Attributes:
        fields: places of all properties that are declared.
        texts: descriptions, titles, examples and the like, by place; several at one place are kept in order.
        defaults: what stands in for a field that is left out, by place.
        complete: False when the schema was too large to walk through.
    """

    fields: frozenset[str]
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    defaults: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    complete: bool = True


def sayings_of(document: Document) -> Sayings:
    """Walk through a document."""
    fields: set[str] = set()
    texts: dict[str, list[str]] = {}
    defaults: dict[str, list[str]] = {}
    count = 0
    for path, raw in _walk(document.raw, "", document.raw_definitions, (), 0):
        count += 1
        if count > MOST_PLACES:
            break
        fields.update(f"{path}/properties/{escape(name)}" for name in _object(raw, "properties"))
        found = {key: raw[key] for key in TEXTS if key in raw}
        if found:
            texts.setdefault(path, []).append(canonical(found))
        if "default" in raw:
            defaults.setdefault(path, []).append(canonical(raw["default"]))
    return Sayings(frozenset(fields), _frozen(texts), _frozen(defaults), complete=count <= MOST_PLACES)


def _frozen(found: Mapping[str, list[str]]) -> Mapping[str, tuple[str, ...]]:
    return {path: tuple(items) for path, items in found.items()}


def _object(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = raw.get(key)
    return value if isinstance(value, dict) else {}


def _walk(
    raw: Any, path: str, definitions: Mapping[str, Any], inside: tuple[str, ...], depth: int
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every schema with its place; a definition is entered once on each way down."""
    if not isinstance(raw, dict) or depth > MAX_DEPTH:
        return
    yield path, raw
    ref = raw.get("$ref")
    name = definition_name(ref) if isinstance(ref, str) else None
    if name is not None and name in definitions and name not in inside:
        yield from _walk(definitions[name], path, definitions, (*inside, name), depth + 1)
    for inner_path, inner in _inner(raw, path):
        yield from _walk(inner, inner_path, definitions, inside, depth + 1)


def _inner(raw: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    for name, value in _object(raw, "properties").items():
        yield f"{path}/properties/{escape(name)}", value
    for key in ("items", "additionalProperties"):
        if key in raw:
            yield f"{path}/{key}", raw[key]
    alternatives = raw.get("anyOf")
    for value in alternatives if isinstance(alternatives, list) else ():
        yield path, value
