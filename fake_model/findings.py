"""The ways in which a run is not as its script says."""

from dataclasses import dataclass
from enum import StrEnum

from fake_model.errors import FakeModelError


class FindingKind(StrEnum):
    """What kind of departure it is."""

    UNREADABLE = "unreadable-request"
    REFUSED = "invalid-prompt"
    UNMATCHED = "unmatched-request"
    LATE = "late-request"
    EXHAUSTED = "exhausted-script"
    ASKED_AGAIN = "asked-again"
    NOT_OFFERED = "not-offered"
    NO_RESULT = "no-such-result"
    NO_WAY_ON = "no-branch-taken"
    EXPECTATION = "failed-expectation"
    UNCONSUMED = "unconsumed-step"
    ENDLESS_READ = "endless-stream-read-to-its-end"


@dataclass(frozen=True, slots=True)
class Finding:
    """One departure, and the place in the script that it is about."""

    kind: FindingKind
    message: str
    token: str | None = None
    turn: int | None = None
    step: int | None = None

    def __str__(self) -> str:
        """The finding as a line for a report."""
        names = (("run", self.token), ("turn", self.turn), ("step", self.step))
        place = ", ".join(f"{name} {value}" for name, value in names if value is not None)
        return f"{self.kind} ({place}): {self.message}" if place else f"{self.kind}: {self.message}"


class RefusedError(FakeModelError):
    """A step that can't be played; the player turns it into a finding."""

    def __init__(self, kind: FindingKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
