"""Some defects, seen from outside: each changes what somebody can observe, and the sound application does not show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from fake_model import FakeModel, call, say, script, step
from reference_app.faults import installed
from tests.reference_app.api.conftest import SETTINGS, World
from tests.reference_app.running import Person, client, running, user, view_tool, with_model

FILTERS = "view_invoices__pending__setFilters"
DONE = say("Done.")


@contextmanager
def defective(*faults: str) -> Iterator[World]:
    """The application with defects, and its model."""
    with (
        installed(faults),
        FakeModel() as model,
        running(with_model(SETTINGS, model.url)) as url,
        client(url) as nobody,
    ):
        yield World(url, model, nobody)


def offered_twice(world: World, carla: Person) -> object:
    """How often a capability is offered that is declared under two names."""
    run, _ = world.turn(carla, script(DONE), tools=(view_tool(), view_tool(wireName="view_again")))
    return [name for name in run.exchanges[0].request.tool_names if name.startswith("view_")]


def undeclared_state(world: World, carla: Person) -> object:
    """Whether the model reads about a tool that nobody declares."""
    state = {"wireName": "view_elsewhere", "available": False, "unavailableReason": "Look here"}
    run, _ = world.turn(carla, script(DONE), state=(state,))
    return "Look here" in str(run.exchanges[0].request)


def too_many_tools(world: World, carla: Person) -> object:
    """The answer to 129 declarations."""
    many = tuple(view_tool(f"view_invoices__pending__act{number}") for number in range(129))
    return world.turn(carla, script(DONE), tools=many)[1].status


def too_many_messages(world: World, carla: Person) -> object:
    """The answer to 401 messages."""
    run, tab = world.play(script(DONE))
    messages = (*[user("Hello.")] * 400, user(run.prompt("go")))
    return carla.step(replace(tab, messages=messages).body()).status


def late_decision(world: World, carla: Person) -> object:
    """The code of a second decision."""
    card = waiting(world, carla)
    carla.decide(card["id"], False)
    return carla.decide(card["id"], True).json()["code"]


def frozen_decision(world: World, carla: Person) -> object:
    """The status of a decision under a policy that is newer than the approval."""
    card = waiting(world, carla)
    world.control("policy", name="month-end-freeze", enabled=True)
    return carla.decide(card["id"], True).status_code


def lost_right(world: World, carla: Person) -> object:
    """The status of a decision by somebody who may no longer use the operation."""
    card = waiting(world, carla)
    world.control("role", user="carla", role="analyst")
    return carla.decide(card["id"], True).status_code


def trusted(world: World, carla: Person) -> object:
    """How the place is marked that a tab gave to its own call."""
    world.turn(carla, script(call("domain:collections-aging", {}), DONE))
    events = carla.http.get("/api/audit").json()
    return {event["correlation"]["trusted"] for event in events if event.get("correlation")}


def waiting(world: World, person: Person) -> Any:
    """The approval that a model's call leaves."""
    world.turn(person, script(step(call("domain:delete-invoice", {"id": 4})), DONE))
    (card,) = person.cards()
    return card


@pytest.mark.parametrize(
    ("fault", "seen", "sound", "broken"),
    [
        ("duplicate-declaration-kept", offered_twice, [FILTERS], [FILTERS, "view_again"]),
        ("undeclared-state-shown", undeclared_state, False, True),
        ("too-many-tools-accepted", too_many_tools, 413, 200),
        ("too-many-messages-accepted", too_many_messages, 413, 200),
        ("refused-decision-untold", late_decision, "APPROVAL_REJECTED", "CONFLICT"),
        ("decision-skips-new-policies", frozen_decision, 403, 200),
        ("decision-skips-new-policies", lost_right, 404, 404),
        ("decision-skips-policies", lost_right, 404, 200),
        ("decision-skips-policies", frozen_decision, 403, 403),
        ("correlation-trusted", trusted, {False}, {True}),
    ],
)
def test_a_defect_shows(
    world: World,
    carla: Person,
    *,
    fault: str,
    seen: Callable[[World, Person], object],
    sound: Any,
    broken: Any,
) -> None:
    """A defect that nobody can see would be counted as a case that cannot fail; one that shows elsewhere, as a wrong kill."""
    assert sound == seen(world, carla)

    with defective(fault) as other:
        person = Person(other.url, "carla")
        assert broken == seen(other, person)
        person.close()
