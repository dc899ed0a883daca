"""Faults that only the lab bench or the meta tools can show."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from conformance.catalogue import load_catalogue
from reference_app.surface.confirmation import Record
from reference_app.tab.faults import CATALOGUE
from reference_app.tab.tab import Tab
from tests.reference_app.tab.mini_server import CHASE, DONE, Call, MiniServer, Step, browser
from tests.reference_app.tab.person import PENDING, dialogs_of, open_as, run_turn, seen
from tests.reference_app.tab.test_faults import SYMPTOMS

pytestmark = pytest.mark.anyio

CHASING = f"{PENDING}?chase=1"

Scene = Callable[[Tab, MiniServer], Awaitable[Any]]


def _bench(name: str, given: Any = None) -> Call:
    return browser(f"view:lab.bench.{name}", given)


def _meta(verb: str, given: Any) -> Call:
    return Call(f"surface_{verb}", f"meta:surface.{verb}", given)


def _scene(*steps: Step, route: str = "/lab", who: str = "carla") -> Scene:
    """A turn, of which the results and what was written count."""

    async def play(tab: Tab, server: MiniServer) -> Any:
        await open_as(tab, who, route)
        await run_turn(tab, server, *steps, DONE)
        return (server.results(), server.written, [dialog["input"] for dialog in seen(tab)["dialogs"]])

    return play


async def _answered_late(tab: Tab, server: MiniServer) -> Any:
    """A person who answers a question only after its time is over."""
    await open_as(tab, route="/lab")
    book = tab.page.registry.confirmations

    def approve_late(pending: tuple[Record, ...]) -> None:
        for record in pending:
            asyncio.get_running_loop().call_later(0.06, approve, record.id)

    def approve(confirmation_id: str) -> None:
        book.resolve(confirmation_id, approved=True)

    book.subscribe(approve_late)
    await run_turn(tab, server, Step((_bench("bumpWhenAsked", {"by": 1}),)), DONE)
    return server.results()


async def _left_by_hand(tab: Tab, server: MiniServer) -> Any:
    """What is offered when the person, and not the model, went to another screen in mid-turn."""
    await open_as(tab, route="/about")
    hold = asyncio.Event()
    server.steps = [Step((browser("view:app.session.read"),), hold=hold), DONE]
    turn = asyncio.ensure_future(tab.send("Go."))
    await server.arrived.wait()
    await tab.act("go", {"path": PENDING})
    hold.set()
    await turn
    return sorted(server.tools(1))


async def _asked_twice(tab: Tab, server: MiniServer) -> Any:
    """How often the person is asked when the model does the same thing twice."""
    await open_as(tab, route="/lab")
    book = tab.page.registry.confirmations
    asked: list[str] = []

    def approve(pending: tuple[Record, ...]) -> None:
        for record in pending:
            asked.append(record.question.summary)
            book.resolve(record.id, approved=True)

    book.subscribe(approve)
    await run_turn(tab, server, *[Step((_bench("bumpWhenAsked", {"by": 1}),))] * 2, DONE)
    return (asked, dialogs_of(tab, "counter")[0]["input"])


async def _repeated(tab: Tab, server: MiniServer) -> Any:
    """A host that delivers one call under one id twice."""
    await open_as(tab, route="/lab")
    twice = _bench("bump", {"by": 1})
    server.one_id = True
    await run_turn(tab, server, Step((twice, twice)), DONE)
    return dialogs_of(tab, "counter")[0]["input"]


async def _typed(tab: Tab, server: MiniServer) -> Any:
    """A note that the model gives although the person has typed one."""
    await open_as(tab, route=CHASING)
    await tab.act("type-note", {"text": "Mine."})
    call = browser("domain:update-collection-status", {"note": "Yours."})
    await run_turn(tab, server, Step((call,)), DONE)
    return server.written


async def _decided(tab: Tab, server: MiniServer) -> Any:
    """Whether the turn waits for the person at all."""
    await open_as(tab, route=CHASING)
    await tab.act("ask-before-chasing", {"on": True})
    server.steps = [Step((CHASE,)), DONE]
    turn = asyncio.ensure_future(tab.send("Go."))
    await asyncio.wait({turn}, timeout=1)  # a busy machine needs longer to decide by itself
    waiting = not turn.done()
    await tab.act("stop", {})
    await turn
    return waiting


async def _held(tab: Tab, server: MiniServer) -> Any:
    """Whether a call that never ends by itself is given up."""
    await open_as(tab, route="/lab")
    server.steps = [Step((_bench("hold"),)), DONE]
    turn = asyncio.ensure_future(tab.send("Go."))
    await asyncio.wait({turn}, timeout=0.5)
    waiting = not turn.done()
    await tab.act("stop", {})
    await turn
    return waiting


FAST = {"lab": True, "action_timeout_ms": 20, "observation_timeout_ms": 20}
META = {"mode": "meta"}


SCENES: list[tuple[str, dict[str, Any], Scene]] = [
    ("view-internals-leak", FAST, _scene(Step((_bench("crash"),)))),
    ("output-unchecked", FAST, _scene(Step((_bench("readBroken"),)))),
    ("view-timeout-ignored", FAST, _held),
    ("confirmation-reusable", FAST, _asked_twice),
    ("confirmation-never-expires", {**FAST, "confirmation_ttl_ms": 20}, _answered_late),
    ("view-scope-ignored", {}, _left_by_hand),
    ("confirmation-decides-itself", {}, _decided),
    ("call-runs-twice", FAST, _repeated),
    ("call-id-not-used", FAST, _repeated),
    ("override-ignored", {}, _typed),
    (
        "ambiguous-guessed",
        META,
        _scene(
            Step((_meta("read", {"capabilityId": "view:clients.card.readCard"}),)),
            route="/receivables/clients",
        ),
    ),
    (
        "hidden-callable",
        META,
        _scene(
            Step((_meta("act", {"capabilityId": "domain:update-collection-status", "input": {}}),)),
            route=CHASING,
            who="ada",
        ),
    ),
    (
        "discover-widens-scope",
        META,
        _scene(Step((_meta("discover", {"scope": ["clients"]}),)), route=PENDING),
    ),
]


@pytest.mark.parametrize(("name", "settings", "scene"), SCENES)
async def test_a_fault_shows(
    new_tab: Callable[..., Tab], server: MiniServer, name: str, settings: dict[str, Any], scene: Scene
) -> None:
    """With the fault in, the same scene looks another way."""
    sound = repr(await scene(new_tab(**settings), server))
    server.start_over()

    with pytest.MonkeyPatch.context() as patch:
        CATALOGUE[name].install(patch.setattr)
        faulty = repr(await scene(new_tab(**settings), server))

    assert _without_ids(faulty) != _without_ids(sound)


def _without_ids(text: str) -> str:
    """Registrations are numbered through the whole process; what else differs is the fault's doing."""
    return re.sub(r"(reg|srf|inv|cnf)_\w+|\d{4}-\d\d-\d\dT[^']*", "", text)


def test_every_fault_is_seen_to_show() -> None:
    """In one scene or another, here or next door, or by the requirements that the kill pass holds against it."""
    here = {name for name, *_ in SCENES} | {name for name, _ in SYMPTOMS}
    named = [part for row in load_catalogue() for name in row.faults for part in name.split("+")]
    killed = {name.removeprefix("tab:") for name in named if name.startswith("tab:")}

    assert set() == here - set(CATALOGUE)
    assert set() == set(CATALOGUE) - here - killed
