"""A run as Markdown, for a comment or a job's summary: what is red first, the counts on top.

What a target sent stands in code spans whose fence is longer than any row of backticks in it, so that it can't become markup.
"""

import re
from collections.abc import Iterator

from conformance.inventory.plain import shown
from conformance.report.document import Document, Row

MOST_CHARACTERS = 60_000
"""GitHub refuses comments above 65,536 characters."""

_WIDTH = 300
_ORDER = ("error", "failed", "untested", "warned")


def render(document: Document) -> str:
    """Return the text; what does not fit is counted, and it is the least grave."""
    lines = [
        f"### Conformance of {code(document.target.name)}",
        "",
        f"**{document.last_line}**",
        "",
        f"dualplane {document.suite.version}, profiles {', '.join(document.target.profiles)}"
        + (f", shard {document.shard}" if document.shard else ""),
        "",
    ]
    lines += [f"- 🔴 {code(text)}" for text in (*document.problems, *document.findings)]
    blocks = [list(_block(row)) for row in told(document)]
    size = sum(len(line) + 1 for line in lines)
    for number, block in enumerate(blocks):
        size += sum(len(line) + 1 for line in block)
        if size > MOST_CHARACTERS:
            lines.append(f"- _{len(blocks) - number} more do not fit here; see the whole report._")
            break
        lines += block
    return "\n".join(lines).rstrip() + "\n"


def told(document: Document) -> list[Row]:
    """The requirements that need words: those that are red first, then by how grave they are."""
    rows = [row for row in document.requirements if row.verdict in _ORDER]
    return sorted(rows, key=lambda row: (not row.red, _ORDER.index(row.verdict)))


def code(text: str) -> str:
    """Return a text as a code span on one line that it can't leave."""
    plain = shown(text) if len(text) <= _WIDTH else f"{shown(text[:_WIDTH])}…"
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", plain)), default=0))
    return f"{fence} {plain} {fence}"


def _block(row: Row) -> Iterator[str]:
    mark = "🔴" if row.red else "🟡"
    known = " (listed in the baseline)" if row.listed else ""
    yield f"- {mark} **{row.verdict}** {row.id} ({row.level}): {row.sentence}{known}"
    if row.missing:
        yield f"  - needs {', '.join(code(key) for key in row.missing)}"
    if row.departure:
        yield f"  - known departure: {code(row.departure)}"
    for case in row.cases:
        if case.message and case.outcome != "untested":
            yield f"  - {code(case.case)}: {code(case.message.splitlines()[0])}"
