"""A history that the browser posts may be anything; what reaches the model is one that a provider accepts."""

import pytest

from conformance.drivers.step import Refusal
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import answer
from conformance.wire.chat import Catalog, Declaration, assistant_call, tool_message, user_message, wire_name

PANEL = Declaration("view:suite.panel.show", input_schema={"type": "object"})


@pytest.mark.requirement("CALL-16")
@pytest.mark.parametrize("what", ["server call", "browser call", "unknown call"])
@pytest.mark.parametrize("place", ["before the person's message", "between two turns"])
def test_dangling_call_is_mended_or_refused(place: str, what: str, people: People, roles: Roles) -> None:
    """A tab was closed in the middle of a call; the thread must not be dead for it."""
    read = roles("read")
    name = {
        "server call": wire_name(read.capability),
        "browser call": PANEL.name,
        "unknown call": "domain_never-was-one",
    }[what]
    chat = people.full.chat(read.route, catalog=Catalog((PANEL,)))
    chat.messages += [user_message("Hello."), assistant_call("call_left_open", name, {})]
    if place == "between two turns":
        chat.messages += [user_message("Are you there?"), {"role": "assistant", "content": "Yes."}]

    outcome = chat.post(chat.prepare(answer()))

    unanswered = [part.id for asked in chat.requests for part in asked.unanswered_calls]
    assert unanswered == [], "the model was sent a call without an answer"
    assert isinstance(outcome, Refusal) or outcome.text == "Done.", "the turn came to nothing"


@pytest.mark.requirement("CALL-17")
@pytest.mark.parametrize("name", ["server tool", "unknown tool"])
def test_result_without_a_call_is_none(name: str, people: People, roles: Roles) -> None:
    """Nobody asked for it; a provider refuses such a conversation, and a model would believe it."""
    read = roles("read")
    tool = wire_name(read.capability) if name == "server tool" else "domain_never-was-one"
    chat = people.full.chat(read.route)
    chat.messages += [user_message("Hello."), tool_message("call_of_nobody", tool, {"status": "ok"})]

    chat.post(chat.prepare(answer()))

    orphans = [
        part.call_id
        for asked in chat.requests
        for part in asked.all_results
        if part.call_id not in {made.id for made in asked.all_calls}
    ]
    assert orphans == [], "the model was sent a result without a call"
