"""JSON as the wire should carry it: read strictly, written compactly.

Python's own reader accepts what other readers refuse or understand differently (duplicate keys, ``NaN``, numbers beyond a
double, lone surrogates). Whatever enters the application, from a browser or from a model, passes here first, so that what is
validated is what was sent.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

import orjson

from reference_app.errors import ReferenceAppError

JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
"""A JSON document: plain Python values, and nothing else."""

JsonObject: TypeAlias = Mapping[str, JsonValue]
"""A JSON object."""

MAX_SAFE_INTEGER = 2**53 - 1
"""The largest integer that a double holds exactly; larger ones are read as the double that they really are."""


class JsonError(ReferenceAppError):
    """A text is not JSON in the strict sense; the message names the reason without quoting the text."""


@dataclass(frozen=True)
class Strictness:
    """How much is refused beyond the grammar.

    Attributes:
        max_depth: The deepest nesting of arrays and objects that is read; a scalar has depth 0.
        refuse_prototype_keys: Whether a key called ``__proto__`` makes the document unreadable.
    """

    max_depth: int = 64
    refuse_prototype_keys: bool = False


BODY = Strictness()
"""For request bodies."""

ARGUMENTS = Strictness(max_depth=32, refuse_prototype_keys=True)
"""For the arguments that a model writes."""


def loads(text: str | bytes, strictness: Strictness = BODY) -> JsonValue:
    """Read one JSON document.

    Args:
        text: The document, as text or as UTF-8.
        strictness: What is refused beyond the grammar.

    Returns:
        The value. An integral number within the exact range of a double is an ``int``, however it was written, as it
        would be for a JavaScript reader; every other number is a finite ``float``.

    Raises:
        JsonError: The text is not UTF-8 or not JSON, repeats a key, holds a number that is not finite as a double or a lone
            surrogate, nests too deeply, or uses a refused key.
    """
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        value = json.loads(
            decoded,
            parse_constant=_refuse_constant,
            parse_float=_number,
            parse_int=_number,
            object_pairs_hook=_unique_keys,
        )
    except UnicodeDecodeError as problem:
        raise JsonError("The text is not UTF-8.") from problem
    except RecursionError as problem:
        raise JsonError("The document nests too deeply.") from problem
    except ValueError as problem:
        raise JsonError("The text is not JSON.") from problem
    _inspect(value, strictness, 0)
    return value  # type: ignore[no-any-return]  # json.loads is untyped; the hooks above admit JSON values only


def dumps(value: JsonValue) -> bytes:
    """Write one JSON document as compact UTF-8, keys in their given order."""
    return orjson.dumps(value)


def dumps_text(value: JsonValue) -> str:
    """Write one JSON document as compact text."""
    return orjson.dumps(value).decode("utf-8")


def digest_of(value: JsonValue) -> str:
    """A fingerprint of a document, independent of white space and of the order of keys."""
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _refuse_constant(name: str) -> NoReturn:
    raise JsonError(f"{name} is not a JSON number.")


def _number(text: str) -> int | float:
    value = float(text)
    if not math.isfinite(value):
        raise JsonError("A number is beyond the range of a double.")
    if value.is_integer() and abs(value) <= MAX_SAFE_INTEGER:
        return int(value)
    return value


def _unique_keys(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise JsonError("An object repeats a key.")
    return members


def _inspect(value: JsonValue, strictness: Strictness, depth: int) -> None:
    if isinstance(value, str):
        _refuse_surrogates(value)
        return
    if not isinstance(value, list | dict):
        return
    if depth >= strictness.max_depth:
        raise JsonError("The document nests too deeply.")
    if isinstance(value, dict):
        for key in value:
            _refuse_surrogates(key)
            if strictness.refuse_prototype_keys and key == "__proto__":
                raise JsonError("The key __proto__ is not allowed.")
    for member in value.values() if isinstance(value, dict) else value:
        _inspect(member, strictness, depth + 1)


def _refuse_surrogates(text: str) -> None:
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise JsonError("A string holds a lone surrogate.")
