"""Why one schema is not within another: every way in which the inner one may accept what the outer one refuses.

No gap means that everything which the inner schema accepts is accepted by the outer one; that is proved, not sampled. A gap
may be a false alarm, where the proof would need more than comparing part by part. Directions are therefore safe: a widening
is never missed.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from conformance.inventory.schema.keywords import Gap, GapKind, array_gaps, is_whole, number_gaps, string_gaps
from conformance.inventory.schema.node import ANYTHING, Node, parse, unclear_dialect
from conformance.inventory.schema.values import Trial

BUDGET = 20_000
"""How many pairs of schemas one comparison may look at."""

DEEPEST = 80
"""How many of them may be open at once; only references that go round in circles need more."""


_PairId = tuple[int, int]
_ALTERNATIVE = re.compile(r"/anyOf/\d+")


class Document:
    """One schema document: its root, and what its references name."""

    def __init__(self, text: str) -> None:
        self.raw: Any = json.loads(text)
        problem = unclear_dialect(self.raw)
        self.root = Node(unreadable=problem, raw=text) if problem else parse(self.raw)
        raw_definitions = self.raw.get("$defs") if isinstance(self.raw, dict) else None
        self.raw_definitions: dict[str, Any] = raw_definitions if isinstance(raw_definitions, dict) else {}
        self._parsed: dict[str, Node] = {}

    def resolve(self, node: Node) -> Node:
        """Follow references until a schema that is none; one that can't be followed is unreadable."""
        seen: set[str] = set()
        while node.ref is not None:
            name = definition_name(node.ref)
            if name is None or name not in self.raw_definitions or name in seen:
                return Node(unreadable=f"its $ref {node.ref[:80]!r} leads nowhere", raw=node.ref)
            seen.add(name)
            if name not in self._parsed:
                self._parsed[name] = parse(self.raw_definitions[name], depth=1)
            node = self._parsed[name]
        return node


def definition_name(ref: str) -> str | None:
    """Return the name of the definition that a local reference means, or None for any other reference."""
    prefix = "#/$defs/"
    if not ref.startswith(prefix) or "/" in ref[len(prefix) :]:
        return None
    return ref[len(prefix) :].replace("~1", "/").replace("~0", "~")


def find_gaps(inner: Document, outer: Document) -> tuple[Gap, ...]:
    """Return every gap, in the order of the schema."""
    return tuple(_types_together(_Search(inner, outer).within(inner.root, outer.root, "")))


def _types_together(gaps: Sequence[Gap]) -> Iterator[Gap]:
    """Several types at one place are one gap; the same gap is told once."""
    names: dict[tuple[str, str], list[str]] = {}
    for gap in gaps:
        if gap.kind is GapKind.TYPE:
            names.setdefault((gap.path, gap.outer), []).append(gap.inner)
    for gap in dict.fromkeys(gaps):
        if gap.kind is not GapKind.TYPE:
            yield gap
        elif found := names.pop((gap.path, gap.outer), None):
            yield Gap(GapKind.TYPE, gap.path, _listed(set(found)), gap.outer)


class _Search:
    """One walk over two documents; pairs that references lead to again are taken as proved while they are being looked at."""

    def __init__(self, inner: Document, outer: Document) -> None:
        self.inner, self.outer = inner, outer
        self.same_definitions = inner.raw_definitions == outer.raw_definitions
        self.budget = BUDGET
        self.open = 0
        # holds the schemas too, so that no other can come to have the same id
        self.assumed: dict[_PairId, tuple[Node, Node, str]] = {}
        self.active: set[_PairId] = set()

    def within(self, inner: Node, outer: Node, path: str) -> list[Gap]:
        """Return the gaps of one pair."""
        self.budget -= 1
        if self.budget < 0 or self.open >= DEEPEST:
            return [Gap(GapKind.UNREADABLE, path, "too much to compare", "too much to compare")]
        if inner == outer and (self.same_definitions or not _refers(inner)):
            return []
        self.open += 1
        found = self._pair(inner, outer, path)
        self.open -= 1
        return found

    def _pair(self, inner: Node, outer: Node, path: str) -> list[Gap]:
        one, other = self.inner.resolve(inner), self.outer.resolve(outer)
        if inner.ref is None and outer.ref is None:
            return self._look(one, other, path)
        pair = (id(one), id(other))
        if pair in self.assumed:
            return self._again(pair, path)
        self.assumed[pair] = (one, other, _level(path))
        self.active.add(pair)
        found = self._look(one, other, path)
        self.active.discard(pair)
        return found

    def _again(self, pair: _PairId, path: str) -> list[Gap]:
        """A pair that was seen before holds, unless references led back to it without entering a field or an item."""
        if pair in self.active and self.assumed[pair][2] == _level(path):
            return [Gap(GapKind.UNREADABLE, path, "refers to itself", "refers to itself")]
        return []

    def _look(self, inner: Node, outer: Node, path: str) -> list[Gap]:
        if inner.unreadable or outer.unreadable:
            return [
                Gap(GapKind.UNREADABLE, path, inner.unreadable or "readable", outer.unreadable or "readable")
            ]
        if inner.values is not None:
            return self._values(inner, outer, path)
        if inner.any_of:
            return self._branches(inner, outer, path)
        return [gap for name in sorted(inner.types) for gap in self._case(inner, name, outer, path)]

    def _values(self, inner: Node, outer: Node, path: str) -> list[Gap]:
        trial = Trial(self.outer.resolve)
        extra = [
            text
            for text in sorted(inner.values or ())
            if not trial.certainly_accepts(outer, json.loads(text))
        ]
        return [Gap(GapKind.VALUES, path, ", ".join(extra), _what(outer))] if extra else []

    def _branches(self, inner: Node, outer: Node, path: str) -> list[Gap]:
        """Alternatives are within when each is, or when what stands beside them already is."""
        beside = Node(**{**_fields(inner), "any_of": ()})
        if beside != ANYTHING and not self._quietly(beside, outer, path):
            return []
        return [
            gap
            for number, branch in enumerate(inner.any_of)
            for gap in self.within(branch, outer, f"{path}/anyOf/{number}")
        ]

    def _quietly(self, inner: Node, outer: Node, path: str) -> list[Gap]:
        """Look at a pair without letting what was assumed on the way count as proved if it fails."""
        before = dict(self.assumed)
        found = self.within(inner, outer, path)
        if found:
            self.assumed = before
        return found

    def _case(self, inner: Node, name: str, outer: Node, path: str) -> list[Gap]:
        """One type of the inner schema: within what the outer says beside its alternatives, and within one of those."""
        if name in ("null", "boolean"):
            return self._simple(name, outer, path)
        gaps = self._keywords(inner, name, outer, path)
        if outer.any_of:
            gaps += self._alternatives(Node(**{**_fields(inner), "types": frozenset({name})}), outer, path)
        return gaps

    def _simple(self, name: str, outer: Node, path: str) -> list[Gap]:
        values = (None,) if name == "null" else (False, True)
        trial = Trial(self.outer.resolve)
        if all(trial.certainly_accepts(outer, value) for value in values):
            return []
        return [Gap(GapKind.TYPE, path, name, _what(outer))]

    def _alternatives(self, case: Node, outer: Node, path: str) -> list[Gap]:
        tried = []
        for branch in outer.any_of:
            found = self._quietly(case, branch, path)
            if not found:
                return []
            if not any(gap.kind is GapKind.TYPE and gap.path == path for gap in found):
                tried.append(found)
        # the one alternative of the same type says more than "none fits"
        if len(tried) == 1:
            return tried[0]
        return [Gap(GapKind.ALTERNATIVES, path, _what(case), f"{len(outer.any_of)} alternatives")]

    def _keywords(self, inner: Node, name: str, outer: Node, path: str) -> list[Gap]:
        if outer.values is not None:
            return [Gap(GapKind.VALUES, path, f"any {name}", ", ".join(sorted(outer.values)))]
        whole = name == "integer" or (name == "number" and is_whole(inner))
        if name not in outer.types and not (whole and {"integer", "number"} & outer.types):
            return [Gap(GapKind.TYPE, path, name, ", ".join(sorted(outer.types)))]
        match name:
            case "string":
                return list(string_gaps(inner, outer, path))
            case "array":
                return [*array_gaps(inner, outer, path), *self._items(inner, outer, path)]
            case "object":
                return list(self._object(inner, outer, path))
            case _:
                return list(number_gaps(inner, outer, path, whole=whole))

    def _items(self, inner: Node, outer: Node, path: str) -> list[Gap]:
        if outer.items is None or inner.max_items == 0:
            return []
        return self.within(inner.items or ANYTHING, outer.items, f"{path}/items")

    def _object(self, inner: Node, outer: Node, path: str) -> Iterator[Gap]:
        for name in sorted({*inner.properties, *outer.properties}):
            at = f"{path}/properties/{escape(name)}"
            yield from self._property(inner.properties.get(name, inner.additional), outer, name, at)
            if name in outer.required and name not in inner.required:
                yield Gap(GapKind.OPTIONAL, at, "may be left out", "required")
        for name in sorted(outer.required - inner.required - {*inner.properties, *outer.properties}):
            yield Gap(GapKind.OPTIONAL, f"{path}/properties/{escape(name)}", "may be left out", "required")
        if inner.additional is not False:
            if outer.additional is False:
                yield Gap(GapKind.OPEN, path, "any other field", "no other field")
            else:
                at = f"{path}/additionalProperties"
                yield from self.within(_node(inner.additional), _node(outer.additional), at)

    def _property(self, inner: Node | bool, outer: Node, name: str, path: str) -> Iterator[Gap]:
        other = outer.properties.get(name, outer.additional)
        if inner is False:
            return
        if other is False:
            yield Gap(GapKind.FIELD, path, _what(self.inner.resolve(_node(inner))), "no such field")
        else:
            yield from self.within(_node(inner), _node(other), path)


def escape(name: str) -> str:
    """Return a name as one part of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def _level(path: str) -> str:
    """The place without the alternatives on the way: the same for schemas that look at the same value."""
    return _ALTERNATIVE.sub("", path)


def _refers(node: Node) -> bool:
    """Whether a schema's meaning depends on the document around it."""
    if node.unreadable:
        return "$ref" in node.raw
    inner = [
        *node.properties.values(),
        *node.any_of,
        *(n for n in (node.items, node.additional) if isinstance(n, Node)),
    ]
    return node.ref is not None or any(_refers(one) for one in inner)


def _node(value: Node | bool) -> Node:
    return value if isinstance(value, Node) else ANYTHING


def _fields(node: Node) -> dict[str, Any]:
    return {name: getattr(node, name) for name in Node.__slots__}


def _what(node: Node) -> str:
    """Say in a few words what a schema admits."""
    if node.values is not None:
        return ", ".join(sorted(node.values))
    if node.any_of:
        return f"{len(node.any_of)} alternatives"
    return _listed(node.types) if node != ANYTHING else "anything"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
