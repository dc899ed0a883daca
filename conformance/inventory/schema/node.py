"""A JSON Schema of the readable subset, parsed. What is outside the subset is kept as unreadable, with the reason.

The subset is the one that the stack's surface accepts for inputs and outputs: type, enum, const, properties, required,
additionalProperties, items, lengths, pattern, format, numeric bounds, anyOf and local references.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from conformance.inventory.canonical import canonical

ALL_TYPES = frozenset({"null", "boolean", "number", "string", "array", "object"})
KNOWN_TYPES = ALL_TYPES | {"integer"}
TEXTS = ("description", "title", "examples", "deprecated", "$comment")
MAX_DEPTH = 60
_DIALECTS = (
    "json-schema.org/draft/2020-12/schema",
    "json-schema.org/draft/2019-09/schema",
    "json-schema.org/draft-07/schema",
)
_CONSTRAINTS = frozenset(
    {
        *(
            "type",
            "enum",
            "const",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "minItems",
            "maxItems",
        ),
        *(
            "uniqueItems",
            "minLength",
            "maxLength",
            "pattern",
            "format",
            "minimum",
            "maximum",
            "exclusiveMinimum",
        ),
        *("exclusiveMaximum", "multipleOf", "anyOf", "$ref"),
    }
)
_ANNOTATIONS = frozenset({*TEXTS, "default", "$defs"})
_OF_DOCUMENT = frozenset({"$schema", "$id"})


class Unreadable(ValueError):  # noqa: N818 - it is a property of the schema, not a failure
    """A schema uses something that this suite can't compare; the message names it."""


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a range of numbers."""

    value: Fraction
    inclusive: bool = True

    def __str__(self) -> str:
        """The number."""
        return show_number(self.value)


@dataclass(frozen=True, slots=True)
class Node:
    """One schema: everything that it says about a value, each part at its widest where it says nothing.

    Attributes:
        types: the types that it admits; `integer` only where `number` is not admitted.
        values: what `enum` or `const` allow, as canonical JSON; None where every value of the types is allowed.
        additional: what properties that are not listed may be; False means that there may be none.
        unreadable: why this schema can't be compared; `raw` is its canonical text then.
    """

    types: frozenset[str] = ALL_TYPES
    values: frozenset[str] | None = None
    low: Bound | None = None
    high: Bound | None = None
    multiple_of: Fraction | None = None
    min_length: float = 0
    max_length: float = math.inf
    pattern: str | None = None
    format: str | None = None
    items: "Node | None" = None
    min_items: float = 0
    max_items: float = math.inf
    unique_items: bool = False
    properties: Mapping[str, "Node"] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    additional: "Node | bool" = True
    any_of: tuple["Node", ...] = ()
    ref: str | None = None
    unreadable: str = ""
    raw: str = ""


ANYTHING = Node()


def parse(raw: Any, depth: int = 0) -> Node:
    """Parse one schema; never raises, see `Node.unreadable`."""
    if depth > MAX_DEPTH:
        return Node(unreadable=f"it is nested more than {MAX_DEPTH} levels deep", raw=canonical(raw))
    try:
        return _parse(raw, depth)
    except Unreadable as reason:
        return Node(unreadable=str(reason), raw=canonical(raw))


def unclear_dialect(raw: Any) -> str:
    """Say what is wrong with a document's `$schema`, or nothing."""
    dialect = raw.get("$schema") if isinstance(raw, dict) else None
    if dialect is None:
        return ""
    name = dialect.partition("://")[2].rstrip("#") if isinstance(dialect, str) else ""
    return "" if name in _DIALECTS else f"its $schema {canonical(dialect)[:80]} is not a known dialect"


def show_number(value: Fraction) -> str:
    """Print a number as JSON would."""
    return canonical(int(value) if value.denominator == 1 else float(value))


def _parse(raw: Any, depth: int) -> Node:
    if raw is True:
        return ANYTHING
    if not isinstance(raw, dict):
        raise Unreadable(f"a schema must be an object, not {canonical(raw)[:60]}")
    _check_keywords(raw, depth)
    return Node(
        types=_types(raw),
        values=_values(raw),
        low=_bound(raw, "minimum", "exclusiveMinimum", max),
        high=_bound(raw, "maximum", "exclusiveMaximum", min),
        multiple_of=_multiple(raw),
        min_length=_count(raw, "minLength", 0),
        max_length=_count(raw, "maxLength", math.inf),
        pattern=_text(raw, "pattern"),
        format=_text(raw, "format"),
        items=parse(raw["items"], depth + 1) if "items" in raw else None,
        min_items=_count(raw, "minItems", 0),
        max_items=_count(raw, "maxItems", math.inf),
        unique_items=_flag(raw, "uniqueItems"),
        properties=_properties(raw, depth),
        required=_required(raw),
        additional=_additional(raw, depth),
        any_of=_any_of(raw, depth),
        ref=_text(raw, "$ref"),
    )


def _check_keywords(raw: Mapping[str, Any], depth: int) -> None:
    allowed = _CONSTRAINTS | _ANNOTATIONS | (_OF_DOCUMENT if depth == 0 else frozenset())
    if unknown := sorted(set(raw) - allowed):
        raise Unreadable(f"it uses {', '.join(unknown[:5])}")
    if "$ref" in raw and _CONSTRAINTS & set(raw) != {"$ref"}:
        raise Unreadable("it has other constraints beside $ref")


def _types(raw: Mapping[str, Any]) -> frozenset[str]:
    if "type" not in raw:
        return ALL_TYPES
    value = raw["type"]
    names = value if isinstance(value, list) else [value]
    if not names or not all(isinstance(name, str) and name in KNOWN_TYPES for name in names):
        raise Unreadable(f"its type is {canonical(value)[:60]}")
    found = frozenset(names)
    return found - {"integer"} if "number" in found else found


def _values(raw: Mapping[str, Any]) -> frozenset[str] | None:
    found: frozenset[str] | None = None
    if "enum" in raw:
        if not isinstance(raw["enum"], list):
            raise Unreadable("its enum is not a list")
        found = frozenset(canonical(item) for item in raw["enum"])
    if "const" in raw:
        only = frozenset({canonical(raw["const"])})
        found = only if found is None else found & only
    return found


def _bound(raw: Mapping[str, Any], inclusive: str, exclusive: str, tightest: Any) -> Bound | None:
    """The tighter of an inclusive and an exclusive bound; of the same number, the exclusive one."""
    found = [Bound(_number(raw, key), key == inclusive) for key in (inclusive, exclusive) if key in raw]
    if not found:
        return None
    value = tightest(bound.value for bound in found)
    return Bound(value, all(bound.inclusive for bound in found if bound.value == value))


def _multiple(raw: Mapping[str, Any]) -> Fraction | None:
    if "multipleOf" not in raw:
        return None
    value = _number(raw, "multipleOf")
    if value <= 0:
        raise Unreadable("its multipleOf is not above 0")
    return value


def _number(raw: Mapping[str, Any], key: str) -> Fraction:
    value = raw[key]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unreadable(f"its {key} is not a number")
    return Fraction(canonical(value))


def _count(raw: Mapping[str, Any], key: str, default: float) -> float:
    value = raw.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise Unreadable(f"its {key} is not a count")
    if value != math.inf and value % 1:
        raise Unreadable(f"its {key} is not a whole number")
    return value


def _flag(raw: Mapping[str, Any], key: str) -> bool:
    value = raw.get(key, False)
    if not isinstance(value, bool):
        raise Unreadable(f"its {key} is neither true nor false")
    return value


def _text(raw: Mapping[str, Any], key: str) -> str | None:
    value = raw.get(key)
    if key in raw and not isinstance(value, str):
        raise Unreadable(f"its {key} is not a text")
    return value


def _properties(raw: Mapping[str, Any], depth: int) -> Mapping[str, Node]:
    value = raw.get("properties", {})
    if not isinstance(value, dict):
        raise Unreadable("its properties are not an object")
    return {name: parse(item, depth + 1) for name, item in value.items()}


def _required(raw: Mapping[str, Any]) -> frozenset[str]:
    value = raw.get("required", [])
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise Unreadable("its required is not a list of names")
    return frozenset(value)


def _additional(raw: Mapping[str, Any], depth: int) -> Node | bool:
    value = raw.get("additionalProperties", True)
    return value if isinstance(value, bool) else parse(value, depth + 1)


def _any_of(raw: Mapping[str, Any], depth: int) -> tuple[Node, ...]:
    value = raw.get("anyOf", [])
    if not isinstance(value, list) or ("anyOf" in raw and not value):
        raise Unreadable("its anyOf is not a list of schemas")
    return tuple(parse(item, depth + 1) for item in value)
