"""Where the values of a JSON text stand in it, so that bytes and lines can be told and not only values."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

_DECODER = json.JSONDecoder()
_SPACE = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object or element of an array: its key or index, and where key and value stand."""

    key: str | int
    start: int
    value_start: int
    end: int


def members(text: str) -> dict[str, str]:
    """Return the raw text of each member of the JSON object in `text`; the last of duplicate keys wins.

    Raises:
        ValueError: `text` is not a JSON object.
    """
    return {
        str(member.key): text[member.value_start : member.end]
        for member in spans(text, _at_bracket(text, "{"))
    }


def elements(text: str) -> tuple[str, ...]:
    """Return the raw text of each element of the JSON array in `text`.

    Raises:
        ValueError: `text` is not a JSON array.
    """
    return tuple(text[element.value_start : element.end] for element in spans(text, _at_bracket(text, "[")))


def spans(text: str, at: int) -> Iterator[Member]:
    """Yield the members of the object, or the elements of the array, that begins at `at`; nothing for a scalar."""
    kind = text[at]
    if kind not in "{[":
        return
    close = "}" if kind == "{" else "]"
    at = skip(text, at + 1)
    index = 0
    while text[at] != close:
        start, key = at, index
        if kind == "{":
            key, at = _DECODER.raw_decode(text, at)
            at = skip(text, skip(text, at) + 1)
        _, end = _DECODER.raw_decode(text, at)
        yield Member(key, start, at, end)
        at = skip(text, end)
        at = skip(text, at + 1) if text[at] == "," else at
        index += 1


def skip(text: str, at: int) -> int:
    """Return where the white space at `at` ends."""
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _at_bracket(text: str, bracket: str) -> int:
    at = skip(text, 0)
    if text[at : at + 1] != bracket:
        raise ValueError(f"expected {bracket!r} at {at}, got {text[at : at + 20]!r}")
    return at
