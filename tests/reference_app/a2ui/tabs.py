"""A person in front of a headless tab with a card, for tests."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from fake_model import Run
from reference_app.tab.protocol import OpenParams, SessionParams
from reference_app.tab.tab import Tab
from tests.reference_app.running import Person


async def open_as(tab: Tab, person: Person, conversation: str | None = None) -> Any:
    """Open a page with a person's session."""
    headers = {"cookie": f"ledger_session={person.token}"}
    return await tab.open(
        OpenParams(route="/about", session=SessionParams(headers=headers), conversation=conversation)
    )


def seen(tab: Tab) -> Any:
    """The one interaction card as a person sees it."""
    shown: Any = tab.visible()
    return next((card for card in shown["cards"] if card["kind"] == "a2ui"), None)


async def until(condition: Callable[[], Any], seconds: float = 20) -> Any:
    """Look again and again until something can be seen; the tab tells nobody when it shows something else."""
    async with asyncio.timeout(seconds):
        while not condition():
            with contextlib.suppress(TimeoutError):
                # The application is in a thread of this process: whoever looked all the time would keep it from running.
                await asyncio.wait_for(asyncio.Event().wait(), 0.02)
    return condition()


class Sent:
    """A message on its way, and the card that it led to."""

    def __init__(self, tab: Tab, run: Run) -> None:
        self.tab = tab
        self.run = run
        self.turn = asyncio.ensure_future(tab.send(run.prompt("go")))

    async def card(self) -> Any:
        """The card, once the call waits."""
        await until(lambda: seen(self.tab) is not None and seen(self.tab)["enabled"])
        return seen(self.tab)

    async def act(self, name: str, **args: Any) -> None:
        """Do something with it."""
        card = seen(self.tab) or await self.card()
        if not card["enabled"] and not self.turn.done():
            card = await self.card()
        await self.tab.act(name, {"id": card["id"], **args})


Send = Callable[[Tab, Any], Sent]
"""Sends a message to a model that presents a card."""
