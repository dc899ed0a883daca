"""What the player decided to answer, before any provider's wire format."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from fake_model.faults import ChunkPlan, Fault
from fake_model.findings import Finding
from fake_model.script import Endless, Finish, Gate, Pause, Reason, Say, Usage


@dataclass(frozen=True, slots=True)
class ReplyCall:
    """A tool call with its final id, wire name and argument text, which is streamed as these deltas."""

    id: str
    name: str
    deltas: tuple[str, ...]

    @property
    def arguments(self) -> str:
        """The argument text."""
        return "".join(self.deltas)


ReplyPart = Say | Reason | ReplyCall | Gate | Pause | Endless


@dataclass(frozen=True)
class Reply:
    """One answer of the model: its parts in order, why it stopped, and what goes wrong with it."""

    parts: tuple[ReplyPart, ...] = ()
    finish: Finish | str = Finish.STOP
    usage: Usage | None = None
    faults: tuple[Fault, ...] = ()
    chunks: ChunkPlan | None = None
    hold: str | None = None

    @property
    def text(self) -> str:
        """Everything said, as one text."""
        return "".join(delta for part in self.parts if isinstance(part, Say) for delta in part.deltas)

    @property
    def reasoning(self) -> str:
        """Everything reasoned, as one text."""
        return "".join(delta for part in self.parts if isinstance(part, Reason) for delta in part.deltas)

    @property
    def calls(self) -> tuple[ReplyCall, ...]:
        """The calls in their order."""
        return tuple(part for part in self.parts if isinstance(part, ReplyCall))

    @cached_property
    def _hash(self) -> int:
        return hash((self.parts, self.faults, self.hold))

    def __hash__(self) -> int:
        """Computed once, because the bytes of a reply are looked up by the reply at each request."""
        return self._hash


class Played(NamedTuple):
    """The outcome for one request: a reply, or None where a finding stands in its place, and all findings."""

    reply: Reply | None
    findings: tuple[Finding, ...] = ()
