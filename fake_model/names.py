"""From the name in a script to a tool that the request really offers.

Scripts name capabilities by canonical id (`domain:list-invoices`) or by wire name. The standard encoding of
canonical ids is computed here; whether a computed name counts is decided by the list that was offered.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

MAX_WIRE_NAME = 64
"""Longest tool name that every provider accepts, in characters."""

_LEVELS = range(4)
_PLANES = ("view", "domain")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Alias:
    """A wire name that the caller gives for a canonical id, for targets with an encoding of their own."""

    canonical_id: str
    wire_name: str


@dataclass(frozen=True, slots=True)
class CanonicalName:
    """A canonical id, and the instance it means where a screen has more than one (`view:x.y@left`)."""

    canonical_id: str
    instance: str = ""

    @property
    def plane(self) -> str:
        """`view` or `domain`."""
        return self.canonical_id.partition(":")[0]


def read_canonical(name: str) -> CanonicalName | None:
    """Return `name` as a canonical id, or None when it does not begin with a plane."""
    plane, colon, path = name.partition(":")
    if plane not in _PLANES or not colon or not path:
        return None
    canonical_id, _, instance = name.partition("@")
    return CanonicalName(canonical_id, instance)


def encode(name: CanonicalName, level: int = 0) -> str:
    """Return the standard wire name of a canonical id.

    The first `:` becomes `_`, every `.` becomes `__`, an instance is appended as `_at_<instance>`. A name that
    would be longer than 64 characters, whose id has an underscore, or that collided (`level` above 0) is
    shortened to its beginning, `_0_` and a hash.
    """
    raw = name.canonical_id.replace(":", "_", 1).replace(".", "__")
    if name.instance:
        raw = f"{raw}_at_{name.instance}"
    if level == 0 and len(raw) <= MAX_WIRE_NAME and "_" not in name.canonical_id:
        return raw
    length = 7 + 2 * level
    digest = _hash36(f"{name.canonical_id}#{name.instance}#{level}", length)
    return f"{raw[: MAX_WIRE_NAME - 3 - length]}_0_{digest}"


def resolve(name: str, offered: Collection[str], aliases: Iterable[Alias] = ()) -> str | None:
    """Return the offered tool that `name` means, or None; there is no guessing.

    An exact name wins, then the standard encoding at any level of shortening, then an alias.
    """
    if name in offered:
        return name
    canonical = read_canonical(name)
    if canonical is not None:
        for level in _LEVELS:
            if (wire_name := encode(canonical, level)) in offered:
                return wire_name
    for alias in aliases:
        if alias.canonical_id == name and alias.wire_name in offered:
            return alias.wire_name
    return None


def wire_name_of(name: str, aliases: Iterable[Alias] = ()) -> str:
    """Return the wire name that a tool of this name would have, offered or not."""
    for alias in aliases:
        if alias.canonical_id == name:
            return alias.wire_name
    canonical = read_canonical(name)
    return encode(canonical) if canonical else name


def _hash36(text: str, length: int) -> str:
    """Return `length` base-36 digits: FNV-1a over UTF-16 code units, one more round for each 7 digits."""
    units = text.encode("utf-16-le", "surrogatepass")
    digits = ""
    while len(digits) < length:
        value = 0x811C9DC5 ^ (len(digits) // 7)
        for low, high in zip(units[::2], units[1::2], strict=True):
            value = ((value ^ (low | high << 8)) * 0x01000193) & 0xFFFFFFFF
        digits += _base36(value).rjust(7, "0")
    return digits[:length]


def _base36(value: int) -> str:
    digits = ""
    while value:
        value, digit = divmod(value, 36)
        digits = _DIGITS[digit] + digits
    return digits
