"""A difference for people at a terminal: a subject a paragraph, the counts last."""

from collections.abc import Iterator

import click

from conformance.inventory.changed_words import cut_to_difference
from conformance.inventory.gate import Status
from conformance.inventory.page import Card, Page, Row
from conformance.inventory.rules import Direction

_COLOURS = {
    Direction.BREACH: "bright_red",
    Direction.WIDENING: "red",
    Direction.PROMPT: "magenta",
    Direction.NARROWING: "blue",
    Direction.NEUTRAL: "bright_black",
}
_WIDTH = 300


def render(page: Page) -> Iterator[str]:
    """Yield the lines; colours are click's, which drops them where there is no terminal."""
    yield f"{page.old} → {page.new}{' (as the public tools classify it)' if page.compat else ''}"
    for card in page.cards:
        yield ""
        yield from _card(card)
    yield ""
    for fingerprint in page.unused:
        yield f"the approval {fingerprint} fits no change; take it out of the approvals file"
    yield page.summary


def _card(card: Card) -> Iterator[str]:
    yield f"{click.style(card.subject, bold=True)}  {click.style(card.kind, fg='bright_black')}"
    for row in card.rows:
        yield from _row(row)


def _row(row: Row) -> Iterator[str]:
    label = click.style(f"{row.direction.value:>11}", fg=_COLOURS[row.direction])
    yield f"  {label}  {row.rule}{f': {row.detail}' if row.detail else ''}"
    indent = " " * 15
    yield f"{indent}{row.reason}"
    before, after = cut_to_difference(row.before, row.after, _WIDTH)
    if before and row.before != row.detail:
        yield f"{indent}- {before}"
    if after and row.after != row.detail:
        yield f"{indent}+ {after}"
    if row.places:
        yield f"{indent}{_some(row.places)}"
    if row.status is not Status.OPEN:
        yield f"{indent}{row.status.value}: {row.note}"
    if row.fails:
        yield f"{indent}{click.style('fails', fg='red')}; to approve it: {row.fingerprint}"


def _some(places: tuple[str, ...]) -> str:
    more = f" and {len(places) - 4} more places" if len(places) > 4 else ""
    return f"for {', '.join(places[:4])}{more}"
