"""Gated calls as the model makes them: many, beside others, and what the model is told."""

import pytest

from conformance.asking import ask_and_find
from conformance.data import Data
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import calling, last_word
from conformance.waiting import eventually
from conformance.wire.chat import Catalog, Declaration
from fake_model import call, gate, say, script, step

PANEL = Declaration("view:suite.panel.show")
MANY = 500
MOMENT = 0.5
"""Seconds in which a target that drops what its client left behind can be expected to have done so."""


@pytest.mark.requirement("APPROVAL-23")
def test_changed_record_is_not_approved(people: People, roles: Roles, data: Data) -> None:
    """Somebody changed the amount after the card was shown: the person would approve what they have not seen."""
    gated = roles("gated")
    card = ask_and_find(people, gated)
    people.full.rpc.value(gated.change.procedure, gated.change.input)
    before = data.look()

    decision = people.approver.approvals.decide(card.id, approved=True)

    assert not decision.executed, "the approval of the old record ran on the new one"
    assert data.look().differences(before) == ()


@pytest.mark.requirement("APPROVAL-24")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["first call first", "second call first"])
def test_two_gated_calls_are_decided_in_either_order(
    order: tuple[int, int], people: People, roles: Roles, data: Data
) -> None:
    """Both questions are open at once, and each answer belongs to its own question."""
    calls = (roles("gated"), roles("gated"))
    people.full.chat(calls[0].route).send(calling(*calls))
    cards = people.approver.approvals.list()
    assert len(cards) == 2, f"two gated calls wait as {len(cards)} approvals"
    before = [data.effect(role) for role in calls]

    for position in order:
        card = next((card for card in cards if card.input == calls[position].input), None)
        assert card is not None, f"no open approval shows the input {calls[position].input}"
        untouched = [data.effect(role) for role in calls if role is not calls[position]]
        people.approver.approvals.decide(card.id, approved=True)
        assert [data.effect(role) for role in calls if role is not calls[position]] == untouched

    moved = [data.effect(role) != was for role, was in zip(calls, before, strict=True)]
    assert moved == [True, True], "one of the two approved calls did not run"
    assert people.approver.approvals.list() == ()


@pytest.mark.requirement("APPROVAL-25")
def test_many_gated_calls_run_nothing(people: People, roles: Roles, data: Data) -> None:
    """A model that asks five hundred times gets five hundred times the same answer."""
    gated = roles("gated_counted")
    before = data.look()
    calls = (call(gated.capability, gated.input) for _ in range(MANY))

    people.full.chat(gated.route).send(script(step(*calls), last_word()))

    assert data.look().differences(before) == (), "some of many gated calls ran without a decision"


@pytest.mark.requirement("APPROVAL-32")
def test_model_is_told_that_its_call_waits(people: People, roles: Roles) -> None:
    """A model that believes it is done says so to the person, and goes on as if it were."""
    gated = roles("gated_counted")
    chat = people.full.chat(gated.route)

    chat.send(script(call(gated.capability, gated.input), say("I see.")))

    result = chat.asked.last_result
    assert result is not None, "the model was told nothing about its call"
    assert result.status not in ("ok", "completed", "success"), f"the model reads {result.text[:200]}"
    assert "approv" in result.text.lower(), f"the model reads {result.text[:200]}"


@pytest.mark.requirement("APPROVAL-33")
@pytest.mark.parametrize("gated_first", [True, False], ids=["gated call first", "browser call first"])
def test_gated_call_beside_a_browser_call(
    gated_first: bool, people: People, roles: Roles, data: Data
) -> None:
    """One message, two kinds of waiting: for the tab, and for a person. Neither may swallow the other."""
    gated = roles("gated_counted")
    calls = [call(gated.capability, gated.input), call(PANEL.canonical_id)]
    chat = people.full.chat(gated.route, catalog=Catalog((PANEL,)))
    before = data.look()

    done = chat.send(script(step(*(calls if gated_first else reversed(calls))), say("I see.")))

    assert data.look().differences(before) == (), f"{gated.capability} ran without a decision"
    assert [pending.canonical_id for pending in done.pending] == [PANEL.canonical_id]
    assert len(people.approver.approvals.list()) == 1
    chat.resume({pending.tool_call_id: {"done": True} for pending in done.pending})
    assert len(chat.asked.results) == 2, "one of the two calls was not answered"


@pytest.mark.requirement("APPROVAL-35")
def test_waiting_approval_survives_its_tab(people: People, roles: Roles) -> None:
    """Somebody closes the tab while the model is still talking; what it asked for waits for them all the same."""
    gated = roles("gated_counted")
    chat = people.full.chat(gated.route)
    request = chat.prepare(
        script(call(gated.capability, gated.input), step(say("It waits."), gate("talking"), asked=None))
    )

    with chat.start(request) as live:
        chat.run.wait_held("talking")
        live.disconnect(reset=True)
    chat.run.release("talking")

    chat.run.wait_finished(2)
    waiting = eventually(people.approver.approvals.list, lambda cards: cards == (), MOMENT)
    assert [card.capability_id for card in waiting] == [gated.procedure], "the approval went with its tab"
