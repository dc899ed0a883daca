"""What a decision is: a plain yes or no to one record, by somebody, once."""

import pytest

from conformance.asking import START, ask_and_find
from conformance.data import Data
from conformance.errors import Untested
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import calling
from conformance.stage import App
from conformance.target import Target

NEITHER_YES_NOR_NO = {
    "nothing": {},
    "null": {"approved": None},
    "text": {"approved": "yes"},
    "number": {"approved": 1},
    "list": {"approved": [True]},
    "another key": {"approve": True, "decision": "approved"},
}


@pytest.mark.requirement("APPROVAL-26")
@pytest.mark.parametrize("how", NEITHER_YES_NOR_NO)
def test_unclear_decision_decides_nothing(how: str, people: People, roles: Roles, data: Data) -> None:
    """Consent is said, not guessed: what is neither yes nor no leaves the question open."""
    card = ask_and_find(people, roles("gated_counted"))
    before = data.look()
    approvals = people.approver.approvals

    approvals.http.request("POST", f"{approvals.path}/{card.id}", json=NEITHER_YES_NOR_NO[how])

    assert data.look().differences(before) == (), f"{NEITHER_YES_NOR_NO[how]} was taken for a yes"
    assert approvals.get(card.id).status == "pending", "the approval was used up"


@pytest.mark.requirement("APPROVAL-27")
@pytest.mark.parametrize("second", [True, False], ids=["yes", "no"])
@pytest.mark.parametrize("first", [True, False], ids=["after yes", "after no"])
def test_second_decision_is_refused(first: bool, second: bool, people: People, roles: Roles) -> None:
    """Whoever decides late must learn that it was decided, or they believe that their word counted."""
    card = ask_and_find(people, roles("gated_counted"))
    people.approver.approvals.decide(card.id, approved=first)

    late = people.approver.approvals.decide(card.id, approved=second)

    assert late.answer.status == 409, f"the second decision was answered {late.answer.status}"


@pytest.mark.requirement("APPROVAL-36")
@pytest.mark.parametrize("state", ["consumed", "rejected", "expired"])
def test_refused_decision_says_why(
    state: str, app: App, people: People, roles: Roles, target: Target
) -> None:
    """Somebody else was quicker, or time was: the person wants to know which, and what came of it."""
    app.freeze_clock(START)
    card = ask_and_find(people, roles("gated_counted"))
    if state == "expired":
        if target.timers.approval_ttl is None:
            raise Untested("timers.approval_ttl")
        app.advance_clock(target.timers.approval_ttl)
    else:
        people.approver.approvals.decide(card.id, approved=state == "consumed")

    late = people.approver.approvals.decide(card.id, approved=True)

    assert late.answer.status == 409
    assert state in late.answer.text.lower(), (
        f"the refusal does not say that it is {state}: {late.answer.text}"
    )
    assert people.approver.approvals.get(card.id).status == state


@pytest.mark.requirement("APPROVAL-28")
@pytest.mark.parametrize("approved", [True, False], ids=["yes", "no"])
def test_decided_card_says_who_and_when(approved: bool, app: App, people: People, roles: Roles) -> None:
    """A decision that nobody made can't be asked about later."""
    app.freeze_clock(START)
    card = ask_and_find(people, roles("gated_counted"))

    people.approver.approvals.decide(card.id, approved=approved)

    decision = people.approver.approvals.get(card.id).decision
    assert decision is not None, "the decided card has no decision"
    assert decision.get("approver"), f"the decision names nobody: {decision}"
    assert decision.get("decidedAt") == START, f"the decision was made at another time: {decision}"


@pytest.mark.requirement("APPROVAL-29")
def test_expired_card_is_not_listed(app: App, people: People, roles: Roles, target: Target) -> None:
    """What can't be decided any more should not wait in anybody's list."""
    if target.timers.approval_ttl is None:
        raise Untested("timers.approval_ttl")
    app.freeze_clock(START)
    card = ask_and_find(people, roles("gated_counted"))

    app.advance_clock(target.timers.approval_ttl + 1)

    assert people.approver.approvals.list() == ()
    assert people.approver.approvals.get(card.id).status == "expired"


@pytest.mark.requirement("APPROVAL-30")
def test_approval_is_not_remembered(people: People, roles: Roles, data: Data) -> None:
    """A yes to one call is no yes to the next one, not even to the very same again."""
    gated = roles("gated_counted")
    card = ask_and_find(people, gated)
    people.approver.approvals.decide(card.id, approved=True)
    before = data.look()

    people.full.chat(gated.route).send(calling(gated))

    assert data.look().differences(before) == (), "a call ran on an approval that was given to an earlier one"
    assert [other.id == card.id for other in people.approver.approvals.list()] == [False]


@pytest.mark.requirement("APPROVAL-31")
def test_refusal_after_approval_is_told(people: People, roles: Roles, data: Data) -> None:
    """The person said yes and the operation said no: nothing has happened, and the person must not believe it had."""
    card = ask_and_find(people, roles("gated_failing"))
    before = data.look()

    decision = people.approver.approvals.decide(card.id, approved=True)

    assert not decision.executed, "the operation refused, and the answer says that it was done"
    assert decision.answer.status < 500, f"a refusal was answered {decision.answer.status}"
    assert data.look().differences(before) == (), "the operation refused and left something behind"


@pytest.mark.requirement("APPROVAL-31")
def test_approval_of_what_is_gone_is_told(people: People, roles: Roles, data: Data) -> None:
    """What was to be acted on was taken away while the question was open; the answer is an error, in words."""
    gated = roles("gated")
    card = ask_and_find(people, gated)
    people.full.rpc.value(gated.removal.procedure, gated.removal.input)
    before = data.look()

    decision = people.approver.approvals.decide(card.id, approved=True)

    assert not decision.executed, "there was nothing left to act on, and the answer says that it was done"
    assert decision.answer.status < 500, f"a refusal was answered {decision.answer.status}"
    assert data.look().differences(before) == ()


@pytest.mark.requirement("APPROVAL-34")
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_read_decides_nothing(method: str, people: People, roles: Roles, data: Data) -> None:
    """A link that is followed, or fetched ahead by a browser, must not be a decision."""
    card = ask_and_find(people, roles("gated_counted"))
    before = data.look()
    approvals = people.approver.approvals

    approvals.http.request(
        method, f"{approvals.path}/{card.id}?approved=true&decision=approved", json={"approved": True}
    )

    assert data.look().differences(before) == (), "a read approved the call"
    assert approvals.get(card.id).status == "pending"
