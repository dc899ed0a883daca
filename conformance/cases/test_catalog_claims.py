"""What a tab says about itself: believed where it may be, dropped where it may not, and never silently."""

import pytest

from conformance.data import Data
from conformance.drivers.step import Step
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import answer, calling_unoffered, last_word
from conformance.target import Target
from conformance.wire.chat import Catalog, Declaration
from conformance.wire.frames import Inspector
from fake_model import call, script, step

INVENTED = "domain:made-up-by-the-tab"
PANEL = Declaration("view:suite.panel.show")
DRAWER = Declaration("view:suite.drawer.open")
UNREADABLE = ("no-plane-at-all", "view:", "view:suite..panel")


@pytest.mark.requirement("CATALOG-26")
@pytest.mark.parametrize("canonical_id", UNREADABLE)
def test_unreadable_declaration_is_withheld_and_reported(canonical_id: str, people: People) -> None:
    """What can't be read can't be routed; whoever looks for it must find out why it is not there."""
    odd = Declaration(canonical_id, wire_name="suite_unreadable", plane="view")
    chat = people.full.chat(catalog=Catalog((odd, PANEL)))

    done = chat.send(answer())

    assert odd.name not in chat.asked.tool_names
    assert chat.asked.offers(PANEL.canonical_id), "the readable declaration beside it is gone too"
    assert reports_about(done, canonical_id, odd.name), "nobody is told that a declaration was withheld"


@pytest.mark.requirement("CATALOG-27")
def test_what_the_tab_left_out_is_passed_on(people: People) -> None:
    """The tab had to leave tools out and said so; a reduction that stops there is a silent one."""
    chat = people.full.chat(catalog=Catalog(truncated={"dropped": 37, "reason": "budget"}))

    done = chat.send(answer())

    assert reports_about(done, "37"), "the stream does not say that 37 tools were left out"


@pytest.mark.requirement("CATALOG-28")
def test_plane_is_not_the_tabs_to_choose(people: People, target: Target) -> None:
    """An operation of the server's stays one, whatever plane a declaration gives it."""
    write = target.role("write")
    disguised = Declaration(write.capability, wire_name="suite_disguise", plane="view")
    chat = people.full.chat(route="bare", catalog=Catalog((disguised,)))

    chat.post(chat.prepare(answer()))

    assert [disguised.name in asked.tool_names for asked in chat.requests] in ([], [False])


@pytest.mark.requirement("CATALOG-29")
def test_invented_domain_operation_is_not_offered(people: People) -> None:
    """The domain plane is the server's: what it does not have, no tab can add."""
    chat = people.full.chat(catalog=Catalog((Declaration(INVENTED, wire_name="suite_invented"),)))

    chat.post(chat.prepare(answer()))

    assert ["suite_invented" in asked.tool_names for asked in chat.requests] in ([], [False])


@pytest.mark.requirement("CATALOG-30")
@pytest.mark.parametrize("what", ["invented", "hidden from the model", "outside the page"])
def test_refused_declaration_is_reported(what: str, people: People, target: Target) -> None:
    """The author of a tab who declares what can't be offered has made a mistake, and should find it."""
    refused = {
        "invented": INVENTED,
        "hidden from the model": target.role("unannotated").capability,
        "outside the page": target.role("write").capability,
    }[what]
    chat = people.full.chat(route="bare", catalog=Catalog((Declaration(refused),)))

    done = chat.send(answer())

    assert not chat.asked.offers(refused), f"{refused} was not refused"
    assert reports_about(done, refused), f"nobody is told that {refused} was refused"


@pytest.mark.requirement("CATALOG-31")
def test_declared_contextual_reference_is_offered(people: People, target: Target) -> None:
    """The screen that binds it is the way to it: without this, refusing every reference would pass as safety."""
    contextual = target.role("contextual")
    chat = people.full.chat(contextual.route, catalog=Catalog((Declaration(contextual.capability),)))

    chat.send(answer())

    assert chat.asked.offers(contextual.capability)


@pytest.mark.requirement("CATALOG-32")
def test_need_of_approval_is_announced(people: People, target: Target) -> None:
    """The page can say beforehand that somebody will be asked."""
    gated, read = target.role("gated"), target.role("read")

    done = people.full.chat(gated.route).send(answer())

    needs = {tool.canonical_id: tool.requires_approval for tool in done.start.domain_tools}
    assert (needs.get(gated.capability), needs.get(read.capability)) == (True, False)


@pytest.mark.requirement("CATALOG-34")
def test_unexposed_operation_is_not_served(people: People, roles: Roles, data: Data) -> None:
    """Exposure is denied by default, to the page as to the model."""
    unexposed = roles("unexposed")
    before = data.look()

    answer_ = people.full.rpc.call(unexposed.procedure, unexposed.input)

    assert not answer_.ok, f"{unexposed.procedure} is exposed to nobody and was served"
    assert data.look().differences(before) == ()


@pytest.mark.requirement("CATALOG-35")
def test_unexposed_operation_is_not_offered(people: People, target: Target) -> None:
    """Nobody decided that a model should have it."""
    unexposed = target.role("unexposed")
    chat = people.full.chat(unexposed.route)

    chat.send(answer())

    assert not chat.asked.offers(unexposed.capability)


@pytest.mark.requirement("CATALOG-38")
def test_unexposed_operation_does_not_run(people: People, roles: Roles, data: Data) -> None:
    """A guessed name finds nothing behind it."""
    unexposed = roles("unexposed")
    before = data.look()

    people.full.chat(unexposed.route).send(calling_unoffered(unexposed.capability, unexposed.input))

    assert data.look().differences(before) == (), f"{unexposed.capability} ran for a model"


@pytest.mark.requirement("CATALOG-36")
def test_capability_goes_with_its_declaration(people: People) -> None:
    """The person went on to another screen: what the first one could do is over, and the second one counts."""
    chat = people.full.chat(catalog=Catalog((PANEL,)))
    done = chat.send(script(step(call(PANEL.canonical_id)), last_word()))
    chat.catalog = Catalog((DRAWER,))

    chat.resume({pending.tool_call_id: {"done": True} for pending in done.pending})

    offers = [chat.asked.offers(tool.canonical_id) for tool in (PANEL, DRAWER)]
    assert offers == [False, True], "the model is not offered what the tab declares now"


@pytest.mark.requirement("CATALOG-37")
def test_undeclared_view_call_is_not_handed_over(people: People) -> None:
    """A tab can't be asked to do what it did not say it can, neither now nor because it could before."""
    chat = people.full.chat(catalog=Catalog((PANEL,)))
    chat.send(answer())
    chat.catalog = Catalog((DRAWER,))

    done = chat.send(script(call(PANEL.canonical_id, offered=False), last_word()))

    assert done.pending == (), f"the tab is asked for {PANEL.canonical_id}, which it no longer declares"
    assert len(chat.asked.results) == 1, "the model was not told what became of its call"


def reports_about(done: Step, *names: str) -> list[Inspector]:
    """The reports in a stream that name one of these."""
    return [
        frame
        for frame in done.of(Inspector)
        if any(name in f"{frame.summary} {frame.data}" for name in names)
    ]


@pytest.mark.requirement("CATALOG-25")
def test_capability_declared_twice_is_offered_once(people: People) -> None:
    """Two names for one thing are two paths to it."""
    names = ("suite_panel_one", "suite_panel_two")
    chat = people.full.chat(
        catalog=Catalog(tuple(Declaration(PANEL.canonical_id, wire_name=name) for name in names))
    )

    chat.post(chat.prepare(answer()))

    offered = [[name for name in names if name in asked.tool_names] for asked in chat.requests]
    assert [len(found) for found in offered] in ([], [1]), f"{PANEL.canonical_id} is offered as {offered}"
