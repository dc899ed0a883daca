"""Canonical JSON and the input hash: the fingerprint that an approval is bound to.

Keys are sorted by UTF-16 code units, there is no white space, and numbers are written as JavaScript writes them, so that two
readers on different platforms agree on the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import math
from decimal import Decimal

from reference_app.errors import ReferenceAppError


class UnserializableError(ReferenceAppError):
    """A value has no canonical JSON: a number that is not finite, or something that JSON does not know."""


def canonical_json(value: object) -> str:
    """The canonical text of a JSON value.

    Raises:
        UnserializableError: The value holds something that JSON cannot say.
    """
    if value is None or isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int | float):
        return number_text(value)
    if isinstance(value, list | tuple):
        return f"[{','.join(canonical_json(member) for member in value)}]"
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda item: _code_units(item[0]))
        return (
            "{" + ",".join(f"{canonical_json(key)}:{canonical_json(member)}" for key, member in members) + "}"
        )
    raise UnserializableError(f"A {type(value).__name__} has no canonical JSON.")


def input_hash(value: object) -> str:
    """SHA-256 over the canonical text, in lower-case hexadecimal.

    Raises:
        UnserializableError: The value has no canonical JSON.
    """
    return hashlib.sha256(canonical_json(value).encode("utf-8")).hexdigest()


def number_text(number: float) -> str:
    """A number as JavaScript writes it: shortest digits, no exponent between 1e-6 and 1e21."""
    if not math.isfinite(number):
        raise UnserializableError("A number that is not finite has no canonical JSON.")
    if number == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(float(number))).normalize().as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + int(exponent)
    if 0 < point <= 21:
        plain = text.ljust(point, "0") if point >= len(text) else f"{text[:point]}.{text[point:]}"
    elif -6 < point <= 0:
        plain = f"0.{'0' * -point}{text}"
    else:
        mantissa = text[0] + (f".{text[1:]}" if len(text) > 1 else "")
        plain = f"{mantissa}e{point - 1:+d}"
    return f"-{plain}" if sign else plain


def _code_units(key: object) -> bytes:
    if not isinstance(key, str):
        raise UnserializableError("An object's key is not a string.")
    return key.encode("utf-16-be")
