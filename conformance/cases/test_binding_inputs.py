"""What goes into a contextual call: from the model, from the screen, and from nowhere else."""

import json

import pytest

from conformance.bound import as_object, bound_seat, enabling_call, written
from conformance.data import Data
from conformance.errors import Departure, Untested
from conformance.people import People
from conformance.scripts import answer, last_word
from conformance.seat import Seat
from conformance.target import Target
from conformance.target_tables import ViewRole
from conformance.wire.errors import retry_hints
from fake_model import call, script, step


def with_a_value_of_its_own(people: People, role: ViewRole) -> Seat:
    """A bound tab whose screen has a value for the key that the model may override."""
    if not role.override_default or not role.override_at:
        raise Untested("view.contextual.override_default")
    seat = bound_seat(people, role)
    seat.act(*role.override_default)
    return seat


def note_of(seat: Seat, role: ViewRole) -> str:
    """What the model was told that the operation is bound to."""
    notes = [line.note for line in seat.asked[0].state_of(role.capability)]
    if not notes or not notes[0]:
        raise Departure(f"nothing says what {role.capability} is bound to")
    return notes[0]


@pytest.mark.requirement("BINDING-10")
def test_overridden_input_is_the_models(people: People, target: Target, data: Data) -> None:
    """What the person typed is a default here, and the model was asked for something else."""
    role = target.view_role("contextual")
    given = {key: value for key, value in as_object(role.overriding_input).items() if key in role.overridable}
    if not given:
        raise Untested("view.contextual.overriding_input")
    seat = with_a_value_of_its_own(people, role)

    seat.send(script(call(role.capability, role.overriding_input), last_word()))

    assert [written(data, role, role.override_at)[0]] == list(given.values())


@pytest.mark.requirement("BINDING-11")
def test_input_left_out_is_the_screens(people: People, target: Target, data: Data) -> None:
    """Left out, it is what the person typed: the same that their own button would save."""
    role = target.view_role("contextual")
    seat = with_a_value_of_its_own(people, role)
    before = written(data, role, role.override_at)[0]

    seat.send(script(call(role.capability, role.input), last_word()))

    after = written(data, role, role.override_at)[0]
    assert after != before, "what the screen holds was not written"
    typed = [value for act in role.override_default for value in act.args.values()]
    assert after in typed, f"something else was written than what the person typed: {after!r}"


@pytest.mark.requirement("BINDING-12")
def test_wrong_input_is_answered_as_the_models_mistake(people: People, target: Target) -> None:
    """The model can correct what it sent; told that the page is at fault, it would look at the page again and again."""
    role = target.view_role("contextual")
    if role.invalid_input is None:
        raise Untested("view.contextual.invalid_input")
    seat = bound_seat(people, role)

    seat.send(script(call(role.capability, role.invalid_input), last_word()))

    assert retry_hints(seat.told.value) == ("with-changes",)


@pytest.mark.requirement("BINDING-13")
@pytest.mark.parametrize("route", ["main", "other", "bare"])
def test_tab_declares_no_gated_operation(route: str, people: People, target: Target) -> None:
    """A reference to a gated operation trades a persisted approval for a dialog; the host's refusal is a second line."""
    gated = target.role("gated")
    seat = people.full.tab()
    seat.open(route)

    seat.send(answer())

    declared = [
        tool["canonicalId"] for tool in json.loads(seat.steps_posted[0].body)["catalog"]["frontendTools"]
    ]
    assert declared, "the tab declares nothing at all"
    assert gated.capability not in declared


@pytest.mark.requirement("BINDING-14")
def test_contextual_call_reaches_no_gated_operation(people: People, target: Target, data: Data) -> None:
    """It arrives as a direct call, which no gate stops; so what it does must be nothing that has a gate."""
    role, effect = target.view_role("contextual"), target.role("gated").effect
    if effect is None:
        raise Untested("roles.gated.effect")
    seat = bound_seat(people, role)
    before, first = data.column(effect.read, effect.at), written(data, role)[0]

    seat.send(script(call(role.capability, role.input), last_word()))

    assert written(data, role)[0] != first, "the bound call wrote nothing"
    assert data.column(effect.read, effect.at) == before, "what only a gated operation changes has changed"


@pytest.mark.requirement("BINDING-15")
def test_contextual_call_behind_the_action_that_binds_it(people: People, target: Target, data: Data) -> None:
    """The model steers the screen and uses what it steered to, in one message."""
    role = target.view_role("contextual")
    enabling = enabling_call(role)
    seat = people.full.tab()
    seat.open(role.route)
    before = written(data, role)

    seat.send(
        script(
            step(call(enabling.capability, enabling.input), call(role.capability, role.input)), last_word()
        )
    )

    after = written(data, role)
    assert after[0] != before[0], f"the call was not carried out on its target: {seat.told.text[:200]}"
    assert after[1] == before[1]


@pytest.mark.requirement("BINDING-16")
def test_nothing_off_the_screen_can_be_bound(people: People, target: Target, data: Data) -> None:
    """Steering the screen is the model's; but only to where the person could go from what they see."""
    role = target.view_role("contextual")
    if role.out_of_reach is None or not role.hide_target:
        raise Untested("view.contextual.out_of_reach")
    steer = role.out_of_reach
    seat = people.full.tab()
    seat.open(role.route)
    seat.act(*role.hide_target)
    before = data.look()

    seat.send(
        script(step(call(steer.capability, steer.input), call(role.capability, role.input)), last_word())
    )

    assert data.look().differences(before) == (), "the call wrote to something that is not on the screen"


@pytest.mark.requirement("BINDING-17")
def test_model_is_told_of_the_target_of_now(people: People, target: Target) -> None:
    """The person turned to another row between two messages; what is said about the first is wrong now."""
    role = target.view_role("contextual")
    seat = bound_seat(people, role)
    seat.send(answer())
    first = note_of(seat, role)
    seat.act(*role.rebind)

    seat.send(answer())
    second = note_of(seat, role)
    fresh = people.full.tab()
    fresh.open(role.route)
    fresh.act(*role.rebind)
    fresh.send(answer())

    assert first != second, "the model is told the same about two targets"
    assert second == note_of(fresh, role)


@pytest.mark.requirement("BINDING-18")
def test_contextual_call_carries_the_models_call_id(people: People, target: Target) -> None:
    """Six weeks later the audit must be able to say which call of which conversation a write came from."""
    role = target.view_role("contextual")
    procedure = target.paths.rpc.replace("{procedure}", role.capability.partition(":")[2])
    seat = bound_seat(people, role)

    seat.send(script(call(role.capability, role.input), last_word()))

    writes = [asked for asked in seat.wire.asked if asked.path == procedure]
    call_id = seat.asked[-1].all_calls[-1].id
    assert len(writes) == 1, f"the call was posted {len(writes)} times"
    carried = [*writes[0].headers.values(), writes[0].body.decode("utf-8", "replace")]
    assert any(call_id in text for text in carried), f"nothing in the request names {call_id}"


@pytest.mark.requirement("BINDING-19")
def test_each_of_two_tabs_has_a_target_of_its_own(people: People, target: Target, data: Data) -> None:
    """The person compares two rows side by side; what is said in front of one must not be done to the other."""
    role = target.view_role("contextual")
    seat = bound_seat(people, role)
    other = people.full.tab(beside=seat)
    other.open(role.route)
    other.act(*role.enable, *role.rebind)
    before = written(data, role)

    seat.send(script(call(role.capability, role.input), last_word()))

    after = written(data, role)
    assert after[0] != before[0], "the call did not write to what its own screen shows"
    assert after[1] == before[1], "the call wrote to what the other tab shows"
