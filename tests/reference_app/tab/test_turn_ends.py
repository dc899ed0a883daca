"""How a turn ends: limits, failures, the stop button; whatever it is, every call is answered."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from reference_app.tab.errors import BusyError
from reference_app.tab.tab import Tab
from tests.reference_app.tab.mini_server import (
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
    dialogs_of,
    open_as,
    run_turn,
    seen,
)

pytestmark = pytest.mark.anyio


async def test_an_error_frame_ends_the_turn_and_adds_nothing(tab: Tab, server: MiniServer) -> None:
    """A step that failed is not part of the history; its calls are not carried out."""
    await open_as(tab)

    end = await run_turn(tab, server, Step((FILTER,), error="MODEL_ERROR"))
    await run_turn(tab, server, DONE, text="Again.")

    assert (end["status"], end["error"]) == ("error", {"code": "MODEL_ERROR", "message": "It went wrong."})
    assert [message["content"] for message in server.posted[1]["messages"]] == ["Go.", "Again."]
    assert (seen(tab)["route"], [card["state"] for card in seen(tab)["cards"]]) == (PENDING, ["failed"])


async def test_a_refused_step_is_told(tab: Tab, server: MiniServer) -> None:
    """By the host's own code."""
    await open_as(tab)

    end = await run_turn(tab, server)

    assert (end["status"], end["error"]["code"], end["steps"]) == ("error", "MODEL_NOT_CONFIGURED", 1)


async def test_a_model_that_repeats_a_failure_is_stopped(tab: Tab, server: MiniServer) -> None:
    """The third time, and what is left of the message is answered too."""
    await open_as(tab)
    wrong = browser("view:invoices.pending.selectRows", {"ids": [99]})

    end = await run_turn(tab, server, *[Step((wrong,))] * 2, Step((wrong, FILTER)), DONE)
    await run_turn(tab, server, DONE)

    assert (end["status"], end["error"]["code"], end["steps"]) == ("error", "RUN_LIMIT_EXCEEDED", 3)
    assert server.results()[-1]["error"] == {
        "code": "TOOL_NOT_EXECUTED",
        "message": "The run ended before this tool produced a result. Call it again.",
        "retry": "yes",
    }
    assert seen(tab)["route"] == PENDING


async def test_failures_of_the_server_count_too(tab: Tab, server: MiniServer) -> None:
    """And are looked at before the browser's calls are carried out."""
    await open_as(tab)
    final = {"error": {"code": "NO", "retry": "no"}}
    refused = at_server("domain:mark-invoice-paid", {"id": 9}, final, ok=False)

    end = await run_turn(tab, server, Step((refused, READ)), Step((refused, FILTER)), DONE)

    assert (end["error"]["code"], seen(tab)["route"]) == ("RUN_LIMIT_EXCEEDED", PENDING)


async def test_a_turn_has_so_many_steps(new_tab: Callable[..., Tab], server: MiniServer) -> None:
    """Then it is over, with everything answered."""
    tab = new_tab(turn_steps=3)
    await open_as(tab)

    end = await run_turn(tab, server, *[Step((READ,))] * 5)

    assert (end["error"]["code"], end["steps"], len(server.posted)) == ("RUN_LIMIT_EXCEEDED", 3, 3)


async def test_too_long_a_history_is_not_posted(tab: Tab, server: MiniServer) -> None:
    """The host would refuse it; the person is told how much it is."""
    await open_as(tab)
    server.threads["cnv_long"] = [{"role": "user", "content": "x"}] * 400
    await open_as(tab, conversation="cnv_long")

    end = await run_turn(tab, server, DONE)

    assert (end["error"]["code"], server.posted) == ("CATALOG_TOO_LARGE", [])
    assert "401" in end["error"]["message"]


async def test_the_stop_button_stops_a_stream(tab: Tab, server: MiniServer) -> None:
    """What did not arrive is not part of the history."""
    await open_as(tab)
    server.steps = [Step((FILTER,), hold=asyncio.Event())]
    turn = asyncio.ensure_future(tab.send("Go."))
    await server.arrived.wait()
    busy = seen(tab)["busy"]

    await tab.act("stop", {})
    end: Any = await turn

    assert (busy, seen(tab)["busy"], end["status"], seen(tab)["route"]) == (True, False, "cancelled", PENDING)


async def test_the_stop_button_stops_between_calls(new_tab: Callable[..., Tab], server: MiniServer) -> None:
    """What was done stays done, the rest is answered as not executed."""
    tab = new_tab(lab=True)
    await open_as(tab, route="/lab")
    bump, hold = browser("view:lab.bench.bump", {"by": 1}), browser("view:lab.bench.hold")
    server.steps = [Step((bump, hold, bump)), DONE]
    turn = asyncio.ensure_future(tab.send("Go."))
    await _until_running(tab, 1)

    await tab.act("stop", {})
    end: Any = await turn
    await run_turn(tab, server, DONE)

    codes = [result.get("error", {}).get("code", "done") for result in server.results()]
    assert (end["status"], codes) == ("cancelled", ["done", "CANCELLED", "TOOL_NOT_EXECUTED"])
    assert dialogs_of(tab, "counter")[0]["input"] == {"count": 1}


async def _until_running(tab: Tab, index: int) -> None:
    """Wait until so many calls of the turn have begun."""
    begun = asyncio.Event()
    calls: list[Any] = []

    def count(event: Any) -> None:
        if type(event).__name__ == "InvocationStarted":
            calls.append(event)
            if len(calls) > index:
                begun.set()

    unsubscribe = tab.page.registry.subscribe(count)
    await asyncio.wait_for(begun.wait(), 5)
    unsubscribe()
    await asyncio.sleep(0)


async def test_one_turn_at_a_time(tab: Tab, server: MiniServer) -> None:
    """A second message while one runs is refused."""
    await open_as(tab)
    hold = asyncio.Event()
    server.steps = [Step(text="Hm.", hold=hold)]
    turn = asyncio.ensure_future(tab.send("Go."))
    await server.arrived.wait()

    with pytest.raises(BusyError):
        await tab.send("And?")
    with pytest.raises(BusyError):
        await tab.act("new-conversation", {})
    hold.set()

    assert (await turn)["status"] == "completed"  # type: ignore[index, call-overload]  # JSON


async def test_closing_the_tab_in_mid_step_ends_the_turn(tab: Tab, server: MiniServer) -> None:
    """And leaves nothing behind that waits."""
    await open_as(tab)
    server.steps = [Step(hold=asyncio.Event())]
    turn = asyncio.ensure_future(tab.send("Go."))
    await server.arrived.wait()

    await tab.close()

    assert (await turn)["status"] == "cancelled"  # type: ignore[index, call-overload]  # JSON


async def test_a_broken_answer_is_a_transport_failure(tab: Tab, server: MiniServer) -> None:
    """A server that is not there any more."""
    await open_as(tab)
    tab._base_url = "http://127.0.0.1:1"
    await open_as(tab)

    end: Any = await tab.send("Go.")

    assert (end["error"]["code"], server.posted) == ("TRANSPORT_FAILED", [])


@pytest.mark.parametrize(
    ("name", "given", "failure"),
    [
        ("crash", None, ("EXECUTION_FAILED", "handler-error")),
        ("readBroken", None, ("EXECUTION_FAILED", "output-invalid")),
        ("readHuge", None, ("EXECUTION_FAILED", "output-too-large")),
        ("hold", None, ("TIMEOUT", None)),
        ("holdAgain", None, ("TIMEOUT", None)),
        ("readSlowly", None, ("TIMEOUT", None)),
        ("leaveWhileRunning", None, ("COMPONENT_UNMOUNTED", None)),
        ("refuse", None, ("PRECONDITION_FAILED", None)),
        ("bump", {"by": 0}, ("INVALID_INPUT", None)),
    ],
)
async def test_the_lab_fails_in_every_way(
    new_tab: Callable[..., Tab], server: MiniServer, name: str, given: Any, failure: tuple[str, str | None]
) -> None:
    """Each in its own code, with no internals, and the turn goes on."""
    tab = new_tab(lab=True, action_timeout_ms=20, observation_timeout_ms=20)
    await open_as(tab, route="/lab")

    end = await run_turn(tab, server, Step((browser(f"view:lab.bench.{name}", given),)), DONE)

    error = server.results()[0]["error"]
    assert end["status"] == "completed"
    assert (error["code"], error.get("details", {}).get("reason")) == failure
    assert "CANARY" not in str(error)
