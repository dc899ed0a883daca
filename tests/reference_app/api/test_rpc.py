"""``/rpc``: oRPC's wire format, concealment, and the ledger's own rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from reference_app.capabilities.lab import CANARY
from tests.reference_app.api.conftest import World
from tests.reference_app.running import Person

WRITES = [
    "create-invoice",
    "update-invoice",
    "issue-invoice",
    "delete-invoice",
    "mark-invoice-paid",
    "update-collection-status",
]
REQUESTS: list[Callable[[Person, str], httpx.Response]] = [
    lambda person, name: person.rpc(name, {"id": 4}),
    lambda person, name: person.rpc(name, {"id": "x", "amount": -1}),
    lambda person, name: person.http.post(
        f"/rpc/{name}", content=b"{", headers={"content-type": "application/json"}
    ),
    lambda person, name: person.http.post(f"/rpc/{name}"),
    lambda person, name: person.http.get(f"/rpc/{name}"),
    lambda person, name: person.http.put(f"/rpc/{name}", json={"json": {}}),
    lambda person, name: person.http.request("OPTIONS", f"/rpc/{name}"),
    lambda person, name: person.http.head(f"/rpc/{name}"),
]


@pytest.mark.parametrize("request_", range(len(REQUESTS)))
@pytest.mark.parametrize("name", [*WRITES, "lab-unexposed", "lab-bump"])
def test_what_an_identity_may_not_use_looks_like_what_never_existed(
    ada: Person, name: str, request_: int
) -> None:
    """With any method and any body the answer is the one for an invented name, byte for byte."""
    hidden, invented = REQUESTS[request_](ada, name), REQUESTS[request_](ada, "invented")

    assert (404, invented.content) == (hidden.status_code, hidden.content)
    assert [(k, v) for k, v in hidden.headers.items() if k != "date"] == [
        (k, v) for k, v in invented.headers.items() if k != "date"
    ]


def test_an_error_is_orpcs_error_json(carla: Person) -> None:
    """The official client takes exactly these keys for an error."""
    answer = carla.rpc("invented")

    assert {"defined": False, "code": "NOT_FOUND", "status": 404, "message": "Not Found"} == answer.json()[
        "json"
    ]
    assert {"json"} == set(answer.json())


@pytest.mark.parametrize(
    ("name", "value", "status", "code", "defined", "message"),
    [
        ("issue-invoice", {"id": 999}, 404, "NOT_FOUND", True, "No invoice with id 999."),
        ("create-invoice", {"clientId": 99, "amount": 1}, 404, "NOT_FOUND", True, "No client with id 99."),
        (
            "issue-invoice",
            {"id": 1},
            409,
            "CONFLICT",
            True,
            "Invoice HAL-0302 is already sent; only a draft invoice can be issued.",
        ),
        (
            "mark-invoice-paid",
            {"id": 4},
            409,
            "CONFLICT",
            True,
            "Invoice HAL-0310 is already draft; only a sent invoice can be marked as paid.",
        ),
        (
            "create-invoice",
            {"clientId": 1, "amount": 1, "issueDate": "9999-12-31"},
            409,
            "CONFLICT",
            True,
            "No due date is 30 days after 9999-12-31.",
        ),
        ("lab-forbidden", {}, 403, "FORBIDDEN", True, "This counter belongs to the auditors."),
        ("lab-policy-deny", {}, 403, "FORBIDDEN", False, "The auditors have closed this counter."),
        ("lab-policy-crash", {}, 500, "INTERNAL_SERVER_ERROR", False, "The operation failed."),
        ("lab-crash", {}, 500, "INTERNAL_SERVER_ERROR", False, "The operation failed."),
        ("lab-bad-output", {}, 500, "INTERNAL_SERVER_ERROR", False, "The operation failed."),
        ("lab-unserializable", {}, 500, "INTERNAL_SERVER_ERROR", False, "The operation failed."),
        ("lab-always-gated", {}, 409, "CONFLICT", False, "Approval is required for this operation."),
    ],
)
def test_each_failure_has_its_status_and_shows_no_internals(
    carla: Person, name: str, value: Any, *, status: int, code: str, defined: bool, message: str
) -> None:
    """Declared refusals are readable; everything else says nothing, least of all a secret."""
    answer = carla.rpc(name, value)
    error = answer.json()["json"]

    assert (status, code, defined, message) == (
        answer.status_code,
        error["code"],
        error["defined"],
        error["message"],
    )
    assert status == error["status"]
    assert CANARY not in answer.text


@pytest.mark.parametrize(
    ("value", "path"),
    [({"kind": "some"}, ["kind"]), ({"clientId": "1"}, ["clientId"]), ([], []), (None, []), ("x", [])],
)
def test_invalid_input_names_the_place(carla: Person, value: Any, path: list[str]) -> None:
    """The issues are data that a form can use; the value is not repeated."""
    answer = carla.http.post("/rpc/list-invoices", json={"json": value})
    error = answer.json()["json"]

    assert (400, "BAD_REQUEST") == (answer.status_code, error["code"])
    assert [path] == [issue["path"] for issue in error["data"]["issues"]]


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b"null",
        b'{"json":{},"json":{}}',
        b'{"json":{"clientId":NaN}}',
        b'{"json":{},"meta":[[1,"issueDate"]]}',
        b'{"json":{},"meta":"x"}',
        b'{"json":"\\ud800"}',
    ],
)
def test_a_body_that_is_no_envelope_is_refused(carla: Person, body: bytes) -> None:
    """Values that plain JSON cannot carry are refused instead of being half understood."""
    answer = carla.http.post("/rpc/list-invoices", content=body, headers={"content-type": "application/json"})

    assert (400, "BAD_REQUEST") == (answer.status_code, answer.json()["json"]["code"])


def test_an_absent_input_and_undefined_fields_are_left_out(carla: Person) -> None:
    """A client that sends nothing, or fields that are undefined, means the defaults."""
    assert 200 == carla.http.post("/rpc/list-invoices").status_code
    assert 200 == carla.http.post("/rpc/list-invoices", json={}).status_code
    assert 200 == carla.rpc("list-invoices", {}, meta=[[3, "clientId"]]).status_code


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE"])
def test_only_post_runs_anything(carla: Person, method: str) -> None:
    """A link or a prefetch can never write."""
    before = carla.call("list-invoices")
    answer = carla.http.request(method, "/rpc/delete-invoice?data=%7B%22json%22%3A%7B%22id%22%3A4%7D%7D")

    assert (405, "POST") == (answer.status_code, answer.headers["allow"])
    assert before == carla.call("list-invoices")


def test_a_draft_goes_through_its_life(carla: Person) -> None:
    """The page's own calls are not gated: a person who clicks has decided."""
    draft = carla.call("create-invoice", {"clientId": 2, "amount": 420_000, "dueDate": "2030-01-31"})
    changed = carla.call("update-invoice", {"id": draft["id"], "amount": 430_000, "notes": "urgent"})
    issued = carla.call("issue-invoice", {"id": draft["id"]})
    paid = carla.call("mark-invoice-paid", {"id": draft["id"]})

    assert (24, "MIR-024", "draft", 420_000) == (
        draft["id"],
        draft["reference"],
        draft["status"],
        draft["amount"],
    )
    assert (430_000, "urgent", "2030-01-31") == (changed["amount"], changed["notes"], changed["due_date"])
    assert ("sent", f"MIR-024 · €4,300 · due {issued['due_date']}") == (issued["status"], issued["summary"])
    assert ("paid", 0) == (paid["status"], paid["daysToPay"])


def test_numbers_are_never_used_twice(carla: Person) -> None:
    """A deleted invoice's number does not come back with another client's invoice."""
    first = carla.call("create-invoice", {"clientId": 1, "amount": 1})["id"]
    carla.call("delete-invoice", {"id": first})

    assert first + 1 == carla.call("create-invoice", {"clientId": 1, "amount": 1})["id"]


def test_lists_are_filtered_and_the_latest_due_is_first(carla: Person) -> None:
    """The page reads everything, with what stands beside an invoice."""
    everything = carla.call("list-invoices")
    overdue = carla.call("list-invoices", {"kind": "pending", "overdueOnly": True})
    own = carla.call("list-invoices", {"clientId": 3, "kind": "draft"})

    assert 23 == len(everything)
    assert sorted((row["due_date"] for row in everything), reverse=True) == [
        row["due_date"] for row in everything
    ]
    assert carla.call("receivables-summary")["overdueCount"] == len(overdue)
    assert [14] == [row["id"] for row in own]
    assert "Waits for the board." == next(row for row in everything if row["id"] == 16)["collection"]["note"]


def test_a_chase_keeps_what_is_left_out_and_erases_what_is_null(carla: Person) -> None:
    """Two people can note different things without undoing each other."""
    first = carla.call("update-collection-status", {"invoiceId": 1, "remindersSent": 2, "note": "called"})
    second = carla.call("update-collection-status", {"invoiceId": 1, "expectedPaymentDate": "2030-02-01"})
    third = carla.call("update-collection-status", {"invoiceId": 1, "note": None})

    assert (2, "called", None) == (first["reminders_sent"], first["note"], first["expected_payment_date"])
    assert (2, "called", "2030-02-01") == (
        second["reminders_sent"],
        second["note"],
        second["expected_payment_date"],
    )
    assert (2, None) == (third["reminders_sent"], third["note"])


def test_the_ages_and_the_summary_agree(carla: Person) -> None:
    """Figures that are shown side by side are from the same ledger."""
    summary, ages = carla.call("receivables-summary"), carla.call("collections-aging")

    assert summary["outstanding"] == sum(age["amount"] for age in ages)
    assert summary["overdue"] == sum(age["amount"] for age in ages[1:])
    assert ["current", "1-30", "31-60", "61-90", "90+"] == [age["id"] for age in ages]


def test_the_procedure_without_metadata_is_the_pages_alone(carla: Person, ada: Person) -> None:
    """Everybody reads the closing line, a controller writes it, and no agent ever hears of it."""
    assert "Sincerely." == carla.call("reminder-footer", {"text": "Sincerely."})["text"]
    assert "Sincerely." == ada.call("reminder-footer")["text"]
    assert 403 == ada.rpc("reminder-footer", {"text": "x"}).status_code
    assert [] == [
        event for event in carla.http.get("/api/audit").json() if event["capabilityId"] == "reminder-footer"
    ]


def test_a_failing_operation_leaves_nothing_behind(carla: Person) -> None:
    """What it had written before it failed is undone; what ran and then broke its promise stays, and the audit says so."""
    for name in ("lab-crash", "lab-refuse"):
        carla.rpc(name, {"name": "a"})
    carla.rpc("lab-bad-output", {"name": "b"})
    failed = [event for event in carla.http.get("/api/audit").json() if event["type"] == "capability.failed"]

    assert 0 == carla.call("lab-count", {"name": "a"})["value"]
    assert 1 == carla.call("lab-count", {"name": "b"})["value"]
    assert [None, None, True] == [event["data"].get("executedBeforeFailure") for event in failed]


def test_an_operation_that_takes_too_long_is_stopped(world: World, carla: Person) -> None:
    """The caller is told, and a write that had not happened yet never does."""
    import threading  # noqa: PLC0415 - only this test needs two requests at once

    answers: list[httpx.Response] = []
    caller = threading.Thread(target=lambda: answers.append(carla.rpc("lab-slow-bump", {"seconds": 3000})))
    caller.start()
    while not world.control("clock") or not _requested(carla):
        pass
    world.control("clock", advance=20)
    caller.join()

    assert (408, "TIMEOUT") == (answers[0].status_code, answers[0].json()["json"]["code"])
    assert 0 == carla.call("lab-count")["value"]


def _requested(person: Person) -> bool:
    started = [
        event["type"]
        for event in person.http.get("/api/audit").json()
        if event["capabilityId"] == "lab-slow-bump"
    ]
    return "capability.started" in started


def test_every_execution_ends_once_in_the_audit_and_carries_no_input(carla: Person, ada: Person) -> None:
    """Who, what and how it ended; never what was in it, and never somebody else's."""
    carla.rpc("list-invoices", {"clientId": 3}, role="analyst")
    carla.rpc("update-invoice", {"id": "CONFIDENTIAL"})
    carla.rpc("lab-policy-deny")
    ada.rpc("list-clients")
    events = carla.http.get("/api/audit").json()
    by_execution: dict[str, list[str]] = {}
    for event in events:
        by_execution.setdefault(event["executionId"], []).append(event["type"].removeprefix("capability."))

    assert [["requested", "started", "completed"], ["requested", "failed"], ["requested", "denied"]] == list(
        by_execution.values()
    )
    assert {"carla@ledger.example"} == {event["actor"]["id"] for event in events}
    assert "CONFIDENTIAL" not in str(events)
    assert ["inputHash" in event for event in events[:3]] == [False, True, True]


@pytest.mark.parametrize("name", ["delete-invoice", "lab-unexposed", "invented"])
def test_a_refused_call_is_audited_and_its_caller_learns_nothing_from_that(ada: Person, name: str) -> None:
    """Every attempt leaves its line; the line does not say whether there was anything to attempt."""
    ada.rpc(name, {"id": 4})
    events = ada.http.get("/api/audit").json()

    assert [
        ("capability.requested", {}),
        ("capability.denied", {"reason": "not-found", "publicCode": "CAPABILITY_NOT_FOUND"}),
    ] == [(event["type"], event["data"]) for event in events]


def test_correlation_is_recorded_and_marked_untrusted(carla: Person) -> None:
    """What a browser says about itself is kept for people who look, and decides nothing."""
    carla.http.post("/rpc/list-clients", headers={"x-agent-invocation-id": "call_7"})

    assert {"invocationId": "call_7", "trusted": False} == carla.http.get("/api/audit").json()[-1][
        "correlation"
    ]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"content-type": "multipart/form-data; boundary=x"}, 415),
        ({"content-type": "application/json; charset=utf-8"}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
    ],
)
@pytest.mark.parametrize("path", ["/rpc/lab-bump", "/agent/chat", "/api/session", "/api/approvals/apr_1"])
def test_requests_of_other_sites_and_forms_are_refused(
    carla: Person, path: str, headers: dict[str, str], status: int
) -> None:
    """A page elsewhere cannot use the person's cookie, whatever the path; nothing runs."""
    answer = carla.http.post(
        path, content=b'{"json":{}}', headers={"content-type": "application/json", **headers}
    )

    if status == 200:
        assert answer.status_code not in {403, 415}
    else:
        assert status == answer.status_code
        assert 0 == carla.call("lab-count")["value"]


def test_a_body_beyond_the_limit_is_refused(carla: Person) -> None:
    """Nobody can fill the memory with one request."""
    answer = carla.http.post(
        "/rpc/list-invoices", content=b" " * (17 * 1024 * 1024), headers={"content-type": "application/json"}
    )

    assert (413, "PAYLOAD_TOO_LARGE") == (answer.status_code, answer.json()["json"]["code"])


@pytest.mark.parametrize(
    "path", ["/nope", "/api/nope", "/rpc", "/rpc/", "/rpc/list-invoices/", "/agent/nope"]
)
def test_what_does_not_exist_is_a_typed_404(carla: Person, path: str) -> None:
    """No page, no guess, no internals."""
    answer = carla.http.post(path, json={})

    assert (404, "application/json") == (answer.status_code, answer.headers["content-type"])
