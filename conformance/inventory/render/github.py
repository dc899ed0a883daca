"""A difference as GitHub workflow commands, which become annotations in a pull request.

Source: GitHub's documentation of workflow commands, with its rules for escaping data and properties.
"""

from collections.abc import Iterator

from conformance.inventory.changed_words import cut_to_difference
from conformance.inventory.gate import Status
from conformance.inventory.page import Page, Row
from conformance.inventory.rules import Direction

_WIDTH = 200


def render(page: Page) -> Iterator[str]:
    """Yield one line for each change, the counts last as a notice; a page without changes yields nothing."""
    for row in page.rows:
        yield _command(_level(row), _properties(row), _message(row))
    if page.rows:
        yield _command("notice", {"title": "What an agent may do"}, page.summary)


def _level(row: Row) -> str:
    if row.fails:
        return "error"
    return "warning" if row.direction in (Direction.BREACH, Direction.WIDENING) else "notice"


def _properties(row: Row) -> dict[str, str]:
    found = {"title": f"{row.direction.value}: {row.subject}"[:_WIDTH]}
    if row.location:
        found |= {"file": row.location.file, "line": str(row.location.line)}
    return found


def _message(row: Row) -> str:
    before, after = cut_to_difference(row.before, row.after, _WIDTH)
    parts = [
        f"{row.subject} {row.detail}".strip(),
        row.reason,
        f"was {before}" if before else "",
        f"is {after}" if after else "",
        f"{row.status.value}: {row.note}" if row.status is not Status.OPEN else "",
        f"[{row.rule} {row.fingerprint}]",
    ]
    return " · ".join(part for part in parts if part)


def _command(level: str, properties: dict[str, str], message: str) -> str:
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{level} {listed}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
