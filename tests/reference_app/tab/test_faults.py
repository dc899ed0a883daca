"""The deliberate faults: each replaces a rule by something of the same shape, and each shows."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from reference_app.surface.confirmation import Record
from reference_app.tab.faults import CATALOGUE
from reference_app.tab.tab import Tab
from tests.reference_app.tab.mini_server import MiniServer, Step, at_server, browser
from tests.reference_app.tab.person import PENDING, decide, dialogs_of, open_as, seen, wait_for_dialog

pytestmark = pytest.mark.anyio

DONE = Step(text="Done.")
CHASE = browser("domain:update-collection-status", {"remindersSent": 3})
FILTER = browser("view:invoices.pending.setFilters", {"due": "overdue"})
CHASING = f"{PENDING}?chase=1"


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_fault_keeps_the_shape_of_the_rule(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It replaces what is there, takes the same arguments and is waited for in the same way: nothing else breaks."""
    replaced: list[tuple[Any, Any]] = []

    def recording(owner: Any, attribute: str, replacement: Any) -> None:
        replaced.append((getattr(owner, attribute), replacement))
        monkeypatch.setattr(owner, attribute, replacement)

    CATALOGUE[name].install(recording)

    assert replaced
    for rule, defect in replaced:
        assert len(inspect.signature(rule).parameters) == len(inspect.signature(defect).parameters)
        assert inspect.iscoroutinefunction(rule) == inspect.iscoroutinefunction(defect)


def test_names_and_texts_are_in_order() -> None:
    """Names are lower case with hyphens, texts are one sentence."""
    for fault in CATALOGUE.values():
        assert fault.name == fault.name.lower().replace("_", "-").replace(" ", "-")
        assert fault.defect.endswith(".")
        assert fault.defect.count(".") <= 2


Symptom = Callable[[Tab, MiniServer], Awaitable[Any]]


async def _turn(tab: Tab, server: MiniServer, *steps: Step, route: str = PENDING, who: str = "carla") -> None:
    await open_as(tab, who, route)
    server.steps = [*steps, DONE]
    await tab.send("Go.")


async def _offered(tab: Tab, server: MiniServer) -> Any:
    await _turn(tab, server)
    return sorted(server.tools(0))


async def _offered_to_an_analyst(tab: Tab, server: MiniServer) -> Any:
    await _turn(tab, server, who="ada")
    return server.state(0).get("domain_update-collection-status")


async def _described(tab: Tab, server: MiniServer) -> Any:
    await _turn(tab, server, Step((browser("view:invoices.pending.setFilters", {"chase": "1"}),)))
    return [server.tools(index)["domain_update-collection-status"]["description"] for index in (0, 1)]


async def _states(tab: Tab, server: MiniServer) -> Any:
    await _turn(tab, server, Step((browser("view:invoices.pending.setFilters", {"chase": "1"}),)))
    return [server.state(index).get("domain_update-collection-status") for index in (0, 1)]


async def _after_navigation(tab: Tab, server: MiniServer) -> Any:
    await _turn(tab, server, Step((browser("view:app.navigation.goTo", {"path": "/receivables/clients"}),)))
    return (sorted(server.tools(1)), server.posted[1]["pathname"])


async def _wandered(tab: Tab, server: MiniServer) -> Any:
    await _turn(tab, server)
    await tab.act("go", {"path": "/receivables/clients"})
    server.steps = [DONE]
    await tab.send("And here?")
    return sorted(server.tools(1))


async def _two_cards(tab: Tab, server: MiniServer) -> Any:
    await _turn(tab, server, route="/receivables/clients")
    return [entry["wireName"] for entry in server.posted[0]["catalog"]["frontendTools"]]


async def _schema(tab: Tab, server: MiniServer) -> Any:
    await _turn(tab, server)
    return sorted(server.tools(0)["domain_update-collection-status"]["inputSchema"]["properties"])


async def _chased(tab: Tab, server: MiniServer, *, given: Any = None, route: str = CHASING) -> Any:
    call = browser("domain:update-collection-status", {"remindersSent": 3} if given is None else given)
    await _turn(tab, server, Step((call,)), route=route)
    return (server.written, server.results())


def _chasing(given: Any, route: str = CHASING) -> Symptom:
    async def symptom(tab: Tab, server: MiniServer) -> Any:
        return await _chased(tab, server, given=given, route=route)

    return symptom


async def _filtered(tab: Tab, server: MiniServer) -> Any:
    await _turn(tab, server, Step((FILTER,)))
    return (seen(tab)["route"], server.results(), server.written)


async def _misfiltered(tab: Tab, server: MiniServer) -> Any:
    await _turn(tab, server, Step((browser("view:invoices.pending.setFilters", {"colour": "red"}),)))
    return server.results()


async def _wrong_row(tab: Tab, server: MiniServer) -> Any:
    await _turn(tab, server, *[Step((browser("view:invoices.pending.selectRows", {"ids": [99]}),))] * 5)
    return (server.results(-1), len(server.posted))


async def _left_over(tab: Tab, server: MiniServer) -> Any:
    wrong = browser("view:invoices.pending.selectRows", {"ids": [99]})
    await _turn(tab, server, Step((wrong, wrong, wrong, FILTER)))
    server.steps = [DONE]
    await tab.send("Again.")
    return server.results()


async def _discarded(tab: Tab, server: MiniServer) -> Any:
    await open_as(tab, route=CHASING)
    await tab.act("type-note", {"text": "Mine."})
    server.steps = [Step((browser("view:collections.chase.discardDraft"),)), DONE]
    book = tab.page.registry.confirmations

    def decline(pending: tuple[Record, ...]) -> None:
        for record in pending:
            book.resolve(record.id, approved=False)

    book.subscribe(decline)
    await tab.send("Discard.")
    return (server.results(), dialogs_of(tab, "chase")[0]["input"]["note"])


async def _asked_about(tab: Tab, server: MiniServer) -> Any:
    await open_as(tab, route=CHASING)
    await tab.act("ask-before-chasing", {"on": True})
    server.steps = [Step((CHASE,)), DONE]
    turn = asyncio.ensure_future(tab.send("Chase."))
    dialog = await wait_for_dialog(tab)
    await tab.act("open-chase", {"key": "2"})
    await decide(tab, "confirmation", approved=True)
    await turn
    return (dialog["input"], server.written)


async def _approval(tab: Tab, server: MiniServer) -> Any:
    server.wants_approval("apr_1", "issue-invoice", {"id": 4})
    waiting = {"status": "approval-required", "approvalId": "apr_1"}
    await _turn(tab, server, Step((at_server("domain:issue-invoice", {"id": 4}, waiting),)))
    return ([card for card in seen(tab)["cards"] if card["kind"] == "approval"], server.written)


async def _paid(tab: Tab, server: MiniServer) -> Any:
    await open_as(tab)
    server.rows[2]["status"] = "paid"
    server.steps = [Step((at_server("domain:mark-invoice-paid", {"id": 2}, {"status": "ok"}),))]
    await tab.send("Go.")
    return [row["key"] for row in seen(tab)["rows"]]


async def _posted(tab: Tab, server: MiniServer) -> Any:
    await _turn(tab, server)
    return sorted(server.posted[0])


async def _replaced(tab: Tab, server: MiniServer) -> Any:
    hold = asyncio.Event()
    await open_as(tab)
    server.steps = [Step((FILTER,), hold=hold), DONE]
    turn = asyncio.ensure_future(tab.send("Go."))
    await server.arrived.wait()
    await tab.act("reload-screen", {})
    hold.set()
    await turn
    return server.results()


async def _turned(tab: Tab, server: MiniServer) -> Any:
    hold = asyncio.Event()
    await open_as(tab, route=CHASING)
    server.steps = [Step((CHASE,), hold=hold), DONE]
    turn = asyncio.ensure_future(tab.send("Go."))
    await server.arrived.wait()
    await tab.act("open-chase", {"key": "2"})
    hold.set()
    await turn
    return server.written


async def _left(tab: Tab, server: MiniServer) -> Any:
    leave = browser("view:app.navigation.goTo", {"path": "/receivables/clients"})
    await _turn(tab, server, Step((leave, FILTER)))
    return (server.results(), seen(tab)["route"])


SYMPTOMS: list[tuple[str, Symptom]] = [
    ("unmounted-offered", _offered),
    ("unavailable-hidden", _states),
    ("reason-missing", _states),
    ("availability-cached", _states),
    ("state-in-description", _described),
    ("note-in-description", _described),
    ("internal-in-description", _described),
    ("dom-verb-offered", _offered),
    ("catalog-frozen", _wandered),
    ("instances-share-a-name", _two_cards),
    ("hidden-reference-offered", _offered_to_an_analyst),
    ("hidden-disclosed", _offered_to_an_analyst),
    ("bound-key-in-schema", _schema),
    ("bind-at-offer-time", _turned),
    ("bind-to-first-row", _chasing(None, f"{PENDING}?chase=2")),
    ("binding-without-target", _states),
    ("locked-field-accepted", _chasing({"invoiceId": 2})),
    ("locked-field-same-value", _chasing({"invoiceId": 1})),
    ("locked-field-ignored", _chasing({"invoiceId": 2})),
    ("locked-field-untyped", _chasing({"invoiceId": 1})),
    ("bound-input-unchecked", _chasing({"remindersSent": 1, "colour": "red"})),
    ("gated-reference-declared", _offered),
    ("bound-call-reaches-gated", _chasing(None)),
    ("steers-to-gated", _filtered),
    ("agent-path-differs", _filtered),
    ("availability-not-rechecked", _chasing(None, PENDING)),
    ("unavailable-untyped", _chasing(None, PENDING)),
    ("unmounted-callable", _left),
    ("stale-registration-accepted", _replaced),
    ("view-input-unchecked", _misfiltered),
    ("precondition-skipped", _wrong_row),
    ("view-retry-missing", _misfiltered),
    ("view-retry-wrong", _misfiltered),
    ("confirmation-skipped", _discarded),
    ("confirmation-denied-runs", _discarded),
    ("confirmation-error-untyped", _discarded),
    ("confirmation-any-input", _asked_about),
    ("confirmation-shows-agent-input", _asked_about),
    ("approval-card-hides-input", _approval),
    ("approval-decides-itself", _approval),
    ("no-settle", _after_navigation),
    ("navigation-not-followed", _after_navigation),
    ("loop-guard-off", _wrong_row),
    ("pending-left-open", _left_over),
    ("no-reconcile", _paid),
    ("error-as-success", _misfiltered),
    ("identity-from-page", _posted),
]


@pytest.mark.parametrize(("name", "symptom"), SYMPTOMS)
async def test_a_fault_shows(
    tab: Tab, server: MiniServer, name: str, symptom: Symptom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the fault in, the same scene looks another way; a fault that nobody could see would prove nothing."""
    sound = repr(await symptom(tab, server))
    server.start_over()

    CATALOGUE[name].install(monkeypatch.setattr)
    faulty = repr(await symptom(tab, server))

    assert faulty != sound
