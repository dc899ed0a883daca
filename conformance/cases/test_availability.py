"""Capabilities that come and go with the screen, shown through the target's own tab."""

import json
import re

import pytest

from conformance.bound import enabling_call
from conformance.data import Data
from conformance.people import People
from conformance.scripts import answer, last_word
from conformance.seat import Seat
from conformance.target import Target
from fake_model import call, gate, say, script, step

DOM_VERBS = re.compile(
    r"(^|[^a-z])(click|dblclick|tap|type|press|focus|hover|scroll|selector|xpath|element|querySelector)",
    re.IGNORECASE,
)


@pytest.mark.requirement("AVAILABILITY-01")
def test_unmounted_capability_is_not_offered(people: People, target: Target) -> None:
    """What is not on the screen does not exist: the other page's capabilities are the other page's."""
    elsewhere = target.view_role("elsewhere")
    seat = people.full.tab()
    seat.open("main")

    seat.send(answer())

    assert not seat.asked[0].offers(elsewhere.capability), (
        f"{elsewhere.capability} is offered while its page is not open"
    )


@pytest.mark.requirement("AVAILABILITY-02")
def test_navigation_brings_capabilities_in_the_next_step(people: People, target: Target) -> None:
    """The loop waits for the page it opened; otherwise the model is told that the page has nothing on it."""
    navigate, elsewhere = target.view_role("navigate"), target.view_role("elsewhere")
    seat = people.full.tab()
    seat.open("main")

    seat.send(script(call(navigate.capability, navigate.input), say("There.")))

    assert len(seat.asked) == 2, f"expected two model calls, saw {len(seat.asked)}"
    assert seat.asked[1].offers(elsewhere.capability), "the step after the navigation saw the old page"


@pytest.mark.requirement("AVAILABILITY-03")
def test_unavailable_capability_is_offered_with_its_reason(people: People, target: Target) -> None:
    """State discloses: the model sees that it exists, that it can't be used now, and why."""
    role = target.view_role("contextual")
    seat = people.full.tab()
    seat.open(role.route)

    seat.send(answer())

    asked = seat.asked[0]
    assert asked.offers(role.capability), f"{role.capability} is missing instead of unavailable"
    lines = asked.state_of(role.capability)
    assert [line.available for line in lines] == [False]
    assert lines[0].note, "no reason is given"
    assert all(reasons(seat)), "the tab gives no reason; what the model was told is the application's"


@pytest.mark.requirement("AVAILABILITY-04")
def test_enabling_call_shows_in_the_next_step(people: People, target: Target) -> None:
    """Step two must see what step one did to the screen."""
    role = target.view_role("contextual")
    enabling = enabling_call(role)
    seat = people.full.tab()
    seat.open(role.route)

    seat.send(script(call(enabling.capability, enabling.input), say("Open.")))

    states = [[line.available for line in asked.state_of(role.capability)] for asked in seat.asked]
    assert True not in states[0], "it could be used to begin with"
    assert False not in states[1], "it is still unavailable in the step after"


@pytest.mark.requirement("AVAILABILITY-05")
def test_unavailable_call_runs_nothing(people: People, target: Target, data: Data) -> None:
    """Availability is checked when the call arrives, whatever the model was told before."""
    role = target.view_role("contextual")
    seat = people.full.tab()
    seat.open(role.route)
    before = data.look()

    seat.send(script(call(role.capability, role.input), last_word()))

    assert data.look().differences(before) == (), f"{role.capability} ran while it was unavailable"


@pytest.mark.requirement("AVAILABILITY-06")
def test_unavailable_call_is_a_typed_error(people: People, target: Target) -> None:
    """The answer says what is missing, so that the model can do that first."""
    role = target.view_role("contextual")
    seat = people.full.tab()
    seat.open(role.route)

    seat.send(script(call(role.capability, role.input), say("I see.")))

    result = seat.told
    reason = next((line.note for line in seat.asked[0].state_of(role.capability)), "")
    assert reason, f"{role.capability} is offered without a reason why it is unavailable"
    assert result.code, f"the answer carries no code: {result.text[:200]}"
    assert reason in result.text, f"the answer does not give the reason {reason!r}: {result.text[:200]}"


@pytest.mark.requirement("AVAILABILITY-07")
def test_unmounted_call_runs_nothing(people: People, target: Target) -> None:
    """The person left the page while the model was still thinking about it."""
    action = target.view_role("action")
    seat = people.full.tab()
    seat.open(action.route)
    turn = seat.start(script(step(gate("left"), call(action.capability, action.input)), last_word()))
    seat.run.wait_for(1)
    left = seat.named_act("leave")

    seat.run.release("left")
    turn.end()

    result = seat.told
    assert result.code, f"a capability of a page that is gone answered as if it ran: {result.text[:200]}"
    assert seat.visible().route == left.route, "the call moved the page that the person had gone to"


@pytest.mark.requirement("AVAILABILITY-08")
def test_call_meant_for_a_replaced_component_is_refused(people: People, target: Target) -> None:
    """The page was left and opened again: same name, another component, and the call was meant for the first."""
    action = target.view_role("action")
    seat = people.full.tab()
    seat.open(action.route)
    turn = seat.start(script(step(gate("back"), call(action.capability, action.input)), last_word()))
    seat.run.wait_for(1)
    seat.named_act("leave")
    back = seat.named_act("return")

    seat.run.release("back")
    turn.end()

    result = seat.told
    assert result.code, f"a call meant for a component that is gone was run: {result.text[:200]}"
    assert seat.visible().route == back.route, "the call moved the screen of another component"


@pytest.mark.requirement("AVAILABILITY-09")
def test_view_action_moves_the_screen(people: People, target: Target) -> None:
    """The assistant's filter is the person's filter: the same rows, the same address to bookmark."""
    action = target.view_role("action")
    by_hand, by_model = people.full.tab(), people.full.tab()
    plain = by_hand.open(action.route)
    by_model.open(action.route)

    by_model.send(script(call(action.capability, action.input), last_word()))
    by_hand.named_act("action")

    seen, expected = by_model.visible(), by_hand.visible()
    assert expected.row_keys != plain.row_keys, "the person's own control changed nothing"
    assert (seen.route, seen.row_keys) == (expected.route, expected.row_keys)


@pytest.mark.requirement("AVAILABILITY-10")
@pytest.mark.parametrize("route", ["main", "other"])
def test_nothing_offered_touches_the_dom(route: str, people: People) -> None:
    """A capability is a promise about meaning; a click has none, and nobody can validate or audit it."""
    seat = people.full.tab()
    seat.open(route)

    seat.send(answer())

    names = [name for name in seat.asked[0].tool_names if DOM_VERBS.search(name.rpartition("__")[2] or name)]
    assert seat.asked[0].tool_names, "the model was offered no tool at all"
    assert names == []


def reasons(seat: Seat) -> list[str]:
    """What the tab gave as reasons in its first step, one for each tool that was unavailable."""
    states = json.loads(seat.steps_posted[0].body)["catalog"]["frontendState"]
    return [str(state.get("unavailableReason") or "") for state in states if not state["available"]]
