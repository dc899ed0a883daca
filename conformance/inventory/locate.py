"""Where in a file a capability stands, for reports that point into files."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from conformance.inventory.formats.domain import canonical_id
from conformance.inventory.model import Kind
from conformance.inventory.reading import Loaded

_ID = re.compile(r'"(?:id|capabilityId)"\s*:\s*("(?:[^"\\\n]|\\.)*")')


@dataclass(frozen=True, slots=True)
class Location:
    """A file as a path from the working folder, and a line counted from 1."""

    file: str
    line: int = 1


@dataclass(frozen=True)
class Locator:
    """Finds capabilities in the new inventories."""

    loaded: Sequence[Loaded]

    def find(self, kind: str, subject: str) -> Location | None:
        """Return where a subject stands; its file's first line when it is not in it any more; None without such a file."""
        lines = self._lines.get(kind)
        if lines is None:
            kinds = sorted(self._lines)
            return Location(self._files[kinds[0]]) if kinds else None
        return Location(self._files[kind], lines.get(subject, 1))

    @cached_property
    def _files(self) -> Mapping[str, str]:
        return {one.inventory.kind.value: _path(one.file) for one in self.loaded}

    @cached_property
    def _lines(self) -> Mapping[str, Mapping[str, int]]:
        return {one.inventory.kind.value: _index(one) for one in self.loaded}


def _path(file: str) -> str:
    """The path of a file at a git ref is its path in the repository."""
    return file.split(":", 2)[2] if file.startswith("git:") and file.count(":") >= 2 else file


def _index(loaded: Loaded) -> Mapping[str, int]:
    found: dict[str, int] = {}
    line, position = 1, 0
    domain = loaded.inventory.kind is Kind.DOMAIN
    for match in _ID.finditer(loaded.text):
        line += loaded.text.count("\n", position, match.start())
        position = match.start()
        name = json.loads(match[1]) if "\\" in match[1] else match[1][1:-1]
        found.setdefault(canonical_id(name) if domain else name, line)
    return found
