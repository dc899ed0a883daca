"""The shapes in which a known implementation answers, with values of our own: the drivers read each of them."""

import json
from typing import Any

from conformance.drivers.approvals import Card, read_decision
from conformance.drivers.step import Step, answers_in, read_refusal
from conformance.wire.answer import Answer
from conformance.wire.frames import Usage, read_frames
from conformance.wire.grammar import grammar_problems
from conformance.wire.rpc import read_rpc

JSON = "application/json"
CORRELATION = {"conversationId": "c-1", "turnId": "t-1", "stepId": "stp_a"}
TOOL = {
    "wireName": "domain_list-things",
    "canonicalId": "domain:list-things",
    "description": "List things.",
    "requiresApproval": False,
    "sideEffect": "read",
}
ENVELOPE = {"status": "ok", "data": [{"id": 1}]}


def answer(status: int, body: object, media_type: str = JSON) -> Answer:
    """An HTTP answer."""
    text = body if isinstance(body, str) else json.dumps(body)
    return Answer("POST", "/rpc/list-things", status, {"content-type": media_type}, text.encode())


def inspector(event: str, **data: object) -> dict[str, Any]:
    """A report of the runtime's."""
    return {
        "type": "inspector",
        "lane": "runtime",
        "eventType": event,
        "summary": event,
        "correlation": {**CORRELATION, "capabilityId": "list-things"},
        "data": data,
    }


def test_mixed_step_is_read_to_its_end() -> None:
    """A server call that ran beside a browser call that waits; without catalogMode, with reports in between."""
    named = {"toolCallId": "toolu_1_0", "wireName": TOOL["wireName"], "canonicalId": TOOL["canonicalId"]}
    view = {"toolCallId": "toolu_1_1", "wireName": "view_things__show", "canonicalId": "view:things.show"}
    result = {"type": "tool-result", "toolCallId": "toolu_1_0", "toolName": TOOL["wireName"]}
    frames = [
        {"type": "step-start", "stepId": "stp_a", "turnId": "t-1", "conversationId": "c-1", "domainTools": [TOOL], "scope": ["app"]},
        {"type": "reasoning-delta", "text": "Well, "},
        {"type": "text-delta", "text": "Looking."},
        {"type": "tool-call", **named, "executor": "server", "input": {}},
        {"type": "tool-call", **view, "executor": "browser", "input": {"due": "late"}},
        inspector("capability.requested", sideEffect="read"),
        inspector("capability.completed", durationMs=2),
        {"type": "tool-result", **named, "ok": True, "result": ENVELOPE},
        inspector("model.usage", inputTokens=24),
        {
            "type": "step-finish",
            "stepId": "stp_a",
            "finishReason": "tool-calls",
            "responseMessages": [{"role": "tool", "content": [{**result, "output": {"type": "json", "value": ENVELOPE}}]}],
            "pendingToolCalls": [{**view, "input": {"due": "late"}}],
            "usage": {"inputTokens": 24, "outputTokens": 16, "totalTokens": 40, "cachedInputTokens": 8, "reportedSteps": 1},
        },
    ]  # fmt: skip

    step = Step({}, read_frames("".join(json.dumps(frame) + "\n" for frame in frames).encode()))

    assert () == grammar_problems(step.log)
    assert (["domain:list-things"], None) == (
        [tool.canonical_id for tool in step.start.domain_tools],
        step.start.catalog_mode,
    )
    assert ["view:things.show"] == [call.canonical_id for call in step.pending]
    assert {"toolu_1_0": [ENVELOPE]} == answers_in(step.messages)
    assert (
        Usage(input_tokens=24, output_tokens=16, total_tokens=40, cached_input_tokens=8, reported_steps=1)
        == step.usage
    )


def test_refused_step_is_read() -> None:
    """The host's own errors have a code and a message under one key."""
    refusal = read_refusal(answer(409, {"error": {"code": "PROTOCOL_VERSION_MISMATCH", "message": "No."}}))

    assert (409, "PROTOCOL_VERSION_MISMATCH") == (refusal.status, refusal.code)


def test_procedure_errors_are_read() -> None:
    """With issues, without data, and the router's plain text."""
    issues = {"issues": [{"code": "too_small", "path": ["amount"], "message": "Too small"}]}
    inner = {"defined": False, "code": "BAD_REQUEST", "status": 400, "message": "Input validation failed"}
    invalid = read_rpc(answer(400, {"json": {**inner, "data": issues}})).error
    plain = read_rpc(answer(404, "404 Not Found", "text/plain")).error

    assert invalid is not None
    assert plain is not None
    assert ("BAD_REQUEST", issues) == (invalid.code, invalid.data)
    assert ("", 404) == (plain.code, plain.status)


def test_approval_card_is_read() -> None:
    """With the keys that only some implementations have, before and after the decision."""
    card = {
        "id": "apr_1",
        "capabilityId": "issue-thing",
        "status": "consumed",
        "surface": "aiSdk",
        "reasons": ["issue-thing was initiated from a model loop"],
        "risk": "high",
        "input": {"id": 20},
        "requestedAt": "2026-11-30T17:33:23.536Z",
        "expiresAt": "2026-11-30T17:48:23.536Z",
        "decision": {"status": "approved", "approver": "Somebody", "decidedAt": "2026-11-30T17:33:23.567Z"},
    }

    read = Card.model_validate(card)

    assert ({"id": 20}, None) == (read.input, read.input_hash)
    assert read.decision is not None
    assert "Somebody" == read.decision["approver"]


def test_decisions_are_read() -> None:
    """Done, failed, denied, and refused."""
    receipts = [
        answer(200, {"receipt": {"text": "…", "ok": True}, "resolution": {"status": "completed", "output": {}}}),
        answer(200, {"receipt": {"text": "…", "ok": False}, "resolution": {"status": "failed", "error": {"message": "gone"}}}),
        answer(200, {"receipt": {"text": "…", "ok": False}, "resolution": {"status": "rejected"}}),
        answer(409, {"error": 'Approval "apr_1" is not pending (status: consumed)'}),
    ]  # fmt: skip

    read = [read_decision(receipt) for receipt in receipts]

    assert [(True, True, False), (True, False, True), (True, False, False), (False, False, False)] == [
        (decision.accepted, decision.executed, decision.failed) for decision in read
    ]
