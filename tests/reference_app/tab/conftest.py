"""A small server that plays the application for the tab's tests, and a tab in front of it."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from reference_app.surface.clock import LoopClock
from reference_app.tab.__main__ import load_contracts
from reference_app.tab.desk import Contracts
from reference_app.tab.settings import TabSettings
from reference_app.tab.tab import Tab
from tests.reference_app.tab.mini_server import MiniServer


@pytest.fixture
def anyio_backend() -> str:
    """The tab is written for asyncio."""
    return "asyncio"


@pytest.fixture(scope="session")
def contracts() -> Contracts:
    """The compiled contracts, the lab's among them, compiled once."""
    return load_contracts(lab=True)


@pytest.fixture
async def server() -> AsyncIterator[MiniServer]:
    """A server on a free port of loopback."""
    async with MiniServer.running() as running:
        yield running


@pytest.fixture
async def new_tab(server: MiniServer, contracts: Contracts) -> AsyncIterator[Callable[..., Tab]]:
    """Makes tabs in front of the server; each is closed afterwards."""
    made: list[Tab] = []

    def make(*, mode: str = "direct", **settings: Any) -> Tab:
        made.append(Tab(server.url, contracts, TabSettings(seed=7, **settings), LoopClock(), mode=mode))
        return made[-1]

    yield make
    for tab in made:
        await tab.close()


@pytest.fixture
def tab(new_tab: Callable[..., Tab]) -> Tab:
    """A tab that has not opened a page yet."""
    return new_tab()
