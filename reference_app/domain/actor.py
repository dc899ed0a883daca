"""On whose behalf an operation runs, and what is known about where the call came from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ActorKind(StrEnum):
    """What an actor is."""

    USER = "user"
    SERVICE = "service"
    AUTOMATION = "automation"
    ANONYMOUS = "anonymous"


@dataclass(frozen=True)
class Actor:
    """Who acts. Comes from the verified session alone, never from anything that a model or a page wrote.

    Attributes:
        id: Identifies the actor; the e-mail address of a person.
        kind: What the actor is.
        display_name: For people to read.
        role: What the actor may do, as of this call; the policies read it.
    """

    id: str
    kind: ActorKind
    display_name: str
    role: str


@dataclass(frozen=True)
class Correlation:
    """What the caller says about where a call belongs.

    It is recorded, and never believed: nothing that decides reads it.

    Attributes:
        conversation_id: The conversation.
        turn_id: The turn in it.
        step_id: The step in that, minted by the host.
        invocation_id: The call in that.
    """

    conversation_id: str | None = None
    turn_id: str | None = None
    step_id: str | None = None
    invocation_id: str | None = None


NO_CORRELATION = Correlation()
"""For calls that say nothing about where they belong."""
