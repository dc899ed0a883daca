"""The older protocol version, in which a tab's declarations carry their state and there is no page."""

from dataclasses import replace

import pytest

from conformance.drivers.step import Refusal, Step
from conformance.people import People
from conformance.scripts import answer
from conformance.target import Target
from conformance.wire.chat import Catalog, Declaration, user_message

REASON = "Open the drawer first, please."
READY = Declaration("view:suite.drawer.close")
UNREADY = replace(READY, available=False, reason=REASON)
MOST_TOOLS = 64
MOST_MESSAGES = 200


@pytest.mark.requirement("V1-01")
def test_version_1_is_served(people: People) -> None:
    """A tab that was opened before the last release still talks to the server."""
    chat = people.full.chat(version=1)

    done = chat.send(answer())

    assert done.text == "Done."
    assert done.headers.get("x-dpas-protocol-version") == "1"


@pytest.mark.requirement("V1-02")
def test_version_1_is_unscoped(people: People, target: Target) -> None:
    """It says nothing about the page, so nothing can be left out for one."""
    chat = people.full.chat(version=1)

    done = chat.send(answer())

    assert not done.start.scope
    names = ("read", "write", "out_of_scope")
    assert [name for name in names if not chat.asked.offers(target.role(name).capability)] == []


@pytest.mark.requirement("V1-03")
def test_version_1_refuses_a_double_claim(people: People, target: Target) -> None:
    """Its tabs don't know of reports, so the refusal is the report."""
    read = target.role("read")
    chat = people.full.chat(version=1, catalog=Catalog((Declaration(read.capability),)))

    outcome = chat.post(chat.prepare(answer()))

    assert isinstance(outcome, Refusal), "a double claim was served"
    assert (outcome.status, outcome.code) == (409, "CATALOG_COLLISION")
    assert read.capability in outcome.message, f"the refusal does not name the claim: {outcome.message}"


@pytest.mark.requirement("V1-04")
def test_version_1_reason_is_shown(people: People) -> None:
    """The reason is what the model plans with, wherever in the request it stood."""
    chat = people.full.chat(version=1, catalog=Catalog((UNREADY,)))

    chat.send(answer())

    said = [text for message in chat.asked.messages for text in message.texts]
    assert REASON in " ".join(said), "the model was not told why the capability is unavailable"


@pytest.mark.requirement("V1-05")
@pytest.mark.parametrize("what", ["tools", "messages"])
def test_version_1_has_limits_of_its_own(what: str, people: People) -> None:
    """They are lower than those of version 2; a server that takes more is one that did not look."""
    outcomes = [post_so_many(people, what, beyond) for beyond in (0, 1)]

    assert isinstance(outcomes[0], Step), f"as many {what} as may be are refused: {outcomes[0].message}"
    assert isinstance(outcomes[1], Refusal), f"one more of the {what} than may be was taken"
    assert outcomes[1].status in (400, 413)


@pytest.mark.requirement("V1-06")
def test_version_1_state_is_not_in_the_tools(people: People) -> None:
    """There state stands inside the declaration, and must be taken out of it on the way to the model."""
    ready = people.full.chat(version=1, catalog=Catalog((READY,)))
    unready = people.full.chat(version=1, catalog=Catalog((UNREADY,)))

    ready.send(answer())
    unready.send(answer())

    assert REASON not in unready.asked.tool_block.decode("utf-8", "replace")
    assert unready.asked.tool_block == ready.asked.tool_block


def post_so_many(people: People, what: str, beyond: int) -> Step | Refusal:
    """Post a step with as many tools or messages as version 1 may have, or some more."""
    chat = people.full.chat(version=1)
    if what == "tools":
        names = [f"view:suite.panel.show{index}" for index in range(MOST_TOOLS + beyond)]
        chat.catalog = Catalog(tuple(Declaration(name) for name in names))
    else:
        chat.messages += [user_message(f"Line {number}.") for number in range(MOST_MESSAGES - 1 + beyond)]
    return chat.post(chat.prepare(answer()))
