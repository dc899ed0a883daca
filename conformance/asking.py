"""Asking for an approval, as several case files do it."""

from conformance.drivers.approvals import Card
from conformance.people import People, Person
from conformance.roles import Prepared
from conformance.scripts import calling

START = "2026-03-02T09:00:00.000Z"
"""An instant at which a case stops the clock."""


def ask(person: Person, role: Prepared) -> None:
    """Have the model call a gated operation for somebody."""
    person.chat(role.route).send(calling(role))


def ask_and_find(people: People, role: Prepared) -> Card:
    """Have the model call a gated operation, and return the card that waits for whoever decides."""
    ask(people.full, role)
    return people.approver.approvals.only()
