"""Reading a posted step: every bound, every refusal, and what is ignored."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reference_app.host.protocol import HostError
from reference_app.host.request import decode
from tests.reference_app.running import Tab, user, view_tool

SECOND = Tab("c", (user("hello"),), tools=(view_tool(),)).body()
FIRST: dict[str, Any] = {
    "protocolVersion": 1,
    "conversationId": "c",
    "turnId": "t",
    "stepIndex": 0,
    "messages": [user("hello")],
    "frontendTools": [{**view_tool(), "available": False, "unavailableReason": "Select a row first"}],
}


def refusal(body: object) -> tuple[int, str]:
    """How a body is refused."""
    with pytest.raises(HostError) as caught:
        decode(body if isinstance(body, bytes) else json.dumps(body).encode())
    return caught.value.status, caught.value.code


def tools(count: int) -> list[dict[str, Any]]:
    """So many declarations."""
    return [view_tool(f"view_invoices__pending__act{number}") for number in range(count)]


def states(count: int) -> list[dict[str, Any]]:
    """So many states."""
    return [{"wireName": f"view_a{number}", "available": True} for number in range(count)]


def test_both_versions_become_one_shape() -> None:
    """In the first version state stands on the descriptors; nothing behind the reader has to know that."""
    first, second = decode(json.dumps(FIRST).encode()), decode(json.dumps(SECOND).encode())

    assert (1, "", "direct", ()) == (first.version, first.pathname, first.mode, first.requested_scope)
    assert (False, "Select a row first") == (
        first.frontend_state[0].available,
        first.frontend_state[0].unavailable_reason,
    )
    assert (2, "/receivables/pending") == (second.version, second.pathname)


@pytest.mark.parametrize("version", [0, 3, 99, 2.5, "2", None, True, [2]])
def test_a_version_that_is_not_served_is_a_mismatch_whatever_else_is_wrong(version: object) -> None:
    """A newer tab is told to reload, not that its request is malformed."""
    assert (409, "PROTOCOL_VERSION_MISMATCH") == refusal({"protocolVersion": version})


@pytest.mark.parametrize(
    "body", [b"", b"{", b"null", b"[]", b'"x"', b"{}", b'{"protocolVersion":2,"protocolVersion":1}', b"\xff"]
)
def test_what_is_no_request_is_malformed(body: bytes) -> None:
    """Nothing is guessed from a body without a version."""
    assert (400, "PROTOCOL_DECODE_ERROR") == refusal(body)


@pytest.mark.parametrize(
    "missing", ["conversationId", "turnId", "stepIndex", "pathname", "messages", "catalog"]
)
def test_every_field_is_required(missing: str) -> None:
    """A step without a place in a conversation cannot be recorded."""
    assert (400, "PROTOCOL_DECODE_ERROR") == refusal({k: v for k, v in SECOND.items() if k != missing})


@pytest.mark.parametrize(
    "change",
    [
        {"stepIndex": 65},
        {"stepIndex": -1},
        {"stepIndex": True},
        {"stepIndex": "0"},
        {"conversationId": ""},
        {"conversationId": "x" * 65},
        {"conversationId": "a\x00b"},
        {"turnId": 7},
        {"pathname": ""},
        {"pathname": "x" * 513},
        {"messages": []},
        {"messages": [{"role": "developer", "content": "x"}]},
        {"messages": [{"role": "user", "content": 5}]},
        {"messages": [{"role": "user", "content": ["x"]}]},
        {"catalog": {"frontendTools": [], "mode": "both"}},
        {"catalog": {"frontendTools": [], "scope": ["app"] * 33}},
        {"catalog": {"frontendTools": [], "truncated": {"dropped": -1, "reason": "budget"}}},
        {"catalog": {"frontendTools": [], "truncated": {"dropped": 1, "reason": "mood"}}},
        {"catalog": {"frontendTools": [view_tool(plane="server")]}},
        {"catalog": {"frontendTools": [view_tool(description="x" * 1001)]}},
        {"catalog": {"frontendTools": [], "frontendState": [{"wireName": "a", "available": "yes"}]}},
        {"catalog": {"frontendTools": tools(129), "mode": "both"}},
        {"catalog": {"frontendTools": tools(1), "frontendState": states(129)}},
    ],
)
def test_every_bound_is_a_bound(change: dict[str, Any]) -> None:
    """One step beyond any bound refuses the request before anything is composed."""
    assert (400, "PROTOCOL_DECODE_ERROR") == refusal({**SECOND, **change})


@pytest.mark.parametrize(
    "change",
    [
        {"stepIndex": 64},
        {"conversationId": "x" * 64},
        {"messages": [user("x")] * 400},
        {
            "catalog": {
                "frontendTools": tools(128),
                "frontendState": [{"wireName": "a", "available": True}] * 128,
            }
        },
        {"catalog": {"frontendTools": [], "scope": ["app"] * 32}},
        {"role": "controller", "actor": {"id": "root"}},
        {"catalog": {"frontendTools": [], "approvals": ["apr_1"]}},
    ],
)
def test_the_bounds_themselves_and_unknown_fields_are_accepted(change: dict[str, Any]) -> None:
    """The last allowed value is allowed, and what nobody defined is ignored."""
    assert decode(json.dumps({**SECOND, **change}).encode()).version == 2


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({**SECOND, "messages": [user("x")] * 401}, "401 messages; the limit is 400"),
        ({**SECOND, "catalog": {"frontendTools": tools(129)}}, "129 frontend tools; the limit is 128"),
        (
            {**SECOND, "catalog": {"frontendTools": tools(129), "frontendState": states(129)}},
            "129 frontend tools; the limit is 128",
        ),
        ({**FIRST, "messages": [user("x")] * 201}, "201 messages; the limit is 200"),
        ({**FIRST, "frontendTools": tools(65)}, "65 frontend tools; the limit is 64"),
    ],
)
def test_size_alone_is_a_refusal_of_its_own(body: dict[str, Any], told: str) -> None:
    """Whoever sends too much is told so, with count and limit, and not that the request is malformed."""
    with pytest.raises(HostError, match=told) as caught:
        decode(json.dumps(body).encode())

    assert (413, "CATALOG_TOO_LARGE") == (caught.value.status, caught.value.code)
