"""The server over real sockets: routing, gates, generations, and what it does with requests that fit nothing."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from fake_model import (
    Ending,
    FakeModel,
    FindingKind,
    IncompleteError,
    JournalError,
    NotSeenError,
    Run,
    SideCall,
    call,
    endless,
    gate,
    pause,
    say,
    script,
    silence,
    step,
    turn,
)


@pytest.fixture
def http(model: FakeModel) -> Iterator[httpx.Client]:
    """A client for the fake model."""
    with httpx.Client(verify=False, base_url=model.url, timeout=10) as client:
        yield client


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Threads for requests that wait."""
    with ThreadPoolExecutor(8) as threads:
        yield threads


def body(prompt: str, *, stream: bool = True, **more: Any) -> dict[str, Any]:
    """Return a small request."""
    return {"model": "m", "stream": stream, "messages": [{"role": "user", "content": prompt}], **more}


def ask(
    http: httpx.Client, prompt: str, *, path: str = "/v1/chat/completions", **more: Any
) -> httpx.Response:
    """Ask once."""
    return http.post(path, json=body(prompt, **more))


def text(response: httpx.Response) -> str:
    """Return what a stream said."""
    found = ""
    for line in response.text.splitlines():
        if line.startswith("data: {"):
            for choice in json.loads(line[6:])["choices"]:
                found += choice["delta"].get("content") or ""
    return found


def kinds(model: FakeModel) -> list[FindingKind]:
    """Return the kinds of all findings."""
    return [finding.kind for finding in model.findings]


def test_a_request_is_routed_by_its_marker(model: FakeModel, http: httpx.Client) -> None:
    """Two runs side by side don't meet."""
    one, other = model.play(script(say("One."))), model.play(script(say("Other.")))

    answers = [text(ask(http, run.prompt("Hello"))) for run in (other, one)]

    assert answers == ["Other.", "One."]
    assert [exchange.token for exchange in model.exchanges] == [other.token, one.token]
    assert len(one.exchanges) == len(other.exchanges) == 1


def test_a_request_is_routed_by_its_path(model: FakeModel, http: httpx.Client) -> None:
    """An application whose prompts can't be marked is given an address of its own."""
    run = model.play(script(turn(say("First.")), turn(say("Second."))))

    first = ask(http, "Hello", path=f"/run/{run.token}/v1/chat/completions")
    talk = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "First."},
        {"role": "user", "content": "And?"},
    ]
    second = ask(http, "", path=f"/run/{run.token}/v1/chat/completions", messages=talk)

    assert (text(first), text(second)) == ("First.", "Second.")
    run.assert_complete()


@pytest.mark.parametrize("header", ["authorization", "x-api-key"])
def test_a_request_is_routed_by_its_key(model: FakeModel, http: httpx.Client, header: str) -> None:
    """Or a key of its own, which is not kept."""
    run = model.play(script(say("By key.")))
    value = f"Bearer {run.api_key}" if header == "authorization" else run.api_key

    response = http.post("/v1/chat/completions", json=body("Hello"), headers={header: value})

    assert text(response) == "By key."
    assert (header, "***") in run.exchanges[0].headers


def test_a_marker_goes_before_a_path(model: FakeModel, http: httpx.Client) -> None:
    """The user's own text is nearest to what is meant."""
    one, other = model.play(script(say("One."))), model.play(script(step(say("Other."), optional=True)))

    assert text(ask(http, one.prompt("Hello"), path=f"/run/{other.token}/v1/chat/completions")) == "One."
    model.assert_complete()


def test_a_continuation_without_the_prompt_is_routed_by_its_call_ids(
    model: FakeModel, http: httpx.Client
) -> None:
    """A client that lets the provider keep the conversation sends only results; they say where they belong."""
    run = model.play(script(call("tool"), say("Done.")))
    tool = {"type": "function", "name": "tool", "parameters": {}}
    first = http.post("/v1/responses", json={"model": "m", "input": run.prompt("Go"), "tools": [tool]})
    identity = first.json()["output"][0]["call_id"]

    result = {"type": "function_call_output", "call_id": identity, "output": "{}"}
    second = http.post(
        "/v1/responses", json={"model": "m", "input": [result], "previous_response_id": "resp_1"}
    )

    assert second.json()["output"][0]["content"][0]["text"] == "Done."
    run.assert_complete()


def test_an_unmatched_request_is_refused_and_found(model: FakeModel, http: httpx.Client) -> None:
    """Nothing is answered on a guess; the refusal says how a request names its run, and not to try again."""
    response = ask(http, "Hello")

    assert response.status_code == 400
    assert response.headers["x-should-retry"] == "false"
    assert "expected a marker [[dp:TOKEN]]" in response.json()["error"]["message"]
    assert kinds(model) == [FindingKind.UNMATCHED]
    with pytest.raises(IncompleteError, match="unmatched-request"):
        model.assert_complete()


def test_an_unknown_run_is_refused_and_found(model: FakeModel, http: httpx.Client) -> None:
    """A token that nobody plays is as unmatched as none."""
    response = ask(http, "Hello [[dp:nobody]]")

    assert "there is no run nobody" in response.json()["error"]["message"]
    assert kinds(model) == [FindingKind.UNMATCHED]


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/v1/embeddings"), ("GET", "/v1/chat/completions"), ("GET", "/"), ("DELETE", "/v1/responses")],
)
def test_a_path_that_nobody_serves_is_404_and_found(
    model: FakeModel, http: httpx.Client, method: str, path: str
) -> None:
    """What an application asks for beside replies shows up, and is not taken for one."""
    response = http.request(method, path)

    assert response.status_code == 404
    assert f"got {method} {path}" in response.json()["error"]["message"]
    assert kinds(model) == [FindingKind.UNMATCHED]


def test_an_unreadable_request_is_refused_and_kept(model: FakeModel, http: httpx.Client) -> None:
    """The journal has the bytes, and says why it has no more."""
    response = http.post("/v1/chat/completions", content=b'{"messages": 1}')

    assert response.status_code == 400
    assert kinds(model) == [FindingKind.UNREADABLE]
    (exchange,) = model.exchanges
    assert exchange.body == b'{"messages": 1}'
    with pytest.raises(JournalError, match="messages: expected an array"):
        _ = exchange.request


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


def test_a_reply_is_held_before_its_first_byte(
    model: FakeModel, http: httpx.Client, pool: ThreadPoolExecutor
) -> None:
    """A race is made with a gate: the request has arrived, and its answer waits until the test lets it go."""
    run = model.play(script(step(say("At last."), hold="door")))
    answer = pool.submit(ask, http, run.prompt("Hello"))

    run.wait_held("door")
    assert not answer.done()
    assert run.exchanges[0].sent is None
    assert run.release("door") == 1

    assert text(answer.result(5)) == "At last."
    (exchange,) = run.wait_finished(1)
    assert exchange.sent is not None
    assert exchange.sent.ending is Ending.COMPLETE


def test_a_gate_parts_a_stream(model: FakeModel, http: httpx.Client) -> None:
    """What stands before the gate is read before it is released."""
    run = model.play(script(step(say("Before. "), gate("door"), say("After."))))

    with http.stream("POST", "/v1/chat/completions", json=body(run.prompt("Hello"))) as response:
        lines = response.iter_lines()
        seen = next(line for line in lines if "Before" in line)
        run.wait_held("door")
        run.release("door")
        rest = "".join(lines)

    assert "Before. " in seen
    assert "After." in rest


def test_a_released_gate_lets_all_pass_until_it_is_held_again(
    model: FakeModel, http: httpx.Client, pool: ThreadPoolExecutor
) -> None:
    """Releasing before anybody waits is no race, and a gate can be closed again."""
    run = model.play(script(step(say("Hi."), hold="door", asked=None)))
    run.release("door")

    assert text(ask(http, run.prompt("One"))) == "Hi."
    run.hold("door")
    answer = pool.submit(ask, http, run.prompt("Two"))
    run.wait_held("door")
    run.release("door")
    assert text(answer.result(5)) == "Hi."


def test_gates_of_two_runs_are_two_gates(
    model: FakeModel, http: httpx.Client, pool: ThreadPoolExecutor
) -> None:
    """A case can't release another's."""
    one, other = (model.play(script(step(say("Hi."), hold="door"))) for _ in range(2))
    answers = [pool.submit(ask, http, run.prompt("Hello")) for run in (one, other)]
    one.wait_held("door")
    other.wait_held("door")

    one.release("door")

    assert text(answers[0].result(5)) == "Hi."
    assert not answers[1].done()
    other.release("door")
    answers[1].result(5)


def test_the_first_byte_has_its_time(model: FakeModel, http: httpx.Client, pool: ThreadPoolExecutor) -> None:
    """How long an application waited can be told from how long it read."""
    run = model.play(script(step(say("At last."), hold="door")))
    answer = pool.submit(ask, http, run.prompt("Hello"))
    run.wait_held("door")
    released = time.monotonic()
    run.release("door")
    answer.result(5)

    (exchange,) = run.wait_finished(1)
    assert exchange.sent is not None
    assert exchange.arrived_at < released < exchange.sent.started_at <= exchange.sent.ended_at


def test_a_pause_is_no_gate(model: FakeModel, http: httpx.Client) -> None:
    """A reply can take its time; the journal says how long it took."""
    run = model.play(script(step(say("a"), pause(0.05), say("b"))))

    assert text(ask(http, run.prompt("Hello"))) == "ab"
    (exchange,) = run.wait_finished(1)
    assert exchange.sent is not None
    assert exchange.sent.ended_at - exchange.sent.started_at >= 0.05


def test_silence_ends_with_the_reader(model: FakeModel, http: httpx.Client) -> None:
    """No byte comes; a reader that gives up is noted."""
    run = model.play(script(step(silence())))

    with pytest.raises(httpx.ReadTimeout):
        http.post("/v1/chat/completions", json=body(run.prompt("Hello")), timeout=0.2)

    (exchange,) = run.wait_finished(1)
    assert exchange.sent is not None
    assert (exchange.sent.ending, exchange.sent.body) == (Ending.READER_LEFT, b"")


def test_an_endless_stream_stops_with_its_reader(model: FakeModel, http: httpx.Client) -> None:
    """The reader must stop; then the stream does."""
    run = model.play(script(step(endless("more "))))

    with http.stream("POST", "/v1/chat/completions", json=body(run.prompt("Hello"))) as response:
        lines = response.iter_lines()
        for _ in range(100):
            next(lines)

    (exchange,) = run.wait_finished(1)
    assert exchange.sent is not None
    assert exchange.sent.ending is Ending.READER_LEFT
    run.assert_complete()


def test_an_endless_stream_that_is_read_to_its_end_is_a_finding(model: FakeModel, http: httpx.Client) -> None:
    """A reader that never stops is ended, and found."""
    run = model.play(script(step(endless("more ", at_most=20))))

    assert text(ask(http, run.prompt("Hello"))) == "more " * 20
    run.wait_finished(1)
    assert [finding.kind for finding in run.findings] == [FindingKind.ENDLESS_READ]


def test_an_unread_endless_stream_does_not_fill_the_memory(model: FakeModel) -> None:
    """The server waits for a reader that is slow, and notices when it is gone."""
    run = model.play(script(step(endless("x" * 1000))))
    payload = json.dumps(body(run.prompt("Hello"))).encode()
    host, port = model.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as sock:
        sock.sendall(
            b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: %d\r\n\r\n" % len(payload) + payload
        )
        sock.recv(1)
        run.wait_for(1)

    (exchange,) = run.wait_finished(1)
    assert exchange.sent is not None
    assert len(exchange.sent.body) < 60_000_000
    assert exchange.sent.ending is Ending.READER_LEFT


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


def test_a_reset_begins_a_new_generation(model: FakeModel, http: httpx.Client) -> None:
    """What one case left behind is not there for the next."""
    run = model.play(script(say("Hi."), name="first"))
    ask(http, "unmatched")
    ask(http, run.prompt("Hello"))

    model.reset()

    assert (model.exchanges, model.findings) == ((), ())
    with pytest.raises(JournalError, match="ended with a reset"):
        _ = run.exchanges
    later = model.play(script(say("Hi again.")))
    assert later.token != run.token
    ask(http, later.prompt("Hello"))
    assert [exchange.generation for exchange in model.exchanges] == [1]


def test_a_late_request_is_not_read_by_the_next_case(model: FakeModel, http: httpx.Client) -> None:
    """A request of a case that is over is refused, and belongs to that case's generation."""
    run = model.play(script(say("Hi.")))
    model.reset()

    response = ask(http, run.prompt("Hello"))

    assert response.status_code == 400
    assert "ended with a reset" in response.json()["error"]["message"]
    assert (model.exchanges, model.findings) == ((), ())
    model.assert_complete()


def test_a_reset_lets_go_of_replies_that_are_held(
    model: FakeModel, http: httpx.Client, pool: ThreadPoolExecutor
) -> None:
    """Nobody waits for an answer that will not come."""
    run = model.play(script(step(say("Never."), hold="door")))
    answer = pool.submit(ask, http, run.prompt("Hello"))
    run.wait_held("door")

    model.reset()

    with pytest.raises(httpx.TransportError):
        answer.result(5)
    assert model.findings == ()


def test_a_reset_leaves_replies_alone_that_came_after_it(
    model: FakeModel, http: httpx.Client, pool: ThreadPoolExecutor
) -> None:
    """What a reset lets go of is what was there before it, however late the server gets round to it."""
    model.reset()
    run = model.play(script(step(say("At last."), hold="door")))
    answer = pool.submit(ask, http, run.prompt("Hello"))
    run.wait_held("door")

    done = threading.Event()
    model._background.call(model._server.drop_late)
    model._background.call(done.set)
    done.wait(5)
    run.release("door")

    assert text(answer.result(5)) == "At last."


def test_a_late_end_is_not_counted_in_the_next_generation(pool: ThreadPoolExecutor) -> None:
    """A standing run begins anew with a reset; the reply that the reset broke off belongs to the old one."""
    standing = [("hello", script(step(say("Hi."), hold="door")))]
    with FakeModel(standing=standing) as model, httpx.Client(verify=False, base_url=model.url) as http:
        answer = pool.submit(ask, http, "Hello [[dp:hello]]")
        model.journal.wait(lambda: model.journal.counts("hello")[0] == 1, 5, lambda: "a request")
        model.reset()
        with pytest.raises(httpx.TransportError):
            answer.result(5)
        settled = threading.Event()
        model._background.call(settled.set)
        settled.wait(5)

        assert model.journal.counts("hello") == (0, 0)


def test_closing_lets_go_of_everything(pool: ThreadPoolExecutor) -> None:
    """A server that stops resets what is open, and its thread ends."""
    with FakeModel() as model, httpx.Client(verify=False, base_url=model.url) as http:
        run = model.play(script(step(say("Never."), hold="door")))
        answer = pool.submit(ask, http, run.prompt("Hello"))
        run.wait_held("door")
        model.close()
        with pytest.raises(httpx.TransportError):
            answer.result(5)

    assert not [thread for thread in threading.enumerate() if thread.name == "fake-model"]


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


def test_a_token_serves_once(model: FakeModel) -> None:
    """A second run under a token would read the first one's requests."""
    run = model.play(script(say("Hi.")), token="mine")

    assert (run.token, run.prompt("Hello", turn=2)) == ("mine", "Hello [[dp:mine.2]]")
    with pytest.raises(JournalError, match="'mine' was used before"):
        model.play(script(say("Hi.")), token="mine")
    model.reset()
    with pytest.raises(JournalError, match="'mine' was used before"):
        model.play(script(say("Hi.")), token="mine")


def test_standing_scripts_are_played_again_after_a_reset(pool: ThreadPoolExecutor) -> None:
    """What a folder serves is there in each generation, under the same token."""
    with (
        FakeModel(standing=[("hello", script(say("Hi.")))]) as model,
        httpx.Client(verify=False, base_url=model.url) as http,
    ):
        for _ in range(2):
            assert text(ask(http, "Hello [[dp:hello]]")) == "Hi."
            model.assert_complete()
            model.reset()


def test_side_calls_get_their_canned_reply() -> None:
    """Titles and moderation belong to no script: they are recognised by what they are and told apart in the journal."""
    side_calls = [
        SideCall("titles", say="A fine thread", system="Name this thread."),
        SideCall("moderation", body='{"flagged":false}', path="/moderations"),
        SideCall("small model", say="ok", model="tiny", offers_tools=False),
    ]
    with FakeModel(side_calls=side_calls) as model, httpx.Client(verify=False, base_url=model.url) as http:
        run = model.play(script(say("Hi.")))
        messages = [
            {"role": "system", "content": "Name this thread."},
            {"role": "user", "content": run.prompt("Hello")},
        ]
        title = http.post("/v1/chat/completions", json={"model": "m", "messages": messages})
        moderation = http.post("/v1/moderations", json={"input": run.prompt("Hello")})
        small = http.post("/v1/messages", json={**body("Hello", stream=False), "model": "tiny"})
        tools = [{"name": "x", "input_schema": {}}]
        not_small = http.post(
            "/v1/messages", json={**body("Hello", stream=False, tools=tools), "model": "tiny"}
        )
        answer = ask(http, run.prompt("Hello"))

        assert title.json()["choices"][0]["message"]["content"] == "A fine thread"
        assert moderation.json() == {"flagged": False}
        assert small.json()["content"][0]["text"] == "ok"
        assert not_small.status_code == 400
        assert text(answer) == "Hi."
        known = [exchange.side_call for exchange in model.exchanges]
        assert known == ["titles", "moderation", "small model", None, None]
        run.assert_complete()


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


def test_many_threads_may_ask_at_once(model: FakeModel, http: httpx.Client, pool: ThreadPoolExecutor) -> None:
    """Runs side by side keep their answers and their journals apart."""
    runs = [model.play(script(say(f"Answer {number}."))) for number in range(40)]
    started = time.monotonic()

    answers = list(pool.map(lambda run: text(ask(http, run.prompt("Hello"))), runs))

    assert answers == [f"Answer {number}." for number in range(40)]
    assert all(len(run.exchanges) == 1 for run in runs)
    assert [exchange.order for exchange in model.exchanges] == list(range(40))
    assert time.monotonic() - started < 10
    model.assert_complete()


def _read_until(sock: socket.socket, wanted: bytes) -> bytes:
    received = b""
    while wanted not in received:
        data = sock.recv(65536)
        assert data, received
        received += data
    return received
