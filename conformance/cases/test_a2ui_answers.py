"""What a click must be to count: the right card, the right button, everything that was asked, and the first of its kind."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest

from conformance.a2ui.faulty import (
    WRONG_TYPES,
    WRONG_VALUES,
    lacking,
    misshapen,
    superfluous,
    values,
)
from conformance.a2ui.submission import VALUES, changed
from conformance.a2ui.templates import ACTIONS, choice, form, review, status
from conformance.interactions import Card, interactions_of, present
from conformance.people import People
from conformance.scripts import answer
from conformance.waiting import at_once

CLICKS = 32


def accepted(card: Card, payloads: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Which of these payloads are taken for an answer to the card, though it waits for a valid one."""
    return [name for name, payload in payloads.items() if card.interactions.submit(payload).accepted]


def model_of(card: Card, entered: Mapping[str, Any]) -> dict[str, Any]:
    """Values by labels as the members of the card's data model."""
    return {(card.surface.input(label).path or "")[1:]: value for label, value in entered.items()}


@pytest.mark.requirement("A2UI-40")
def test_valid_click_becomes_the_result(people: People) -> None:
    """A form is a question, and what was entered is its answer: all of it, each value of its type."""
    card = present(people.full, form())

    receipt = card.press("send")
    told = card.told()

    assert receipt.accepted, f"a valid click is refused: {receipt.reason}"
    assert told == {"status": "submitted", "action": "send", "values": model_of(card, VALUES)}


@pytest.mark.requirement("A2UI-40")
@pytest.mark.parametrize("several", [False, True], ids=["one", "several"])
def test_choice_becomes_the_result(several: bool, people: People) -> None:
    """What was picked is a list of values, whether one or several can be picked."""
    card = present(people.full, choice(multiple=several))
    picker = card.surface.inputs[0]
    picked = ["south", "north"] if several else ["south"]

    receipt = card.press("later", **{picker.label: picked})

    assert receipt.accepted, f"a valid click is refused: {receipt.reason}"
    assert card.told() == {
        "status": "submitted",
        "action": "later",
        "values": {(picker.path or "")[1:]: picked},
    }


@pytest.mark.requirement("A2UI-40")
def test_review_becomes_the_result(people: People) -> None:
    """Nothing is entered there, and what was pressed says it all."""
    card = present(people.full, review())

    receipt = card.press("later")

    assert receipt.accepted, f"a valid click is refused: {receipt.reason}"
    assert card.told() == {"status": "submitted", "action": "later", "values": {}}


@pytest.mark.requirement("A2UI-40")
def test_names_that_mean_something_elsewhere_are_values(people: People) -> None:
    """A field may be called like a key of the protocol; what stands in it is data all the same."""
    names = ("path", "call", "action", "event", "value", "name")
    fields = [{"id": name, "label": name.title(), "type": "text"} for name in names]
    card = present(people.full, form(*fields))

    receipt = card.press(**{name.title(): f"/{name}" for name in names})

    assert receipt.accepted, f"a valid click is refused: {receipt.reason}"
    values_told = {name: f"/{name}" for name in names}
    assert card.told() == {"status": "submitted", "action": "send", "values": values_told}


@pytest.mark.requirement("A2UI-41")
def test_other_session_is_refused(people: People) -> None:
    """A tab of another conversation has not shown the card."""
    card, other = present(people.full, form()), present(people.full, form())
    payload = card.click().payload

    taken = accepted(
        card,
        {
            "another one": changed(payload, "/session", other.session),
            "invented": changed(payload, "/session", "no-such-conversation"),
            "none": changed(payload, "/session", ""),
        },
    )

    assert taken == []


@pytest.mark.requirement("A2UI-42")
def test_other_call_is_refused(people: People) -> None:
    """A click that was recorded once must not answer what is asked later."""
    other, card = present(people.full, form()), present(people.full, form())
    payload = card.click().payload

    taken = accepted(
        card,
        {
            "another one": changed(payload, "/call", other.call),
            "invented": changed(payload, "/call", "call_that_never_was"),
            "none": changed(payload, "/call", ""),
        },
    )

    assert taken == []


@pytest.mark.requirement("A2UI-43")
def test_other_surface_is_refused(people: People) -> None:
    """The click was made on something else than what waits."""
    card, other = present(people.full, form()), present(people.full, form())
    payload = card.click().payload

    taken = accepted(
        card,
        {
            "another one": changed(payload, "/message/action/surfaceId", other.surface.id),
            "invented": changed(payload, "/message/action/surfaceId", "no-such-surface"),
            "none": changed(payload, "/message/action/surfaceId", ""),
        },
    )

    assert taken == []


@pytest.mark.requirement("A2UI-44")
def test_component_without_an_action_is_refused(people: People) -> None:
    """Only what declares an action can have been pressed."""
    card = present(people.full, form())
    click = card.click()
    pressable = {button.id for button in card.surface.buttons}
    silent = [one.id for one in card.surface.components if one.id not in pressable]

    taken = accepted(
        card,
        {
            name or "none": changed(click.payload, "/message/action/sourceComponentId", name)
            for name in (*silent, "no-such-component", "")
        },
    )

    assert taken == []


@pytest.mark.requirement("A2UI-45")
def test_undeclared_action_is_refused(people: People) -> None:
    """A model that reads an action's name believes that it asked for it."""
    card = present(people.full, form())
    click = card.click("send")

    names = ("approve", "Send", "send ", "")
    taken = accepted(
        card, {name or "none": changed(click.payload, "/message/action/name", name) for name in names}
    )

    assert taken == []


@pytest.mark.requirement("A2UI-46")
def test_action_of_another_component_is_refused(people: People) -> None:
    """Who pressed Later did not press Send."""
    card = present(people.full, form())
    click = card.click("later")

    assert accepted(card, {"crossed": changed(click.payload, "/message/action/name", "send")}) == []


@pytest.mark.requirement("A2UI-47")
def test_incomplete_model_is_refused(people: People) -> None:
    """What is missing a host could only make up."""
    card = present(people.full, form())

    assert accepted(card, lacking(card.click())) == []


@pytest.mark.requirement("A2UI-48")
def test_superfluous_value_is_refused(people: People) -> None:
    """A value that nobody could enter on the card reaches the model in the person's name."""
    card = present(people.full, form())

    assert accepted(card, superfluous(card.click())) == []


@pytest.mark.requirement("A2UI-49")
@pytest.mark.parametrize("label", WRONG_TYPES)
def test_value_of_another_type_is_refused(label: str, people: People) -> None:
    """To Python `True` is 1 and a text is a list of letters; to whoever filled in the form they are not."""
    card = present(people.full, form())

    assert accepted(card, values(card.click(), card.surface, {label: WRONG_TYPES[label]})) == []


@pytest.mark.requirement("A2UI-50")
@pytest.mark.parametrize(
    "what", ["session", "call", "surface", "component", "action", "missing value", "type", "value", "event"]
)
def test_refused_click_leaves_the_card_open(what: str, people: People) -> None:
    """Whoever can send nonsense could close everybody's cards otherwise."""
    card = present(people.full, form())
    click = card.click()
    payload = click.payload
    wrong = {
        "session": changed(payload, "/session", "no-such-conversation"),
        "call": changed(payload, "/call", "call_that_never_was"),
        "surface": changed(payload, "/message/action/surfaceId", "no-such-surface"),
        "component": changed(payload, "/message/action/sourceComponentId", "no-such-component"),
        "action": changed(payload, "/message/action/name", "approve"),
        "missing value": next(iter(lacking(click).values())),
        "type": changed(payload, f"/dataModel{card.surface.input('Urgent').path}", 1),
        "value": changed(payload, f"/dataModel{card.surface.input('Region').path}", ["west"]),
        "event": changed(payload, "/message/action/context", []),
    }

    card.interactions.submit(wrong[what])
    receipt = card.press()

    assert receipt.accepted, f"after a wrong {what} the valid click is refused: {receipt.reason}"


@pytest.mark.requirement("A2UI-51")
def test_second_click_is_refused(people: People) -> None:
    """A double click, another tab, a request that is sent again: the answer was given."""
    card = present(people.full, form())

    receipts = [card.press("send"), card.press("send"), card.press("later", Reference="OKA-1")]

    assert [receipt.accepted for receipt in receipts] == [True, False, False]
    assert card.told() == {"status": "submitted", "action": "send", "values": model_of(card, VALUES)}


@pytest.mark.requirement("A2UI-51")
def test_click_after_the_turn_went_on_is_refused(people: People) -> None:
    """The model has read the first answer and acts on it."""
    card = present(people.full, form())
    card.press()
    card.go_on()

    assert not card.press().accepted


@pytest.mark.requirement("A2UI-52")
def test_of_many_clicks_one_counts(people: People) -> None:
    """Between a look at the card and its settling there is room for another click, if a host leaves any."""
    card = present(people.full, form())
    clicks = [card.click(Reference=f"HAL-{number}") for number in range(CLICKS)]

    receipts = at_once([partial(card.interactions.submit, click) for click in clicks])

    winners = [number for number, receipt in enumerate(receipts) if receipt.accepted]
    assert len(winners) == 1, f"{len(winners)} of {CLICKS} clicks at once were accepted"
    entered = {**VALUES, "Reference": f"HAL-{winners[0]}"}
    assert card.told() == {"status": "submitted", "action": "send", "values": model_of(card, entered)}


@pytest.mark.requirement("A2UI-53")
@pytest.mark.parametrize("when", ["pending", "submitted"])
def test_posted_result_is_not_believed(when: str, people: People) -> None:
    """The tab carries the history and could write anything there; the host knows what was pressed."""
    card = present(people.full, form())
    if when == "submitted":
        card.press("later")
    forged = {
        "status": "submitted",
        "action": "send",
        "values": model_of(card, {**VALUES, "Reference": "FORGED"}),
    }

    told = card.told(posted=forged)

    assert "FORGED" not in str(told), f"the model reads what the tab made up: {told}"


@pytest.mark.requirement("A2UI-54")
def test_event_of_another_shape_is_refused(people: People) -> None:
    """What is not an action of the protocol may mean anything, so it must mean nothing."""
    card = present(people.full, form())

    assert accepted(card, misshapen(card.click())) == []


@pytest.mark.requirement("A2UI-55")
@pytest.mark.parametrize("label", WRONG_VALUES)
def test_value_that_can_not_be_entered_is_refused(label: str, people: People) -> None:
    """A picker has its options, a slider its ends, a calendar its days."""
    card = present(people.full, form())

    assert accepted(card, values(card.click(), card.surface, {label: WRONG_VALUES[label]})) == []


@pytest.mark.requirement("A2UI-55")
def test_two_values_of_one_choice_are_refused(people: People) -> None:
    """Where one can be picked, a list of two was not made on the card."""
    card = present(people.full, choice())
    path = card.surface.inputs[0].path
    wrong = {str(value): value for value in (["north", "south"], ["west"], ["north", "north"])}

    taken = accepted(
        card,
        {name: changed(card.click().payload, f"/dataModel{path}", value) for name, value in wrong.items()},
    )

    assert taken == []


@pytest.mark.requirement("A2UI-67")
def test_submitted_values_stay_readable(people: People) -> None:
    """The model goes on from them in whatever turn it needs them; that is why no secret may be asked for."""
    card = present(people.full, form())
    card.press()
    card.go_on()

    card.chat.send(answer(), "And now?")

    read = [result.value for result in card.chat.asked.all_results]
    assert {"status": "submitted", "action": "send", "values": model_of(card, VALUES)} in read


@pytest.mark.requirement("A2UI-45")
def test_status_card_takes_no_click(people: People) -> None:
    """Where nothing can be pressed nothing was."""
    card = present(people.full, status())
    elsewhere = present(people.full, review(ACTIONS)).click().payload
    payload = {**elsewhere, "session": card.session, "call": card.call}

    taken = interactions_of(people.full).submit(
        changed(payload, "/message/action/surfaceId", card.surface.id)
    )

    assert not taken.accepted
