"""A card in the headless tab: filled in, checked, sent, and rebuilt from what is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reference_app.a2ui.compile import compile_template
from reference_app.a2ui.template import read_template
from reference_app.tab import card_text
from reference_app.tab.errors import ActFailedError, BadRequestError
from reference_app.tab.tab import Tab
from tests.reference_app.a2ui.presenting import Cards, post
from tests.reference_app.a2ui.tabs import Send, open_as, seen, until
from tests.reference_app.a2ui.templates import CHOICE, FORM, KINDS, REVIEW, STATUS
from tests.reference_app.a2ui.test_compile import SUBSET

pytestmark = pytest.mark.anyio


async def test_a_person_fills_a_card_in_and_sends_it(
    cards: Cards, new_tab: Callable[[], Tab], send: Send
) -> None:
    """What was entered is what the model reads, each value of its field's type."""
    tab = new_tab()
    await open_as(tab, cards.person("carla"))
    sent = send(tab, FORM)
    for field, value in (("name", "Ada"), ("amount", "12.5"), ("level", "4"), ("due", "2026-11-30")):
        await sent.act("card-fill", field=field, value=value)
    await sent.act("card-check", field="urgent", on=True)
    await sent.act("card-choose", field="one", value="a")
    await sent.act("card-choose", field="one", value="b")
    await sent.act("card-choose", field="many", value="b")
    await sent.act("card-choose", field="many", value="a")
    await sent.act("card-choose", field="many", value="b", on=False)
    await sent.act("card-press", action="send")
    end: Any = await sent.turn
    entered = {
        "name": "Ada",
        "note": "",
        "amount": "12.5",
        "urgent": True,
        "due": "2026-11-30",
        "at": "",
        "one": ["b"],
        "many": ["a"],
        "level": 4,
    }
    result = sent.run.exchanges[1].request.last_result

    assert ("completed", 2) == (end["status"], end["steps"])
    assert result is not None
    assert {"status": "submitted", "action": "send", "values": entered} == result.value
    assert ("submitted", False, entered) == tuple(seen(tab)[key] for key in ("state", "enabled", "values"))


async def test_what_is_not_valid_is_not_sent(cards: Cards, new_tab: Callable[[], Tab], send: Send) -> None:
    """The person reads which field it is; the card still waits."""
    tab = new_tab()
    await open_as(tab, cards.person("carla"))
    sent = send(tab, FORM)
    await sent.act("card-fill", field="amount", value="much")
    with pytest.raises(ActFailedError, match=r"name.*amount"):
        await sent.act("card-press", action="send")
    with pytest.raises(BadRequestError):
        await sent.act("card-fill", field="other", value="x")

    assert seen(tab)["enabled"]
    await sent.act("card-cancel")
    await sent.turn


async def test_the_tab_builds_what_the_host_compiled(
    cards: Cards, new_tab: Callable[[], Tab], send: Send
) -> None:
    """From the arguments alone."""
    tab, person = new_tab(), cards.person("carla")
    await open_as(tab, person)
    sent = send(tab, CHOICE)
    card = await sent.card()
    shown: Any = tab.visible()
    compiled = person.http.get(f"/api/a2ui/{shown['conversation']}/{card['id']}").json()
    await sent.act("card-cancel")
    await sent.turn

    assert (compiled["surfaceId"], compiled["messages"]) == (card["surface"], card["messages"])


async def test_a_status_card_holds_nothing_up(cards: Cards, new_tab: Callable[[], Tab], send: Send) -> None:
    """There is nothing to answer."""
    tab = new_tab()
    await open_as(tab, cards.person("carla"))
    sent = send(tab, STATUS)
    end: Any = await sent.turn

    assert ("completed", "presented") == (end["status"], seen(tab)["state"])
    with pytest.raises(ActFailedError):
        await sent.act("card-cancel")


async def test_stopping_the_assistant_closes_its_card(
    cards: Cards, new_tab: Callable[[], Tab], send: Send
) -> None:
    """Nobody waits for the answer any more."""
    tab = new_tab()
    await open_as(tab, cards.person("carla"))
    sent = send(tab, REVIEW)
    await sent.card()
    await tab.act("stop", {})
    end: Any = await sent.turn

    assert ("cancelled", "cancelled") == (end["status"], seen(tab)["state"])


async def test_a_reload_brings_the_card_back_and_its_answer_goes_on(
    cards: Cards, new_tab: Callable[[], Tab], send: Send
) -> None:
    """The turn goes on in the step after the one that presented it; after another reload the card is as it was answered."""
    tab, person = new_tab(), cards.person("carla")
    await open_as(tab, person)
    sent = send(tab, CHOICE)
    await sent.card()
    shown: Any = tab.visible()
    await open_as(tab, person, shown["conversation"])
    await sent.turn
    restored = seen(tab)
    await sent.act("card-choose", field="choice", value="a")
    await sent.act("card-press", action="skip")
    await until(lambda: len(sent.run.exchanges) == 2 and not tab.visible()["busy"])  # type: ignore[index,call-overload]  # a dictionary of the wire
    result = sent.run.exchanges[1].request.last_result
    await open_as(tab, person, shown["conversation"])
    answered = seen(tab)

    assert ("pending", True) == (restored["state"], restored["enabled"])
    assert result is not None
    assert {"status": "submitted", "action": "skip", "values": {"choice": ["a"]}} == result.value
    assert ("submitted", False, {"choice": ["a"]}) == tuple(
        answered[k] for k in ("state", "enabled", "values")
    )


async def test_another_tab_sees_a_card_settled(cards: Cards, new_tab: Callable[[], Tab], send: Send) -> None:
    """It is closed everywhere once it was answered somewhere."""
    one, other, person = new_tab(), new_tab(), cards.person("carla")
    await open_as(one, person)
    sent = send(one, REVIEW)
    await sent.card()
    shown: Any = one.visible()
    await open_as(other, person, shown["conversation"])
    before = seen(other)["enabled"]
    await sent.act("card-press", action="send")
    await sent.turn
    await until(lambda: not seen(other)["enabled"])

    assert (True, "submitted") == (before, seen(other)["state"])


async def test_a_card_that_was_settled_elsewhere_lets_the_turn_go_on(
    cards: Cards, new_tab: Callable[[], Tab], send: Send
) -> None:
    """The tab looks again and again, whoever withdraws the card."""
    tab, person = new_tab(), cards.person("carla")
    await open_as(tab, person)
    sent = send(tab, REVIEW)
    card = await sent.card()
    shown: Any = tab.visible()
    post(person.http, "cancel", {"session": shown["conversation"], "call": card["id"]})
    end: Any = await sent.turn

    assert ("completed", "cancelled") == (end["status"], seen(tab)["state"])


@pytest.mark.parametrize("kind", KINDS)
async def test_a_card_can_be_read_as_text(kind: str) -> None:
    """Every text of the template is in it."""
    template = read_template(KINDS[kind])
    surface = compile_template(template, "s")
    text = card_text.render(surface, surface.model, "nothing")
    written = [str(part["text"]) for part in surface.components if "text" in part]

    assert [] == [line for line in written if line not in text]


async def test_the_text_knows_the_whole_subset() -> None:
    """Compiler, manifest and renderer are held together."""
    assert set(SUBSET["components"]) == {*card_text.LEAVES, *card_text.HOLDERS}
