"""A host that keeps no run state and enforces nothing by prompt."""

import pytest

from conformance.data import Data
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import answer, calling
from conformance.stage import App
from conformance.wire.chat import Catalog, Declaration
from fake_model import call, say, script, step
from fake_model.request import ModelRequest

PANEL = Declaration("view:suite.panel.show")


@pytest.mark.requirement("HOST-01")
def test_second_process_takes_the_step(app: App, people: People, roles: Roles) -> None:
    """The messages are the state: whichever process gets them does the same with them."""
    read = roles("read")
    here = people.full.chat(catalog=Catalog((PANEL,)))
    first = here.send(
        script(step(call(read.capability, read.input), call(PANEL.canonical_id)), say("All done."))
    )
    elsewhere = People(people.stage, app.variant())
    there = elsewhere.full.chat(catalog=here.catalog)
    there.take_over(here)

    done = there.resume({pending.tool_call_id: {"done": True} for pending in first.pending})

    assert done.text == "All done."
    assert sorted(here.requests[-1].tool_names) == sorted(here.requests[0].tool_names)
    assert [len(values) for values in results_by_call(here.requests[-1])] == [1, 1]


@pytest.mark.requirement("HOST-02")
@pytest.mark.parametrize("who", ["full", "restricted"])
def test_catalog_without_instructions(who: str, app: App, people: People) -> None:
    """Nothing is hidden or offered by a sentence: with every instruction gone the catalog is the same."""
    bare = People(people.stage, app.variant("no_instructions"))
    here, there = getattr(people, who).chat(), getattr(bare, who).chat()

    here.send(answer())
    there.send(answer())

    assert there.asked.tool_block == here.asked.tool_block


@pytest.mark.requirement("HOST-03")
def test_gate_without_instructions(app: App, people: People) -> None:
    """Nothing is gated by a sentence either."""
    there = People(people.stage, app.variant("no_instructions"))
    gated = Roles(people.stage, there)("gated")
    data = Data(people.stage, there)
    before = data.look()

    there.full.chat().send(calling(gated))

    assert data.look().differences(before) == (), f"{gated.capability} ran without a decision"
    assert [card.status for card in there.approver.approvals.list()] == ["pending"]


def results_by_call(asked: ModelRequest) -> list[list[str]]:
    """The results of a prompt, by the calls that they answer."""
    return [[part.text for part in asked.all_results if part.call_id == made.id] for made in asked.all_calls]
