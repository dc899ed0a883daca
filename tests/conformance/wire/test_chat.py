"""The bodies that the suite posts, in both versions of the protocol."""

import json

from hypothesis import given
from hypothesis import strategies as st

from conformance.wire.chat import (
    Catalog,
    Declaration,
    StepRequest,
    assistant_call,
    tool_message,
    user_message,
    wire_name,
)

UNREADY = Declaration(
    "view:invoices.pending.selectRows",
    available=False,
    reason="No rows are shown.",
    note="bound to nothing",
)
READY = Declaration("view:app.navigate", wire_name="go", effect="navigation")


def request(version: int = 2, **catalog: object) -> StepRequest:
    """A step with two declared tools."""
    return StepRequest(
        conversation_id="c-1",
        turn_id="t-1",
        step_index=3,
        messages=(user_message("hi"),),
        pathname="/invoices",
        catalog=Catalog((UNREADY, READY), **catalog),  # type: ignore[arg-type]
        version=version,
    )


def test_a_short_id_has_a_plain_wire_name() -> None:
    """The first colon and each dot have a spelling that providers accept."""
    assert "view_invoices__pending__selectRows" == wire_name("view:invoices.pending.selectRows")
    assert "domain_list-invoices" == wire_name("domain:list-invoices")


def test_version_2_keeps_state_out_of_the_declarations() -> None:
    """The declaration of a tool is the same bytes whether it can be used or not; state travels beside it."""
    body = request().body()
    catalog = body["catalog"]
    declared = catalog["frontendTools"]

    assert (2, 3, "/invoices", "direct") == (
        body["protocolVersion"],
        body["stepIndex"],
        body["pathname"],
        catalog["mode"],
    )
    assert [UNREADY.canonical_id, READY.canonical_id] == [tool["canonicalId"] for tool in declared]
    assert not any("available" in key.lower() or "reason" in key.lower() for tool in declared for key in tool)
    assert [
        {
            "wireName": "view_invoices__pending__selectRows",
            "available": False,
            "unavailableReason": "No rows are shown.",
            "note": "bound to nothing",
        },
        {"wireName": "go", "available": True},
    ] == catalog["frontendState"]


def test_version_1_carries_state_inside_the_declarations() -> None:
    """There is no catalog, no path and no mode in it."""
    body = request(1).body()

    assert {"protocolVersion", "conversationId", "turnId", "stepIndex", "messages", "frontendTools"} == set(
        body
    )
    assert (False, "No rows are shown.", True) == (
        body["frontendTools"][0]["available"],
        body["frontendTools"][0]["unavailableReason"],
        body["frontendTools"][1]["available"],
    )


def test_what_a_case_leaves_out_is_not_sent() -> None:
    """A host must cope with tabs that know nothing of modes, scopes and reductions."""
    full = request(scope=("app",), truncated={"view": 3}).body()["catalog"]
    bare = request(mode=None).body()["catalog"]

    assert (["app"], {"view": 3}) == (full["scope"], full["truncated"])
    assert {"frontendTools", "frontendState"} == set(bare)


def test_messages_have_the_shape_that_browsers_post() -> None:
    """Text as a string, a call and its result as parts, the result as JSON."""
    assert {"role": "user", "content": "hi"} == user_message("hi")
    assert {
        "role": "assistant",
        "content": [{"type": "tool-call", "toolCallId": "c1", "toolName": "go", "input": {"to": "/"}}],
    } == assistant_call("c1", "go", {"to": "/"})
    assert {
        "role": "tool",
        "content": [
            {
                "type": "tool-result",
                "toolCallId": "c1",
                "toolName": "go",
                "output": {"type": "json", "value": {"ok": True}},
            }
        ],
    } == tool_message("c1", "go", {"ok": True})


@given(st.text(), st.booleans())
def test_a_declaration_does_not_depend_on_its_state(reason: str, available: bool) -> None:
    """Two steps that differ in state alone declare the same bytes, so a host has no excuse to send others."""
    changed = Declaration(UNREADY.canonical_id, available=available, reason=reason, note=reason)

    assert json.dumps(UNREADY.descriptor()) == json.dumps(changed.descriptor())
