"""The browser's half of the loop: snapshot, post, stream, carry out, settle, and again."""

import asyncio
from typing import Any

import pytest

from reference_app.tab.tab import Tab
from tests.reference_app.tab.mini_server import (
    CHASE,
    DONE,
    FILTER,
    READ,
    MiniServer,
    Step,
    at_server,
    browser,
)
from tests.reference_app.tab.person import (
    PENDING,
    keys,
    open_as,
    run_turn,
    seen,
)

pytestmark = pytest.mark.anyio


async def test_an_answer_is_one_step(tab: Tab, server: MiniServer) -> None:
    """Nothing to carry out: the turn is over."""
    shown = await open_as(tab)

    end = await run_turn(tab, server, DONE, text="Hello")

    assert end == {"status": "completed", "conversation": shown["conversation"], "steps": 1}
    assert seen(tab)["transcript"] == [
        {"role": "user", "text": "Hello"},
        {"role": "assistant", "text": "Done."},
    ]


async def test_a_step_is_posted_as_the_protocol_says(tab: Tab, server: MiniServer) -> None:
    """Version, ids, path, the history and the catalog, and nothing about who the person is."""
    await open_as(tab)

    await run_turn(tab, server, DONE, text="Hello")

    posted = server.posted[0]
    assert set(posted) == {
        *("protocolVersion", "conversationId", "turnId", "stepIndex", "pathname", "messages", "catalog"),
    }
    assert (posted["protocolVersion"], posted["stepIndex"], posted["pathname"]) == (2, 0, PENDING)
    assert posted["messages"] == [{"role": "user", "content": "Hello"}]
    assert (posted["catalog"]["mode"], posted["catalog"]["scope"]) == (
        "direct",
        ["app", "invoices", "reporting", "collections"],
    )


async def test_declarations_carry_no_state(tab: Tab, server: MiniServer) -> None:
    """What moves rides beside the tools, whose bytes stay the same."""
    await open_as(tab)

    await run_turn(tab, server, Step((browser("view:invoices.pending.setFilters", {"chase": "1"}),)), DONE)

    first, second = (server.tools(index)["domain_update-collection-status"] for index in (0, 1))
    states = [server.state(index)["domain_update-collection-status"] for index in (0, 1)]
    assert first == second
    assert [state["available"] for state in states] == [False, True]
    assert states[0]["unavailableReason"] == "Open an invoice's chase dialog first"
    assert states[1]["note"] == "Bound to TST-001 (Client 1, €18,750, 19 days overdue)."


async def test_the_bound_field_is_not_in_the_schema(tab: Tab, server: MiniServer) -> None:
    """The model is given no field in which to name another invoice; the note may be left to the dialog."""
    await open_as(tab)

    await run_turn(tab, server, DONE)

    schema = server.tools(0)["domain_update-collection-status"]["inputSchema"]
    assert sorted(schema["properties"]) == [
        "expectedPaymentDate",
        "lastReminderDate",
        "note",
        "remindersSent",
    ]
    assert ("required" in schema, schema["additionalProperties"]) == (False, False)
    assert schema["properties"]["note"]["description"].startswith("Defaults to the current UI value")


async def test_a_call_shows_before_the_next_step(tab: Tab, server: MiniServer) -> None:
    """A filter set and read back in one message reads the filtered rows, and the screen shows them."""
    await open_as(tab)

    await run_turn(tab, server, Step((FILTER, READ)), DONE)

    results = server.results()
    assert results[0] == {"done": True}
    assert (results[1]["rowCount"], results[1]["totalRows"]) == (2, 3)
    assert (seen(tab)["route"], keys(tab)) == (f"{PENDING}?due=overdue", ["1", "2"])


async def test_a_navigation_brings_the_new_screen_and_its_scope(tab: Tab, server: MiniServer) -> None:
    """The next step's catalog is that of the page which the call opened; the one before is gone."""
    await open_as(tab)
    leave = browser("view:app.navigation.goTo", {"path": "/receivables/clients"})

    await run_turn(tab, server, Step((leave, READ)), DONE)

    assert server.posted[1]["pathname"] == "/receivables/clients"
    assert server.posted[1]["catalog"]["scope"] == ["app", "clients", "invoices"]
    assert "view_clients__card__readCard_at_left" in server.tools(1)
    assert not any(name.startswith("view_invoices") for name in server.tools(1))
    assert server.results()[1]["error"]["code"] == "CAPABILITY_NOT_FOUND"


async def test_a_bound_call_is_about_what_the_dialog_shows_when_it_runs(tab: Tab, server: MiniServer) -> None:
    """The person turned to another invoice while the model was thinking."""
    await open_as(tab, route=f"{PENDING}?chase=1")
    hold = asyncio.Event()
    server.steps = [Step((CHASE,), hold=hold), DONE]
    turn = asyncio.ensure_future(tab.send("Chase it."))
    await server.arrived.wait()

    await tab.act("open-chase", {"key": "2"})
    hold.set()
    await turn

    assert server.written == [("update-collection-status", {"remindersSent": 3, "invoiceId": 2})]


@pytest.mark.parametrize("invoice_id", [1, 2])
async def test_a_locked_field_runs_nothing(tab: Tab, server: MiniServer, invoice_id: int) -> None:
    """Whatever its value."""
    await open_as(tab, route=f"{PENDING}?chase=1")
    call = browser("domain:update-collection-status", {"remindersSent": 3, "invoiceId": invoice_id})

    await run_turn(tab, server, Step((call,)), DONE)

    assert (server.written, server.results()[0]["error"]["details"]) == ([], {"lockedFields": ["invoiceId"]})


@pytest.mark.parametrize(("given", "note"), [({}, "Mine."), ({"note": "Yours."}, "Yours.")])
async def test_the_note_is_the_persons_unless_the_model_gives_one(
    tab: Tab, server: MiniServer, given: dict[str, str], note: str
) -> None:
    """An overridable field: the dialog's draft is the default."""
    await open_as(tab, route=f"{PENDING}?chase=1")
    await tab.act("type-note", {"text": "Mine."})

    await run_turn(tab, server, Step((browser("domain:update-collection-status", given),)), DONE)

    assert server.written[0][1]["note"] == note


async def test_after_a_write_of_the_assistant_the_screen_is_right(tab: Tab, server: MiniServer) -> None:
    """Through the same path as a button: everything is read again, before the next step looks."""
    await open_as(tab, route=f"{PENDING}?chase=1")

    await run_turn(tab, server, Step((CHASE,)), Step((READ,)), DONE)

    assert server.results()[1]["visibleRows"][0]["remindersSent"] == 3
    assert seen(tab)["rows"][0]["cells"]["reminders"] == "3"


async def test_after_a_write_of_the_server_the_screen_is_right(tab: Tab, server: MiniServer) -> None:
    """A result of a write in the stream means that rows may have changed."""
    await open_as(tab)
    server.rows[2]["status"] = "paid"

    await run_turn(
        tab, server, Step((at_server("domain:mark-invoice-paid", {"id": 2}, {"status": "ok"}),), text="Paid.")
    )

    assert keys(tab) == ["1", "3"]


@pytest.mark.parametrize(
    "call",
    [
        at_server("domain:list-invoices", {}, {"status": "ok"}),
        at_server("domain:mark-invoice-paid", {"id": 2}, {"error": {"code": "X"}}, ok=False),
        at_server("domain:issue-invoice", {"id": 4}, {"status": "approval-required", "approvalId": "apr_1"}),
    ],
)
async def test_what_wrote_nothing_reads_nothing_again(tab: Tab, server: MiniServer, call: Any) -> None:
    """Reads, failures and calls that wait for approval."""
    await open_as(tab)
    server.rows[2]["status"] = "paid"

    await run_turn(tab, server, Step((call,), text="So."))

    assert keys(tab) == ["1", "2", "3"]


async def test_a_call_meant_for_a_component_since_replaced_is_stale(tab: Tab, server: MiniServer) -> None:
    """Same name, same place, another component."""
    await open_as(tab)
    hold = asyncio.Event()
    server.steps = [Step((FILTER,), hold=hold), DONE]
    turn = asyncio.ensure_future(tab.send("Filter."))
    await server.arrived.wait()

    await tab.act("reload-screen", {})
    hold.set()
    await turn

    assert (server.results()[0]["error"]["code"], seen(tab)["route"]) == ("STALE_CAPABILITY", PENDING)


async def test_server_and_browser_calls_in_one_message_are_both_answered(
    tab: Tab, server: MiniServer
) -> None:
    """Each once, the server's from the host and the browser's from here."""
    await open_as(tab)

    await run_turn(tab, server, Step((at_server("domain:list-invoices", {}, {"rows": []}), FILTER)), DONE)

    assert server.results() == [{"rows": []}, {"done": True}]
