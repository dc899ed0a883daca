"""A submission as it is posted, and whether it fits the card that it is about.

(Architecture (A2UI): a valid click must match the owning session, call, surface, declared source component, declared action,
and complete typed data model. The nested client event follows the v0.9 ``action`` shape.)
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic import JsonValue as WireValue
from pydantic.alias_generators import to_camel

from reference_app.a2ui import values
from reference_app.a2ui.compile import action_component
from reference_app.a2ui.interactions import Interaction
from reference_app.a2ui.model import model_problems
from reference_app.a2ui.template import actions_of
from reference_app.strict_json import JsonObject


class _Posted(BaseModel):
    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=False
    )


def _instant(text: str) -> str:
    values.read_date(text, with_time=True)
    return text


class NoContext(_Posted):
    """The context of an event whose button declares none."""


class PostedAction(_Posted):
    """The client event of the protocol."""

    name: str
    surface_id: str
    source_component_id: str
    timestamp: Annotated[str, AfterValidator(_instant)]
    context: NoContext


class PostedMessage(_Posted):
    """The client event in its envelope."""

    version: Literal["v0.9"]
    action: PostedAction


class PostedCancel(_Posted):
    """The payload that withdraws a card."""

    session: Annotated[str, Field(min_length=1, pattern=r"\A[^\x00]*\z")]
    call: Annotated[str, Field(min_length=1)]


class PostedSubmission(PostedCancel):
    """The payload that answers a card."""

    message: PostedMessage
    data_model: dict[str, WireValue]


def fits(interaction: Interaction, message: PostedMessage, data_model: JsonObject) -> bool:
    """Whether a submission fits its card: surface, source component, action, and the complete typed data model."""
    return (
        fits_surface(interaction, message)
        and fits_action(interaction, message)
        and not model_problems(interaction.template, data_model)
    )


def fits_surface(interaction: Interaction, message: PostedMessage) -> bool:
    """Whether the event is about this card's surface."""
    return message.action.surface_id == interaction.surface.id


def fits_action(interaction: Interaction, message: PostedMessage) -> bool:
    """Whether the event comes from the very button that declares its action."""
    names = {action.name for action in actions_of(interaction.template)}
    return is_declared(message, names) and is_source(message)


def is_declared(message: PostedMessage, names: set[str]) -> bool:
    """Whether the card has such an action."""
    return message.action.name in names


def is_source(message: PostedMessage) -> bool:
    """Whether the event names the button of its action as its source."""
    return message.action.source_component_id == action_component(message.action.name)
