"""``a2ui_present`` as the host's own tool: refused when its template is wrong, presented before the run suspends, settled here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from reference_app.a2ui.desk import CardDesk
from reference_app.a2ui.interactions import CardKey
from reference_app.a2ui.template import TemplateError, check_size, read_template
from reference_app.domain.actor import Actor
from reference_app.domain.errors import CapabilityError, ErrorCode, public_face
from reference_app.host.records import StepKey
from reference_app.runtime.conversation import ToolCall
from reference_app.strict_json import JsonObject, JsonValue, loads

WIRE_NAME = "a2ui_present"
CANONICAL_ID = "domain:a2ui-present"
DESCRIPTION = (
    "Show the person a card in the conversation and wait for the answer: a form, a choice with explanations, a review to confirm, "
    "or the status of several steps. A card collects an answer and does nothing else; act on it with other tools afterwards. "
    "Never ask for passwords or other secrets."
)


def parameters() -> JsonObject:
    """JSON Schema of the arguments; what it cannot say without alternatives, the template's own errors do."""
    described = loads((Path(__file__).parent / "parameters.json").read_bytes())
    assert isinstance(described, Mapping)  # a file of this package
    return described


class PresentTool:
    """See :class:`reference_app.host.host_tools.HostTool`.

    Args:
        desk: Presents and settles cards.
        limit: The most bytes of a template.
    """

    wire_name = WIRE_NAME
    canonical_id = CANONICAL_ID
    description = DESCRIPTION

    def __init__(self, desk: CardDesk, limit: int) -> None:
        self._desk = desk
        self._limit = limit
        self.parameters = parameters()

    def refuse(self, call: ToolCall) -> JsonValue | None:
        """What is wrong with the template, as any invalid input of a domain tool is answered."""
        try:
            check_size(call.input, self._limit)
            read_template(call.input)
        except TemplateError as problem:
            error = CapabilityError(ErrorCode.INPUT_INVALID, issues=problem.issues)
            return {"status": "error", "error": public_face(error)}
        return None

    async def present(self, owner: Actor, key: StepKey, call: ToolCall) -> None:
        """Begin the card."""
        assert isinstance(call.input, Mapping)  # it was read as a template before the run suspended
        card = CardKey(owner.id, key.conversation_id, call.id)
        await self._desk.present(card, key.turn_id, key.step_index, call.input)

    async def settle(self, owner: Actor, conversation_id: str, call: ToolCall) -> JsonValue:
        """What became of the card; one that still waits is withdrawn, because the conversation has gone on."""
        return await self._desk.conclude(CardKey(owner.id, conversation_id, call.id))
