"""What a step expects to have been shown, as values, and whether a request meets it."""

import json
from dataclasses import dataclass

from fake_model.request import ModelRequest


@dataclass(frozen=True, slots=True)
class Offered:
    """The tool is among the offered ones."""

    name: str

    def unmet(self, request: ModelRequest) -> str | None:
        """Return what was seen instead, or None."""
        return None if request.offers(self.name) else f"{self.name} is not offered; {_listing(request)}"


@dataclass(frozen=True, slots=True)
class Absent:
    """The tool is not among the offered ones."""

    name: str

    def unmet(self, request: ModelRequest) -> str | None:
        """Return what was seen instead, or None."""
        return f"{self.name} is offered" if request.offers(self.name) else None


@dataclass(frozen=True, slots=True)
class WithoutField:
    """The tool is offered, and its input schema has no property of this name."""

    name: str
    property_name: str

    def unmet(self, request: ModelRequest) -> str | None:
        """Return what was seen instead, or None."""
        tool = request.tool(self.name)
        if tool is None:
            return f"{self.name} is not offered; {_listing(request)}"
        if self.property_name in tool.fields:
            return f"the schema of {self.name} has {self.property_name!r} among {sorted(tool.fields)}"
        return None


@dataclass(frozen=True, slots=True)
class WithField:
    """The tool is offered, and its input schema has a property of this name."""

    name: str
    property_name: str

    def unmet(self, request: ModelRequest) -> str | None:
        """Return what was seen instead, or None."""
        tool = request.tool(self.name)
        if tool is None:
            return f"{self.name} is not offered; {_listing(request)}"
        if self.property_name not in tool.fields:
            return f"the schema of {self.name} has no {self.property_name!r}, only {sorted(tool.fields)}"
        return None


@dataclass(frozen=True, slots=True)
class StateShown:
    """The state block has a line for this capability, with this availability and this text in it."""

    canonical_id: str
    available: bool
    text: str = ""

    def unmet(self, request: ModelRequest) -> str | None:
        """Return what was seen instead, or None."""
        lines = request.state_of(self.canonical_id)
        if any(line.available is self.available and self.text in line.note for line in lines):
            return None
        seen = "; ".join(line.text for line in lines) or "no line for it"
        wanted = "available" if self.available else "unavailable"
        return f"no state line says that {self.canonical_id} is {wanted} {self.text!r}; seen: {seen}"


@dataclass(frozen=True, slots=True)
class LastCode:
    """The last tool result since the user's message carries this code or status."""

    code: str

    def unmet(self, request: ModelRequest) -> str | None:
        """Return what was seen instead, or None."""
        last = request.last_result
        if last is None:
            return f"no result since the user's message, so none with code {self.code!r}"
        if self.code in (last.code, last.status):
            return None
        return f"the last result has code {last.code!r} and status {last.status!r}, not {self.code!r}: {last.text}"


@dataclass(frozen=True, slots=True)
class LastValue:
    """The last tool result has this value (as JSON text) at this JSON pointer."""

    pointer: str
    value: str

    def unmet(self, request: ModelRequest) -> str | None:
        """Return what was seen instead, or None."""
        last = request.last_result
        if last is None:
            return f"no result since the user's message, so none with {self.value} at {self.pointer!r}"
        try:
            seen = last.at(self.pointer)
        except LookupError as error:
            return f"the last result has nothing at {self.pointer!r}: {error}"
        return None if seen == json.loads(self.value) else f"{self.pointer!r} is {seen!r}, not {self.value}"


Expectation = Offered | Absent | WithField | WithoutField | StateShown | LastCode | LastValue


def _listing(request: ModelRequest) -> str:
    return f"offered are {sorted(request.tool_names)}"
