"""What an action can't do: it is a word that the model reads, and nothing runs because of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.a2ui.templates import ACTIONS, FIELDS, Template, form, review
from conformance.asking import ask_and_find
from conformance.data import Data
from conformance.drivers.listener import Listener
from conformance.errors import Untested
from conformance.interactions import Card, present
from conformance.people import People
from conformance.roles import Prepared, Roles
from conformance.target import Target
from fake_model import call, step

NAME_LENGTH = 32


@pytest.fixture
def listener() -> Iterator[Listener]:
    """A listener that nobody has a reason to speak to."""
    with Listener() as running:
        yield running


def acting(name: str) -> Template:
    """An action of this name."""
    return {"name": name, "label": "Go on", "primary": True}


def submitted(people: People, text: str, action: str = "send") -> Card:
    """A card on which somebody entered a text and pressed a button, and whose turn went on."""
    remark = {"id": "remark", "label": "Remark", "type": "long_text"}
    card = present(people.full, form(FIELDS[0], remark, actions=[acting(action)]))
    receipt = card.press(action, Reference=text, Remark=text)
    assert receipt.accepted, f"a valid click is refused: {receipt.reason}"
    card.go_on()
    return card


def as_action(role: Prepared) -> str:
    """The name of an operation, spelt as an action may be called."""
    return role.procedure.replace("-", "_").replace(".", "_").lower()[:NAME_LENGTH]


@pytest.mark.requirement("A2UI-80")
def test_action_runs_no_operation(people: People, roles: Roles, data: Data) -> None:
    """An operation is run by a call that is validated, authorized and recorded; a click is none of that."""
    counted = roles("counted")
    before = data.look()

    submitted(people, counted.capability, as_action(counted))

    assert data.look().differences(before) == ()


@pytest.mark.requirement("A2UI-81")
@pytest.mark.parametrize("action", ["approve", "deny", "confirm"])
def test_action_decides_no_approval(action: str, people: People, roles: Roles) -> None:
    """A model that words a card well would have its own calls approved by it."""
    asked = ask_and_find(people, roles("gated"))

    submitted(people, asked.id, action)

    waiting = people.approver.approvals.list()
    assert [(one.id, one.status) for one in waiting] == [(asked.id, "pending")]


def own_machine(target: Target) -> None:
    """Nothing can be seen of a process that runs elsewhere."""
    if target.launch is None:
        raise Untested("launch", "to look at the machine that the target runs on")


@pytest.mark.requirement("A2UI-82")
@pytest.mark.parametrize("shape", ["sh: touch {}", "$(touch {})", "`touch {}`", "; touch {} #", "| touch {}"])
def test_action_runs_no_command(shape: str, people: People, target: Target, tmp_path: Path) -> None:
    """What a person types is what they typed."""
    own_machine(target)
    canary = tmp_path / "canary"

    submitted(people, shape.format(canary), "run")

    assert not canary.exists(), "what was entered was run in a shell"


@pytest.mark.requirement("A2UI-83")
def test_action_writes_no_file(people: People, target: Target, tmp_path: Path) -> None:
    """A path in a form is a text like any other."""
    own_machine(target)
    canary = tmp_path / "canary"

    submitted(people, str(canary), "write_file")
    submitted(people, f"{canary.as_uri()}", "save")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("A2UI-84")
def test_action_makes_no_request(people: People, target: Target, listener: Listener) -> None:
    """An address in a form is nobody's order to go there."""
    own_machine(target)

    submitted(people, f"{listener.url}/canary", "fetch")
    submitted(people, f"{listener.url}/canary", "open_url")

    assert listener.heard == ()


@pytest.mark.requirement("A2UI-85")
def test_action_changes_no_tools(people: People) -> None:
    """What the model may use follows from who it works for and where, and not from what was pressed."""
    card = submitted(people, "plugin:example", "install")

    before, *later = (asked.tool_names for asked in card.chat.requests)
    assert later == [before] * len(later)
    assert later, "the model was not asked after the click"


@pytest.mark.requirement("A2UI-86")
def test_gate_stands_after_an_action(people: People, roles: Roles, data: Data) -> None:
    """The side effect comes from the model's next call, and that is held to every rule there is."""
    gated = roles("gated")
    before = data.effect(gated)
    template = review([{**ACTIONS[0], "name": "approve"}])
    card = present(
        people.full, template, people.full.chat(gated.route), step(call(gated.capability, gated.input))
    )
    card.press("approve")

    card.go_on()

    assert data.effect(gated) == before, "the gated call ran because a button was pressed"
    assert people.approver.approvals.only().status == "pending"
