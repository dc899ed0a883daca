"""Calls by id in meta mode: what a direct tool would refuse is refused here as well."""

import json

import pytest

from conformance.bound import bound_seat, locked_input
from conformance.data import Data
from conformance.discovery import ACT, DISCOVER, READ
from conformance.errors import Untested
from conformance.likeness import Named, differences
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import last_word
from conformance.seat import Seat
from conformance.target import Target
from fake_model import Call, call, gate, script, step


def act(capability: str, value: object = None, **more: object) -> Call:
    """A call to an action by its id."""
    return call(ACT, {"capabilityId": capability, "input": {} if value is None else value, **more})


def send(seat: Seat, *calls: Call) -> None:
    """Have the model make calls in one message, and then talk."""
    seat.send(script(step(*calls), last_word()))


@pytest.mark.requirement("META-07")
def test_reading_by_id_writes_nothing(people: People, target: Target, data: Data) -> None:
    """The screen fills in all that the operation needs, so that a reader needs no input to write with."""
    role = target.view_role("contextual")
    if not role.override_default:
        raise Untested("view.contextual.override_default")
    seat = bound_seat(people, role, mode="meta")
    seat.act(*role.override_default)
    before = data.look()

    send(seat, call(READ, {"capabilityId": role.capability}))

    assert data.look().differences(before) == ()


@pytest.mark.requirement("META-08")
def test_action_by_id_moves_the_screen(people: People, target: Target) -> None:
    """The same operation as the person's own control, by another door."""
    action = target.view_role("action")
    by_hand, by_model = people.full.tab(mode="meta"), people.full.tab(mode="meta")
    plain = by_hand.open(action.route)
    by_model.open(action.route)

    send(by_model, act(action.capability, action.input))
    expected = by_hand.named_act("action")

    assert expected.screen != plain.screen, "the person's own control changed nothing"
    assert by_model.visible().screen == expected.screen


@pytest.mark.requirement("META-09")
@pytest.mark.parametrize("wrong", ["unknown-key", "no-id", "scope-is-text"])
def test_arguments_that_a_meta_tool_does_not_know(wrong: str, people: People, target: Target) -> None:
    """What the tool passes over in silence, the model believes to have said."""
    role = target.view_role("counted")
    seat = people.full.tab(mode="meta")
    before = seat.open(role.route)

    match wrong:
        case "unknown-key":
            send(seat, act(role.capability, role.input, force=True))
        case "no-id":
            send(seat, call(ACT, {"input": role.input}))
        case _:
            send(seat, call(DISCOVER, {"scope": "everything"}))

    assert seat.told.code, f"the answer carries no code: {seat.told.text[:200]}"
    assert seat.visible().screen == before.screen


@pytest.mark.requirement("META-10")
def test_stringified_input_is_taken_for_its_object(people: People, target: Target) -> None:
    """Models put nested objects into texts; what they meant is beyond doubt."""
    role = target.view_role("counted")
    plain, stringified = people.full.tab(mode="meta"), people.full.tab(mode="meta")
    for seat, value in ((plain, role.input), (stringified, json.dumps(role.input))):
        seat.open(role.route)
        send(seat, act(role.capability, value))

    assert stringified.told.text == plain.told.text
    assert stringified.visible().screen == plain.visible().screen


@pytest.mark.requirement("META-11")
def test_ambiguous_call_changes_neither_component(people: People, target: Target) -> None:
    """Two cards could be meant; a guess would be right half of the time."""
    role = target.view_role("twin")
    if len(role.instances) != 2:
        raise Untested("view.twin.instances", "two of them")
    seat = people.full.tab(mode="meta")
    before = seat.open(role.route)

    send(seat, act(role.capability, role.input))

    assert seat.visible().screen == before.screen, "one of the two was taken"
    assert [name for name in role.instances if name not in seat.told.text] == []


@pytest.mark.requirement("META-12")
def test_hidden_id_is_answered_like_an_invented_one(people: People, target: Target) -> None:
    """An answer of its own would tell that it exists, and that others may use it."""
    role = target.view_role("contextual")
    if "contextual" not in target.hidden_from.get(people.restricted.name, ()):
        raise Untested(f"hidden_from.{people.restricted.name}", "the contextual role")
    seat = people.restricted.tab(mode="meta")
    seat.open(role.route)
    names = (role.capability, "domain:open-the-vault", "domain:close-the-vault")

    answers = []
    for name in names:
        send(seat, act(name, role.input))
        answers.append(Named(name, seat.told.value))

    assert differences(*answers) == ()


@pytest.mark.requirement("META-14")
def test_locked_input_by_id_runs_nothing(people: People, target: Target, data: Data) -> None:
    """Meta mode shows the schema in an answer instead of a tool; the field is gone from it all the same."""
    role = target.view_role("contextual")
    seat = bound_seat(people, role, mode="meta")
    before = data.look()

    send(seat, act(role.capability, locked_input(role, role.rebound_find)))

    assert data.look().differences(before) == ()


@pytest.mark.requirement("META-15")
def test_unavailable_id_runs_nothing(people: People, target: Target, data: Data) -> None:
    """Nothing is open that the operation could be about."""
    role = target.view_role("contextual")
    seat = people.full.tab(mode="meta")
    seat.open(role.route)
    before = data.look()

    send(seat, act(role.capability, role.input))

    assert data.look().differences(before) == ()


@pytest.mark.requirement("META-16")
def test_invocation_id_runs_once(people: People, target: Target) -> None:
    """A model that repeats itself under one id means one action."""
    role = target.view_role("counted")
    once, twice = people.full.tab(mode="meta"), people.full.tab(mode="meta")
    one = act(role.capability, role.input, invocationId="inv_suite000001")
    for seat, calls in ((once, (one,)), (twice, (one, one))):
        seat.open(role.route)
        send(seat, *calls)

    assert twice.visible().screen == once.visible().screen


@pytest.mark.requirement("META-22")
def test_gated_operation_by_id_runs_nothing(people: People, roles: Roles, data: Data) -> None:
    """The tab carries out what it may; an operation that has a gate goes through the gate."""
    gated = roles("gated")
    seat = people.full.tab(mode="meta")
    seat.open(gated.route)
    before = data.look()

    send(seat, act(gated.capability, gated.input))

    assert data.look().differences(before) == ()
    assert seat.told.code, f"the answer carries no code: {seat.told.text[:200]}"


@pytest.mark.requirement("META-23")
def test_id_that_has_left_the_screen_runs_nothing(people: People, target: Target) -> None:
    """The person went elsewhere between discovery and call; the id names something that is not there any more."""
    action = target.view_role("action")
    seat = people.full.tab(mode="meta")
    seat.open(action.route)
    late = step(gate("left"), act(action.capability, action.input))
    turn = seat.start(script(step(call(DISCOVER, {})), late, last_word()))
    seat.run.wait_for(2)
    left = seat.named_act("leave")

    seat.run.release("left")
    turn.end()

    assert seat.told.code, (
        f"a capability of a page that is gone answered as if it ran: {seat.told.text[:200]}"
    )
    assert seat.visible().route == left.route, "the call moved the page that the person had gone to"
