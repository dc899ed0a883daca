"""View calls that are not carried out: nothing moves, and the model is told what it can do about it."""

import pytest

from conformance.errors import Untested
from conformance.people import People
from conformance.scripts import last_word
from conformance.seat import Seat
from conformance.target import Target
from conformance.wire.errors import retry_hints
from fake_model import call, script

ENDINGS = ("invalid", "refused", "crashing", "unavailable")
AS_IT_IS = ("yes", "after-delay", True)
"""Hints by which a model repeats the same call."""


def failed_seat(people: People, target: Target, ending: str) -> Seat:
    """A tab on which one view call was not carried out, in one of several ways."""
    capability, value, route = failing_call(target, ending)
    seat = people.full.tab()
    seat.open(route)
    seat.send(script(call(capability, value), last_word()))
    return seat


def failing_call(target: Target, ending: str) -> tuple[str, object, str]:
    """What to call, with what, and where, so that it fails in this way."""
    if ending == "invalid":
        role = target.view_role("action")
        if role.invalid_input is None:
            raise Untested("view.action.invalid_input")
        return role.capability, role.invalid_input, role.route
    if ending == "refused":
        role = target.view_role("refusing")
        if role.refused_input is None:
            raise Untested("view.refusing.refused_input")
        return role.capability, role.refused_input, role.route
    role = target.view_role("crashing" if ending == "crashing" else "contextual")
    return role.capability, role.input, role.route


@pytest.mark.requirement("VIEW-01")
def test_invalid_input_changes_nothing(people: People, target: Target) -> None:
    """A promise about meaning has inputs that can be checked; what does not fit is no call."""
    capability, value, route = failing_call(target, "invalid")
    seat = people.full.tab()
    before = seat.open(route)

    seat.send(script(call(capability, value), last_word()))

    assert seat.visible().screen == before.screen, f"an invalid input moved the screen: {value!r}"


@pytest.mark.requirement("VIEW-02")
@pytest.mark.parametrize("role_name", ["refusing", "navigate"])
def test_refused_input_changes_nothing(role_name: str, people: People, target: Target) -> None:
    """Rows that are not there can't be selected, and a page that does not exist can't be opened."""
    role = target.view_role(role_name)
    if role.refused_input is None:
        raise Untested(f"view.{role_name}.refused_input")
    seat = people.full.tab()
    before = seat.open(role.route)

    seat.send(script(call(role.capability, role.refused_input), last_word()))

    assert seat.visible().screen == before.screen, "an input that the component refuses moved the screen"


@pytest.mark.requirement("VIEW-03")
@pytest.mark.parametrize("ending", ENDINGS)
def test_failed_view_call_is_a_typed_error(ending: str, people: People, target: Target) -> None:
    """Told that all is well, the model goes on from a state that never was."""
    seat = failed_seat(people, target, ending)

    assert seat.told.code, f"the answer carries no code: {seat.told.text[:200]}"


@pytest.mark.requirement("VIEW-04")
def test_failed_view_call_hands_out_no_internals(people: People, target: Target) -> None:
    """What a handler's exception says was never meant for a model, nor for whoever reads along."""
    role = target.view_role("crashing")
    if not role.canary:
        raise Untested("view.crashing.canary")

    seat = failed_seat(people, target, "crashing")

    assert seat.told.code, f"the call did not fail: {seat.told.text[:200]}"
    assert role.canary.encode() not in seat.asked[-1].raw.body, (
        "the model was told what only the handler knows"
    )


@pytest.mark.requirement("VIEW-05")
@pytest.mark.parametrize("ending", ENDINGS)
def test_failed_view_call_has_a_retry_hint(ending: str, people: People, target: Target) -> None:
    """Without one a model repeats what can't succeed, or gives up what could."""
    seat = failed_seat(people, target, ending)

    assert retry_hints(seat.told.value), f"no retry hint in {seat.told.text[:200]}"


@pytest.mark.requirement("VIEW-06")
@pytest.mark.parametrize("ending", ENDINGS)
def test_hopeless_view_call_is_not_called_hopeful(ending: str, people: People, target: Target) -> None:
    """None of these calls succeeds when it is repeated as it is and where it is."""
    seat = failed_seat(people, target, ending)

    hopeful = [hint for hint in retry_hints(seat.told.value) if hint in AS_IT_IS]
    assert hopeful == [], f"the answer says that the same call may succeed: {seat.told.text[:200]}"
