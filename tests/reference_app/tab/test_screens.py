"""What a person can do on the screens, and what they show."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from reference_app.surface.invocation_types import CallOptions, InvocationRequest
from reference_app.tab.errors import (
    ActFailedError,
    BadRequestError,
    NotOpenError,
    ServerError,
    UnknownActError,
)
from reference_app.tab.tab import CONSUMER, Tab
from tests.reference_app.tab.mini_server import MiniServer
from tests.reference_app.tab.person import PENDING, dialogs_of, keys, open_as, seen

pytestmark = pytest.mark.anyio


async def test_a_page_opens_with_its_rows(tab: Tab) -> None:
    """As a person sees them: texts in cells, in the table's order."""
    shown = await open_as(tab)

    assert (shown["route"], shown["title"], shown["totalRows"]) == (PENDING, "Pending invoices", 3)
    assert [row["key"] for row in shown["rows"]] == ["1", "2", "3"]
    assert shown["rows"][0]["cells"] == {
        "reference": "TST-001",
        "client_name": "Client 1",
        "segment": "Enterprise",
        "amount": "€18,750",
        "due_date": "2026-11-01",
        "days_overdue": "19 days",
        "reminders": "0",
    }


async def test_filters_stand_in_the_address(tab: Tab) -> None:
    """So that the view can be shared; a default is left out again."""
    await open_as(tab)

    narrowed: Any = await tab.act("set-filter", {"due": "overdue", "q": "client 2"})
    reopened = await open_as(tab, route=narrowed["route"])
    cleared: Any = await tab.act("set-filter", {"due": "all", "q": ""})

    assert (narrowed["route"], [row["key"] for row in narrowed["rows"]]) == (
        f"{PENDING}?due=overdue&q=client+2",
        ["2"],
    )
    assert reopened["rows"] == narrowed["rows"]
    assert cleared["route"] == PENDING


async def test_order_and_selection_stand_in_the_address(tab: Tab) -> None:
    """Sorted by amount, then one row ticked, then unticked."""
    await open_as(tab)

    await tab.act("sort", {"key": "amount", "direction": "asc"})
    ticked: Any = await tab.act("select-row", {"key": "3"})
    unticked: Any = await tab.act("select-row", {"key": 3})

    assert (ticked["route"], ticked["selected"]) == (f"{PENDING}?sort=amount.asc&selected=3", ["3"])
    assert [row["key"] for row in ticked["rows"]] == ["2", "1", "3"]
    assert unticked["selected"] == []


async def test_what_is_not_visible_is_not_selected(tab: Tab) -> None:
    """A selection is of what the person sees."""
    await open_as(tab, route=f"{PENDING}?selected=1,3&due=overdue")

    assert seen(tab)["selected"] == ["1"]


@pytest.mark.parametrize(
    ("name", "args", "error"),
    [
        ("select-row", {"key": "99"}, ActFailedError),
        ("open-chase", {"key": "4"}, ActFailedError),
        ("type-note", {"text": "x"}, ActFailedError),
        ("save-chase", {"remindersSent": 1}, ActFailedError),
        ("set-filter", {"colour": "red"}, ActFailedError),
        ("sort", {"key": "colour"}, ActFailedError),
        ("select-row", {}, BadRequestError),
        ("set-filter", {"due": 5}, BadRequestError),
        ("issue-invoice", {"key": "4"}, UnknownActError),
    ],
)
async def test_what_a_screen_refuses(
    tab: Tab, name: str, args: dict[str, Any], error: type[Exception]
) -> None:
    """The person is told why, and nothing happens."""
    await open_as(tab)
    before = seen(tab)

    with pytest.raises(error):
        await tab.act(name, args)

    assert seen(tab) == before


async def test_nothing_can_be_done_before_a_page_is_open(tab: Tab) -> None:
    """There is no page that it could be done on."""
    for attempt in (tab.act("go", {"path": PENDING}), tab.send("Hello")):
        with pytest.raises(NotOpenError):
            await attempt


async def test_the_chase_dialog_opens_for_a_visible_row(tab: Tab) -> None:
    """It is in the address too, and closes when its row goes out of sight."""
    await open_as(tab)

    opened: Any = await tab.act("open-chase", {"key": "3"})
    await tab.act("type-note", {"text": "Called twice."})
    drafted = dialogs_of(tab, "chase")[0]
    await tab.act("set-filter", {"due": "overdue"})

    assert opened["route"] == f"{PENDING}?chase=3"
    assert (drafted["title"], drafted["input"]["note"]) == ("Chase TST-003", "Called twice.")
    assert dialogs_of(tab, "chase") == []


async def test_a_person_saves_by_the_operation_that_the_assistant_is_bound_to(
    tab: Tab, server: MiniServer
) -> None:
    """One implementation; the table is right afterwards."""
    await open_as(tab)
    await tab.act("open-chase", {"key": "1"})
    await tab.act("type-note", {"text": "Called."})

    await tab.act("save-chase", {"remindersSent": 2})

    assert server.written == [
        ("update-collection-status", {"remindersSent": 2, "invoiceId": 1, "note": "Called."})
    ]
    assert seen(tab)["rows"][0]["cells"]["reminders"] == "2"
    assert dialogs_of(tab, "chase")[0]["input"]["savedNote"] == "Called."


async def test_the_pages_own_buttons_need_no_approval(tab: Tab, server: MiniServer) -> None:
    """A person who presses one has expressed intent; the screen is right without a reload."""
    await open_as(tab, route="/receivables/all")

    await tab.act("issue-invoice", {"key": "4"})

    assert server.written == [("issue-invoice", {"id": 4})]
    assert {row["key"]: row["cells"]["status"] for row in seen(tab)["rows"]}["4"] == "sent"


async def test_a_refusal_of_the_server_is_told(tab: Tab, server: MiniServer) -> None:
    """In the server's words for people."""
    await open_as(tab, route="/receivables/all")
    error = {"defined": False, "code": "NOT_FOUND", "status": 404, "message": "There is no such operation."}
    server.reply = lambda path: (404, error) if path == "issue-invoice" else (0, None)

    with pytest.raises(ServerError, match="There is no such operation"):
        await tab.act("issue-invoice", {"key": "4"})


async def test_paid_invoices_leave_the_pending_screen(tab: Tab) -> None:
    """After the write everything is read again."""
    await open_as(tab)

    await tab.act("record-payment", {"key": "2"})

    assert keys(tab) == ["1", "3"]


async def test_two_cards_show_two_clients(tab: Tab) -> None:
    """Each by its side; a closed card takes its component with it."""
    await open_as(tab, route="/receivables/clients")

    await tab.act("show-client", {"side": "left", "key": "1"})
    both: Any = await tab.act("show-client", {"side": "right", "key": "2"})
    await tab.act("close-card", {"side": "left"})
    closed = dialogs_of(tab, "card")
    await tab.act("open-card", {"side": "left"})

    assert both["route"] == "/receivables/clients?left=1&right=2"
    assert [card["id"] for card in closed] == ["right"]
    assert [(card["id"], card["title"]) for card in dialogs_of(tab, "card")] == [
        ("left", "Client 1"),
        ("right", "Client 2"),
    ]


async def test_navigation_leaves_a_screens_settings_behind(tab: Tab) -> None:
    """Another screen, with nothing set on it; an unknown path leads home."""
    await open_as(tab, route=f"{PENDING}?due=overdue")

    about: Any = await tab.act("go", {"path": "/about"})
    home: Any = await tab.act("go", {"path": "/nowhere?x=1"})

    assert (about["route"], about["title"], about["rows"]) == ("/about", "How this works", [])
    assert home["route"] == PENDING


async def test_a_signed_out_page_shows_nothing(tab: Tab) -> None:
    """No rows, and nothing that an assistant could use."""
    shown = await open_as(tab, who="")

    assert (shown["rows"], tab.page.registry.snapshot().capabilities) == ([], ())


async def test_switching_the_user_starts_afresh(tab: Tab, server: MiniServer) -> None:
    """Another person's page and another conversation; what that person may not do is gone."""
    before = await open_as(tab)

    after: Any = await tab.act("switch-user", {"user": "ada"})
    offered = {item.capability_id for item in tab.page.registry.snapshot().capabilities}

    assert after["conversation"] != before["conversation"]
    assert tab.page.person is not None
    assert tab.page.person.name == "Ada"
    assert "domain:update-collection-status" not in offered


async def test_a_server_that_cannot_be_read_is_told(tab: Tab, server: MiniServer) -> None:
    """The page stands, without rows, and says why."""
    error = {
        "defined": False,
        "code": "INTERNAL_SERVER_ERROR",
        "status": 500,
        "message": "Something went wrong.",
    }
    server.reply = lambda path: (500, error)

    shown = await open_as(tab)

    assert (shown["rows"], shown["notices"]) == ([], ["Something went wrong."])


async def test_column_layout_outlives_the_page(tab: Tab) -> None:
    """It is the browser's; column filters are the page's and go with it."""
    await open_as(tab)
    capability = "view:invoices.pending.setColumnVisibility"
    await _call(tab, capability, {"id": "segment", "hidden": True})
    await tab.act("set-column-filter", {"client_name": "Client 2"})
    filtered = keys(tab)

    shown = await open_as(tab)

    assert (filtered, [row["key"] for row in shown["rows"]]) == (["2"], ["1", "2", "3"])
    assert "segment" not in shown["rows"][0]["cells"]


async def _call(tab: Tab, capability: str, given: Any) -> Any:
    result = await tab.page.registry.invoke(InvocationRequest(capability, given), CallOptions(CONSUMER))
    await tab.page.until_shown()
    return result.to_json()


@pytest.mark.parametrize(
    ("route", "capability", "given", "code"),
    [
        (PENDING, "view:invoices.pending.selectRows", {"ids": [99]}, "PRECONDITION_FAILED"),
        (PENDING, "view:invoices.pending.sort", {"key": "colour"}, "PRECONDITION_FAILED"),
        (
            PENDING,
            "view:invoices.pending.moveColumn",
            {"id": "reference", "direction": "left"},
            "PRECONDITION_FAILED",
        ),
        (PENDING, "view:invoices.pending.setFilters", {"colour": "red"}, "INVALID_INPUT"),
        (PENDING, "view:invoices.pending.clearSelection", {}, "CAPABILITY_NOT_AVAILABLE"),
        (PENDING, "view:collections.chase.readDraft", None, "CAPABILITY_NOT_AVAILABLE"),
        (PENDING, "view:app.navigation.goTo", {"path": "/lab"}, "PRECONDITION_FAILED"),
        (f"{PENDING}?chase=1", "view:collections.chase.discardDraft", {}, "CONFIRMATION_REQUIRED"),
        ("/receivables/clients", "view:clients.card.readCard", None, "AMBIGUOUS_INSTANCE"),
    ],
)
async def test_what_a_capability_refuses(
    tab: Tab, route: str, capability: str, given: Any, code: str
) -> None:
    """Each in its own code."""
    await open_as(tab, route=route)

    assert (await _call(tab, capability, given))["error"]["code"] == code


@pytest.mark.parametrize(
    "route",
    [PENDING, f"{PENDING}?chase=1&selected=1", "/receivables/all", "/receivables/clients?left=1", "/about"],
)
async def test_every_observation_answers_as_it_promises(tab: Tab, route: str) -> None:
    """Each available one on each screen: the surface holds its output against its schema."""
    await open_as(tab, route=route)
    readings = [
        item
        for item in tab.page.registry.snapshot().capabilities
        if item.kind == "observation" and item.available
    ]

    for item in readings:
        request = InvocationRequest(item.capability_id, registration_id=item.registration_id)
        result = await tab.page.registry.invoke(request, CallOptions(CONSUMER))
        assert result.error is None, f"{item.capability_id}: {json.dumps(result.to_json())}"


async def test_the_lab_is_there_only_when_switched_on(new_tab: Callable[..., Tab]) -> None:
    """It is no part of the console."""
    plain, lab = new_tab(), new_tab(lab=True)

    shown = [(await open_as(tab, route="/lab"))["route"] for tab in (plain, lab)]

    assert shown == [PENDING, "/lab"]
