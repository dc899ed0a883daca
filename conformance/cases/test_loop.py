"""The loop of the tab: call, wait for the screen, go on; and how a turn ends."""

import json

import pytest

from conformance.drivers.tabs.base import Visible
from conformance.errors import Untested
from conformance.people import People
from conformance.scripts import answer, last_word
from conformance.seat import Seat
from conformance.target import Target
from conformance.target_tables import ViewRole
from conformance.wire.history import unsettled_calls
from conformance.wire.pointer import resolve
from fake_model import Script, call, read, repeat, say, script, status, step

TOO_MANY = 30
"""Steps that no turn may take."""
PATIENCE = 5
"""How often a model may be asked that repeats one failing call."""


@pytest.mark.requirement("LOOP-01")
def test_calls_of_one_message_run_in_order(people: People, target: Target) -> None:
    """The model filters and reads in one breath; it must read what it filtered."""
    action, observation = target.view_role("action"), target.view_role("observation")
    if not observation.rows:
        raise Untested("view.observation.rows")
    seat = people.full.tab()
    plain = seat.open(action.route)

    seat.send(script(step(call(action.capability, action.input), read(observation.capability)), last_word()))

    seen = seat.visible()
    assert seen.row_keys != plain.row_keys, "the first call changed nothing"
    told = resolve(seat.told.value, observation.rows)
    assert isinstance(told, list), f"no rows at {observation.rows}: {seat.told.text[:200]}"
    assert [str(resolve(row, observation.row_key)) for row in told] == list(seen.row_keys)


@pytest.mark.requirement("LOOP-02")
@pytest.mark.parametrize("ending", ["stopped", "limit", "failed", "closed", "stubborn"])
def test_history_is_well_formed_after(ending: str, people: People, target: Target) -> None:
    """A provider refuses a conversation with an open call, and with it everything that the person says from then on."""
    held, counted = target.view_role("held"), target.view_role("counted")
    seat = people.full.tab()
    seat.open(held.route)
    if ending == "stubborn":
        end_in_refusals(seat, target.view_role("refusing"))
    else:
        seat = end_turn(ending, people, seat, held, counted)

    seat.send(answer())

    history = json.loads(seat.steps_posted[-1].body)["messages"]
    assert unsettled_calls(history) == ()
    assert seat.asked[0].unanswered_calls == ()


def end_in_refusals(seat: Seat, role: ViewRole) -> None:
    """Have the turn end at one refusal too many, with a call behind it that is not carried out any more."""
    if role.refused_input is None:
        raise Untested("view.refusing.refused_input")
    refused = (call(role.capability, role.refused_input),) * 3
    seat.open(role.route)
    seat.send(script(step(*refused, call(role.capability, role.input)), last_word()))


def end_turn(ending: str, people: People, seat: Seat, held: ViewRole, counted: ViewRole) -> Seat:
    """Bring a turn to an end in one of several ways; returns a tab in which the conversation goes on."""
    again = call(counted.capability, counted.input)
    if ending == "limit":
        seat.send(endless(counted))
        return seat
    if ending == "failed":
        seat.send(script(again, step(say("No."), fails=[status(500)], asked=None)))
        return seat
    turn = seat.start(script(step(call(held.capability, held.input), again), last_word()))
    seat.look_until(is_running, "began to carry a call out")
    if ending == "stopped":
        seat.named_act("stop")
        turn.end()
        return seat
    other = people.full.tab(beside=seat)
    conversation = seat.visible().conversation
    seat.close()
    other.open(held.route, conversation)
    return other


def is_running(seen: Visible) -> bool:
    """Whether a call is being carried out."""
    return any(card.state == "running" for card in seen.cards)


def endless(role: ViewRole) -> Script:
    """A model that calls the same operation in every step that it is asked for."""
    return script(
        repeat(step(call(role.capability, role.input), asked=None, optional=True), TOO_MANY), last_word()
    )


@pytest.mark.requirement("LOOP-03")
def test_repeated_failure_is_stopped(people: People, target: Target) -> None:
    """What was refused three times in the same words will be refused a fourth time."""
    role = target.view_role("refusing")
    if role.refused_input is None:
        raise Untested("view.refusing.refused_input")
    stubborn = step(call(role.capability, role.refused_input), asked=None, optional=True)
    seat = people.full.tab()
    seat.open(role.route)

    end = seat.send(script(repeat(stubborn, TOO_MANY), last_word()))

    assert len(seat.asked) <= PATIENCE, f"the model was asked {len(seat.asked)} times"
    assert end.status == "error", f"the turn ended as {end.status}"


@pytest.mark.requirement("LOOP-04")
def test_endless_turn_ends_at_a_limit(people: People, target: Target) -> None:
    """Each step succeeds, so no error ends it; a model in a circle costs money all the same."""
    role = target.view_role("counted")
    seat = people.full.tab()
    seat.open(role.route)

    end = seat.send(endless(role))

    assert len(seat.asked) < TOO_MANY, "the turn went on for as long as the model did"
    assert end.error is not None, f"the turn ended as {end.status}, without a word about the limit"


@pytest.mark.requirement("LOOP-07")
def test_server_tools_follow_the_models_navigation(people: People, target: Target) -> None:
    """The model opened another page; what the server offers there is what it may use from now on."""
    navigate, beyond = target.view_role("navigate"), target.role("out_of_scope")
    seat = people.full.tab()
    seat.open(navigate.route)

    seat.send(script(call(navigate.capability, navigate.input), say("There.")))

    assert [asked.offers(beyond.capability) for asked in seat.asked] == [False, True]


@pytest.mark.requirement("LOOP-08")
def test_failed_step_fails_the_turn(people: People) -> None:
    """The person must see that there will be no answer, and the turn must not pass for one that had nothing to say."""
    seat = people.full.tab()
    seat.open("main")

    end = seat.send(script(step(say("Never said."), fails=[status(500)], asked=None)))

    assert end.status == "error", f"the turn ended as {end.status}"
    assert end.error is not None
    assert end.error.get("code"), f"no code in {end.error}"
