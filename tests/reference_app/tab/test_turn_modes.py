"""Confirmations, instances, identities and the meta tools, in a turn."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from reference_app.tab.tab import Tab
from tests.reference_app.tab.mini_server import (
    CHASE,
    DONE,
    Call,
    MiniServer,
    Step,
    browser,
)
from tests.reference_app.tab.person import (
    PENDING,
    decide,
    dialogs_of,
    open_as,
    run_turn,
    wait_for_dialog,
)

pytestmark = pytest.mark.anyio


async def test_a_confirmed_action_waits_for_the_person(tab: Tab, server: MiniServer) -> None:
    """The dialog says what would run; approved it runs, declined it does not, and the model gets one answer."""
    await open_as(tab, route=f"{PENDING}?chase=1")
    discard = browser("view:collections.chase.discardDraft")
    for approved in (False, True):
        await tab.act("type-note", {"text": "Mine."})
        server.steps = [Step((discard,)), DONE]
        turn = asyncio.ensure_future(tab.send("Discard it."))
        dialog = await wait_for_dialog(tab)
        told = await decide(tab, "confirmation", approved=approved)
        await turn

        assert (dialog["title"], told["id"]) == ("view:collections.chase.discardDraft", dialog["id"])
        note = dialogs_of(tab, "chase")[0]["input"]["note"]
        assert note == (None if approved else "Mine.")

    first, second = server.results()
    assert (first["error"]["code"], first["error"]["details"], second) == (
        "CONFIRMATION_INVALID",
        {"reason": "denied"},
        {"done": True},
    )


async def test_a_bound_value_that_changes_after_the_question_stops_the_call(
    tab: Tab, server: MiniServer
) -> None:
    """The person allowed it for one invoice, and had another open when it came to run."""
    await open_as(tab, route=f"{PENDING}?chase=1")
    await tab.act("ask-before-chasing", {"on": True})
    server.steps = [Step((CHASE,)), DONE]
    turn = asyncio.ensure_future(tab.send("Chase."))
    dialog = await wait_for_dialog(tab)

    await tab.act("open-chase", {"key": "2"})
    await decide(tab, "confirmation", approved=True)
    await turn

    assert dialog["input"] == {"remindersSent": 3, "invoiceId": 1}
    assert dialog["text"] == "Record this chase for TST-001 (Client 1, €18,750, 19 days overdue)?"
    assert (server.results()[0]["error"]["details"], server.written) == ({"reason": "mismatch"}, [])


async def test_stopping_withdraws_the_question(tab: Tab, server: MiniServer) -> None:
    """A dialog that nobody waits for any more is closed."""
    await open_as(tab, route=f"{PENDING}?chase=1")
    await tab.act("type-note", {"text": "Mine."})
    server.steps = [Step((browser("view:collections.chase.discardDraft"),)), DONE]
    turn = asyncio.ensure_future(tab.send("Discard."))
    await wait_for_dialog(tab)

    await tab.act("stop", {})
    end: Any = await turn

    assert (end["status"], dialogs_of(tab, "confirmation")) == ("cancelled", [])


async def test_two_instances_are_called_by_their_own_names(tab: Tab, server: MiniServer) -> None:
    """Each call reaches the card that it names."""
    await open_as(tab, route="/receivables/clients?left=1")

    await run_turn(
        tab,
        server,
        Step(
            (
                browser("view:clients.card.showClient", {"clientId": 2}, suffix="_at_right"),
                browser("view:clients.card.readCard", suffix="_at_left"),
                browser("view:clients.card.readCard", suffix="_at_right"),
            )
        ),
        DONE,
    )

    assert [result["client"]["clientId"] for result in server.results()[1:]] == [1, 2]


async def test_an_analyst_is_not_offered_the_bound_operation(tab: Tab, server: MiniServer) -> None:
    """Authority hides: not unavailable, absent."""
    await open_as(tab, who="ada")

    await run_turn(tab, server, DONE)

    assert "domain_update-collection-status" not in server.tools(0)


async def test_meta_mode_offers_three_tools(new_tab: Callable[..., Tab], server: MiniServer) -> None:
    """And reaches the same surface through them, waiting for the page as in direct mode."""
    tab = new_tab(mode="meta")
    await open_as(tab)
    act = browser(
        "meta:surface.act", {"capabilityId": "view:invoices.pending.setFilters", "input": {"chase": "1"}}
    )
    chase = browser(
        "meta:surface.act", {"capabilityId": "domain:update-collection-status", "input": {"remindersSent": 4}}
    )

    await run_turn(tab, server, Step((_meta("act", act.input), _meta("act", chase.input))), DONE)

    assert list(server.tools(0)) == ["surface_discover", "surface_read", "surface_act"]
    assert server.posted[0]["catalog"]["mode"] == "meta"
    assert server.written == [("update-collection-status", {"remindersSent": 4, "invoiceId": 1})]


def _meta(verb: str, given: Any) -> Any:
    return Call(f"surface_{verb}", f"meta:surface.{verb}", given)


async def test_meta_mode_discovers_within_the_scope(new_tab: Callable[..., Tab], server: MiniServer) -> None:
    """The screen's floor, narrowed by what is asked for."""
    tab = new_tab(mode="meta")
    await open_as(tab)

    await run_turn(tab, server, Step((_meta("discover", {"scope": ["app", "clients"]}),)), DONE)

    found = server.results()[0]
    assert [component["type"] for component in found["components"]] == ["app.navigation", "app.session"]
    assert found["scopeRejected"] == {"prefixes": ["clients"]}
