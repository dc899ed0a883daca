"""Whether a schema certainly accepts one given value. Patterns and formats are never tried, so they are never certain."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from conformance.inventory.canonical import canonical
from conformance.inventory.schema.node import ANYTHING, Node

DEEPEST = 60
"""How many schemas may be open at once; only references that go round in circles need more."""

MOST = 5_000
"""How many schemas one value may be tried on."""


class Trial:
    """Tries values on the schemas of one document.

    Args:
        follow: follows a reference to the schema that it names.
    """

    def __init__(self, follow: Callable[[Node], Node]) -> None:
        self._follow = follow
        self._left = MOST

    def certainly_accepts(self, node: Node, value: Any, depth: int = 0) -> bool:
        """Tell whether `node` accepts `value` (a JSON value) beyond doubt."""
        node = self._follow(node)
        self._left -= 1
        if depth > DEEPEST or self._left < 0 or node.unreadable or not _type_fits(node, value):
            return False
        if node.values is not None and canonical(value) not in node.values:
            return False
        if node.any_of and not any(
            self.certainly_accepts(branch, value, depth + 1) for branch in node.any_of
        ):
            return False
        return self._content_fits(node, value, depth + 1)

    def _content_fits(self, node: Node, value: Any, depth: int) -> bool:
        match value:
            case bool() | None:
                return True
            case int() | float():
                return _number_fits(node, Fraction(canonical(value)))
            case str():
                units = len(value.encode("utf-16-le", "surrogatepass")) // 2
                fits = node.min_length <= units <= node.max_length
                return fits and node.pattern is None and node.format is None
            case list():
                inner = node.items or ANYTHING
                return _array_fits(node, value) and all(
                    self.certainly_accepts(inner, item, depth) for item in value
                )
            case _:
                return node.required <= value.keys() and self._fields_fit(node, value, depth)

    def _fields_fit(self, node: Node, value: dict[str, Any], depth: int) -> bool:
        for name, item in value.items():
            inner = node.properties.get(name, node.additional)
            if inner is False or (isinstance(inner, Node) and not self.certainly_accepts(inner, item, depth)):
                return False
        return True


def type_of(value: Any) -> str:
    """Return the JSON type of a value; whole numbers are `integer`."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "integer" if value % 1 == 0 else "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def _type_fits(node: Node, value: Any) -> bool:
    name = type_of(value)
    return name in node.types or (name == "integer" and "number" in node.types)


def _number_fits(node: Node, number: Fraction) -> bool:
    low, high = node.low, node.high
    if low and not (number > low.value or (low.inclusive and number == low.value)):
        return False
    if high and not (number < high.value or (high.inclusive and number == high.value)):
        return False
    return not node.multiple_of or (number / node.multiple_of).denominator == 1


def _array_fits(node: Node, items: list[Any]) -> bool:
    if not node.min_items <= len(items) <= node.max_items:
        return False
    return not node.unique_items or len({canonical(item) for item in items}) == len(items)
