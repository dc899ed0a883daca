"""A difference as a pull-request comment in GitHub's Markdown.

Every text from a file stands in a code span whose fence is longer than any row of backticks in it, on a line that begins with our
own words: there it can be neither markup nor a link nor a mention.
"""

import re
from collections.abc import Iterator

from conformance.inventory.changed_words import cut_to_difference
from conformance.inventory.gate import Status
from conformance.inventory.page import Card, Page, Row
from conformance.inventory.rules import Direction

MOST_CHARACTERS = 60_000
"""GitHub refuses comments above 65,536 characters."""

_MARKS = {
    Direction.BREACH: "🚨",
    Direction.WIDENING: "🔴",
    Direction.PROMPT: "🟣",
    Direction.NARROWING: "🔵",
    Direction.NEUTRAL: "⚪",
}
_WIDTH = 400


def render(page: Page) -> str:
    """Return the comment; what does not fit is counted, and it is the least grave."""
    lines = ["### What an agent may do", "", f"{code(page.old)} → {code(page.new)}", ""]
    if page.compat:
        lines += ["As the public tools classify it.", ""]
    lines += [f"**{page.summary}**", ""]
    size = sum(len(line) + 1 for line in lines)
    for number, card in enumerate(page.cards):
        block = list(_card(card))
        size += sum(len(line) + 1 for line in block)
        if size > MOST_CHARACTERS:
            lines += [
                f"_{len(page.cards) - number} more subjects do not fit here; see the whole report._",
                "",
            ]
            break
        lines += block
    lines += [f"- the approval {code(name)} fits no change" for name in page.unused[:20]]
    return "\n".join(lines).rstrip() + "\n"


def code(text: str) -> str:
    """Return a text as a code span that it can't leave."""
    if not text:
        return "` `"
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return f"{fence} {text} {fence}"


def _card(card: Card) -> Iterator[str]:
    yield f"#### {code(_cut(card.subject))} ({card.kind})"
    yield ""
    for row in card.rows:
        yield from _row(row)
    yield ""


def _row(row: Row) -> Iterator[str]:
    detail = f" {code(_cut(row.detail))}" if row.detail else ""
    failing = " — **fails**" if row.fails else ""
    yield f"- {_MARKS[row.direction]} **{row.direction.value}**{detail}: {row.reason}{failing}"
    before, after = cut_to_difference(row.before, row.after, _WIDTH)
    if before and row.before != row.detail:
        yield f"  - was {code(before)}"
    if after and row.after != row.detail:
        yield f"  - is {code(after)}"
    if row.places:
        yield f"  - for {', '.join(code(place) for place in row.places[:8])}{' …' if len(row.places) > 8 else ''}"
    if row.status is not Status.OPEN:
        yield f"  - {row.status.value}: {code(row.note)}"
    yield f"  - {code(row.rule)} {code(row.fingerprint)}"


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}…"
