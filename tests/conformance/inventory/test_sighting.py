"""What one look showed, as capabilities: the server's tools by announcement, the tab's by their words."""

import json
from typing import Any

import pytest

from conformance.errors import Departure
from conformance.inventory.discovery import read_discovery
from conformance.inventory.model import Approval, Capability, Place, State
from conformance.inventory.sighting import Sighting, capabilities_of
from conformance.wire.frames import DomainTool
from fake_model.providers.openai_chat import OpenAIChat
from fake_model.request import ModelRequest

PLACE = Place("ada", "main", "direct")
STATE = "Capability state (this step):\n- view:notes.table.wipe — unavailable: Select a row.\n- view:notes.table.read — available; 3 rows"


def asked(*tools: tuple[str, str], state: str = "") -> ModelRequest:
    """A request as a provider receives it."""
    functions = [
        {
            "type": "function",
            "function": {"name": name, "description": text, "parameters": {"type": "object"}},
        }
        for name, text in tools
    ]
    messages = [{"role": "user", "content": "Go on."}]
    if state:
        messages.append({"role": "system", "content": state})
    return OpenAIChat().parse(json.dumps({"model": "m", "messages": messages, "tools": functions}).encode())


def seen(request: ModelRequest, *announced: DomainTool) -> dict[str, Capability]:
    """What a look shows, by id."""
    return {found.id: found for found in capabilities_of(Sighting(PLACE, request, announced), {})}


def tool(name: str, **fields: Any) -> DomainTool:
    """A server tool as `step-start` announces it."""
    return DomainTool(canonical_id=f"domain:{name}", wire_name=f"domain_{name}", **fields)


def test_a_server_tool_is_what_the_host_announces() -> None:
    """Its effect and its gate are the host's word, its text the model's."""
    found = seen(
        asked(("domain_wipe", "Delete all.")), tool("wipe", side_effect="destructive", requires_approval=True)
    )

    wipe = found["domain:wipe"]
    assert ("server", "destructive", Approval(required=True), "Delete all.") == (
        wipe.kind,
        wipe.effect,
        wipe.approval,
        wipe.description,
    )


def test_a_gate_that_only_the_description_names_counts() -> None:
    """What the model is told is what it will be held to."""
    found = seen(asked(("domain_wipe", "Delete all. Requires approval.")), tool("wipe"))

    assert Approval(required=True) == found["domain:wipe"].approval


def test_a_tool_of_the_tab_is_read_from_its_words() -> None:
    """Effect and confirmation stand in brackets before the description; what is not said is not on record."""
    found = seen(
        asked(
            ("view_notes__table__wipe", "[view · local-state · requires confirmation] Take all away."),
            ("domain_chase", "[domain · server-mutation] Write to them."),
            ("view_notes__table__odd", "No brackets."),
        )
    )

    assert ("browser", "local-state", "required") == (
        found["view:notes.table.wipe"].kind,
        found["view:notes.table.wipe"].effect,
        found["view:notes.table.wipe"].confirmation,
    )
    assert ("browser", "server-mutation") == (found["domain:chase"].kind, found["domain:chase"].effect)
    assert (None, None) == (found["view:notes.table.odd"].effect, found["view:notes.table.odd"].confirmation)


def test_state_comes_from_the_state_block() -> None:
    """Whether it can be used, and what the model is told about that."""
    found = seen(
        asked(
            ("view_notes__table__wipe", "Wipe."),
            ("view_notes__table__read", "Read."),
            ("view_notes__a", "A."),
            state=STATE,
        )
    )

    assert State(available=False, text="Select a row.") == found["view:notes.table.wipe"].state
    assert State(available=True, text="3 rows") == found["view:notes.table.read"].state
    assert State() == found["view:notes.a"].state


def member(name: str, **fields: Any) -> dict[str, Any]:
    """An observation or action of a snapshot."""
    return {"capabilityId": f"view:notes.card.{name}", "description": "D.", "available": True, **fields}


def test_a_discovery_discloses_components_and_procedures() -> None:
    """In meta mode capabilities are not tools; what the model learns of them is the answer of its discovery."""
    snapshot = {
        "surfaceVersion": "3",
        "components": [
            {
                "type": "notes.card",
                "observations": [member("read", outputSchema={"type": "object"})],
                "actions": [
                    member(
                        "clear",
                        effect="local-state",
                        confirmation="required",
                        available=False,
                        unavailableReason="No note.",
                    )
                ],
            }
        ],
        "procedures": [
            {"procedureId": "domain:chase", "effect": "server-mutation", "contextualNote": "For note 3."}
        ],
    }

    found = {one.id: one for one in read_discovery({"ok": True, "output": snapshot})}

    assert ("read", "surface_read") == (
        found["view:notes.card.read"].effect,
        found["view:notes.card.read"].names[0].name,
    )
    assert ("required", State(available=False, text="No note.")) == (
        found["view:notes.card.clear"].confirmation,
        found["view:notes.card.clear"].state,
    )
    assert State(text="For note 3.") == found["domain:chase"].state
    assert found == {one.id: one for one in read_discovery(snapshot)}


def test_two_instances_of_a_component_are_two_capabilities() -> None:
    """What is offered twice is listed twice, each with its instance."""
    components = [
        {"type": "notes.card", "instanceId": side, "actions": [member("clear")]} for side in ("left", "right")
    ]

    found = read_discovery({"components": components})

    assert ["view:notes.card.clear@left", "view:notes.card.clear@right"] == [one.id for one in found]


@pytest.mark.parametrize(
    "value", [None, "nothing", {"components": 1}, {"components": [{"observations": []}]}]
)
def test_an_answer_that_is_no_snapshot_is_the_targets_fault(value: Any) -> None:
    """It is told as a finding about the target, not as a traceback."""
    with pytest.raises(Departure, match="the discovery's answer is not readable"):
        read_discovery(value)
