"""What a provider's answer said, delta by delta, as the parts of a step."""

from dataclasses import dataclass, field

from fake_model.script import Call, Finish, Reason, Say, Usage
from fake_model.writing import call


@dataclass(frozen=True, slots=True)
class Heard:
    """One answer: its parts, why it stopped, the token counts, and the ids that its calls had."""

    parts: tuple[Say | Reason | Call, ...]
    finish: Finish | str
    usage: Usage | None
    call_ids: tuple[str, ...]


@dataclass(slots=True)
class _Open:
    """A part that more may be added to."""

    kind: type[Say] | type[Reason] | type[Call]
    deltas: list[str] = field(default_factory=list)
    name: str = ""


class Listener:
    """Gathers an answer while it is read."""

    def __init__(self) -> None:
        self._parts: list[_Open] = []
        self._calls: dict[str | int, _Open] = {}
        self._ids: list[str] = []
        self.finish: Finish | str = Finish.MISSING
        self.usage: Usage | None = None

    def say(self, delta: str) -> None:
        """Hear a piece of text."""
        self._add(Say, delta)

    def reason(self, delta: str) -> None:
        """Hear a piece of thinking."""
        self._add(Reason, delta)

    def begin_call(self, key: str | int, identity: str, name: str) -> None:
        """Hear that a call begins; `key` is what the format tells calls apart by."""
        opened = _Open(Call, name=name)
        self._calls[key] = opened
        self._parts.append(opened)
        self._ids.append(identity)

    def argue(self, key: str | int, delta: str) -> None:
        """Hear a piece of a call's arguments."""
        if delta and key in self._calls:
            self._calls[key].deltas.append(delta)

    def heard(self) -> Heard:
        """Return everything."""
        return Heard(tuple(_closed(part) for part in self._parts), self.finish, self.usage, tuple(self._ids))

    def _add(self, kind: type[Say] | type[Reason], delta: str) -> None:
        if not delta:
            return
        if not self._parts or self._parts[-1].kind is not kind:
            self._parts.append(_Open(kind))
        self._parts[-1].deltas.append(delta)


def _closed(part: _Open) -> Say | Reason | Call:
    if part.kind is Call:
        return call(part.name, raw=part.deltas)
    return Say(tuple(part.deltas)) if part.kind is Say else Reason(tuple(part.deltas))
