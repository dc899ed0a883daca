"""A person in front of a tab, for tests: opens, does, looks, and reads what the server was sent."""

import asyncio
from typing import Any

from reference_app.tab.protocol import DecideParams, OpenParams, SessionParams
from reference_app.tab.tab import Tab
from tests.reference_app.tab.mini_server import MiniServer, Step

PENDING = "/receivables/pending"


async def open_as(tab: Tab, who: str = "carla", route: str = PENDING, conversation: str | None = None) -> Any:
    """Open a page as somebody."""
    headers = {"cookie": f"who={who}"} if who else {}
    return await tab.open(
        OpenParams(route=route, session=SessionParams(headers=headers), conversation=conversation)
    )


async def decide(tab: Tab, kind: Any, *, approved: bool, card: str | None = None) -> Any:
    """Answer a question."""
    return await tab.decide(DecideParams(kind=kind, approved=approved, id=card))


async def wait_for_dialog(tab: Tab) -> Any:
    """Wait until a confirmation is open."""
    asked = asyncio.Event()
    unsubscribe = tab.page.registry.confirmations.subscribe(lambda _pending: asked.set())
    if not dialogs_of(tab, "confirmation"):
        await asyncio.wait_for(asked.wait(), 5)
    unsubscribe()
    return dialogs_of(tab, "confirmation")[0]


def seen(tab: Tab) -> Any:
    """What is visible."""
    return tab.visible()


def dialogs_of(tab: Tab, kind: str) -> list[Any]:
    """The open dialogs of a kind."""
    return [dialog for dialog in seen(tab)["dialogs"] if dialog["kind"] == kind]


def keys(tab: Tab) -> list[str]:
    """The keys of the rows on the screen."""
    return [row["key"] for row in seen(tab)["rows"]]


async def run_turn(tab: Tab, server: MiniServer, *steps: Step, text: str = "Go.") -> Any:
    """Send a message to a model that is scripted with these steps."""
    server.steps = list(steps)
    return await tab.send(text)
