"""A difference as one HTML page that needs nothing else: every capability before and after, with the words that changed.

No script and no address: the page's own policy forbids both, so that not even a mistake in escaping could run or load anything.
"""

from collections.abc import Iterator
from html import escape

from conformance.inventory.changed_words import Part, pieces
from conformance.inventory.gate import Status
from conformance.inventory.page import Card, Fact, Page, Row

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --del: #d11; --ins: #072; --quiet: #777 }
@media (prefers-color-scheme: dark) { :root { --del: #f77; --ins: #6d9 } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
code, .text { font-family: ui-monospace, monospace; font-size: 13px; overflow-wrap: anywhere; white-space: pre-wrap }
details, table { border: 1px solid var(--line); border-radius: 6px; margin: 1rem 0; width: 100% }
summary { cursor: pointer; padding: .6rem .8rem } table { border-collapse: collapse }
th, td { border-top: 1px solid var(--line); padding: .4rem .8rem; text-align: left; vertical-align: top }
th { font-weight: 600 } th:first-child { width: 9rem } del { color: var(--del) } ins { color: var(--ins) } .quiet { color: var(--quiet) }
.tag { border: 1px solid currentColor; border-radius: 99px; font-size: 12px; margin-right: .4rem; padding: 0 .5rem }
.breach { color: #c0f } .widening { color: var(--del) } .narrowing { color: #26c } .prompt-text { color: #a3a }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def render(page: Page) -> str:
    """Return the page."""
    return "\n".join(_document(page)) + "\n"


def _document(page: Page) -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>What an agent may do</title>\n<style>{_STYLE}</style>\n</head>\n<body>"
    yield f"<h1>What an agent may do</h1>\n<p>{_text(page.old)} → {_text(page.new)}</p>"
    if page.compat:
        yield "<p>As the public tools classify it.</p>"
    yield f"<p><strong>{escape(page.summary)}</strong></p>"
    for card in page.cards:
        yield from _card(card)
    for name in page.unused:
        yield f"<p>The approval {_text(name)} fits no change.</p>"
    yield "</body>\n</html>"


def _card(card: Card) -> Iterator[str]:
    directions = dict.fromkeys(row.direction for row in card.rows)
    tags = "".join(_tag(direction.value) for direction in directions)
    is_open = " open" if any(row.fails for row in card.rows) else ""
    kind = f'<span class="quiet">{card.kind}</span>'
    yield f"<details{is_open}>\n<summary>{tags}{_text(card.subject)} {kind}</summary>"
    yield "<table>"
    for row in card.rows:
        yield from _row(row)
    yield "</table>"
    if card.facts:
        yield "<table>\n<tr><th>on record</th><th>before</th><th>after</th></tr>"
        yield from map(_fact, card.facts)
        yield "</table>"
    yield "</details>"


def _tag(name: str) -> str:
    return f'<span class="tag {name.replace(" ", "-")}">{name}</span>'


def _row(row: Row) -> Iterator[str]:
    detail = f" {_text(row.detail)}" if row.detail else ""
    failing = " <strong>fails</strong>" if row.fails else ""
    yield f"<tr><th>{_tag(row.direction.value)}</th><td>{escape(row.reason)}{detail}{failing}"
    if row.before or row.after:
        yield f'<div class="text">{_both(row.before, row.after)}</div>'
    if row.places:
        yield f'<div class="quiet">for {escape(", ".join(row.places))}</div>'
    if row.status is not Status.OPEN:
        yield f"<div>{row.status.value}: {escape(row.note)}</div>"
    yield f'<div class="quiet"><code>{escape(row.rule)} {row.fingerprint}</code></div></td></tr>'


def _fact(fact: Fact) -> str:
    """A line of the record, the words that changed marked on the side that they are on."""
    found = pieces(fact.before, fact.after)
    before = "".join(
        _mark(piece.text, "del" if piece.part is Part.BEFORE else "")
        for piece in found
        if piece.part is not Part.AFTER
    )
    after = "".join(
        _mark(piece.text, "ins" if piece.part is Part.AFTER else "")
        for piece in found
        if piece.part is not Part.BEFORE
    )
    return (
        f'<tr><th>{escape(fact.label)}</th><td class="text">{before}</td><td class="text">{after}</td></tr>'
    )


def _both(before: str, after: str) -> str:
    marks = {Part.BOTH: "", Part.BEFORE: "del", Part.AFTER: "ins"}
    return "".join(_mark(piece.text, marks[piece.part]) for piece in pieces(before, after))


def _mark(text: str, element: str) -> str:
    return f"<{element}>{escape(text)}</{element}>" if element else escape(text)


def _text(text: str) -> str:
    return f"<code>{escape(text)}</code>"
