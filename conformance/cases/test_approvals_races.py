"""Once means once: two decisions at the same instant, two processes, a restart, a crash in the middle."""

from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial

import pytest

from conformance.asking import ask_and_find
from conformance.data import Data
from conformance.people import People, Person
from conformance.roles import Prepared, Roles
from conformance.stage import App
from conformance.waiting import at_once, eventually

ROUNDS = 3
MOMENT = 1.0
"""Seconds in which an operation that was approved can be expected to begin."""


@pytest.mark.requirement("APPROVAL-19")
@pytest.mark.parametrize("words", [(True, True), (True, False)], ids=["yes and yes", "yes and no"])
def test_two_decisions_at_once_run_it_once(
    words: tuple[bool, bool], people: People, roles: Roles, data: Data
) -> None:
    """A double click, two open tabs: whoever is first decides, and the other one's word does nothing."""
    approvals = people.approver.approvals

    for _ in range(ROUNDS):
        gated = roles("gated_counted")
        card = ask_and_find(people, gated)
        before = data.count(gated)
        decisions = at_once([partial(approvals.decide, card.id, approved=word) for word in words])

        said_done = sum(decision.executed for decision in decisions)
        assert data.count(gated) - before == said_done, (
            f"{said_done} decisions say that the operation ran, and it ran {data.count(gated) - before} times"
        )
        assert said_done <= 1, "one approval ran the operation twice"
        assert said_done == 1 or False in words, "of two approvals none ran the operation"


@pytest.mark.requirement("APPROVAL-04")
def test_decision_whose_answer_was_lost_runs_once(people: People, roles: Roles, data: Data) -> None:
    """The connection broke before the answer came, so the page asks again; the person still meant it once."""
    gated = roles("gated_counted")
    card = ask_and_find(people, gated)
    before = data.count(gated)
    approvals = people.approver.approvals
    path = f"{approvals.path}/{card.id}"

    approvals.http.post_and_leave(path, {"approved": True})
    eventually(lambda: data.count(gated), lambda seen: seen > before, MOMENT)
    approvals.decide(card.id, approved=True)

    assert data.count(gated) - before <= 1, "one approval, sent twice, ran the operation twice"


@pytest.mark.requirement("APPROVAL-22")
def test_two_processes_run_it_once(app: App, people: People, roles: Roles, data: Data) -> None:
    """Both processes read the same record as pending; only one of them may act on it."""
    twin = app.twin()
    here, there = people.approver, people.approver.at(twin)

    for _ in range(ROUNDS):
        gated = roles("gated_counted")
        card = ask_and_find(people, gated)
        before = data.count(gated)
        decisions = at_once(
            [partial(person.approvals.decide, card.id, approved=True) for person in (here, there)]
        )

        assert data.count(gated) - before == 1, (
            f"the operation ran {data.count(gated) - before} times; the decisions were answered "
            f"{[decision.answer.status for decision in decisions]}"
        )


@pytest.mark.requirement("APPROVAL-20")
def test_approval_outlives_a_restart(app: App, people: People, roles: Roles) -> None:
    """The record is on the server's side for good: a new version may be rolled out while somebody thinks."""
    gated = roles("gated_counted")
    card = ask_and_find(people, gated)

    app.restart()

    later = People(people.stage)
    decision = later.approver.approvals.decide(card.id, approved=True)
    assert decision.accepted, f"after the restart the approval is answered {decision.answer.text[:200]}"


@pytest.mark.requirement("APPROVAL-21")
def test_crash_in_the_middle_runs_it_at_most_once(app: App, people: People, roles: Roles, data: Data) -> None:
    """The process dies while the operation runs; whoever tries again must not make it happen a second time."""
    gated = roles("gated_slow")
    card = ask_and_find(people, gated)
    before = data.count(gated)
    starts = started(people.approver, gated)

    with ThreadPoolExecutor(2) as threads:
        threads.submit(people.approver.approvals.decide, card.id, approved=True)
        begun = threads.submit(
            eventually, lambda: started(people.approver, gated), lambda seen: seen > starts, MOMENT
        )
        wait([begun], MOMENT)  # a target that answers nobody meanwhile has begun as well
        app.restart(crash=True)

    later = People(people.stage)
    seen = Data(people.stage, later)
    ran_before_crash = seen.count(gated) - before
    pending = later.approver.approvals.get(card.id).status == "pending"
    assert ran_before_crash in (0, 1)
    assert not (ran_before_crash and pending), "the operation ran, and its approval can be used again"


def started(person: Person, role: Prepared) -> int:
    """How often the caller's record says that an operation began."""
    events = person.audit.events()
    return sum(event.kind == "started" and event.capability_id == role.procedure for event in events)
