"""Confirmations that are handed to the model: it may come back with their id once the person has answered."""

import pytest

from conformance.discovery import ACT
from conformance.drivers.tabs.base import Visible
from conformance.people import People
from conformance.scripts import last_word
from conformance.seat import Seat
from conformance.target import Target
from conformance.target_tables import ViewRole
from fake_model import call, gate, result_of, script, step

EVIDENCE = result_of(0, "/error/details/confirmationId")


def ask_and_answer(
    people: People, role: ViewRole, *, approved: bool, inputs: tuple[object, ...]
) -> tuple[Seat, Visible]:
    """Have the model ask, the person answer, and the model come back with the question's id, once for each input.

    Returns the tab, and what the person saw while the question was open.
    """
    seat = people.full.tab(mode="meta", variant="two_phase")
    seat.open(role.route)
    first = call(ACT, {"capabilityId": role.capability, "input": role.input})
    later = [
        call(ACT, {"capabilityId": role.capability, "input": value, "confirmationId": EVIDENCE})
        for value in inputs
    ]
    turn = seat.start(script(step(first), step(gate("answered"), *later), last_word()))
    asked = seat.look_until(lambda seen: seen.confirmations or not seen.busy, "asked the person or went on")
    seat.run.wait_for(2)
    for dialog in asked.confirmations:
        seat.decide("confirmation", approved=approved, card=dialog.id)
    seat.run.release("answered")
    turn.end()
    return seat, asked


@pytest.mark.requirement("META-17")
def test_question_for_the_model_changes_nothing(people: People, target: Target) -> None:
    """The model gets an id and no effect; the person gets the question."""
    role = target.view_role("confirmed")
    plain = people.full.tab(mode="meta", variant="two_phase").open(role.route)

    _, asked = ask_and_answer(people, role, approved=False, inputs=(role.input,))

    assert asked.screen == plain.screen
    assert len(asked.confirmations) == 1, "the person was not asked"


@pytest.mark.requirement("META-18")
def test_given_confirmation_allows_its_call(people: People, target: Target) -> None:
    """The person said yes, and the model comes back with exactly what they said yes to."""
    role = target.view_role("confirmed")

    seat, asked = ask_and_answer(people, role, approved=True, inputs=(role.input,))

    assert seat.visible().screen != asked.screen
    assert seat.told.code is None, f"the model was told that it failed: {seat.told.text[:200]}"


@pytest.mark.requirement("META-19")
def test_given_confirmation_allows_no_other_input(people: People, target: Target) -> None:
    """The person said yes to two, and the model comes back with three."""
    role = target.view_role("confirmed")

    seat, asked = ask_and_answer(people, role, approved=True, inputs=(role.other_input,))

    assert seat.visible().screen == asked.screen
    assert seat.told.code, f"the answer carries no code: {seat.told.text[:200]}"


@pytest.mark.requirement("META-20")
def test_given_confirmation_allows_one_call(people: People, target: Target) -> None:
    """The second call under the same id is one that nobody said yes to."""
    role = target.view_role("confirmed")

    once, _ = ask_and_answer(people, role, approved=True, inputs=(role.input,))
    twice, _ = ask_and_answer(people, role, approved=True, inputs=(role.input, role.input))

    assert twice.visible().screen == once.visible().screen


@pytest.mark.requirement("META-21")
def test_declined_confirmation_allows_nothing(people: People, target: Target) -> None:
    """The person said no, and the model comes back all the same."""
    role = target.view_role("confirmed")

    seat, asked = ask_and_answer(people, role, approved=False, inputs=(role.input,))

    assert seat.visible().screen == asked.screen
    assert seat.told.code, f"the answer carries no code: {seat.told.text[:200]}"
