"""What happened in one case, in order: every exchange, frame, model request and read, with secrets masked.

A red verdict shows an excerpt; the whole is a file beside the report.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_SECRET_HEADERS = frozenset({"cookie", "set-cookie", "authorization", "x-api-key", "proxy-authorization"})
_EXCERPT_LINES = 24
_LINE_WIDTH = 220
_TOKEN_VALUE = re.compile(r"(=|\s)([^;\s=]{6})[^;\s]*")


def mask(headers: Mapping[str, str]) -> dict[str, str]:
    """Copy headers with the values of secret ones cut to their first six characters."""
    return {
        name: _TOKEN_VALUE.sub(r"\1\2…", " " + value).strip() if name.lower() in _SECRET_HEADERS else value
        for name, value in headers.items()
    }


@dataclass(frozen=True)
class Entry:
    """One thing that happened: a kind (`http`, `frames`, `model`, `tab`, `note`), a line to read, the whole as data."""

    kind: str
    line: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Transcript:
    """The record of one case; drivers add to it."""

    entries: list[Entry] = field(default_factory=list)

    def add(self, kind: str, line: str, **data: Any) -> None:
        """Add an entry."""
        self.entries.append(Entry(kind, line, data))

    def excerpt(self) -> str:
        """The newest entries, a line each, to be read under a failed assertion."""
        lines = [f"{entry.kind:>6}  {entry.line}" for entry in self.entries]
        cut = len(lines) - _EXCERPT_LINES
        shown = lines[-_EXCERPT_LINES:]
        if cut > 0:
            shown.insert(0, f"        … {cut} earlier entries are in the transcript file")
        return "\n".join(line[:_LINE_WIDTH] for line in shown)

    def to_json(self) -> str:
        """The whole record as JSON text."""
        value = [{"kind": entry.kind, "line": entry.line, **entry.data} for entry in self.entries]
        return json.dumps(value, indent=1, ensure_ascii=False, default=_readable) + "\n"


def _readable(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value)
