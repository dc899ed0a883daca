"""Interaction cards on the page: drawn from the arguments, filled in, checked, sent, and closed wherever they are shown."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from fake_model import FakeModel, Run, call, say, script, step
from reference_app.a2ui.compile import compile_template
from reference_app.a2ui.model import model_problems
from reference_app.a2ui.template import read_template
from reference_app.strict_json import dumps
from tests.browser.person import Part, Person
from tests.browser.test_accessibility import violations
from tests.reference_app.a2ui.templates import CHOICE, FORM, KINDS, REVIEW, STATUS, templates
from tests.reference_app.a2ui.test_compile import SUBSET

CARD = '[data-card="a2ui"]'
OPEN = f'{CARD}[data-enabled="true"]'
MARKUP = "<img src=x onerror=\"document.title='taken'\"> <b>bold</b> https://a.test javascript:alert(1) ${x}"


def present(person: Person, model: FakeModel, template: Any) -> Run:
    """Have the model present a card."""
    run = model.play(script(step(call("a2ui_present", template)), say("Done.")))
    person.open("/about")
    person.start(run.prompt("go"))
    person.wait(OPEN if template["kind"] != "status" else CARD)
    return run


def card_of(person: Person) -> Part:
    """The card as it stands on the page."""
    return next(card for card in person.see().cards if card.kind == "a2ui")


def result_of(run: Run) -> Any:
    """What the model read."""
    result = run.exchanges[1].request.last_result
    assert result is not None
    return result.value


def field(name: str) -> str:
    """Where a field is."""
    return f'{CARD} [data-field="{name}"]'


def press(person: Person, action: str = "send") -> None:
    """Press a button of the card."""
    person.click(f'{CARD} [data-hook="card-action"][data-action="{action}"]')


def test_a_form_is_filled_in_and_sent(carla: Person, model: FakeModel) -> None:
    """What was entered is what the model reads, each value of its field's type."""
    run = present(carla, model, FORM)
    for name, value in (
        ("name", "Ada"),
        ("note", "a\nb"),
        ("amount", "12.5"),
        ("due", "2026-11-30"),
        ("level", "4"),
    ):
        carla.type(field(name), value)
    carla.find(field("urgent")).check()
    for name, value in (("one", "a"), ("one", "b"), ("many", "b")):
        carla.find(f'{field(name)} [data-option="{value}"]').check()
    press(carla)
    carla.idle()
    entered = {
        "name": "Ada",
        "note": "a\nb",
        "amount": "12.5",
        "urgent": True,
        "due": "2026-11-30",
        "at": "",
        "one": ["b"],
        "many": ["b"],
        "level": 4,
    }

    assert {"status": "submitted", "action": "send", "values": entered} == result_of(run)
    assert ("submitted", ("completed", None)) == (card_of(carla).state, carla.turn)
    assert 0 == carla.find(f"{CARD} :is(input, textarea, button):enabled").count()


def test_what_is_not_valid_is_not_sent(carla: Person, model: FakeModel) -> None:
    """The person reads which field it is, and nothing has left the page."""
    run = present(carla, model, FORM)
    carla.type(field("amount"), "much")
    sent: list[str] = []
    carla.page.on(
        "request", lambda request: sent.append(request.url) if "/a2ui/action" in request.url else None
    )
    press(carla)
    problem = carla.find(f'{CARD} [data-part="problem"]').inner_text()

    assert ([], "true") == (sent, carla.find(field("amount")).get_attribute("aria-invalid"))
    assert "name" in problem
    assert "amount" in problem
    assert "pending" == card_of(carla).state
    carla.click(f'{CARD} [data-hook="card-cancel"]')
    carla.idle()
    assert {"status": "cancelled"} == result_of(run)


def test_every_text_stays_a_text(carla: Person, model: FakeModel) -> None:
    """No markup, no link, no image, no function: what the model wrote is read as it stands."""
    template = {
        **REVIEW,
        "title": MARKUP,
        "description": MARKUP,
        "items": [{"label": MARKUP[:80], "value": MARKUP}],
    }
    present(carla, model, template)
    inside = carla.find(CARD)

    assert 0 == inside.locator("a, img, b, script, iframe").count()
    assert MARKUP == card_of(carla).title
    assert MARKUP in inside.inner_text()
    press(carla)
    carla.idle()


def test_a_status_card_holds_nothing_up(carla: Person, model: FakeModel) -> None:
    """There is nothing to press, and the turn goes on."""
    run = present(carla, model, STATUS)
    carla.idle()

    assert {"status": "presented"} == result_of(run)
    assert 0 == carla.find(f"{CARD} button:visible").count()
    assert "failed" in carla.find(CARD).inner_text()


def test_stop_closes_the_card(carla: Person, model: FakeModel) -> None:
    """Nobody waits for the answer any more."""
    present(carla, model, REVIEW)
    carla.find('[data-hook="stop"]').click()
    carla.idle()
    carla.wait(f'{CARD}[data-state="cancelled"]')

    assert ("cancelled", None) == carla.turn


def test_a_reload_brings_the_card_back_and_its_answer_goes_on(carla: Person, model: FakeModel) -> None:
    """From the stored arguments, and after another reload with the stored answer."""
    run = present(carla, model, CHOICE)
    carla.page.reload()
    carla.wait(OPEN)
    carla.find(f'{field("choice")} [data-option="b"]').check()
    press(carla, "skip")
    carla.wait('[data-said="assistant"]')
    carla.idle()
    answered = {"status": "submitted", "action": "skip", "values": {"choice": ["b"]}}
    carla.page.reload()
    carla.wait(f'{CARD}[data-state="submitted"]')

    assert answered == result_of(run)
    assert carla.find(f'{field("choice")} [data-option="b"]').is_checked()
    assert 0 == carla.find(f"{CARD} :is(input, button):enabled").count()


def test_a_card_is_closed_in_the_other_tab_too(carla: Person, model: FakeModel) -> None:
    """Once it was answered somewhere it cannot be answered anywhere."""
    present(carla, model, REVIEW)
    conversation = carla.find('[data-hook="assistant"]').get_attribute("data-conversation")
    other = carla.context.new_page()
    other.goto(f"{carla.base_url}/about?conversation={conversation}")
    other.wait_for_selector(OPEN, state="attached")
    press(carla)
    carla.idle()
    other.wait_for_selector(f'{CARD}[data-state="submitted"]', state="attached")

    assert 0 == other.locator(f"{CARD} :is(input, button):enabled").count()


@pytest.mark.parametrize("kind", KINDS)
def test_page_and_host_compile_the_same(carla: Person, kind: str) -> None:
    """Two compilers that share nothing, byte for byte."""
    carla.open("/about")
    template = KINDS[kind]
    made = carla.page.evaluate(
        """async (template) => {
          const { compiling, messages } = await import("/web/cards/compile.js");
          const surface = compiling.compile(template, compiling.surfaceId("a b/ü:1", "call'(!)*~%"));
          return JSON.stringify([surface.id, ...messages(surface)]);
        }""",
        template,
    )
    surface = compile_template(read_template(template), "a2ui:a%20b%2F%C3%BC%3A1:call'(!)*~%25")

    assert dumps([surface.id, *surface.messages]).decode() == made


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(template=templates())
def test_page_and_host_agree_about_any_template(compiling_page: Person, template: Any) -> None:
    """The same components and the same model, and what the host takes at first the page takes as well."""
    made = compiling_page.page.evaluate(
        """async (template) => {
          const { compiling } = await import("/web/cards/compile.js");
          const { checking } = await import("/web/cards/check.js");
          const { components, model } = compiling.compile(template, "s");
          return { components, model, problems: [...checking.problems(template, model).keys()] };
        }""",
        template,
    )
    read = read_template(template)
    surface = compile_template(read, "s")

    assert (json.loads(dumps(list(surface.components))), json.loads(dumps(surface.model))) == (
        made["components"],
        made["model"],
    )
    assert sorted(model_problems(read, surface.model)) == sorted(made["problems"])


@pytest.fixture
def compiling_page(carla: Person) -> Person:
    """A page that is open."""
    carla.open("/about")
    return carla


def test_the_page_draws_the_whole_subset(carla: Person) -> None:
    """Compiler, manifest and renderer are held together."""
    carla.open("/about")
    drawn = carla.page.evaluate(
        """async (kinds) => {
          const { drawers } = await import("/web/elements/interaction-card.js");
          const { controls } = await import("/web/elements/card-controls.js");
          const { LEAVES } = await import("/web/cards/plain-text.js");
          const isDrawn = (component) =>
            component in controls || drawers.draw({ component, action: {} }, () => [], () => {}).length > 0;
          return { drawn: kinds.filter(isDrawn), known: Object.keys(LEAVES), more: isDrawn("Image") || isDrawn("Video") };
        }""",
        sorted(SUBSET["components"]),
    )

    assert sorted(SUBSET["components"]) == drawn["drawn"]
    assert {*SUBSET["components"]} == {*drawn["known"], "Card", "Column", "Row", "Button"}
    assert not drawn["more"]


def test_the_card_can_be_read_as_text(carla: Person, model: FakeModel) -> None:
    """The plain view holds every text, and the template stands beside it."""
    present(carla, model, CHOICE)
    card = card_of(carla)

    assert ["A card", "First: It is the first.", "[Send]  [Skip]"] == [
        line
        for line in card.text.splitlines()
        if line in ("A card", "First: It is the first.", "[Send]  [Skip]")
    ]
    assert CHOICE == json.loads(card.input)
    press(carla, "skip")
    carla.idle()


def test_a_card_is_accessible(carla: Person, model: FakeModel) -> None:
    """Every control has a name, and what is wrong is announced."""
    present(carla, model, FORM)
    press(carla)

    assert [] == violations(carla.page)
    carla.click(f'{CARD} [data-hook="card-cancel"]')
    carla.idle()
