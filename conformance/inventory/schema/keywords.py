"""Gaps between what two schemas say about one type: numbers, texts, lists."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from conformance.inventory.schema.node import Bound, Node, show_number


class GapKind(StrEnum):
    """What a gap is about."""

    TYPE = "type"
    VALUES = "values"
    RANGE = "range"
    LENGTH = "length"
    FORM = "form"
    ITEMS = "items"
    OPTIONAL = "optional"
    FIELD = "field"
    OPEN = "open"
    ALTERNATIVES = "alternatives"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Gap:
    """One way in which the inner schema may accept more.

    Attributes:
        kind: what it is about.
        path: JSON pointer to the place in the schema, references followed.
        inner: what the inner schema says there, for people.
        outer: what the outer schema says there.
    """

    kind: GapKind
    path: str
    inner: str
    outer: str


def is_whole(node: Node) -> bool:
    """Whether every number that the schema admits is whole, though its type does not say so."""
    return node.multiple_of is not None and node.multiple_of.denominator == 1


def number_gaps(inner: Node, outer: Node, path: str, *, whole: bool) -> Iterator[Gap]:
    """Compare ranges and steps; `whole` says that only whole numbers are meant."""
    low = (
        (_rounded(inner.low, math.ceil, 1), _rounded(outer.low, math.ceil, 1))
        if whole
        else (inner.low, outer.low)
    )
    high = (
        (_rounded(inner.high, math.floor, -1), _rounded(outer.high, math.floor, -1))
        if whole
        else (inner.high, outer.high)
    )
    if low[1] and not (low[0] and _at_least(low[0], low[1])):
        yield Gap(GapKind.RANGE, path, _end("at least", inner.low), _end("at least", outer.low))
    if high[1] and not (high[0] and _at_most(high[0], high[1])):
        yield Gap(GapKind.RANGE, path, _end("at most", inner.high), _end("at most", outer.high))
    step = _step(inner, whole=whole)
    if outer.multiple_of and not (step and (step / outer.multiple_of).denominator == 1):
        shown = show_number(inner.multiple_of) if inner.multiple_of else "any number"
        yield Gap(
            GapKind.FORM, path, f"multiples of {shown}", f"multiples of {show_number(outer.multiple_of)}"
        )


def _end(word: str, bound: Bound | None) -> str:
    if bound is None:
        return f"no {'lower' if word == 'at least' else 'upper'} bound"
    return f"{word} {bound}" if bound.inclusive else f"{'above' if word == 'at least' else 'below'} {bound}"


def _step(node: Node, *, whole: bool) -> Fraction | None:
    """What every number of the schema is a multiple of; the whole multiples of p/q are those of p."""
    if node.multiple_of is None:
        return Fraction(1) if whole else None
    return Fraction(node.multiple_of.numerator) if whole else node.multiple_of


def _rounded(bound: Bound | None, towards: Callable[[Fraction], int], step: int) -> Bound | None:
    """The same bound for whole numbers: the first whole number that it admits."""
    if bound is None:
        return None
    whole = towards(bound.value)
    return Bound(Fraction(whole + step if whole == bound.value and not bound.inclusive else whole))


def _at_least(one: Bound, other: Bound) -> bool:
    return one.value > other.value or (one.value == other.value and (other.inclusive or not one.inclusive))


def _at_most(one: Bound, other: Bound) -> bool:
    return one.value < other.value or (one.value == other.value and (other.inclusive or not one.inclusive))


def string_gaps(inner: Node, outer: Node, path: str) -> Iterator[Gap]:
    """Compare lengths, patterns and formats; two different patterns are never within each other."""
    yield from _length_gaps(
        (inner.min_length, inner.max_length), (outer.min_length, outer.max_length), path, "characters"
    )
    for one, other in ((inner.pattern, outer.pattern), (inner.format, outer.format)):
        if other is not None and one != other:
            yield Gap(GapKind.FORM, path, one or "any text", other)


def array_gaps(inner: Node, outer: Node, path: str) -> Iterator[Gap]:
    """Compare how many items there may be, and whether they may repeat."""
    yield from _length_gaps(
        (inner.min_items, inner.max_items), (outer.min_items, outer.max_items), path, "items"
    )
    if outer.unique_items and not inner.unique_items:
        yield Gap(GapKind.ITEMS, path, "items may repeat", "items are unique")


def _length_gaps(
    inner: tuple[float, float], outer: tuple[float, float], path: str, unit: str
) -> Iterator[Gap]:
    if inner[0] < outer[0]:
        yield Gap(GapKind.LENGTH, path, f"at least {inner[0]:g} {unit}", f"at least {outer[0]:g} {unit}")
    if inner[1] > outer[1]:
        most = "any number of" if inner[1] == math.inf else f"at most {inner[1]:g}"
        yield Gap(GapKind.LENGTH, path, f"{most} {unit}", f"at most {outer[1]:g} {unit}")
