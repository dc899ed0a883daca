"""Where each key of a TOML document stands, for messages that name a line.

The text must be TOML that the standard library's parser has accepted: only positions are found here, nothing is checked.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

KeyPath = tuple[str | int, ...]

_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY_PART = re.compile(r"[ \t]*(\"(?:[^\"\\]|\\.)*\"|'[^']*'|[A-Za-z0-9_-]+)[ \t]*")
_STRING = re.compile(r"\"\"\"(?:[^\\]|\\.)*?\"{3,5}|'''.*?'{3,5}|\"(?:[^\"\\]|\\.)*\"|'[^']*'", re.DOTALL)
_BARE = re.compile(r"[^,\]}#\n]+")


def key_lines(text: str) -> Mapping[KeyPath, int]:
    """Return the line of every key and array element, tables and inline tables included, by its path."""
    scanner = _Scanner(text)
    scanner.document()
    return scanner.lines


def locate(lines: Mapping[KeyPath, int], path: Sequence[str | int]) -> int:
    """Return the line of a key, or of the nearest part of the document around it; 0 where there is none."""
    return next((lines[key] for n in range(len(path), 0, -1) if (key := tuple(path[:n])) in lines), 0)


@dataclass
class _Scanner:
    text: str
    lines: dict[KeyPath, int] = field(default_factory=dict)
    _at: int = 0
    _counts: dict[KeyPath, int] = field(default_factory=dict)

    def document(self) -> None:
        table: KeyPath = ()
        while not self._at_end():
            if self.text[self._at] == "[":
                table = self._header()
            else:
                self._assignment(table)

    def _header(self) -> KeyPath:
        """Read `[a.b]` or `[[a.b]]`; a part that names an array of tables means its last element."""
        line = self._line()
        brackets = 2 if self.text.startswith("[[", self._at) else 1
        self._at += brackets
        *outer, last = self._key()
        self._at += brackets
        path: KeyPath = ()
        for name in outer:
            path += (name,)
            self.lines.setdefault(path, line)
            if path in self._counts:
                path += (self._counts[path] - 1,)
        path += (last,)
        if brackets == 2:
            count = self._counts.get(path, 0)
            self._counts[path] = count + 1
            self.lines.setdefault(path, line)
            path += (count,)
        self.lines.setdefault(path, line)
        return path

    def _assignment(self, table: KeyPath) -> None:
        line = self._line()
        path = table
        for name in self._key():
            path += (name,)
            self.lines.setdefault(path, line)
        self._at += 1  # the equals sign
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        self._at_end()
        char = self.text[self._at]
        if char == "[":
            self._array(path)
        elif char == "{":
            self._inline_table(path)
        elif string := _STRING.match(self.text, self._at):
            self._at = string.end()
        elif bare := _BARE.match(self.text, self._at):
            self._at = bare.end()

    def _array(self, path: KeyPath) -> None:
        self._at += 1
        index = 0
        while not self._closes("]"):
            self.lines.setdefault((*path, index), self._line())
            self._value((*path, index))
            index += 1

    def _inline_table(self, path: KeyPath) -> None:
        self._at += 1
        while not self._closes("}"):
            self._assignment(path)

    def _closes(self, bracket: str) -> bool:
        """Pass over a comma, and over the bracket if it is next."""
        if not self._at_end() and self.text[self._at] == ",":
            self._at += 1
        if self._at_end() or self.text[self._at] == bracket:
            self._at += 1
            return True
        return False

    def _key(self) -> list[str]:
        names = []
        while part := _KEY_PART.match(self.text, self._at):
            self._at = part.end()
            raw = part[1]
            names.append(tomllib.loads(f"k = {raw}")["k"] if raw[0] in "\"'" else raw)
            if not self.text.startswith(".", self._at):
                break
            self._at += 1
        return names

    def _at_end(self) -> bool:
        """Pass over spaces, newlines and comments, and say whether anything is left."""
        gap = _GAP.match(self.text, self._at)
        self._at = gap.end() if gap else self._at
        return self._at >= len(self.text)

    def _line(self) -> int:
        return self.text.count("\n", 0, self._at) + 1
