"""What waits for the person, what the person is told, and what a reload brings back."""

from typing import Any

import pytest

from reference_app.tab.errors import NothingToDecideError
from reference_app.tab.tab import Tab
from tests.reference_app.tab.mini_server import MiniServer, Step, at_server
from tests.reference_app.tab.person import decide, open_as, seen

pytestmark = pytest.mark.anyio

WAITING = {"status": "approval-required", "approvalId": "apr_1"}


def _approvals(tab: Tab) -> list[Any]:
    return [card for card in seen(tab)["cards"] if card["kind"] == "approval"]


def _tools(tab: Tab) -> list[str]:
    return [card["state"] for card in seen(tab)["cards"] if card["kind"] == "tool"]


async def _asked(tab: Tab, server: MiniServer) -> None:
    """Let the model ask to issue invoice 4."""
    await open_as(tab, route="/receivables/all")
    server.wants_approval("apr_1", "issue-invoice", {"id": 4})
    server.steps = [Step((at_server("domain:issue-invoice", {"id": 4}, WAITING),), text="It waits for you.")]
    await tab.send("Issue it.")


async def test_a_gated_call_shows_a_card_with_its_input(tab: Tab, server: MiniServer) -> None:
    """Nothing was written; the card shows exactly what would run."""
    await _asked(tab, server)

    assert [(card["id"], card["state"], card["input"]) for card in _approvals(tab)] == [
        ("apr_1", "pending", {"id": 4})
    ]
    assert _tools(tab) == ["waiting"]
    assert server.written == []


@pytest.mark.parametrize(
    ("approved", "state", "status"), [(True, "consumed", "sent"), (False, "rejected", "draft")]
)
async def test_the_persons_decision_is_sent_and_told(
    tab: Tab, server: MiniServer, *, approved: bool, state: str, status: str
) -> None:
    """With the input that the card showed; the screen is right afterwards, and the receipt is in the thread."""
    await _asked(tab, server)

    told = await decide(tab, "approval", approved=approved)

    word = "approved" if approved else "denied"
    assert told == {"id": "apr_1", "ok": approved, "text": f"You {word} it."}
    assert server.decided == [
        {"approved": approved, "threadId": seen(tab)["conversation"], "inputHash": "sha256:abc"}
    ]
    assert _approvals(tab)[0]["state"] == state
    assert _tools(tab) == ["done" if approved else "failed"]
    assert {row["key"]: row["cells"]["status"] for row in seen(tab)["rows"]}["4"] == status
    assert seen(tab)["transcript"][-1] == {"role": "assistant", "text": f"You {word} it."}


async def test_a_decision_that_comes_too_late_is_told(tab: Tab, server: MiniServer) -> None:
    """Somebody, or another tab, was faster."""
    await _asked(tab, server)
    server.approvals["apr_1"]["status"] = "expired"

    told = await decide(tab, "approval", approved=True)

    assert (told["ok"], told["text"]) == (False, "already decided")
    assert _approvals(tab)[0]["state"] == "expired"
    assert server.written == []


@pytest.mark.parametrize("kind", ["approval", "confirmation"])
async def test_without_a_question_there_is_nothing_to_decide(tab: Tab, kind: str) -> None:
    """Neither by default nor by an invented id."""
    await open_as(tab)

    for card in (None, "apr_9"):
        with pytest.raises(NothingToDecideError):
            await decide(tab, kind, approved=True, card=card)


async def test_between_two_questions_one_must_be_named(tab: Tab, server: MiniServer) -> None:
    """Deciding the wrong one by accident would be worse than asking back."""
    await _asked(tab, server)
    server.wants_approval("apr_2", "issue-invoice", {"id": 5})
    second = {**WAITING, "approvalId": "apr_2"}
    server.steps = [Step((at_server("domain:issue-invoice", {"id": 5}, second),))]
    await tab.send("And that one.")

    with pytest.raises(NothingToDecideError, match="apr_1, apr_2"):
        await decide(tab, "approval", approved=True)
    await decide(tab, "approval", approved=False, card="apr_2")

    assert [card["state"] for card in _approvals(tab)] == ["pending", "rejected"]


async def test_the_model_reads_the_receipt_in_its_next_turn(tab: Tab, server: MiniServer) -> None:
    """It would not know otherwise what became of its call."""
    await _asked(tab, server)
    await decide(tab, "approval", approved=True)
    server.steps = [Step(text="Good.")]

    await tab.send("And now?")

    assert [message["content"] for message in server.posted[-1]["messages"][-2:]] == [
        "You approved it.",
        "And now?",
    ]


async def test_a_reload_brings_thread_and_open_approvals_back(tab: Tab, server: MiniServer) -> None:
    """The conversation is stored apart from the page; what it waits for still waits, and no other thread's."""
    await _asked(tab, server)
    server.wants_approval("apr_other", "issue-invoice", {"id": 9})
    conversation = seen(tab)["conversation"]
    server.threads[conversation] = server.told[-1]

    again = await open_as(tab, conversation=conversation)

    assert [said["text"] for said in again["transcript"]] == ["Issue it.", "It waits for you."]
    assert again["conversation"] == conversation
    assert [card["id"] for card in _approvals(tab)] == ["apr_1"]


async def test_an_unknown_thread_is_told(tab: Tab) -> None:
    """Also one of somebody else: the page opens, without it."""
    shown = await open_as(tab, conversation="cnv_foreign")

    assert (shown["transcript"], shown["notices"]) == ([], ["not found"])


async def test_a_new_conversation_has_nothing_of_the_old_one(tab: Tab, server: MiniServer) -> None:
    """Another id, no history, no cards."""
    await _asked(tab, server)
    before = seen(tab)["conversation"]

    shown: Any = await tab.act("new-conversation", {})

    assert shown["conversation"] != before
    assert (shown["transcript"], shown["cards"]) == ([], [])
