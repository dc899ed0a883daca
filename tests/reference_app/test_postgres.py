"""The same application on PostgreSQL: two processes on one database, with decisions that race and texts that it cannot keep."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from fake_model import FakeModel, call, say, script, step
from reference_app.settings import Settings
from tests.reference_app.a2ui.presenting import ACCEPTED, NOT_PENDING, Presented
from tests.reference_app.a2ui.templates import CHOICE
from tests.reference_app.postgres_server import postgres
from tests.reference_app.running import Person, Tab, running, user, with_model


@dataclass(frozen=True)
class Pair:
    """Two applications on one database, and their model."""

    model: FakeModel
    one: str
    other: str

    def turn(self, person: Person, *calls: Any, conversation: str = "c", pathname: str = "/lab") -> Tab:
        """One step of one turn, and what was posted for it."""
        run = self.model.play(script(step(*calls), say("Done.")))
        tab = Tab(f"{conversation}-{run.token}", (user(run.prompt("go")),), pathname=pathname)
        stepped = person.step(tab.body())
        assert stepped.finish["finishReason"] == "stop", stepped.frames
        return tab


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    """Both applications on an empty database."""
    with postgres() as database, FakeModel() as model:
        settings = with_model(Settings(database=database, demo_controls=True, a2ui=True), model.url)
        with running(settings) as one, running(settings) as other:
            yield Pair(model, one, other)


@pytest.fixture
def carla(pair: Pair) -> Iterator[Person]:
    """A controller at the first application."""
    person = Person(pair.one, "carla")
    person.http.post("/api/demo/reset", json={})
    yield person
    person.close()


@pytest.fixture
def elsewhere(pair: Pair, carla: Person) -> Iterator[Person]:
    """The same person at the second application, with the same token."""
    person = Person(pair.other, "carla")
    person.http.cookies.set("ledger_session", carla.token)
    yield person
    person.close()


def test_a_draft_goes_through_its_life(carla: Person, elsewhere: Person) -> None:
    """What one process writes the other reads, and numbers are never used twice."""
    first, second = (p.call("create-invoice", {"clientId": 2, "amount": 420_000}) for p in (carla, elsewhere))
    carla.call("update-invoice", {"id": first["id"], "notes": "urgent"})
    issued = elsewhere.call("issue-invoice", {"id": first["id"]})

    assert first["id"] + 1 == second["id"]
    assert ("urgent", "sent") == (issued["notes"], issued["status"])
    assert "paid" == carla.call("mark-invoice-paid", {"id": first["id"]})["status"]
    assert carla.call("list-invoices") == elsewhere.call("list-invoices")
    assert (
        1
        == elsewhere.call("update-collection-status", {"invoiceId": 1, "remindersSent": 1})["reminders_sent"]
    )


def test_texts_that_the_database_cannot_keep_are_refused_and_ids_with_them_do_not_exist(
    carla: Person,
) -> None:
    """NUL never reaches the database, and never breaks a request."""
    body = Tab("a", (user("x\x00y"),)).body()

    assert 400 == carla.rpc("update-invoice", {"id": 4, "notes": "a\x00b"}).status_code
    assert 400 == carla.step({**body, "conversationId": "a\x00b"}).status
    assert 404 == carla.http.get("/api/threads/%00").status_code
    assert 404 == carla.http.get("/api/approvals/%00").status_code


def test_of_decisions_that_race_over_two_processes_one_counts(
    pair: Pair, carla: Person, elsewhere: Person
) -> None:
    """Never twice, whichever process decides; ten times over."""
    for round_ in range(10):
        name = f"race-{round_}"
        pair.turn(carla, call("domain:lab-gated-bump", {"name": name}))
        (card,) = carla.cards()

        assert [200, 409] == sorted(at_once(card["id"], carla, elsewhere))
        assert 1 == carla.call("lab-count", {"name": name})["value"]


def test_more_decisions_at_once_than_there_are_connections(pair: Pair, carla: Person) -> None:
    """A crowd of retries waits in line instead of starving each other."""
    pair.turn(carla, call("domain:lab-gated-bump", {"name": "crowd"}))
    (card,) = carla.cards()
    crowd = [Person(pair.one, "carla") for _ in range(40)]
    statuses = at_once(card["id"], *crowd)
    for person in crowd:
        person.close()

    assert [200, *[409] * 39] == sorted(statuses)
    assert 1 == carla.call("lab-count", {"name": "crowd"})["value"]


def at_once(approval: str, *people: Person) -> list[int]:
    """The statuses of decisions that are taken at the same moment."""
    statuses: list[int] = []

    def decide(person: Person) -> None:
        statuses.append(person.decide(approval, True).status_code)

    deciders = [threading.Thread(target=decide, args=(person,)) for person in people]
    for decider in deciders:
        decider.start()
    for decider in deciders:
        decider.join()
    return statuses


def test_a_failure_after_approval_is_undone_and_kept(pair: Pair, carla: Person, elsewhere: Person) -> None:
    """The effect goes back to the savepoint, the decision stays."""
    pair.turn(carla, call("domain:lab-gated-fail", {}))
    (card,) = elsewhere.cards()

    assert "failed" == elsewhere.decide(card["id"], True).json()["resolution"]["status"]
    assert "consumed" == carla.http.get(f"/api/approvals/{card['id']}").json()["status"]
    assert 0 == carla.call("lab-count")["value"]


def test_an_operation_that_takes_too_long_leaves_nothing(pair: Pair, carla: Person) -> None:
    """The transaction of an operation that was stopped is rolled back, and the connection stays of use."""
    answers: list[int] = []
    caller = threading.Thread(
        target=lambda: answers.append(carla.rpc("lab-slow-bump", {"seconds": 3000}).status_code)
    )
    caller.start()
    other = Person(pair.one, "carla")
    while "capability.started" not in [event["type"] for event in other.http.get("/api/audit").json()]:
        pass
    other.http.post("/api/demo/clock", json={"advance": 31})
    caller.join()
    other.close()

    assert [408] == answers
    assert 0 == carla.call("lab-count")["value"]


def test_a_step_that_one_process_ran_the_other_only_repeats(
    pair: Pair, carla: Person, elsewhere: Person
) -> None:
    """A retry that a balancer sends elsewhere does nothing a second time."""
    run = pair.model.play(script(call("domain:lab-bump", {}), say("Done.")))
    tab = Tab("retry", (user(run.prompt("go")),), pathname="/lab")

    assert carla.step(tab.body()).frames == elsewhere.step(tab.body()).frames
    assert 1 == carla.call("lab-count")["value"]
    assert ["user", "assistant", "tool", "assistant"] == [
        message["role"] for message in elsewhere.http.get("/api/threads/retry/model-messages").json()
    ]


def test_many_gated_calls_in_one_message_all_wait(pair: Pair, carla: Person) -> None:
    """However many are asked for, none runs and none is lost."""
    pair.turn(carla, *(call("domain:lab-gated-bump", {"name": f"n{n}"}) for n in range(100)))

    assert 100 == len(carla.cards())


def test_a_policy_that_one_process_switches_the_other_follows(carla: Person, elsewhere: Person) -> None:
    """Policies, roles and records are the database's, not the process's."""
    carla.http.post("/api/demo/policy", json={"name": "month-end-freeze", "enabled": True})
    refused = elsewhere.rpc("lab-bump").status_code
    carla.http.post("/api/demo/policy", json={"name": "month-end-freeze", "enabled": False})

    assert [403, 200] == [refused, elsewhere.rpc("lab-bump").status_code]


def test_a_card_is_answered_once_and_only_where_it_was_presented(
    pair: Pair, carla: Person, elsewhere: Person
) -> None:
    """A process takes another one's card for interrupted, and the database lets one of two answers win."""
    run = pair.model.play(script(step(call("a2ui_present", CHOICE)), say("Done.")))
    tab = Tab(f"cards-{run.token}", (user(run.prompt("go")),))
    card = Presented(carla, run, tab, carla.step(tab.body()))
    there = Presented(elsewhere, run, tab, card.step)
    model = {"choice": ["a"]}

    assert ("pending", "interrupted") == (card.status, there.status)
    assert NOT_PENDING == there.answer(model)
    assert [ACCEPTED, NOT_PENDING] == [card.answer(model), card.answer(model)]
    assert {"status": "submitted", "action": "send", "values": model} == there.go_on()[1]
    assert there.look().json()["messages"] == card.look().json()["messages"]
