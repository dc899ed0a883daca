"""JSON values as the view plane compares, orders and hashes them.

Two tabs of different languages must agree on digests, so text is made exactly as a browser makes it: numbers in
ECMAScript's shortest form, keys ordered by UTF-16 code unit, lengths counted in UTF-16 code units.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from json.encoder import encode_basestring
from typing import Final, TypeAlias

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
JsonObject: TypeAlias = Mapping[str, Json]

MAX_DEPTH: Final = 64
"""Deeper values are not passed on; nothing a screen returns is nested that far."""

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_SAFE_INTEGER: Final = 2**53


class Unset(Enum):
    """The absent value: what JavaScript calls undefined, which JSON cannot say."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET


def js_length(text: str) -> int:
    """Count UTF-16 code units, which is what every limit of the surface is measured in."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def js_units(text: str) -> Iterator[int]:
    """Yield the UTF-16 code units of a text, lone surrogates included."""
    raw = text.encode("utf-16-le", "surrogatepass")
    for index in range(0, len(raw), 2):
        yield raw[index] | raw[index + 1] << 8


def js_sort_key(text: str) -> bytes:
    """Order texts by UTF-16 code unit, as a browser's sort does."""
    return text.encode("utf-16-be", "surrogatepass")


def js_number(value: float) -> str:
    """Write a number as ECMAScript does: 1.0 is ``1``, 1e21 is ``1e+21``, minus zero is ``0``.

    Raises:
        ValueError: The number is not finite, or is beyond a double.
    """
    if isinstance(value, int) and abs(value) <= _SAFE_INTEGER:
        return str(value)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError("expected a finite number; infinity and not-a-number have no JSON form")
    if number == 0:
        return "0"
    sign, digit_tuple, exponent = Decimal(repr(number)).as_tuple()
    assert isinstance(exponent, int)  # a finite decimal's exponent is a number
    digits = "".join(map(str, digit_tuple))
    return ("-" if sign else "") + _place_point(digits.rstrip("0"), len(digits) + exponent)


def _place_point(digits: str, point: int) -> str:
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    power = point - 1
    mantissa = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{'+' if power > 0 else '-'}{abs(power)}"


def js_string(text: str) -> str:
    """Quote a text as a browser does; a lone surrogate is escaped, everything printable stays as it is."""
    return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", encode_basestring(text))


def stringify(value: Json, *, sort_keys: bool = False) -> str:
    """Serialise without white space, keys as they come or in canonical order.

    Raises:
        ValueError: A number is not finite.
        TypeError: Something in it is not a JSON value.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return js_number(value)
    if isinstance(value, str):
        return js_string(value)
    if isinstance(value, Mapping):
        keys = sorted(value, key=js_sort_key) if sort_keys else value
        members = (f"{js_string(key)}:{stringify(value[key], sort_keys=sort_keys)}" for key in keys)
        return "{" + ",".join(members) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(stringify(item, sort_keys=sort_keys) for item in value) + "]"
    raise TypeError(f"expected a JSON value, saw {type(value).__name__}")


def canonical_json(value: Json) -> str:
    """Serialise so that equal values give equal texts, whatever the order of their keys."""
    return stringify(value, sort_keys=True)


def json_equal(left: Json, right: Json) -> bool:
    """Compare as JSON: 1 equals 1.0 but not true; the order of keys does not count, that of items does."""
    return canonical_json(left) == canonical_json(right)


def fnv1a_64(text: str) -> str:
    """Hash a text with 64-bit FNV-1a over its UTF-16 code units: 16 lower-case hex digits."""
    digest = 0xCBF29CE484222325
    for unit in js_units(text):
        digest = ((digest ^ unit) * 0x100000001B3) % 2**64
    return f"{digest:016x}"


def copy_json(value: Json) -> Json:
    """Copy a JSON value, so that what leaves the surface shares nothing with what stays in it."""
    if isinstance(value, Mapping):
        return copy_object(value)
    if isinstance(value, (list, tuple)):
        return [copy_json(item) for item in value]
    return value


def copy_object(value: JsonObject) -> dict[str, Json]:
    """Copy a JSON object."""
    return {key: copy_json(item) for key, item in value.items()}


def json_defect(value: object, *, depth: int = 0) -> str | None:
    """Say why a value is not JSON (a foreign type, a number without a JSON form, nested too deep), or None.

    A cycle shows as nesting without end.
    """
    if depth > MAX_DEPTH:
        return f"nested deeper than {MAX_DEPTH}"
    if value is None or isinstance(value, (bool, str)):
        return None
    if isinstance(value, (int, float)):
        return None if _is_finite(value) else "a number that is not finite"
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            return "an object with a key that is not a string"
        return _first_defect(value.values(), depth)
    if isinstance(value, (list, tuple)):
        return _first_defect(value, depth)
    return f"a value of type {type(value).__name__}"


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _first_defect(items: Iterable[object], depth: int) -> str | None:
    for item in items:
        defect = json_defect(item, depth=depth + 1)
        if defect is not None:
            return defect
    return None
