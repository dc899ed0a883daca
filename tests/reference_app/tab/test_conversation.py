"""The history that is posted and the thread that is read."""

from typing import Any

import pytest

from reference_app.surface.json_value import Json
from reference_app.tab.conversation import Conversation, canonical, result_message
from reference_app.tab.frames import ToolCallFrame, ToolResultFrame
from reference_app.tab.records import Approval

CALL: dict[str, Json] = {
    "type": "tool-call",
    "toolCallId": "c1",
    "toolName": "view_app__session__read",
    "input": {},
}
WAITING = {"status": "approval-required", "approvalId": "apr_1"}


def _cards(conversation: Conversation) -> list[Any]:
    return [card.to_json() for card in conversation.cards]


def _called(executor: str) -> ToolCallFrame:
    named = {"toolCallId": "c1", "wireName": "domain_list-invoices", "canonicalId": "domain:list-invoices"}
    return ToolCallFrame.model_validate({"type": "tool-call", **named, "executor": executor, "input": {}})


def _answered(result: Any, *, ok: bool) -> ToolResultFrame:
    named = {"toolCallId": "c1", "wireName": "domain_list-invoices", "canonicalId": "domain:list-invoices"}
    return ToolResultFrame.model_validate({"type": "tool-result", **named, "ok": ok, "result": result})


def test_pieces_of_an_answer_are_one_entry() -> None:
    """Until a call or a person comes in between."""
    conversation = Conversation("cnv_1")
    conversation.ask("Hello")
    for piece in ("Good ", "day"):
        conversation.say(piece)
    conversation.called(_called("server"))
    conversation.say("Done")

    assert [said.to_json() for said in conversation.transcript] == [
        {"role": "user", "text": "Hello"},
        {"role": "assistant", "text": "Good day"},
        {"role": "assistant", "text": "Done"},
    ]


@pytest.mark.parametrize(
    ("result", "ok", "state"),
    [([1], True, "done"), ({"error": {"code": "X"}}, False, "failed"), (WAITING, True, "waiting")],
)
def test_a_card_shows_what_became_of_a_call(result: Any, *, ok: bool, state: str) -> None:
    """Done, failed, or waiting for a person."""
    conversation = Conversation("cnv_1")
    conversation.called(_called("server"))

    conversation.answered(_answered(result, ok=ok))

    assert [card["state"] for card in _cards(conversation)] == [state]


def test_no_card_is_left_running() -> None:
    """A turn that ended has no call that is still going on."""
    conversation = Conversation("cnv_1")
    conversation.called(_called("browser"))

    conversation.end_turn()

    assert [card["state"] for card in _cards(conversation)] == ["failed"]


def test_an_approval_card_shows_exactly_what_would_run() -> None:
    """The person decides about the input, not about a name."""
    conversation = Conversation("cnv_1")

    conversation.show_approval(
        Approval(id="apr_1", capability_id="issue-invoice", status="pending", input={"id": 20})
    )

    assert _cards(conversation) == [
        {
            "kind": "approval",
            "id": "apr_1",
            "capability": "domain:issue-invoice",
            "state": "pending",
            "text": "",
            "input": {"id": 20},
        }
    ]


@pytest.mark.parametrize("in_turn", [False, True])
def test_a_receipt_reaches_the_model_between_turns(*, in_turn: bool) -> None:
    """Never between a call and its result."""
    conversation = Conversation("cnv_1")
    conversation.add_receipt("You approved it.", in_turn=in_turn)
    at_once = list(conversation.history)

    conversation.ask("And now?")

    receipt = {"role": "assistant", "content": "You approved it."}
    assert at_once == ([] if in_turn else [receipt])
    assert conversation.history == [receipt, {"role": "user", "content": "And now?"}]


def test_a_stored_thread_comes_back() -> None:
    """Texts, calls and results; what the server says to the model is not the person's."""
    conversation = Conversation("cnv_1")
    stored: list[Json] = [
        {"role": "system", "content": "secret"},
        {"role": "user", "content": "Who am I?"},
        {"role": "assistant", "content": [{"type": "text", "text": "Let me see."}, CALL]},
        result_message("c1", "view_app__session__read", {"name": "Carla"}),
        {"role": "assistant", "content": "Carla."},
    ]

    conversation.restore(stored)

    assert [said.text for said in conversation.transcript] == ["Who am I?", "Let me see.", "Carla."]
    assert [(card["capability"], card["state"]) for card in _cards(conversation)] == [
        ("view:app.session.read", "done")
    ]
    assert conversation.history == stored[1:]


def test_a_stored_call_without_a_result_is_answered_as_interrupted() -> None:
    """The store holds what the host knew; a provider accepts no call without a result."""
    conversation = Conversation("cnv_1")
    other = {**CALL, "toolCallId": "c0", "toolName": "domain_x"}
    failed = result_message("c0", "domain_x", {"error": {"code": "X"}})
    later: Json = {"role": "user", "content": "Hello?"}

    conversation.restore([{"role": "assistant", "content": [other, CALL]}, failed, later])

    answers = [message for message in conversation.history if message["role"] == "tool"]  # type: ignore[index, call-overload]  # JSON
    assert [answer["content"][0]["toolCallId"] for answer in answers] == ["c0", "c1"]  # type: ignore[index, call-overload]  # JSON
    assert conversation.history[-1] == later
    assert [card["state"] for card in _cards(conversation)] == ["failed", "failed"]


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("view_clients__card__showClient_at_left", "view:clients.card.showClient"),
        ("view_at__a__a_at_at_at_b", "view:at.a.a"),
        ("view_at__a__a", "view:at.a.a"),
        ("domain_list-invoices", "domain:list-invoices"),
        ("domain_orders__refund_now_0_1w0ud7j", "domain_orders__refund_now_0_1w0ud7j"),
        ("_at_left", "_at_left"),
    ],
)
def test_a_stored_name_is_shown_as_its_id_where_it_tells_it(stored: str, expected: str) -> None:
    """With the suffix of an instance too; a shortened name tells nothing, and stays as it is."""
    assert expected == canonical(stored)
