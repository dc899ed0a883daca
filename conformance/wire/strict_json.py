"""JSON as RFC 8259 has it, without what Python's parser lets through.

Refused: NaN and the infinities, numbers beyond a double, duplicate keys, lone surrogates, bytes that are not UTF-8, and
nesting beyond `MAX_DEPTH` levels, which is ours: deeper values can't be noted and compared safely on every Python.
"""

import json
import math
import re
from typing import Any, NoReturn

MAX_DEPTH = 200

_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTAINERS = (dict, list)


class NotJson(ValueError):  # noqa: N818 - reads as what it says
    """The text is not JSON; the message says where and why."""


def loads(text: str | bytes) -> Any:
    """Parse JSON text.

    Raises:
        NotJson: see the module.
    """
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        value = json.loads(
            decoded,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_integer,
            object_pairs_hook=_unique_keys,
        )
    except UnicodeDecodeError as error:
        raise NotJson(f"byte {error.start} is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise NotJson(f"{error.msg} at character {error.pos}") from None
    except RecursionError:
        raise NotJson("nested too deeply") from None
    if decoded.count("[") + decoded.count("{") > MAX_DEPTH:
        _refuse_depth(value)
    if _may_hold_surrogates(text, decoded):
        _refuse_surrogates(value)
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise NotJson(f"{_short(text)} is beyond what a double holds")
    return number


def _integer(text: str) -> int:
    """An integer keeps its digits, but must lie within the range of a double."""
    if len(text) > 300:
        _finite(text)
    return int(text)


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:20]}… ({len(text)} characters)"


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise NotJson(f"the key {twice!r} stands twice in one object")
    return result


def _may_hold_surrogates(text: str | bytes, decoded: str) -> bool:
    """Whether strings must be looked at: an escape names a surrogate, or a text (bytes can't be UTF-8 with one) holds it."""
    if "\\u" in decoded and _ESCAPED_SURROGATE.search(decoded):
        return True
    return isinstance(text, str) and not text.isascii() and _SURROGATE.search(text) is not None


def _refuse_depth(value: Any) -> None:
    """Count the levels of a parsed value, without recursion and without looking at what holds nothing."""
    level, depth = [value] if isinstance(value, _CONTAINERS) else [], 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise NotJson("nested too deeply")
        level = [
            inner
            for item in level
            for inner in (item.values() if isinstance(item, dict) else item)
            if isinstance(inner, _CONTAINERS)
        ]


def _refuse_surrogates(value: Any) -> None:
    """Look at every string of a parsed value, without recursion."""
    level = [value]
    while level:
        if any(isinstance(item, str) and _SURROGATE.search(item) for item in level):
            raise NotJson("a string holds a lone surrogate")
        level = [inner for item in level for inner in _inside(item)]


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else []
