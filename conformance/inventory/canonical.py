"""Canonical JSON as the public tools write it, for comparing and hashing: keys sorted, no spaces, numbers as JavaScript prints them.

Sources: the surface contract's and the domain snapshot's published formats, which hash this text.
"""

import hashlib
import json
import re
from collections.abc import Callable
from json.encoder import encode_basestring
from typing import Any

import orjson

# a fraction, an exponent, or an integer that a double can't hold exactly (JavaScript's largest safe one is a common bound)
_ODD_NUMBER = re.compile(r"[:,\[]?-?(?:\d+(?:\.|[eE]|\d{16})|9(?!007199254740991\b)\d{15})")
_NUMBER = re.compile(r"[:,\[]-?\d")
# the same wherever it stands, in a string too: quickly found, and then looked at
_MAYBE_ODD = re.compile(r"\d(?:\.\d|[eE][-+\d]|\d{16})|9(?!007199254740991)\d{15}")
_BEYOND_BMP = re.compile("[\U00010000-\U0010ffff]")
_EXACT = 2**53


Write = Callable[[Any], str]
"""Turns a JSON value into its canonical text; see `canonical`."""


def canonical(value: Any) -> str:
    """Return the canonical text of a JSON value.

    Raises:
        ValueError: the value is nested too deeply to be written.
    """
    try:
        text = _plainly(value)
    except orjson.JSONEncodeError:  # deeper, or with larger integers, than orjson writes
        return _carefully(value)
    return text if _is_ordinary(text) else _carefully(value)


def writer_for(document: Any) -> Write:
    """Return what writes parts of a document: the quick way where JavaScript would print nothing in it otherwise."""
    try:
        return _plainly if _is_ordinary(_plainly(document)) else canonical
    except orjson.JSONEncodeError:
        return canonical


def _plainly(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def _is_ordinary(text: str) -> bool:
    """Whether JavaScript would print the same: some numbers it prints, and keys beyond the basic plane it sorts, otherwise."""
    return not _has_odd_number(text) and (text.isascii() or not _BEYOND_BMP.search(text))


def sha256_hex(text: str) -> str:
    """Return the SHA-256 of a text's UTF-8 bytes, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _has_odd_number(text: str) -> bool:
    """Whether a number may be printed in another way; most texts hold nothing that looks like one."""
    if not _MAYBE_ODD.search(text):
        return False
    starts = (found.start() for found in _NUMBER.finditer(text))
    return any(_ODD_NUMBER.match(text, start) for start in (0, *starts))


def _carefully(value: Any) -> str:
    try:
        return _write(value)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _write(value: Any) -> str:
    match value:
        case dict():
            pairs = sorted(value.items(), key=lambda pair: pair[0].encode("utf-16-be", "surrogatepass"))
            return "{" + ",".join(f"{_string(key)}:{_write(item)}" for key, item in pairs) + "}"
        case list() | tuple():
            return "[" + ",".join(_write(item) for item in value) + "]"
        case bool() | None:
            return json.dumps(value)
        case int() | float():
            return _number(value)
        case _:
            return _string(value)


def _string(value: str) -> str:
    return encode_basestring(value)


def _number(value: float) -> str:
    """Print a number as JavaScript does: shortest digits of the double, exponents only from 1e21 and below 1e-6."""
    if isinstance(value, int) and abs(value) < _EXACT:
        return str(value)
    double = float(value)
    if double == 0:
        return "0"
    sign = "-" if double < 0 else ""
    mantissa, _, exponent = f"{abs(double)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    # the value is 0.digits times ten to the power of `point`
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    return sign + _lay_out(digits.rstrip("0"), point)


def _lay_out(digits: str, point: int) -> str:
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    power = point - 1
    head = digits[0] + (f".{digits[1:]}" if count > 1 else "")
    return f"{head}e{'+' if power > 0 else '-'}{abs(power)}"
