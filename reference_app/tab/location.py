"""The address bar: a path and parameters, the place where a view's state lives so that it can be shared."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit


@dataclass(frozen=True, slots=True)
class Location:
    """A path with parameters, in the order in which they were set."""

    path: str
    params: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Location":
        """Read a path with an optional query; of a parameter that is given twice the last one counts."""
        parts = urlsplit(text)
        return cls(parts.path or "/", tuple(dict(parse_qsl(parts.query)).items()))

    @property
    def text(self) -> str:
        """How it is written."""
        return f"{self.path}?{urlencode(self.params, safe=',')}" if self.params else self.path

    def get(self, name: str, default: str = "") -> str:
        """The value of a parameter."""
        return dict(self.params).get(name, default)

    def with_params(self, changes: Mapping[str, str | None]) -> "Location":
        """The same path with some parameters set, and those that are None or empty left out."""
        merged: dict[str, str | None] = {**dict(self.params), **changes}
        return Location(self.path, tuple((name, value) for name, value in merged.items() if value))
