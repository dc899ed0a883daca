"""Replies over the connection are read for what they say, and for nothing that they do not say."""

import json
from typing import Any

import pytest

from conformance.drivers.a2ui import read_receipt, renamed
from conformance.errors import Departure
from conformance.wire.answer import Answer


def answer(body: Any, status: int = 200) -> Answer:
    """An answer to a click."""
    return Answer("POST", "/a2ui/action", status, {}, json.dumps(body).encode())


def reply(result: Any) -> Answer:
    """A reply with this result."""
    return answer({"type": "server-response", "rpcId": "7", "result": result})


@pytest.mark.parametrize(
    ("result", "accepted", "reason"),
    [
        ({"ok": True, "value": {"accepted": True}}, True, "200"),
        ({"ok": True, "value": {"accepted": False, "reason": "not-pending"}}, False, "not-pending"),
        ({"ok": False, "error": {"code": "bad-request", "message": "x"}}, False, "bad-request"),
        ({"ok": False, "value": {"accepted": True}}, False, "200"),
        ({"ok": True, "value": {"accepted": 1}}, False, "200"),
        ({"ok": True}, False, "200"),
    ],
)
def test_only_a_clear_yes_counts(result: Any, accepted: bool, reason: str) -> None:
    """A host that says neither has not accepted."""
    receipt = read_receipt(reply(result))

    assert (accepted, reason, "7") == (receipt.accepted, receipt.reason, receipt.rpc_id)


def test_refusal_of_the_request_is_its_status() -> None:
    """Fences answer before anybody reads the body."""
    receipt = read_receipt(answer({"error": {"code": "forbidden", "message": "x"}}, 403))

    assert (False, "403") == (receipt.accepted, receipt.reason)


@pytest.mark.parametrize(
    "body", [{}, [], {"type": "server-response"}, {"type": "client-request", "result": {}}]
)
def test_anything_else_is_a_finding(body: Any) -> None:
    """A 200 promises a reply."""
    with pytest.raises(Departure, match="server response"):
        read_receipt(answer(body))


def test_keys_are_renamed_and_values_are_not() -> None:
    """A target may call things otherwise; what people enter is theirs."""
    value = {"title": "title", "fields": [{"title": 1}]}

    assert {"heading": "title", "fields": [{"heading": 1}]} == renamed(value, {"title": "heading"})
