"""Two texts side by side, word by word, and cut to what differs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
_MOST_WORDS = 1200
_CONTEXT = 40


class Part(Enum):
    """Where a piece of text stands."""

    BOTH = "both"
    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Piece:
    """Words in a row that are in one of the texts, or in both."""

    part: Part
    text: str


def pieces(before: str, after: str) -> tuple[Piece, ...]:
    """Return both texts as one row of pieces; what only the old text has comes before what only the new one has.

    Texts of more than 1,200 words are not taken apart: both are returned whole.
    """
    return tuple(_pieces(before, after))


def _pieces(before: str, after: str) -> Iterator[Piece]:
    old, new = _WORD.findall(before), _WORD.findall(after)
    if len(old) > _MOST_WORDS or len(new) > _MOST_WORDS:
        yield from _some(Part.BEFORE, before)
        yield from _some(Part.AFTER, after)
        return
    for tag, old_from, old_to, new_from, new_to in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            yield Piece(Part.BOTH, "".join(new[new_from:new_to]))
        else:
            yield from _some(Part.BEFORE, "".join(old[old_from:old_to]))
            yield from _some(Part.AFTER, "".join(new[new_from:new_to]))


def _some(part: Part, text: str) -> Iterator[Piece]:
    if text:
        yield Piece(part, text)


def cut_to_difference(before: str, after: str, limit: int) -> tuple[str, str]:
    """Return both texts without most of what they begin and end alike with, each at most about `limit` characters."""
    if len(before) <= limit and len(after) <= limit:
        return before, after
    shorter = min(len(before), len(after))
    start = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    end = next((at for at in range(shorter - start) if before[-1 - at] != after[-1 - at]), shorter - start)
    return _middle(before, start, end, limit), _middle(after, start, end, limit)


def _middle(text: str, start: int, end: int, limit: int) -> str:
    """The part that differs with a little before and after it; what is left out is counted."""
    first = max(0, start - _CONTEXT)
    last = min(len(text), len(text) - end + _CONTEXT)
    kept = text[first:last]
    if len(kept) > limit:
        kept = f"{kept[: limit // 2]} … ({len(kept) - limit} characters) … {kept[len(kept) - limit // 2 :]}"
    return f"{'… ' if first else ''}{kept}{' …' if last < len(text) else ''}"
