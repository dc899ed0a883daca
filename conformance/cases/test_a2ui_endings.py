"""How a card ends when nobody answers it in time: too late, withdrawn, passed over, or its host restarted."""

import pytest

from conformance.a2ui.templates import form, review
from conformance.asking import START
from conformance.errors import Untested
from conformance.interactions import Card, interactions_of, present
from conformance.people import People
from conformance.scripts import answer
from conformance.stage import App
from conformance.target import Target


def deadline_of(target: Target) -> float:
    """Seconds that a card can be answered."""
    if target.timers.a2ui_deadline is None:
        raise Untested("timers.a2ui_deadline")
    return target.timers.a2ui_deadline


@pytest.mark.requirement("A2UI-63")
def test_click_after_the_deadline_is_refused(app: App, people: People, target: Target) -> None:
    """A question of this morning may not be the question any more."""
    app.freeze_clock(START)
    card = present(people.full, form())
    click = card.click()

    app.advance_clock(deadline_of(target))

    assert not card.interactions.submit(click).accepted
    assert card.told() == {"status": "expired"}


@pytest.mark.requirement("A2UI-40")
def test_click_just_before_the_deadline_is_accepted(app: App, people: People, target: Target) -> None:
    """Until then the person has all the time that they were promised."""
    app.freeze_clock(START)
    card = present(people.full, form())

    app.advance_clock(deadline_of(target) - 1)

    assert card.press().accepted


@pytest.mark.requirement("A2UI-64")
def test_withdrawn_card_takes_no_click(people: People) -> None:
    """Who closed the card did not answer it, and another tab must not either."""
    card = present(people.full, form())
    click = card.click()

    receipt = card.interactions.cancel(card.session, card.call)

    assert receipt.accepted, f"the owner can't withdraw a card: {receipt.reason}"
    assert not card.interactions.submit(click).accepted
    assert card.told() == {"status": "cancelled"}


@pytest.mark.requirement("A2UI-64")
def test_answered_card_is_not_withdrawn(people: People) -> None:
    """The first word counts, whichever it is."""
    card = present(people.full, review())
    card.press("send")

    assert not card.interactions.cancel(card.session, card.call).accepted
    assert card.told() == {"status": "submitted", "action": "send", "values": {}}


@pytest.mark.requirement("A2UI-65")
def test_step_passes_a_waiting_card_over(people: People) -> None:
    """The conversation went on without the answer; given later, it would answer nothing."""
    card = present(people.full, form())
    click = card.click()

    told = card.told()

    assert told == {"status": "cancelled"}
    assert not card.interactions.submit(click).accepted


@pytest.mark.requirement("A2UI-65")
def test_new_message_passes_a_waiting_card_over(people: People) -> None:
    """A person who types instead has answered in their own way."""
    card = present(people.full, form())
    click = card.click()

    card.chat.send(answer(), "Never mind.")

    assert not card.interactions.submit(click).accepted


def after_restart(card: Card, people: People) -> Card:
    """The same card, after the person has signed in again."""
    later = People(people.stage).full
    card.chat.http = later.http
    return Card(later, card.chat, card.call, interactions_of(later))


@pytest.mark.requirement("A2UI-66")
@pytest.mark.parametrize("crash", [False, True], ids=["stopped", "killed"])
def test_restart_interrupts_what_waits(crash: bool, app: App, people: People) -> None:
    """What the process knew of the person in front of it is gone; nothing is guessed in their place."""
    card = present(people.full, form())
    click = card.click()

    app.restart(crash=crash)
    later = after_restart(card, people)

    assert not later.interactions.submit(click).accepted
    assert later.told() == {"status": "interrupted"}


@pytest.mark.requirement("A2UI-40")
def test_answer_outlives_a_restart(app: App, people: People) -> None:
    """What was accepted was accepted for good."""
    card = present(people.full, review())
    card.press("send")

    app.restart()

    assert after_restart(card, people).told() == {"status": "submitted", "action": "send", "values": {}}
