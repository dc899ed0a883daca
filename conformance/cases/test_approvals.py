"""Gate for consequence: a model's call suspends into a record that somebody decides, once, for exactly that input."""

import pytest

from conformance.asking import START, ask, ask_and_find
from conformance.data import Data
from conformance.errors import Untested
from conformance.likeness import differences, of_answer
from conformance.people import People, Person
from conformance.roles import Roles
from conformance.scripts import calling, calling_unoffered, last_word
from conformance.stage import App
from conformance.target import Target
from fake_model import call, script

NEVER_WAS = ("apr_00000000-0000-4000-8000-000000000001", "apr_00000000-0000-4000-8000-000000000002")


@pytest.mark.requirement("APPROVAL-01")
def test_gated_call_changes_nothing(people: People, roles: Roles, data: Data) -> None:
    """The model asked; until somebody has decided, nothing has happened."""
    gated = roles("gated")
    before = data.look()

    ask(people.full, gated)

    assert data.look().differences(before) == (), f"the model ran {gated.capability} without a decision"


@pytest.mark.requirement("APPROVAL-02")
def test_gated_call_leaves_a_record(people: People, roles: Roles) -> None:
    """The call is not lost: it waits where a person finds it."""
    gated = roles("gated")

    ask(people.full, gated)

    cards = people.approver.approvals.list()
    assert [(card.capability_id, card.status) for card in cards] == [(gated.procedure, "pending")]


@pytest.mark.requirement("APPROVAL-03")
def test_approved_call_runs(people: People, roles: Roles, data: Data) -> None:
    """The decision is what was missing, so now it happens."""
    gated = roles("gated")
    card = ask_and_find(people, gated)
    before = data.look()

    decision = people.approver.approvals.decide(card.id, approved=True)

    assert decision.accepted, f"the approval was refused: {decision.answer.text[:200]}"
    assert data.look().differences(before) != (), f"{gated.capability} was approved and did not run"


@pytest.mark.requirement("APPROVAL-04")
def test_approval_is_used_once(people: People, roles: Roles, data: Data) -> None:
    """Approving one call must not be a licence for a second one."""
    gated = roles("gated_counted")
    card = ask_and_find(people, gated)
    people.approver.approvals.decide(card.id, approved=True)
    before = data.look()

    people.approver.approvals.decide(card.id, approved=True)

    assert data.look().differences(before) == (), "one approval ran the operation twice"


@pytest.mark.requirement("APPROVAL-05")
def test_denied_call_changes_nothing(people: People, roles: Roles, data: Data) -> None:
    """No means no."""
    gated = roles("gated")
    card = ask_and_find(people, gated)
    before = data.look()

    decision = people.approver.approvals.decide(card.id, approved=False)

    assert decision.accepted, f"the denial was refused: {decision.answer.text[:200]}"
    assert data.look().differences(before) == (), f"{gated.capability} was denied and ran"


@pytest.mark.requirement("APPROVAL-06")
def test_denial_is_final(people: People, roles: Roles, data: Data) -> None:
    """A record has one decision; a second one, by a replayed request for instance, finds it used."""
    gated = roles("gated")
    card = ask_and_find(people, gated)
    before = data.look()
    people.approver.approvals.decide(card.id, approved=False)

    people.approver.approvals.decide(card.id, approved=True)

    assert data.look().differences(before) == (), "a denied approval was approved afterwards and ran"


@pytest.mark.requirement("APPROVAL-07")
def test_expired_approval_runs_nothing(
    app: App, people: People, roles: Roles, data: Data, target: Target
) -> None:
    """What somebody meant to allow this morning is not what they would allow tonight."""
    if target.timers.approval_ttl is None:
        raise Untested("timers.approval_ttl")
    app.freeze_clock(START)
    gated = roles("gated")
    card = ask_and_find(people, gated)
    app.advance_clock(target.timers.approval_ttl + 1)
    before = data.look()

    people.approver.approvals.decide(card.id, approved=True)

    assert data.look().differences(before) == (), "an expired approval ran"


@pytest.mark.requirement("APPROVAL-08")
def test_approval_expires_at_its_instant(
    app: App, people: People, roles: Roles, data: Data, target: Target
) -> None:
    """`expiresAt` is the first instant at which it no longer holds, in every store."""
    if target.timers.approval_ttl is None:
        raise Untested("timers.approval_ttl")
    app.freeze_clock(START)
    card = ask_and_find(people, roles("gated"))
    app.advance_clock(target.timers.approval_ttl)
    before = data.look()

    people.approver.approvals.decide(card.id, approved=True)

    assert data.look().differences(before) == (), "an approval ran at the instant at which it expires"


@pytest.mark.requirement("APPROVAL-09")
def test_recorded_input_runs(people: People, roles: Roles, data: Data) -> None:
    """A decision answers yes or no to the record; it can't bring an input of its own."""
    shown, other = roles("gated"), roles("gated")
    card = ask_and_find(people, shown)
    before = data.effect(other)

    people.approver.approvals.decide(card.id, approved=True, input=other.input)

    assert data.effect(other) == before, "the decision's own input ran"


@pytest.mark.requirement("APPROVAL-10")
def test_other_input_hash_is_refused(people: People, roles: Roles, data: Data) -> None:
    """A page that shows an old card must not approve a newer one."""
    card = ask_and_find(people, roles("gated"))
    if card.input_hash is None:
        raise Untested("inputHash", "on the card, for a decision to name it")
    before = data.look()

    decision = people.approver.approvals.decide(card.id, approved=True, inputHash="0" * 64)

    assert decision.answer.status == 409, f"the decision was answered {decision.answer.status}"
    assert data.look().differences(before) == ()
    assert people.approver.approvals.get(card.id).status == "pending"


@pytest.mark.requirement("APPROVAL-11")
def test_outsider_cannot_decide(people: People, roles: Roles, data: Data) -> None:
    """The same rights to the operation are not the right to decide what somebody else asked for."""
    gated = roles("gated")
    card = ask_and_find(people, gated)
    before = data.look()

    people.outsider.approvals.decide(card.id, approved=True)

    assert data.look().differences(before) == (), f"{people.outsider.name} decided somebody else's approval"
    assert people.approver.approvals.get(card.id).status == "pending", "the outsider used the approval up"


@pytest.mark.requirement("APPROVAL-12")
@pytest.mark.parametrize("who", ["outsider", "restricted"])
def test_somebody_elses_approval_looks_invented(who: str, people: People, roles: Roles) -> None:
    """That there is something to decide is already more than a stranger may learn."""
    card = ask_and_find(people, roles("gated"))
    stranger: Person = getattr(people, who)

    seen, *invented = (of_answer(name, stranger.approvals.raw(name)) for name in (card.id, *NEVER_WAS))
    decided, *decided_invented = (
        of_answer(name, stranger.approvals.decide(name, approved=True).answer)
        for name in (card.id, *NEVER_WAS)
    )

    assert differences(seen, invented[0], invented[1]) == ()
    assert differences(decided, decided_invented[0], decided_invented[1]) == ()
    assert card.id not in [other.id for other in stranger.approvals.list()]


@pytest.mark.requirement("APPROVAL-13")
def test_own_button_is_not_gated(people: People, roles: Roles, data: Data) -> None:
    """A person who clicks has already said what they want."""
    gated = roles("gated")
    before = data.look()

    answer = people.full.rpc.call(gated.procedure, gated.input)

    assert answer.ok, f"the page's own call was refused: {answer.answer.text[:200]}"
    assert data.look().differences(before) != (), "the page's own call changed nothing"


@pytest.mark.requirement("APPROVAL-14")
def test_waiting_card_shows_what_would_run(people: People, roles: Roles) -> None:
    """What the person reads is the validated input, which is what will run: no more keys, and no fewer."""
    gated = roles("gated")
    padded = {**gated.input, "suite_unknown_key": "ignored by validation"}

    people.full.chat(gated.route).send(script(call(gated.capability, padded), last_word()))

    cards = people.approver.approvals.list()
    inputs = [card.input for card in cards]
    assert inputs in ([gated.input], []), f"the card shows {inputs}"
    assert inputs or not cards, "a call with an unknown key may be refused, but then nothing may wait"


@pytest.mark.requirement("APPROVAL-15")
def test_invalid_gated_call_leaves_nothing(people: People, roles: Roles) -> None:
    """An approval binds a validated input; without one there is nothing to approve."""
    gated = roles("gated")
    if gated.invalid_input is None:
        raise Untested("roles.gated.invalid_input")

    people.full.chat(gated.route).send(script(call(gated.capability, gated.invalid_input), last_word()))

    assert people.approver.approvals.list() == ()


@pytest.mark.requirement("APPROVAL-16")
def test_hidden_gated_call_leaves_nothing(people: People, roles: Roles) -> None:
    """Hiding comes before gating: a person can't be asked about what they must not know."""
    gated = roles("gated")
    if "gated" not in roles.hidden_from_restricted():
        raise Untested(f"hidden_from.{people.restricted.name}", "the gated role")

    people.restricted.chat().send(calling_unoffered(gated.capability, gated.input))

    everybody = [person.approvals.list() for person in people.everybody()]
    assert [cards for cards in everybody if cards] == []


@pytest.mark.requirement("APPROVAL-17")
def test_step_ends_before_the_decision(people: People, roles: Roles) -> None:
    """A person may take an hour; no connection should."""
    done = people.full.chat().send(calling(roles("gated")))

    assert done.complete
    assert [frame.type for frame in done.frames][-1] == "step-finish"
    assert [card.status for card in people.approver.approvals.list()] == ["pending"]


@pytest.mark.requirement("APPROVAL-18")
def test_failed_operation_uses_the_approval_up(people: People, roles: Roles, data: Data) -> None:
    """The operation was tried; trying again is a new call, which somebody decides anew."""
    gated = roles("gated")
    card = ask_and_find(people, gated)
    people.full.rpc.value(gated.procedure, gated.input)
    first = people.approver.approvals.decide(card.id, approved=True)
    before = data.look()

    second = people.approver.approvals.decide(card.id, approved=True)

    assert not first.executed, "the operation was possible twice, so it did not fail"
    assert not second.executed
    assert not second.accepted, "the approval could be decided again after its operation failed"
    assert data.look().differences(before) == ()
