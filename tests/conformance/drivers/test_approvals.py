"""Reading approval cards and decisions."""

import json

import pytest

from conformance.drivers.approvals import Approvals, read_decision
from conformance.errors import Departure, Untested
from conformance.target_tables import Paths
from conformance.wire.answer import Answer
from tests.conformance.servers import Connection, Server, http_to

CARD = {
    "id": "apr_1",
    "capabilityId": "domain:issue-invoice",
    "status": "pending",
    "input": {"id": 7},
    "inputHash": "ab",
    "reasons": ["model"],
    "later": True,
}
PATHS = Paths(approvals="/approvals")


def decision(status: int, body: object) -> tuple[bool, bool, bool]:
    """How an answer to a decision is read: accepted, executed, failed."""
    read = read_decision(Answer("POST", "/approvals/apr_1", status, {}, json.dumps(body).encode()))
    return read.accepted, read.executed, read.failed


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (200, {"resolution": {"status": "completed"}}, (True, True, False)),
        (200, {"resolution": {"status": "failed"}}, (True, False, True)),
        (200, {"resolution": {"status": "cancelled"}}, (True, False, True)),
        (200, {"resolution": {"status": "denied"}}, (True, False, False)),
        (200, {"id": "apr_1", "status": "denied"}, (True, False, False)),
        (200, [], (True, False, False)),
        (409, {"error": {"code": "APPROVAL_EXPIRED"}}, (False, False, False)),
    ],
)
def test_a_decision_is_read_by_its_resolution(
    status: int, body: object, expected: tuple[bool, bool, bool]
) -> None:
    """Accepted is not executed, and refused is neither; whether data moved is read elsewhere."""
    assert expected == decision(status, body)


def test_the_list_is_read_as_cards() -> None:
    """The card carries exactly the input; fields that the suite does not know are passed over."""
    with Server(lambda c: c.answer(json.dumps([CARD]).encode())) as server, http_to(server.url) as http:
        card = Approvals(http, PATHS).only()

    assert ("apr_1", "domain:issue-invoice", {"id": 7}, ("model",)) == (
        card.id,
        card.capability_id,
        card.input,
        card.reasons,
    )


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (500, {}, "GET /approvals was refused with 500: '{}'"),
        (200, {}, "GET /approvals did not answer with a list: '{}'"),
        (200, [{"id": 1}], "an approval card is not readable: id: Input should be a valid string"),
        (200, [], "expected one pending approval, saw 0: []"),
        (
            200,
            [CARD, CARD],
            "expected one pending approval, saw 2: ['domain:issue-invoice', 'domain:issue-invoice']",
        ),
    ],
)
def test_a_list_that_is_none_is_a_finding(status: int, body: object, message: str) -> None:
    """One sentence says what came instead."""
    with (
        Server(lambda c: c.answer(json.dumps(body).encode(), status)) as server,
        http_to(server.url) as http,
        pytest.raises(Departure) as caught,
    ):
        Approvals(http, PATHS).only()

    assert message == str(caught.value)


def test_a_decision_carries_what_the_case_adds() -> None:
    """The input hash, or a smuggled input, goes into the body as it is."""
    bodies: list[object] = []

    def handler(connection: Connection) -> None:
        bodies.append(json.loads(connection.body))
        connection.answer(b"{}")

    with Server(handler) as server, http_to(server.url) as http:
        Approvals(http, PATHS).decide("apr_1", approved=True, inputHash="ab")

    assert [{"approved": True, "inputHash": "ab"}] == bodies


def test_without_a_place_for_approvals_the_case_is_untested() -> None:
    """The key that would say where they are is named."""
    with http_to("http://127.0.0.1:9") as http, pytest.raises(Untested) as caught:
        Approvals(http, Paths()).list()

    assert "paths.approvals" == caught.value.missing
