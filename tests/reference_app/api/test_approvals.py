"""``/api/approvals``: one decision, about exactly what was shown, by whoever asked, in time, and once."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from fake_model import call, say, script, step
from tests.reference_app.api.conftest import World
from tests.reference_app.running import Person

ISSUE = "domain:issue-invoice"


def ask(
    world: World, person: Person, *calls: Any, pathname: str = "/receivables/pending"
) -> list[dict[str, Any]]:
    """Have the model call, and return what waits."""
    world.turn(person, script(step(*calls), say("Done.")), pathname=pathname)
    return person.cards()


def status_of(person: Person, invoice: int) -> str:
    """Where an invoice stands."""
    return next((row["status"] for row in person.call("list-invoices") if row["id"] == invoice), "gone")


def lab_count(person: Person, name: str = "default") -> int:
    """What a counter of the lab shows."""
    value: int = person.call("lab-count", {"name": name})["value"]
    return value


def test_the_card_shows_exactly_what_would_run(world: World, carla: Person) -> None:
    """The validated input, its hash, the record as it is, why and until when; and nothing has happened."""
    (card,) = ask(world, carla, call(ISSUE, {"id": 4, "role": "root"}))

    assert ("issue-invoice", "pending", "aiSdk", "high") == tuple(
        card[k] for k in ("capabilityId", "status", "surface", "risk")
    )
    assert {"id": 4} == card["input"]
    assert "fe94ccbd074bb18b213f513152e3e3d0503e3746292df1d92bdd30aa4aaaee76" == card["inputHash"]
    assert ["issue-invoice was initiated from a model loop"] == card["reasons"]
    assert ("HAL-0310", 420_000, "draft") == tuple(
        card["subject"]["shown"][k] for k in ("reference", "amount", "status")
    )
    assert "draft" == status_of(carla, 4)
    assert card == carla.http.get(f"/api/approvals/{card['id']}").json()


def test_yes_runs_it_once_and_the_receipt_is_in_the_thread(world: World, carla: Person) -> None:
    """The decision executes in the same request; a second one executes nothing."""
    _, tab = world.play(script(call(ISSUE, {"id": 4}), step(call("domain:lab-count", {}, offered=False))))
    carla.step(tab.body())
    (card,) = carla.cards()
    first = carla.decide(card["id"], True, threadId=tab.conversation, inputHash=card["inputHash"])
    second = carla.decide(card["id"], True)
    shown = carla.http.get(f"/api/approvals/{card['id']}").json()
    thread = carla.http.get(f"/api/threads/{tab.conversation}/model-messages").json()
    receipt = "You approved issue-invoice (invoice 4), and it completed."

    assert (200, {"text": receipt, "ok": True}) == (first.status_code, first.json()["receipt"])
    assert ("completed", "sent") == (
        first.json()["resolution"]["status"],
        first.json()["resolution"]["output"]["status"],
    )
    assert (409, "APPROVAL_CONSUMED") == (second.status_code, second.json()["code"])
    assert ("consumed", "approved", "Carla Moreau") == (
        shown["status"],
        shown["decision"]["status"],
        shown["decision"]["approver"],
    )
    assert {"role": "assistant", "content": receipt} == thread[-1]
    assert [] == carla.cards()


def test_no_changes_nothing_and_is_final(world: World, carla: Person) -> None:
    """A denial is a decision like any other."""
    (card,) = ask(world, carla, call("domain:delete-invoice", {"id": 4}))
    denied, later = carla.decide(card["id"], False), carla.decide(card["id"], True)

    assert ({"status": "rejected"}, False) == (denied.json()["resolution"], denied.json()["receipt"]["ok"])
    assert (409, "APPROVAL_REJECTED") == (later.status_code, later.json()["code"])
    assert "draft" == status_of(carla, 4)


@pytest.mark.parametrize(("later", "status"), [(899.999, 200), (900, 409), (901, 409)])
def test_it_expires_at_the_very_instant_that_the_card_names(
    world: World, carla: Person, later: float, status: int
) -> None:
    """A millisecond before is in time, the instant itself is not."""
    world.control("clock", now="2026-03-02T09:00:00Z", frozen=True)
    (card,) = ask(world, carla, call(ISSUE, {"id": 4}))
    world.control("clock", advance=later)
    answer = carla.decide(card["id"], True)

    assert status == answer.status_code
    if status == 409:
        assert "APPROVAL_EXPIRED" == answer.json()["code"]
        assert ("expired", [], "draft") == (
            carla.http.get(f"/api/approvals/{card['id']}").json()["status"],
            carla.cards(),
            status_of(carla, 4),
        )


def test_the_shortest_deadline_and_every_reason_count(world: World, carla: Person) -> None:
    """Two policies that demand approval make one request."""
    world.control("clock", now="2026-03-02T09:00:00Z", frozen=True)
    (card,) = ask(world, carla, call("domain:lab-gated-twice", {}), pathname="/lab")

    assert ["lab-gated-twice was initiated from a model loop", "two signatures are needed"] == card["reasons"]
    assert ["human-confirmation", "second-signature"] == card["types"]
    assert "2026-03-02T09:05:00.000Z" == card["expiresAt"]


def test_a_decision_about_another_input_leaves_it_pending(world: World, carla: Person) -> None:
    """A page that shows an old card cannot decide a new one."""
    (card,) = ask(world, carla, call(ISSUE, {"id": 4}))
    answer = carla.decide(card["id"], True, inputHash="0" * 64)

    assert (409, "APPROVAL_INPUT_MISMATCH") == (answer.status_code, answer.json()["code"])
    assert (["pending"], "draft") == ([c["status"] for c in carla.cards()], status_of(carla, 4))


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        "null",
        "{}",
        '{"approved":"yes"}',
        '{"approved":1}',
        '{"approved":true,"approved":false}',
        '{"approved":true,"inputHash":1}',
    ],
)
def test_a_body_that_is_no_decision_is_refused_before_anything_is_looked_up(
    world: World, carla: Person, body: str
) -> None:
    """Only true and false are decisions, and the refusal does not tell whether the id exists."""
    (card,) = ask(world, carla, call(ISSUE, {"id": 4}))
    answers = [
        carla.http.post(f"/api/approvals/{name}", content=body, headers={"content-type": "application/json"})
        for name in (card["id"], "apr_none")
    ]

    assert [400, 400] == [answer.status_code for answer in answers]
    assert answers[0].content == answers[1].content
    assert "draft" == status_of(carla, 4)


@pytest.mark.parametrize("stranger", ["conrad", "ada"])
def test_for_everybody_else_it_does_not_exist(world: World, carla: Person, stranger: str) -> None:
    """The same rights do not make somebody the one who was asked."""
    (card,) = ask(world, carla, call(ISSUE, {"id": 4}))
    other = Person(world.url, stranger)
    answers = [
        (seen.status_code, seen.content)
        for name in (card["id"], "apr_none", "%00")
        for seen in (other.http.get(f"/api/approvals/{name}"), other.decide(name, True))
    ]
    other.close()

    assert {(404, b'{"error":"not found","code":"NOT_FOUND"}')} == set(answers)
    assert (["pending"], "draft") == ([c["status"] for c in carla.cards()], status_of(carla, 4))


def test_whoever_may_no_longer_use_the_operation_has_no_approval_for_it(world: World, carla: Person) -> None:
    """A change of role between request and decision counts, and nothing is used up by it."""
    (card,) = ask(world, carla, call(ISSUE, {"id": 4}))
    world.control("role", user="carla", role="analyst")
    hidden = (
        carla.cards(),
        carla.decide(card["id"], True).status_code,
        carla.decide(card["id"], False).status_code,
    )
    world.control("role", user="carla", role="controller")

    assert ([], 404, 404) == hidden
    assert 200 == carla.decide(card["id"], True).status_code


def test_a_policy_that_denies_by_now_executes_nothing(world: World, carla: Person) -> None:
    """A change of policy counts too; the approval waits for the policy to change back."""
    (card,) = ask(world, carla, call(ISSUE, {"id": 4}))
    world.control("policy", name="month-end-freeze", enabled=True)
    answer = carla.decide(card["id"], True)
    world.control("policy", name="month-end-freeze", enabled=False)

    assert (403, "POLICY_DENIED") == (answer.status_code, answer.json()["code"])
    assert "draft" == status_of(carla, 4)
    assert 200 == carla.decide(card["id"], True).status_code


@pytest.mark.parametrize(
    ("procedure", "value"),
    [("update-invoice", {"id": 4, "amount": 1}), ("issue-invoice", {"id": 4}), ("delete-invoice", {"id": 4})],
)
def test_a_record_that_changed_since_needs_a_new_approval(
    world: World, carla: Person, procedure: str, value: Any
) -> None:
    """The person agreed to what the card showed, not to what has become of it."""
    (card,) = ask(world, carla, call(ISSUE, {"id": 4}))
    carla.call(procedure, value)
    before = carla.call("list-invoices")
    first, second = carla.decide(card["id"], True), carla.decide(card["id"], True)

    assert [(409, "APPROVAL_STALE")] * 2 == [(a.status_code, a.json()["code"]) for a in (first, second)]
    assert (before, []) == (carla.call("list-invoices"), carla.cards())
    assert "cancelled" == carla.http.get(f"/api/approvals/{card['id']}").json()["status"]


def test_a_failure_after_the_decision_uses_the_approval_up(world: World, carla: Person) -> None:
    """It was tried; what it had written is undone, and the card says what happened."""
    (card,) = ask(world, carla, call("domain:lab-gated-fail", {}), pathname="/lab")
    first, second = carla.decide(card["id"], True), carla.decide(card["id"], True)
    shown = carla.http.get(f"/api/approvals/{card['id']}").json()

    assert ("failed", "The counter default is sealed.") == (
        first.json()["resolution"]["status"],
        first.json()["resolution"]["error"]["message"],
    )
    assert not first.json()["receipt"]["ok"]
    assert (409, "consumed", "The counter default is sealed.") == (
        second.status_code,
        shown["status"],
        shown["failure"],
    )
    assert 0 == lab_count(carla)


def test_an_unknown_record_can_be_asked_about_and_fails(world: World, carla: Person) -> None:
    """The gate does not tell the model whether an invoice exists."""
    (card,) = ask(world, carla, call(ISSUE, {"id": 999}))
    answer = carla.decide(card["id"], True).json()

    assert ("failed", "No invoice with id 999.") == (
        answer["resolution"]["status"],
        answer["resolution"]["error"]["message"],
    )
    assert {"type": "invoice", "id": "999", "version": None, "shown": {}} == card["subject"]


def test_invalid_gated_calls_leave_nothing_to_decide(world: World, carla: Person) -> None:
    """An approval is bound to a valid input."""
    assert [] == ask(world, carla, call(ISSUE, {"id": "4"}))


def test_two_calls_are_two_approvals_decided_in_either_order(world: World, carla: Person) -> None:
    """Each runs by its own decision and no other."""
    first, second = ask(world, carla, call(ISSUE, {"id": 4}), call(ISSUE, {"id": 5}))
    carla.decide(second["id"], True)
    between = (status_of(carla, 4), status_of(carla, 5))
    carla.decide(first["id"], False)

    assert ("draft", "sent") == between
    assert ("draft", "sent") == (status_of(carla, 4), status_of(carla, 5))


def test_many_gated_calls_in_one_message_all_wait(world: World, carla: Person) -> None:
    """However many are asked for, none runs and none is lost."""
    cards = ask(
        world, carla, *(call("domain:lab-gated-bump", {"name": f"n{n}"}) for n in range(120)), pathname="/lab"
    )

    assert 120 == len({card["id"] for card in cards})
    assert [f"n{n}" for n in range(120)] == [card["input"]["name"] for card in cards]
    assert 0 == lab_count(carla, "n7")


def test_of_simultaneous_decisions_one_counts(world: World, carla: Person) -> None:
    """Two tabs of one person, or a retry, cannot run it twice."""
    (card,) = ask(world, carla, call("domain:lab-gated-bump", {}), pathname="/lab")
    tabs = [Person(world.url, "carla") for _ in range(4)]
    statuses: list[int] = []
    deciders = [
        threading.Thread(target=lambda tab=tab: statuses.append(tab.decide(card["id"], True).status_code))
        for tab in tabs
    ]
    for decider in deciders:
        decider.start()
    for decider in deciders:
        decider.join()
    for tab in tabs:
        tab.close()

    assert [200, 409, 409, 409] == sorted(statuses)
    assert 1 == lab_count(carla)


def test_a_static_approval_gates_the_pages_own_call_too(carla: Person) -> None:
    """An operation that always asks does so on every surface; the page gets a conflict and finds the card."""
    refused = carla.rpc("lab-always-gated")
    (card,) = carla.cards()

    assert (409, card["id"]) == (refused.status_code, refused.json()["json"]["data"]["approvalId"])
    assert ("direct", ["Approval is required for lab-always-gated."], ["lab"]) == (
        card["surface"],
        card["reasons"],
        card["types"],
    )
    assert 200 == carla.decide(card["id"], True).status_code
    assert 1 == lab_count(carla)


def test_the_audit_tells_the_whole_story(world: World, carla: Person) -> None:
    """Requested, approved, started, completed; the run that asked has no terminal event of its own."""
    (card,) = ask(world, carla, call(ISSUE, {"id": 4}))
    carla.decide(card["id"], True)
    events = [
        event for event in carla.http.get("/api/audit").json() if event["capabilityId"] == "issue-invoice"
    ]

    assert ["requested", "approval_requested", "approved", "started", "completed"] == [
        event["type"].removeprefix("capability.") for event in events
    ]
    assert card["id"] == events[3]["data"]["approvalId"]
    assert {card["inputHash"]} == {event["inputHash"] for event in events[1:]}
    assert events[1]["executionId"] != events[3]["executionId"]
