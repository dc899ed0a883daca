"""Names that every model provider accepts, and the way back from them.

Providers allow letters, digits, ``_`` and ``-``, 64 at most; canonical ids have colons and dots and may be longer.
Within one catalog the mapping is one to one, and the way back is the table made with it, never surgery on the name.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from reference_app.surface.identifiers import parse_id
from reference_app.surface.json_value import js_units

MAX_LENGTH: Final = 64
MAX_LEVEL: Final = 3
_BASE36: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class NameKey:
    """What a wire name stands for: a canonical id, and a suffix where several instances share it."""

    canonical_id: str
    suffix: str | None = None

    @property
    def order(self) -> str:
        """The text that is hashed into a shortened name, and by which colliding keys are ranked."""
        return f"{self.canonical_id}#{self.suffix or ''}"


def base36(number: int) -> str:
    """Write a non-negative integer in base 36."""
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = _BASE36[digit] + digits
        if number == 0:
            return digits


def hash36(text: str, length: int) -> str:
    """Hash a text to base-36 characters: 32-bit FNV-1a rounds, each at least 7 characters, cut to length."""
    result = ""
    round_number = 0
    while len(result) < length:
        digest = 0x811C9DC5 ^ round_number
        for unit in js_units(text):
            digest = ((digest ^ unit) * 0x01000193) % 2**32
        result += base36(digest).rjust(7, "0")
        round_number += 1
    return result[:length]


def encode(key: NameKey, level: int = 0) -> str:
    """Name a key for the wire; the level is raised when two keys collide, and makes the hash longer."""
    raw = key.canonical_id.replace(":", "_", 1).replace(".", "__")
    if key.suffix is not None:
        raw += f"_at_{key.suffix}"
    if level == 0 and len(raw) <= MAX_LENGTH and "_" not in key.canonical_id:
        return raw
    hash_length = 7 + 2 * level
    kept = raw[: MAX_LENGTH - 3 - hash_length]
    return f"{kept}_0_{hash36(f'{key.order}#{level}', hash_length)}"


def assign(keys: Iterable[NameKey]) -> dict[NameKey, str]:
    """Name every key of one catalog, uniquely and independently of their order."""
    levels = dict.fromkeys(keys, 0)
    for _ in range(MAX_LEVEL):
        colliding = _colliding({key: encode(key, level) for key, level in levels.items()})
        if not colliding:
            break
        for key in colliding:
            levels[key] += 1
    names = {key: encode(key, level) for key, level in levels.items()}
    return names | _ranked(_colliding(names), names)


def _colliding(names: dict[NameKey, str]) -> list[NameKey]:
    taken: dict[str, list[NameKey]] = {}
    for key, name in names.items():
        taken.setdefault(name, []).append(key)
    return [key for keys in taken.values() if len(keys) > 1 for key in keys]


def _ranked(keys: list[NameKey], names: dict[NameKey, str]) -> dict[NameKey, str]:
    """Tell apart what even the longest hash cannot, by rank."""
    result = {}
    for rank, key in enumerate(sorted(keys, key=lambda key: key.order)):
        tail = f"_0_{rank}"
        result[key] = names[key][: MAX_LENGTH - len(tail)] + tail
    return result


def decode(name: str) -> str | None:
    """Read a canonical id back where the name alone is unambiguous; None for suffixed, shortened and foreign names."""
    plane, separator, rest = name.partition("_")
    if not separator or plane not in ("view", "domain") or "___" in rest:
        return None
    path = rest.replace("__", ".")
    if "_" in path or not all(path.split(".")):
        return None
    canonical_id = f"{plane}:{path}"
    if parse_id(canonical_id) is None or encode(NameKey(canonical_id)) != name:
        return None
    return canonical_id
