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
_SHOWN_OF_A_SECRET = 6
_SHORTEST_SECRET = 8
_TELLTALE = 12
_SCHEME = re.compile(r"(Basic|Bearer|Digest)\s+", re.IGNORECASE)
_COOKIE = re.compile(r"(?P<name>[^=;,\s]+)=(?P<value>[^;,\s]+)")
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def mask(headers: Mapping[str, str]) -> dict[str, str]:
    """Copy headers with the values of secret ones cut to their first six characters; names and schemes stay readable."""
    return {
        name: _masked_header(name.lower(), value) if name.lower() in _SECRET_HEADERS else value
        for name, value in headers.items()
    }


def _masked_header(name: str, value: str) -> str:
    if name in ("cookie", "set-cookie"):
        return _COOKIE.sub(lambda pair: f"{pair['name']}={_cut(pair['value'])}", value)
    scheme = _SCHEME.match(value)
    start = scheme.end() if scheme else 0
    return value[:start] + _cut(value[start:])


def _cut(secret: str) -> str:
    """The beginning of a secret, by which two can be told apart; at most half of a short one."""
    return secret[: min(_SHOWN_OF_A_SECRET, len(secret) // 2)] + "…"


def printable(text: str) -> str:
    """Copy a text with control characters and lone surrogates escaped: what a target sends must not steer a terminal."""
    return _UNPRINTABLE.sub(lambda found: ascii(found[0])[1:-1], text)


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
    _secrets: list[re.Pattern[str]] = field(default_factory=list)

    def keep_first(self, count: int) -> None:
        """Forget everything after the first entries, where a case tries one thing after the other."""
        del self.entries[count:]

    def hide(self, secret: str) -> None:
        """Mask a secret wherever it stands in this record, cut short or whole, in bodies too, earlier entries included.

        What is shorter than 8 characters is no secret, and stays.
        """
        if len(secret) >= _SHORTEST_SECRET:
            start = secret[:_TELLTALE]
            self._secrets.append(re.compile(re.escape(start) + r"[\w.~+/=%-]*"))

    def masked(self, text: str) -> str:
        """Copy a text with every hidden secret cut."""
        for secret in self._secrets:
            text = secret.sub(lambda found: _cut(found[0]), text)
        return text

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
        return "\n".join(printable(self.masked(line))[:_LINE_WIDTH] for line in shown)

    def to_json(self) -> str:
        """The whole record as JSON text."""
        value = [{"kind": entry.kind, "line": entry.line, **entry.data} for entry in self.entries]
        text = json.dumps(value, indent=1, ensure_ascii=False, default=_readable)
        return printable(self.masked(text)) + "\n"


def _readable(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value)
