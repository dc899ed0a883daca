"""A card as the person in front of it has it: shown, filled in, pressed, closed, and there again after a reload."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from conformance.a2ui.surface import read_surface
from conformance.a2ui.templates import Template, form, review, status
from conformance.drivers.listener import Listener
from conformance.drivers.tabs.base import TabCard, Turn, Visible
from conformance.errors import Departure
from conformance.interactions import interactions_of, presenting
from conformance.people import People
from conformance.seat import Seat

FIELDS: tuple[Template, ...] = (
    {"id": "reference", "label": "Reference", "type": "text", "required": True},
    {"id": "urgent", "label": "Urgent", "type": "boolean"},
    {
        "id": "region",
        "label": "Region",
        "type": "single_choice",
        "options": [{"value": "north", "label": "North"}, {"value": "south", "label": "South"}],
    },
)
ENTERED = {"reference": "HAL-0310", "urgent": True, "region": ["south"]}
SUBMITTED = {"status": "submitted", "action": "send", "values": ENTERED}


def opened(people: People, template: Template) -> tuple[Seat, Turn, TabCard]:
    """A tab on which a card waits, its turn, and the card."""
    seat = people.full.tab()
    seat.open()
    turn = seat.start(presenting(people.full, template))
    seen = seat.look_until(waiting, "showed the card of the call")
    return seat, turn, waiting(seen)[0]


def waiting(seen: Visible) -> tuple[TabCard, ...]:
    """The interaction cards that a person can answer."""
    return tuple(card for card in seen.interactions if card.state == "pending" and card.enabled is not False)


def fill_in(seat: Seat, card: TabCard) -> None:
    """Enter a valid value into every field."""
    seat.named_act("card_fill", id=card.id, field="reference", value=ENTERED["reference"])
    seat.named_act("card_check", id=card.id, field="urgent", on=True)
    seat.named_act("card_choose", id=card.id, field="region", value="south", on=True)


def card_of(seat: Seat, wanted: str) -> TabCard:
    """The one interaction card, once it is in this state."""
    seen = seat.look_until(
        lambda seen: (
            [card.state for card in (waiting(seen) if wanted == "pending" else seen.interactions)] == [wanted]
        ),
        f"showed the card as {wanted}",
    )
    return seen.interactions[0]


def told(seat: Seat) -> Any:
    """What the model was told last."""
    return seat.told.value


@pytest.mark.requirement("A2UI-90")
def test_card_is_filled_in_and_pressed(people: People) -> None:
    """That is all that a card is for."""
    seat, turn, card = opened(people, form(*FIELDS))

    fill_in(seat, card)
    seat.named_act("card_press", id=card.id, action="send")
    end = turn.end()

    assert end.status == "completed"
    assert told(seat) == SUBMITTED


@pytest.mark.requirement("A2UI-90")
def test_card_is_a_card_of_its_template(people: People) -> None:
    """The card is of the call and not of whatever the tab had before."""
    template = form(*FIELDS)
    _, _, card = opened(people, template)

    assert (card.kind, card.input) == ("a2ui", json.loads(json.dumps(template)))


@pytest.mark.requirement("A2UI-91")
@pytest.mark.parametrize("kind", ["form", "choice", "review"])
def test_tab_builds_the_same_surface(kind: str, people: People) -> None:
    """Both know the arguments, and nothing else is needed."""
    template = {"form": form(*FIELDS), "choice": two_ways(), "review": review()}[kind]
    seat, _, card = opened(people, template)

    assert template["title"] in card.text, f"the card shows another title: {card.text[:120]!r}"
    if not card.messages:
        # A page keeps them to itself; what is pressed there names its surface and components.
        if kind == "form":
            fill_in(seat, card)
        seat.named_act("card_press", id=card.id, action="send")
        card_of(seat, "submitted")
        return
    host = interactions_of(people.full).look(seat.visible().conversation, card.id)
    assert card.surface == host.surface.id
    assert read_surface(card.messages) == host.surface


@pytest.mark.requirement("A2UI-92")
def test_waiting_card_outlives_a_reload(people: People) -> None:
    """A page is reloaded by accident; what was asked is still asked."""
    seat, _, card = opened(people, form(*FIELDS))

    seat.open(conversation=seat.visible().conversation)
    again = card_of(seat, "pending")
    fill_in(seat, again)
    seat.named_act("card_press", id=again.id, action="send")

    assert again.id == card.id
    seat.look_until(lambda seen: not seen.busy and len(seat.asked) > 1, "went on after the answer")
    assert told(seat) == SUBMITTED


@pytest.mark.requirement("A2UI-93")
def test_answered_card_shows_it_after_a_reload(people: People) -> None:
    """What the history says is shown, and what it says is that there was an answer."""
    seat, turn, card = opened(people, form(*FIELDS))
    fill_in(seat, card)
    seat.named_act("card_press", id=card.id, action="send")
    turn.end()

    seat.open(conversation=seat.visible().conversation)
    again = card_of(seat, "submitted")

    assert again.enabled in (None, False), "the card can be answered again"
    assert again.values in (None, ENTERED), f"the card shows other values: {again.values}"
    assert str(ENTERED["reference"]) in again.text, f"the card does not say what was entered: {again.text!r}"


@pytest.mark.requirement("A2UI-94")
def test_other_tab_takes_no_second_answer(people: People) -> None:
    """Two tabs show one card; whoever answers it in one has answered it."""
    seat, turn, card = opened(people, form(*FIELDS))
    other = people.full.tab(beside=seat)
    other.open(conversation=seat.visible().conversation)
    card_of(other, "pending")

    fill_in(seat, card)
    seat.named_act("card_press", id=card.id, action="send")
    turn.end()

    again = other.look_until(
        lambda seen: not waiting(seen), "noticed that the card was answered"
    ).interactions[0]
    assert again.enabled in (None, False)
    assert again.state == "submitted"


@pytest.mark.requirement("A2UI-95")
def test_entry_is_checked_before_it_is_sent(people: People) -> None:
    """The person is told at once, and the host is not bothered."""
    seat, _, card = opened(people, form(*FIELDS))
    action = interactions_of(people.full).table.action

    with contextlib.suppress(Departure):  # a tab may refuse the gesture, or show what is wrong
        seat.named_act("card_press", id=card.id, action="send")

    assert [asked.path for asked in seat.wire.asked if asked.path == action] == []
    assert [one.state for one in seat.visible().interactions] == ["pending"]


@pytest.mark.requirement("A2UI-96")
@pytest.mark.parametrize("kind", ["form", "choice", "review", "status"])
def test_card_reads_as_plain_text(kind: str, people: People) -> None:
    """A log, a screen reader, a page that draws no cards: the text says what there is to know."""
    template = {"form": form(), "choice": two_ways(), "review": review(), "status": status()}[kind]
    seat = people.full.tab()
    seat.open()
    seat.start(presenting(people.full, template))
    seen = seat.look_until(lambda seen: seen.interactions, "showed the card of the call")

    text = seen.interactions[0].text
    assert [said for said in said_by(template) if said not in text] == []


def said_by(template: Template) -> Iterator[str]:
    """Every text of a template that a person is to read."""
    yield template["title"]
    for key in ("fields", "items", "steps", "options", "actions"):
        for entry in template.get(key, []):
            yield entry["label"]
            if key == "items":
                yield entry["value"]
            if "explanation" in entry:
                yield entry["explanation"]


@pytest.mark.requirement("A2UI-97")
def test_closed_card_is_withdrawn(people: People) -> None:
    """Who does not want to answer can say so, and the model reads it."""
    seat, turn, card = opened(people, form(*FIELDS))

    seat.named_act("card_cancel", id=card.id)
    turn.end()

    cancel = interactions_of(people.full).table.cancel
    assert [asked.path for asked in seat.wire.asked if asked.path == cancel], "the host was told nothing"
    assert told(seat) == {"status": "cancelled"}
    assert card_of(seat, "cancelled").enabled in (None, False)


@pytest.mark.requirement("A2UI-98")
def test_status_card_waits_for_nobody(people: People) -> None:
    """It tells how far something is, and the model goes on with it."""
    seat = people.full.tab()
    seat.open()

    end = seat.send(presenting(people.full, status()))

    assert (end.status, end.steps) == ("completed", 2)
    assert [card.kind for card in seat.visible().interactions] == ["a2ui"]


@pytest.mark.requirement("A2UI-99")
def test_texts_of_a_card_are_no_elements(people: People) -> None:
    """What a model repeats from an invoice must not be able to draw a button, or to tell anybody that it was read."""
    with Listener() as listener:
        hostile = f'<b id="dp-canary">x</b> <img src="{listener.url}/x.png"> ![x]({listener.url}/x.gif)'
        template = {**review(), "title": hostile[:120], "description": hostile, "fallback_text": hostile}
        template["items"] = [{"label": "Note", "value": hostile}]
        seat, turn, card = opened(people, template)
        seat.named_act("card_press", id=card.id, action="send")  # while it waits, the page keeps asking
        turn.end()
        seat.page.let_load()

        assert seat.page.count('#dp-canary, [data-card="a2ui"] a, [data-card="a2ui"] img') == 0
        assert listener.heard == ()


def two_ways() -> Template:
    """A choice between two options that are explained."""
    return {
        "kind": "choice",
        "title": "Two ways",
        "fallback_text": "North or south.",
        "options": [
            {"value": "north", "label": "North", "explanation": "Goes up."},
            {"value": "south", "label": "South", "explanation": "Goes down."},
        ],
        "actions": [{"name": "send", "label": "Send"}],
    }
