"""A run as GitHub workflow commands, which become annotations.

Source: GitHub's documentation of workflow commands, with its rules for escaping data and properties.
"""

from collections.abc import Iterator

from conformance.inventory.plain import shown
from conformance.report.document import Document, Row
from conformance.report.markdown import told

_WIDTH = 200


def render(document: Document) -> Iterator[str]:
    """Yield a line for each requirement that is not green and each finding, the counts last."""
    for text in (*document.problems, *document.findings):
        yield _command("error", "Conformance", shown(text))
    for row in told(document):
        yield _command(_level(row), f"{row.verdict}: {row.id}", _message(row))
    yield _command("notice", f"Conformance of {shown(document.target.name)}", document.last_line)


def _level(row: Row) -> str:
    if row.red:
        return "error"
    return "notice" if row.listed or row.verdict == "untested" else "warning"


def _message(row: Row) -> str:
    seen = next((case.message for case in row.cases if case.message), "")
    parts = [f"{row.sentence} ({row.level}, {row.source})", shown(seen.split("\n")[0])[:_WIDTH]]
    if row.listed:
        parts.append("listed in the baseline")
    return " · ".join(part for part in parts if part)


def _command(level: str, title: str, message: str) -> str:
    return f"::{level} title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
