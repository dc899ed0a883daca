"""What a reply waits for: gates, pauses, silence, and readers that are slow or leave."""

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from fake_model import Ending, FakeModel, FindingKind, endless, gate, pause, say, script, silence, step
from tests.fake_model.asking import ask, body, text


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
