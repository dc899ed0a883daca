"""An interaction card as it stands in the thread: built from the call's arguments and result, and from nothing else.

(Architecture (A2UI): the browser reconstructs the same surface from durable Tool arguments.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from reference_app.a2ui.compile import Surface, compile_template, surface_id
from reference_app.a2ui.model import initial_model
from reference_app.a2ui.template import Template, TemplateError, read_template
from reference_app.surface.json_value import Json
from reference_app.tab import card_text

CAPABILITY = "domain:a2ui-present"
WIRE_NAME = "a2ui_present"
PENDING: Mapping[str, Json] = {"status": "pending"}
"""What the tab posts as the result: the host puts its own in its place."""

STATES = frozenset({"pending", "submitted", "expired", "cancelled", "interrupted", "presented"})


@dataclass(frozen=True, slots=True)
class InteractionCard:
    """A card in the thread.

    Attributes:
        id: The call.
        conversation_id: The conversation of the call.
        input: The arguments of the call.
        template: The same, read.
        values: What was entered so far, or submitted.
        state: What became of the card.
        is_presented: Whether the step that presents it is over; before that the host knows nothing of it.
    """

    id: str
    conversation_id: str
    input: Json
    template: Template
    values: Mapping[str, Json]
    state: str = "pending"
    is_presented: bool = False

    @property
    def surface(self) -> Surface:
        """The compiled card."""
        return compile_template(self.template, surface_id(self.conversation_id, self.id))

    @property
    def enabled(self) -> bool:
        """Whether a person can do anything with it."""
        return self.is_presented and is_open(self.state)

    def component_of(self, field: str) -> Mapping[str, Json]:
        """The component that shows a field; empty when there is none."""
        bound = {"path": f"/{field}"}
        return next((part for part in self.surface.components if part.get("value") == bound), {})

    def with_result(self, result: Json) -> InteractionCard:
        """The card as a result shows it; one that is only posted says nothing."""
        status = result.get("status") if isinstance(result, Mapping) else None
        if not isinstance(status, str) or status not in STATES or status == "pending":
            return self
        values = result.get("values") if isinstance(result, Mapping) else None
        return replace(self, state=status, values=values if isinstance(values, Mapping) else self.values)

    def to_json(self) -> dict[str, Json]:
        """The wire form."""
        surface = self.surface
        return {
            "kind": "a2ui",
            "id": self.id,
            "capability": CAPABILITY,
            "state": self.state,
            "text": card_text.render(surface, self.values, self.template.fallback_text),
            "input": self.input,
            "surface": surface.id,
            "messages": list(surface.messages),
            "values": dict(self.values),
            "enabled": self.enabled,
        }


def is_open(state: str) -> bool:
    """Whether a card of a state can be answered."""
    return state == "pending"


def interaction_card(conversation_id: str, call_id: str, given: Json) -> InteractionCard | None:
    """The card of a call, or None when its arguments are no template."""
    try:
        template = read_template(given)
    except TemplateError:
        return None
    state = "pending" if template.kind != "status" else "presented"
    return InteractionCard(call_id, conversation_id, given, template, initial_model(template), state)
