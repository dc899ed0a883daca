"""A question that the page puts to the person before it carries a call out."""

import pytest

from conformance.bound import as_object, confirmed_seat
from conformance.data import Data
from conformance.drivers.tabs.base import Dialog, Turn, Visible
from conformance.errors import Untested
from conformance.people import People
from conformance.scripts import last_word
from conformance.seat import Seat
from conformance.target import Target
from conformance.target_tables import ViewRole
from fake_model import call, script, step


def question(seat: Seat, role: ViewRole) -> tuple[Turn, Visible]:
    """Have the model call something that must be confirmed, and look at what the person is asked."""
    turn = seat.start(script(call(role.capability, role.input), last_word()))
    seen = seat.look_until(lambda seen: seen.confirmations or not seen.busy, "asked the person or went on")
    assert len(seen.confirmations) == 1, f"the person was asked {len(seen.confirmations)} questions"
    return turn, seen


def only_question(seen: Visible) -> Dialog:
    """The one question that is open."""
    return seen.confirmations[0]


@pytest.mark.requirement("CONFIRMATION-01")
def test_action_waits_for_the_person(people: People, target: Target) -> None:
    """The person is asked, and until they answer the screen is as it was."""
    role = target.view_role("confirmed")
    seat = people.full.tab()
    before = seat.open(role.route)

    turn, seen = question(seat, role)
    seat.decide("confirmation", approved=False)
    turn.end()

    assert seen.screen == before.screen


@pytest.mark.requirement("CONFIRMATION-02")
def test_contextual_call_waits_for_the_person(people: People, target: Target, data: Data) -> None:
    """The person asked to be asked."""
    role = target.view_role("contextual")
    seat = confirmed_seat(people, role)
    before = data.look()

    turn, _ = question(seat, role)
    during = data.look()
    seat.decide("confirmation", approved=False)
    turn.end()

    assert during.differences(before) == ()


@pytest.mark.requirement("CONFIRMATION-03")
def test_confirmation_shows_what_would_run(people: People, target: Target) -> None:
    """The person sees what the model sent and where it would go, as the two are put together."""
    role = target.view_role("contextual")
    if not role.locked or not role.target_find:
        raise Untested("view.contextual.locked")
    seat = confirmed_seat(people, role)

    turn, seen = question(seat, role)
    seat.decide("confirmation", approved=False)
    turn.end()

    shown = as_object(only_question(seen).input)
    expected = {**as_object(role.input), role.locked[0]: next(iter(role.target_find.values()))}
    assert {key: shown.get(key) for key in expected} == expected


@pytest.mark.requirement("CONFIRMATION-04")
def test_confirmed_call_is_carried_out(people: People, target: Target) -> None:
    """Yes means yes: the same that the same call does where nobody has to be asked."""
    role = target.view_role("confirmed")
    seat = people.full.tab()
    before = seat.open(role.route)

    turn, _ = question(seat, role)
    told = seat.decide("confirmation", approved=True)
    turn.end()

    assert told.ok, f"the person's answer was not taken: {told.text}"
    assert seat.visible().screen != before.screen
    assert seat.told.code is None, f"the model was told that it failed: {seat.told.text[:200]}"


@pytest.mark.requirement("CONFIRMATION-05")
def test_declined_call_changes_nothing(people: People, target: Target) -> None:
    """No means no."""
    role = target.view_role("confirmed")
    seat = people.full.tab()
    before = seat.open(role.route)

    turn, _ = question(seat, role)
    seat.decide("confirmation", approved=False)
    turn.end()

    assert seat.visible().screen == before.screen


@pytest.mark.requirement("CONFIRMATION-06")
def test_declined_call_is_a_typed_error(people: People, target: Target) -> None:
    """The model learns that a person said no, and does not take it for a broken page."""
    role = target.view_role("confirmed")
    seat = people.full.tab()
    seat.open(role.route)

    turn, _ = question(seat, role)
    seat.decide("confirmation", approved=False)
    turn.end()

    assert seat.told.code == "CONFIRMATION_INVALID"


@pytest.mark.requirement("CONFIRMATION-07")
def test_unanswered_question_expires(people: People, target: Target) -> None:
    """A person who left the room has agreed to nothing; the turn goes on, and nothing has happened."""
    role = target.view_role("confirmed")
    seat = people.full.tab(variant="impatient")
    before = seat.open(role.route)

    turn = seat.start(script(call(role.capability, role.input), last_word()))
    seat.look_until(lambda seen: not seen.busy, "gave its question up")
    turn.end()

    assert seat.told.code, f"the call was answered as if it had been confirmed: {seat.told.text[:200]}"
    assert seat.visible().screen == before.screen


@pytest.mark.requirement("CONFIRMATION-08")
def test_confirmation_is_good_for_one_call(people: People, target: Target) -> None:
    """The person agreed once; the same call again is another call."""
    role = target.view_role("confirmed")
    seat = people.full.tab()
    seat.open(role.route)
    twice = step(call(role.capability, role.input), call(role.capability, role.input))
    turn = seat.start(script(twice, last_word()))
    first = seat.look_until(lambda seen: seen.confirmations, "asked the person")
    seat.decide("confirmation", approved=True, card=only_question(first).id)

    second = seat.look_until(
        lambda seen: not seen.busy or any(one != only_question(first) for one in seen.confirmations),
        "asked again or came to an end",
    )
    asked_again = second.confirmations
    for dialog in asked_again:
        seat.decide("confirmation", approved=False, card=dialog.id)
    turn.end()

    assert len(asked_again) == 1, "the second call was not asked about"


@pytest.mark.requirement("CONFIRMATION-09")
def test_confirmation_of_another_target_allows_nothing(people: People, target: Target, data: Data) -> None:
    """The person turned to another row before they said yes; what they said yes to is not what would run now."""
    role = target.view_role("contextual")
    seat = confirmed_seat(people, role)
    before = data.look()

    turn, _ = question(seat, role)
    seat.act(*role.rebind)
    seat.decide("confirmation", approved=True)
    turn.end()

    assert data.look().differences(before) == ()


@pytest.mark.requirement("CONFIRMATION-10")
def test_stopping_withdraws_the_question(people: People, target: Target) -> None:
    """A question of a turn that is over would be answered into nothing, or worse, into the next one."""
    role = target.view_role("confirmed")
    seat = people.full.tab()
    before = seat.open(role.route)

    turn, _ = question(seat, role)
    stopped = seat.named_act("stop")
    turn.end()

    assert stopped.confirmations == ()
    assert seat.visible().confirmations == ()
    assert seat.visible().screen == before.screen
