"""An application that offers cards, and its model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from fake_model import FakeModel, call, say, script, step
from reference_app.settings import Settings
from reference_app.surface.clock import LoopClock
from reference_app.tab.__main__ import load_contracts
from reference_app.tab.settings import TabSettings
from reference_app.tab.tab import Tab
from tests.reference_app.a2ui.presenting import Cards
from tests.reference_app.a2ui.tabs import Send, Sent
from tests.reference_app.running import client, running, with_model


@pytest.fixture(scope="session")
def served() -> Iterator[Cards]:
    """One application for all tests."""
    with FakeModel() as model:
        settings = with_model(Settings(demo_controls=True, a2ui=True), model.url)
        with running(settings) as url, client(url) as nobody:
            yield Cards(url, model, nobody)


@pytest.fixture
def cards(served: Cards) -> Iterator[Cards]:
    """The same, as at the start."""
    served.nobody.post("/api/demo/reset", json={}).raise_for_status()
    served.nobody.cookies.clear()
    yield served
    served.leave()


@pytest.fixture
def anyio_backend() -> str:
    """The tab is written for asyncio."""
    return "asyncio"


@pytest.fixture
async def new_tab(cards: Cards) -> AsyncIterator[Callable[[], Tab]]:
    """Makes tabs; each is closed afterwards."""
    made: list[Tab] = []

    def make() -> Tab:
        made.append(Tab(cards.url, load_contracts(lab=False), TabSettings(), LoopClock()))
        return made[-1]

    yield make
    for tab in made:
        await tab.close()


@pytest.fixture
def send(cards: Cards) -> Send:
    """Sends a message to a model that presents a card."""

    def begin(tab: Tab, template: Any) -> Sent:
        return Sent(tab, cards.model.play(script(step(call("a2ui_present", template)), say("Done."))))

    return begin
