"""Defects of the tab's cards: each shows in what a person sees or the model reads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from reference_app.tab.errors import ActFailedError
from reference_app.tab.faults import CATALOGUE
from reference_app.tab.tab import Tab
from tests.reference_app.a2ui.presenting import Cards
from tests.reference_app.a2ui.tabs import Send, open_as, seen, until
from tests.reference_app.a2ui.templates import CHOICE, REVIEW, STATUS
from tests.reference_app.running import Person

pytestmark = pytest.mark.anyio


class Desk:
    """A person with as many tabs as it takes."""

    def __init__(self, cards: Cards, new_tab: Callable[[], Tab], send: Send) -> None:
        self.cards = cards
        self.person: Person = cards.person("carla")
        self.new_tab = new_tab
        self.send = send

    async def reloaded(self, tab: Tab) -> Any:
        """The card after a reload."""
        shown: Any = tab.visible()
        await open_as(tab, self.person, shown["conversation"])
        return seen(tab)


Symptom = Callable[[Desk, Tab], Awaitable[Any]]


async def compiled(desk: Desk, tab: Tab) -> Any:
    """The title in the messages."""
    card = await desk.send(tab, REVIEW).card()
    texts = {part["id"]: part.get("text") for part in card["messages"][1]["updateComponents"]["components"]}
    return texts["title"]


async def plain(desk: Desk, tab: Tab) -> Any:
    """Whether there is a text."""
    return bool((await desk.send(tab, REVIEW).card())["text"])


async def after_reload(desk: Desk, tab: Tab) -> Any:
    """Whether a card that waits can be used."""
    await desk.send(tab, REVIEW).card()
    return (await desk.reloaded(tab))["enabled"]


async def answered(desk: Desk, tab: Tab) -> Any:
    """What an answered card shows after a reload, and what was sent."""
    sent = desk.send(tab, CHOICE)
    await sent.act("card-choose", field="choice", value="b")
    await sent.act("card-press", action="send")
    await sent.turn
    result = sent.run.exchanges[1].request.last_result
    assert result is not None
    return result.at("/values/choice"), (await desk.reloaded(tab))["values"]["choice"]


async def elsewhere(desk: Desk, tab: Tab) -> Any:
    """Whether another tab's card can still be used once it was answered and looked at again and again."""
    sent, other = desk.send(tab, REVIEW), desk.new_tab()
    await sent.card()
    shown: Any = tab.visible()
    await open_as(other, desk.person, shown["conversation"])
    await sent.act("card-press", action="send")
    await sent.turn
    try:
        await until(lambda: not seen(other)["enabled"], 1)
    except TimeoutError:
        return True
    return False


async def unchecked(desk: Desk, tab: Tab) -> Any:
    """What a person is told of an invalid value."""
    sent = desk.send(tab, _form())
    await sent.act("card-fill", field="n", value="much")
    with pytest.raises(ActFailedError) as refused:
        await sent.act("card-press", action="send")
    return "n: " in str(refused.value)


def _form() -> dict[str, Any]:
    kept = {name: member for name, member in REVIEW.items() if name != "items"}
    return {**kept, "kind": "form", "fields": [{"id": "n", "label": "N", "type": "number"}]}


async def closed(desk: Desk, tab: Tab) -> Any:
    """What the host knows of a card that was closed after a reload."""
    sent = desk.send(tab, REVIEW)
    card = await sent.card()
    shown: Any = tab.visible()
    await desk.reloaded(tab)
    await sent.act("card-cancel")
    looked = desk.person.http.get(f"/api/a2ui/{shown['conversation']}/{card['id']}")
    return looked.json()["status"]


async def status(desk: Desk, tab: Tab) -> Any:
    """Whether a turn ends that presents a status card."""
    sent = desk.send(tab, STATUS)
    try:
        await until(sent.turn.done, 2)
    except TimeoutError:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "symptom", "sound", "broken"),
    [
        ("a2ui-surface-differs", compiled, "A card", "Card"),
        ("a2ui-no-plain-text", plain, True, False),
        ("a2ui-lost-on-reload", after_reload, True, False),
        ("a2ui-settled-forgotten", answered, (["b"], ["b"]), (["b"], [])),
        ("a2ui-press-lost", answered, (["b"], ["b"]), ([], [])),
        ("a2ui-open-elsewhere", elsewhere, False, True),
        ("a2ui-unchecked", unchecked, True, False),
        ("a2ui-cancel-lost", closed, "cancelled", "pending"),
        ("a2ui-status-waits", status, True, False),
    ],
)
async def test_a_defect_shows(
    cards: Cards,
    new_tab: Callable[[], Tab],
    send: Send,
    monkeypatch: pytest.MonkeyPatch,
    *,
    name: str,
    symptom: Symptom,
    sound: Any,
    broken: Any,
) -> None:
    """A defect that nobody can see would be counted as a case that cannot fail."""
    desk = Desk(cards, new_tab, send)
    found = []
    for is_broken in (False, True):
        if is_broken:
            CATALOGUE[name].install(monkeypatch.setattr)
        tab = new_tab()
        await open_as(tab, desk.person)
        found.append(await symptom(desk, tab))

    assert [sound, broken] == found
