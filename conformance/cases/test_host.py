"""A host that keeps no run state and enforces nothing by prompt."""

import pytest

from conformance.data import Data
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import answer, calling
from conformance.stage import App
from conformance.wire.chat import Catalog, Declaration
from fake_model import call, gate, say, script, step
from fake_model.request import ModelRequest

NAMES = ("Orlando", "Rosalind")
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


@pytest.mark.requirement("HOST-04")
def test_conversations_at_once_do_not_mix(people: People) -> None:
    """Two tabs, two people, one server: each model reads its own conversation, and each tab its own answer."""
    first, second = people.full.chat(), people.peer.chat()
    chats = (first, second)
    held = [
        chat.prepare(
            script(step(say("I am "), gate("both"), say(name))),
            text=f"You are {name}.",
        )
        for chat, name in zip(chats, NAMES, strict=True)
    ]
    with first.start(held[0]) as one, second.start(held[1]) as other:
        for chat in chats:
            chat.run.wait_held("both")
        for chat in reversed(chats):
            chat.run.release("both")
        steps = (one.end(), other.end())

    assert [done.text for done in steps] == [f"I am {name}" for name in NAMES]
    for chat, name in zip(chats, NAMES, strict=True):
        heard = " ".join(text for asked in chat.requests for text in asked.user_texts)
        assert [other for other in NAMES if other in heard] == [name]
        assert {frame.conversation_id for done in steps for frame in [done.start]} == {first.id, second.id}


@pytest.mark.requirement("HOST-05")
def test_conversation_goes_on_after_a_restart(app: App, people: People, roles: Roles) -> None:
    """The tab holds the messages, so a new version can be rolled out between two steps of a turn."""
    read = roles("read")
    chat = people.full.chat(read.route, catalog=Catalog((PANEL,)))
    first = chat.send(
        script(step(call(read.capability, read.input), call(PANEL.canonical_id)), say("All done."))
    )

    app.restart()

    later = People(people.stage).full.chat(read.route, catalog=chat.catalog)
    later.take_over(chat)
    done = later.resume({pending.tool_call_id: {"done": True} for pending in first.pending})
    assert done.text == "All done."
    assert [len(values) for values in results_by_call(later.requests[-1])] == [1, 1]


def results_by_call(asked: ModelRequest) -> list[list[str]]:
    """The results of a prompt, by the calls that they answer."""
    return [[part.text for part in asked.all_results if part.call_id == made.id] for made in asked.all_calls]
