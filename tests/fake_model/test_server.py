"""The server over real sockets: its connections, its journal, and what it does with what is no request."""

import json
import socket
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from fake_model import (
    FakeModel,
    FindingKind,
    IncompleteError,
    JournalError,
    NotSeenError,
    Run,
    call,
    say,
    script,
    step,
    turn,
)
from tests.fake_model.asking import ask, body


def test_secrets_are_masked(model: FakeModel, http: httpx.Client) -> None:
    """No key of an application under test ends in a journal, a report or a log."""
    run = model.play(script(say("Hi.")))
    headers = {
        "authorization": "Bearer s3cret",
        "x-api-key": "s3cret",
        "api-key": "s3cret",
        "cookie": "a=s3cret",
        "x-other": "seen",
    }

    http.post("/v1/chat/completions?key=s3cret&a=b", json=body(run.prompt("Hello")), headers=headers)

    (exchange,) = run.exchanges
    assert "s3cret" not in repr(exchange)
    assert dict(exchange.headers)["x-other"] == "seen"
    assert exchange.path == "/v1/chat/completions?key=***&a=b"


def test_waiting_for_requests_blocks_until_they_arrive(
    model: FakeModel, http: httpx.Client, pool: ThreadPoolExecutor
) -> None:
    """No polling: whoever waits is woken by the arrival."""
    run = model.play(script(step(say("Hi."), asked=2)))
    waiting = pool.submit(run.wait_for, 2, 60)

    for _ in range(2):
        assert not waiting.done()
        ask(http, run.prompt("Hello"))

    assert len(waiting.result(5)) == 2


def test_a_wait_that_is_not_met_says_what_was_seen(model: FakeModel, http: httpx.Client) -> None:
    """The message names the steps that did arrive."""
    run = model.play(script(say("Hi.")))
    ask(http, run.prompt("Hello"))

    with pytest.raises(
        NotSeenError, match=r"expected 2 request\(s\), 1 arrived and 1 answered .*: turn 0 step 0"
    ):
        run.wait_for(2, timeout=0.01)
    with pytest.raises(NotSeenError, match="at gate 'door', got 0"):
        run.wait_held("door", timeout=0.01)


def test_unasked_steps_are_found(model: FakeModel, http: httpx.Client) -> None:
    """A script that was not played to its end is not complete; an optional step may stay unasked."""
    run = model.play(script(turn(call("tool", offered=False), step(say("a"), optional=True)), turn(say("b"))))
    ask(http, run.prompt("Hello"))

    assert [(finding.kind, finding.turn, finding.step) for finding in run.findings] == [
        (FindingKind.UNCONSUMED, 1, 0)
    ]
    with pytest.raises(IncompleteError, match=r"unconsumed-step .*turn 1, step 0"):
        run.assert_complete()


def test_a_caller_may_bring_wire_names(model: FakeModel, http: httpx.Client) -> None:
    """A target with an encoding of its own is called and asked by canonical id."""
    run = model.play(
        script(call("domain:list-invoices"), say(".")), names={"domain:list-invoices": "ListInvoices"}
    )
    tools = [{"type": "function", "function": {"name": "ListInvoices"}}]

    response = ask(http, run.prompt("Hello"), stream=False, tools=tools)

    made = response.json()["choices"][0]["message"]["tool_calls"][0]
    assert made["function"]["name"] == "ListInvoices"
    assert run.exchanges[0].request.offers("domain:list-invoices")


def test_a_journal_that_is_full_says_so(pool: ThreadPoolExecutor) -> None:
    """Old exchanges make room; a question about a run that lost some is refused and not answered in part."""
    with FakeModel(journal_limit=3) as model, httpx.Client(verify=False, base_url=model.url) as http:
        run = model.play(script(step(say("Hi."), asked=None)))
        for _ in range(5):
            ask(http, run.prompt("Hello"))

        assert [exchange.order for exchange in model.exchanges] == [2, 3, 4]
        with pytest.raises(JournalError, match=r"2 exchange.* made room"):
            _ = run.exchanges


def test_requests_on_one_connection_are_answered_in_order(model: FakeModel) -> None:
    """A client that pipelines gets its answers one after another, also behind one that waits."""
    run = model.play(script(turn(step(say("First."), hold="door")), turn(say("Second."))))
    host, port = model.url.removeprefix("http://").split(":")
    payloads = [json.dumps(body(run.prompt("Hello", turn))).encode() for turn in (0, 1)]
    with socket.create_connection((host, int(port))) as sock:
        for payload in payloads:
            sock.sendall(
                b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: %d\r\n\r\n" % len(payload) + payload
            )
        run.wait_held("door")
        assert len(run.exchanges) == 1
        run.release("door")
        run.wait_for(2)
        received = _read_until(sock, b"Second.")

    assert received.index(b"First.") < received.index(b"Second.")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"NOT HTTP\r\n\r\n", b"HTTP/1.1 400 "),
        (b"GET /v1/models HTTP/1.1\r\nconnection: close\r\n\r\n", b"HTTP/1.1 200 OK"),
    ],
)
def test_what_is_no_request_is_answered_and_closed(model: FakeModel, raw: bytes, expected: bytes) -> None:
    """Whoever speaks something else is told; the server goes on."""
    host, port = model.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as sock:
        sock.sendall(raw)
        received = b""
        while data := sock.recv(65536):
            received += data

    assert received.startswith(expected)


def test_an_offer_to_upgrade_is_ignored(model: FakeModel) -> None:
    """Some clients offer HTTP/2 with their first request; it is answered, and so is the next one."""
    host, port = model.url.removeprefix("http://").split(":")
    plain = b"GET /v1/models HTTP/1.1\r\n"
    with socket.create_connection((host, int(port)), timeout=5) as sock:
        sock.sendall(
            plain + b"connection: upgrade\r\nupgrade: h2c\r\n\r\n" + plain + b"connection: close\r\n\r\n"
        )
        received = b""
        while data := sock.recv(65536):
            received += data

    assert received.count(b"HTTP/1.1 200 OK") == 2


def test_a_mistake_of_our_own_is_loud(
    model: FakeModel, http: httpx.Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An error inside the fake model is a 500 that says so, and is printed; it never passes for bad HTTP."""

    def broken(*_: object) -> None:
        raise RuntimeError("no route today")

    monkeypatch.setattr("fake_model.server.route", broken)

    response = ask(http, "Hello")

    assert response.status_code == 500
    assert response.text == "the fake model itself erred: RuntimeError('no route today')"
    assert "no route today" in caplog.text


def test_a_client_that_asks_first_is_told_to_go_on(model: FakeModel) -> None:
    """Some clients send a big body only after `100 Continue`."""
    run = model.play(script(say("Hi.")))
    payload = json.dumps(body(run.prompt("Hello"))).encode()
    host, port = model.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as sock:
        sock.sendall(
            b"POST /v1/chat/completions HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: %d\r\n\r\n"
            % len(payload)
        )
        assert _read_until(sock, b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.sendall(payload)
        assert b"Hi." in _read_until(sock, b"[DONE]")


def test_the_journal_has_times_in_order(model: FakeModel, http: httpx.Client) -> None:
    """Arrival, first byte and end follow each other, over all exchanges."""
    run = model.play(script(step(say("Hi."), asked=3)))
    for _ in range(3):
        ask(http, run.prompt("Hello"))

    times = [
        moment
        for exchange in run.exchanges
        if exchange.sent
        for moment in (exchange.arrived_at, exchange.sent.started_at, exchange.sent.ended_at)
    ]
    assert len(times) == 9
    assert times == sorted(times)


def test_the_clock_is_the_callers(pool: ThreadPoolExecutor) -> None:
    """A test that compares times brings its own clock."""
    ticks = iter(range(100))
    with (
        FakeModel(clock=lambda: float(next(ticks))) as model,
        httpx.Client(verify=False, base_url=model.url) as http,
    ):
        run: Run = model.play(script(say("Hi.")))
        ask(http, run.prompt("Hello"))
        (exchange,) = run.exchanges

    assert exchange.sent is not None
    assert (exchange.arrived_at, exchange.sent.started_at) == (0.0, 1.0)


def _read_until(sock: socket.socket, wanted: bytes) -> bytes:
    received = b""
    while wanted not in received:
        data = sock.recv(65536)
        assert data, received
        received += data
    return received
