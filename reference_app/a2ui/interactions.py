"""The record of one card, and what it says at a moment: who may answer it, until when, and what became of it.

(Architecture (A2UI): the host accepts only the first valid submission. Trust boundary: a host restart interrupts pending calls; it
does not guess or replay a user action.)
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from reference_app.a2ui.compile import Surface, compile_template, surface_id
from reference_app.a2ui.template import Template
from reference_app.strict_json import JsonObject


class Standing(StrEnum):
    """What became of a card."""

    PENDING = "pending"
    SUBMITTED = "submitted"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    PRESENTED = "presented"


@dataclass(frozen=True)
class CardKey:
    """Names one card: a call in a conversation of its owner's."""

    owner: str
    conversation_id: str
    call_id: str


@dataclass(frozen=True)
class Submission:
    """What a person answered.

    Attributes:
        action: The button.
        values: The complete data model.
    """

    action: str
    values: JsonObject


@dataclass(frozen=True)
class Interaction:
    """One card as it is recorded.

    Attributes:
        key: Names it.
        turn_id: The turn whose step presented it.
        step_index: That step.
        template: What it shows.
        standing: As recorded; time and restarts are judged by :func:`standing_of`.
        boot_id: The process that presented it.
        deadline: From this instant on it cannot be answered.
        submission: The answer, once there is one.
    """

    key: CardKey
    turn_id: str
    step_index: int
    template: Template
    standing: Standing
    boot_id: str
    deadline: datetime
    submission: Submission | None = None

    @property
    def surface(self) -> Surface:
        """The card as it was compiled: the same whenever it is looked at."""
        return compile_template(self.template, surface_id(self.key.conversation_id, self.key.call_id))


@dataclass(frozen=True)
class Moment:
    """When and by whom a record is read."""

    now: datetime
    boot_id: str


def standing_of(interaction: Interaction, moment: Moment) -> Standing:
    """What a record comes to at a moment: another process's waiting card is interrupted, and one past its deadline expired."""
    if interaction.standing is not Standing.PENDING:
        return interaction.standing
    if interaction.boot_id != moment.boot_id:
        return Standing.INTERRUPTED
    return Standing.EXPIRED if moment.now >= interaction.deadline else Standing.PENDING


def result_of(standing: Standing, submission: Submission | None) -> JsonObject:
    """What the model is told."""
    if standing is Standing.SUBMITTED and submission is not None:
        return {"status": standing.value, "action": submission.action, "values": submission.values}
    return {"status": standing.value}
