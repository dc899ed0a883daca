"""JSON as RFC 8259 has it, without what Python's parser lets through.

Refused: NaN and the infinities, numbers beyond a double, duplicate keys, lone surrogates, and bytes that are not UTF-8.
"""

import json
import math
from typing import Any, NoReturn


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
            object_pairs_hook=_unique_keys,
        )
    except UnicodeDecodeError as error:
        raise NotJson(f"byte {error.start} is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise NotJson(f"{error.msg} at character {error.pos}") from None
    except RecursionError:
        raise NotJson("nested too deeply") from None
    if "\\ud" in decoded.lower():
        _refuse_surrogates(value)
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise NotJson(f"{text} is beyond what a double holds")
    return number


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise NotJson(f"the key {twice!r} stands twice in one object")
    return result


def _refuse_surrogates(value: Any) -> None:
    if isinstance(value, str):
        if any("\ud800" <= char <= "\udfff" for char in value):
            raise NotJson("a string holds a lone surrogate")
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_surrogates(key)
            _refuse_surrogates(item)
    elif isinstance(value, list):
        for item in value:
            _refuse_surrogates(item)
