"""Approval cards in the page: what they show, and that the person alone decides them."""

import pytest

from conformance.data import Data
from conformance.drivers.tabs.base import TabCard
from conformance.errors import Departure
from conformance.people import People, Person
from conformance.roles import Prepared, Roles
from conformance.scripts import calling
from conformance.seat import Seat


def seat_with_card(person: Person, role: Prepared) -> tuple[Seat, TabCard]:
    """A tab in whose thread a card asks the person to approve a call of the model's."""
    seat = person.tab()
    seat.open(role.route)
    seat.send(calling(role))
    return seat, waiting_card(seat)


def waiting_card(seat: Seat) -> TabCard:
    """The card that waits in a tab."""
    seen = seat.look_until(lambda seen: seen.approvals, "showed an approval card")
    if len(seen.approvals) != 1:
        raise Departure(f"expected one approval card, saw {len(seen.approvals)}")
    return seen.approvals[0]


@pytest.mark.requirement("CONFIRMATION-11")
def test_card_shows_what_would_run(people: People, roles: Roles) -> None:
    """Who approves without seeing the input approves whatever the model has put there."""
    role = roles("gated")

    _, card = seat_with_card(people.full, role)

    assert (card.capability, card.input) == (role.capability, role.input)


@pytest.mark.requirement("CONFIRMATION-12")
def test_page_decides_nothing_by_itself(people: People, roles: Roles, data: Data) -> None:
    """The card waits, and so does the operation."""
    role = roles("gated")
    before = data.effect(role)

    seat_with_card(people.full, role)

    assert data.effect(role) == before
    assert len(people.approver.approvals.list()) == 1, "nothing waits for the person any more"


@pytest.mark.requirement("CONFIRMATION-13")
def test_approved_card_executes(people: People, roles: Roles, data: Data) -> None:
    """What the person said yes to happens, and the person is told."""
    role = roles("gated")
    before = data.effect(role)
    seat, card = seat_with_card(people.full, role)

    told = seat.decide("approval", approved=True, card=card.id)

    assert told.ok, f"the person was told that it did not work: {told.text}"
    assert data.effect(role) != before


@pytest.mark.requirement("CONFIRMATION-14")
def test_denied_card_executes_nothing(people: People, roles: Roles, data: Data) -> None:
    """What the person said no to does not happen, and does not wait any longer."""
    role = roles("gated")
    before = data.effect(role)
    seat, card = seat_with_card(people.full, role)

    seat.decide("approval", approved=False, card=card.id)

    assert data.effect(role) == before
    assert people.approver.approvals.list() == ()


@pytest.mark.requirement("CONFIRMATION-15")
def test_card_decided_in_two_tabs_is_decided_once(people: People, roles: Roles, data: Data) -> None:
    """The person has the thread open twice; the second word finds the matter settled, and says so."""
    role = roles("gated_counted")
    before = data.effect(role)
    seat, card = seat_with_card(people.full, role)
    other = people.full.tab(beside=seat)
    other.open(role.route, seat.visible().conversation)
    same = waiting_card(other)

    first = seat.decide("approval", approved=True, card=card.id)
    once = data.effect(role)
    second = other.decide("approval", approved=True, card=same.id)

    assert (card.id, True) == (same.id, first.ok)
    assert (once != before, data.effect(role)) == (True, once)
    assert not second.ok, f"the second word was taken as well: {second.text}"
