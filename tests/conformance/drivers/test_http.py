"""The client under all drivers: what a misbehaving target comes to."""

import threading

import pytest

from conformance.drivers import http as http_module
from conformance.drivers.http import Budget
from conformance.errors import ConformanceError, Departure
from conformance.target_tables import Limits
from tests.conformance.servers import Connection, Handler, Server, http_to


def finding(handler: Handler, **limits: float) -> tuple[str, str]:
    """What a request comes to that a server treats badly, as the case and as the transcript has it."""
    with Server(handler) as server, http_to(server.url, **limits) as http:
        with pytest.raises(Departure) as caught:
            http.request("GET", "/things")
        return str(caught.value).replace(server.url, "URL"), http.transcript.excerpt()


def test_a_whole_answer_is_read_and_noted() -> None:
    """Status, headers and body arrive as sent; the transcript has the request and the answer."""
    with Server(lambda c: c.answer(b'{"a": 1}', 404)) as server, http_to(server.url) as http:
        answer = http.request("POST", "/things", json={"b": 2})

    assert (404, {"a": 1}, "application/json") == (answer.status, answer.json(), answer.media_type)
    assert "  http  POST /things -> 404 '{\"a\": 1}'" == http.transcript.excerpt()
    assert {"b": 2} == http.transcript.entries[0].data["request"]


def test_a_redirect_is_an_answer() -> None:
    """Following it would hide what the target really said, and could leave the machine."""
    elsewhere = "location: http://192.0.2.1/\r\n"
    with Server(lambda c: c.answer(b"", 307, extra=elsewhere)) as server, http_to(server.url) as http:
        answer = http.request("GET", "/")

    assert 307 == answer.status


def test_silence_is_a_finding() -> None:
    """A target that does not answer within the deadline of its file fails the case and does not hang the run."""
    message, noted = finding(lambda c: c.ending(), deadline=0.2)

    assert "GET /things was not answered within 0.2 s" == message
    assert "  http  GET /things -> no answer within the deadline" == noted


def test_a_connection_that_is_cut_is_a_finding() -> None:
    """Whether nothing came or half of it."""
    nothing, _ = finding(lambda c: None)
    half, _ = finding(lambda c: c.send(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"))

    assert "GET /things broke off: Server disconnected without sending a response." == nothing
    assert half.startswith(
        "GET /things broke off: peer closed connection without sending complete message body"
    )


def test_nobody_at_the_address_is_a_finding() -> None:
    """A target that died is the target's fault, not a traceback of the suite."""
    with Server(lambda c: None) as server:
        url = server.url
    with http_to(url) as http, pytest.raises(Departure, match=r"GET / broke off: .*refused"):
        http.request("GET", "/")


def test_a_body_without_end_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite reads a bounded amount, so that no target can fill the machine's memory."""
    monkeypatch.setattr(http_module, "MAX_BODY", 1000)

    message, _ = finding(lambda c: c.answer(b"x" * 2000))

    assert "GET /things answered with more than 1000 bytes" == message


def test_an_answer_that_is_no_json_is_a_finding() -> None:
    """Where JSON is due, anything else is quoted."""
    with Server(lambda c: c.answer(b"<html>", media_type="text/html")) as server, http_to(server.url) as http:
        answer = http.request("GET", "/")

    with pytest.raises(Departure) as caught:
        answer.json()

    assert (
        "GET / answered 200 with a body that is not JSON (Expecting value at character 0): '<html>'"
        == str(caught.value)
    )


def test_the_session_rides_along_and_is_masked() -> None:
    """Every request of a person carries their session; the transcript carries its beginning."""
    heads: list[bytes] = []

    def handler(connection: Connection) -> None:
        heads.append(connection.head)
        connection.answer(b"{}")

    with Server(handler) as server, http_to(server.url) as http:
        http.as_({"cookie": "sid=0123456789abcdef"}).request("GET", "/")

    assert b"cookie: sid=0123456789abcdef" in heads[0].lower()
    assert {"cookie": "sid=012345…"} == http.transcript.entries[0].data["headers"]


def test_the_budget_ends_the_run() -> None:
    """Somebody else's machine is asked no more often than its owner allowed; that is no finding about it."""
    budget = Budget(Limits(max_requests=2))
    budget.spend()
    budget.spend()

    with pytest.raises(ConformanceError, match=r"limits\.max_requests = 2 is used up"):
        budget.spend()


def test_the_rate_is_kept_by_waiting() -> None:
    """Requests are spaced evenly; one that comes late anyway does not wait."""
    now = [0.0]
    waited: list[float] = []

    def pause(seconds: float) -> None:
        waited.append(seconds)
        now[0] += seconds

    budget = Budget(Limits(requests_per_second=4), clock=lambda: now[0], pause=pause)
    budget.spend()
    budget.spend()
    now[0] += 10
    budget.spend()
    budget.spend()

    assert [0.0, 0.25, 0.0, 0.25] == waited


def test_a_request_can_be_left_behind() -> None:
    """The whole request arrives, with who sends it, and nobody waits for its answer."""
    seen: list[tuple[bytes, bytes]] = []
    arrived = threading.Event()

    def handler(connection: Connection) -> None:
        seen.append((connection.head, connection.body))
        arrived.set()

    with Server(handler) as server, http_to(server.url) as http:
        http.as_({"cookie": "sid=1"}).post_and_leave("/things", {"a": 1})
        assert arrived.wait(5)

    ((head, body),) = seen
    assert head.startswith(b"POST /things HTTP/1.1\r\n")
    assert b"cookie: sid=1" in head
    assert body == b'{"a": 1}'


def test_leaving_a_request_nowhere_is_a_finding() -> None:
    """A target that is gone is gone for this too."""
    with Server(lambda c: c.answer(b"")) as server:
        url = server.url
    with http_to(url) as http, pytest.raises(Departure, match="POST /things broke off"):
        http.post_and_leave("/things", {})
