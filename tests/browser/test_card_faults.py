"""The page's deliberate defects of cards: each shows in what a person sees or the model reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fake_model import FakeModel, Run, call, say, script, step
from tests.browser.person import Person
from tests.browser.test_cards import CARD, MARKUP, OPEN, card_of, field, press, result_of
from tests.reference_app.a2ui.templates import CHOICE, REVIEW, STATUS

Symptom = Callable[[Person, FakeModel, str], Any]


def present(person: Person, model: FakeModel, fault: str, template: Any) -> Run:
    """Have the model present a card on a page with a defect."""
    run = model.play(script(step(call("a2ui_present", template)), say("Done.")))
    person.open("/about", fault=fault, conversation="new")
    person.start(run.prompt("go"))
    person.wait(OPEN if template["kind"] != "status" else CARD)
    return run


def title(person: Person, model: FakeModel, fault: str) -> Any:
    """The title of the card."""
    present(person, model, fault, REVIEW)
    return card_of(person).title


def text(person: Person, model: FakeModel, fault: str) -> Any:
    """Whether the card can be read as text."""
    present(person, model, fault, REVIEW)
    return bool(card_of(person).text)


def images(person: Person, model: FakeModel, fault: str) -> Any:
    """How many elements a text of the card has become."""
    present(person, model, fault, {**REVIEW, "description": MARKUP})
    return person.find(f"{CARD} img, {CARD} b").count()


def state_after_reload(person: Person, model: FakeModel, fault: str) -> Any:
    """The state of a card that waits, after a reload."""
    present(person, model, fault, REVIEW)
    person.open("/about", fault=fault)
    person.wait(CARD)
    return card_of(person).state


def answered(person: Person, model: FakeModel, fault: str) -> Any:
    """What was sent, and whether the choice shows after a reload."""
    run = present(person, model, fault, CHOICE)
    person.find(f'{field("choice")} [data-option="b"]').check()
    press(person)
    person.idle()
    person.open("/about", fault=fault)
    person.wait(f'{CARD}[data-state="submitted"]')
    return result_of(run)["values"]["choice"], person.find(
        f'{field("choice")} [data-option="b"]'
    ).is_checked()


def refusals(person: Person, model: FakeModel, fault: str) -> Any:
    """Whether an invalid value leaves the page."""
    kept = {name: member for name, member in REVIEW.items() if name != "items"}
    fields = [{"id": "n", "label": "N", "type": "number"}]
    present(person, model, fault, {**kept, "kind": "form", "fields": fields})
    sent: list[str] = []
    person.page.on("request", lambda request: sent.append(request.url))
    person.type(field("n"), "much")
    press(person)
    return any("/a2ui/action" in url for url in sent)


def closing(person: Person, model: FakeModel, fault: str) -> Any:
    """Whether the host is told that a card was closed."""
    present(person, model, fault, REVIEW)
    sent: list[str] = []
    person.page.on("request", lambda request: sent.append(request.url))
    person.click(f'{CARD} [data-hook="card-cancel"]')
    person.idle()
    return any("/a2ui/cancel" in url for url in sent)


def status_turn(person: Person, model: FakeModel, fault: str) -> Any:
    """Whether the model heard of a status card by the time that the card could be used."""
    run = present(person, model, fault, STATUS)
    if fault:
        person.wait(OPEN)
    else:
        person.idle()
    return len(run.exchanges)


def elsewhere(person: Person, model: FakeModel, fault: str) -> Any:
    """Whether another tab looks at the card again."""
    present(person, model, "", REVIEW)
    conversation = person.find('[data-hook="assistant"]').get_attribute("data-conversation")
    other = person.context.new_page()
    other.goto(f"{person.base_url}/about?conversation={conversation}{f'&fault={fault}' if fault else ''}")
    other.wait_for_selector(OPEN, state="attached")
    press(person)
    person.idle()
    if not fault:
        other.wait_for_selector(f'{CARD}[data-state="submitted"]', state="attached")
    return other.locator(OPEN).count()


@pytest.mark.parametrize(
    ("fault", "symptom", "sound", "broken"),
    [
        ("a2ui-surface-differs", title, "A card", "Card"),
        ("a2ui-no-plain-text", text, True, False),
        ("a2ui-markup", images, 0, 2),
        ("a2ui-lost-on-reload", state_after_reload, "pending", "interrupted"),
        ("a2ui-settled-forgotten", answered, (["b"], True), (["b"], False)),
        ("a2ui-press-lost", answered, (["b"], True), ([], False)),
        ("a2ui-unchecked", refusals, False, True),
        ("a2ui-cancel-lost", closing, True, False),
        ("a2ui-status-waits", status_turn, 2, 1),
        ("a2ui-open-elsewhere", elsewhere, 0, 1),
    ],
)
def test_a_defect_shows(
    visitor: Callable[[], Person],
    model: FakeModel,
    *,
    fault: str,
    symptom: Symptom,
    sound: Any,
    broken: Any,
) -> None:
    """A defect that nobody could see would prove nothing."""
    assert sound == symptom(visitor().sign_in("carla"), model, "")
    assert broken == symptom(visitor().sign_in("carla"), model, fault)
