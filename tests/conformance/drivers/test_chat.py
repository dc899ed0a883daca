"""Conversations and running steps, against sockets that send and hang up as they are told."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from conformance.drivers import chat as chat_module
from conformance.drivers.chat import Conversation
from conformance.drivers.http import Http
from conformance.drivers.step import Refusal
from conformance.errors import Departure
from conformance.target_tables import Paths, Route
from conformance.wire.chat import Catalog, Declaration, assistant_call
from conformance.wire.frames import Frame, TextDelta
from fake_model import FakeModel, say, script
from tests.conformance.servers import Connection, Handler, Server, http_to
from tests.conformance.wire.frames_of import call, finish, ndjson, start, text


@pytest.fixture(scope="module")
def model() -> Iterator[FakeModel]:
    """A fake model; the servers of these tests never ask it."""
    with FakeModel() as running:
        yield running


def conversation(http: Http, model: FakeModel) -> Conversation:
    """A conversation of nobody in particular on one page."""
    return Conversation(http, Paths(), model, "cnv-1", Route(pathname="/invoices"))


def stream(*frames: dict[str, Any], cut: int = 0) -> Handler:
    """A server that answers every step with these frames, but for the last few bytes."""

    def handler(connection: Connection) -> None:
        connection.begin_stream()
        body = ndjson(*frames)
        connection.send(body[: len(body) - cut])

    return handler


def test_a_turn_posts_the_whole_history(model: FakeModel) -> None:
    """The protocol is stateless: each step carries all messages, and what came back is appended to them."""
    bodies: list[dict[str, Any]] = []
    said = assistant_call("c1", "view_a", {})
    first = [start(), call(executor="browser"), finish("c1", responseMessages=[said])]
    answers = [first, [start(), text(), finish()]]

    def handler(connection: Connection) -> None:
        bodies.append(json.loads(connection.body))
        stream(*answers[len(bodies) - 1])(connection)

    with Server(handler) as server, http_to(server.url) as http:
        talk = conversation(http, model)
        talk.catalog = Catalog((Declaration("view:a"),))
        talk.accept(talk.post(talk.prepare(script(say("hello")), "Go")))
        last = talk.resume({"c1": {"ok": True}})

    assert ("hello", 0) == (last.text, len(last.pending))
    assert [0, 1] == [body["stepIndex"] for body in bodies]
    user, assistant, tool = bodies[1]["messages"]
    assert bodies[0]["messages"] == [user]
    assert said == assistant
    assert ("view_a", {"type": "json", "value": {"ok": True}}) == (
        tool["content"][0]["toolName"],
        tool["content"][0]["output"],
    )


def test_a_refused_step_is_a_finding_or_a_refusal(model: FakeModel) -> None:
    """`send` expects a step; a case that expects a refusal posts, and looks at it."""
    body = b'{"error": {"code": "BAD_REQUEST", "message": "No."}}'
    with Server(lambda c: c.answer(body, 400)) as server, http_to(server.url) as http:
        talk = conversation(http, model)
        refusal = talk.post(talk.prepare(script(say("x"))))
        with pytest.raises(Departure, match=r"refused with 400 BAD_REQUEST: No\."):
            talk.send(script(say("x")))
        with (
            pytest.raises(Departure, match=r"refused with 400 BAD_REQUEST: No\."),
            talk.start(talk.request()),
        ):
            pass

    assert isinstance(refusal, Refusal)
    assert (
        "  step  POST /agent/chat step 0 -> 400 BAD_REQUEST No." == http.transcript.excerpt().splitlines()[0]
    )


def test_a_step_whose_model_is_another_is_a_finding(model: FakeModel) -> None:
    """A target that asks some other model, or none, runs nothing that it was told to run, and would look harmless."""
    with Server(stream(start(), finish())) as server, http_to(server.url) as http:
        talk = conversation(http, model)
        with pytest.raises(Departure, match="the target did not ask the model"):
            talk.send(script(say("x")))


def test_a_stream_of_another_media_type_is_no_step(model: FakeModel) -> None:
    """Frames under another name would be read by nobody's browser."""
    with Server(lambda c: c.answer(ndjson(start(), finish()))) as server, http_to(server.url) as http:
        talk = conversation(http, model)
        outcome = talk.post(talk.prepare(script(say("x"))))

    assert isinstance(outcome, Refusal)
    assert 200 == outcome.status


def test_a_stream_that_breaks_off_is_a_finding(model: FakeModel) -> None:
    """A step has an end; a stream cut in the middle of a chunk is not one."""

    def handler(connection: Connection) -> None:
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n"
        connection.send(head + b"ff\r\n" + ndjson(start()))

    with Server(handler) as server, http_to(server.url) as http:
        talk = conversation(http, model)
        with pytest.raises(Departure, match="POST /agent/chat broke off: peer closed connection"):
            talk.send(script(say("x")))


def test_a_line_or_a_stream_without_end_is_a_finding(
    model: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The suite reads a bounded amount."""
    monkeypatch.setattr(chat_module, "MAX_LINE", 500)
    monkeypatch.setattr(chat_module, "MAX_STEP_BYTES", 5000)
    monkeypatch.setattr(chat_module, "MAX_FRAMES", 80)
    said = []
    for frames in (
        [start(), text("x" * 1000)],
        [start(), *[text("x" * 100)] * 100],
        [start(), *[text("x")] * 90],
    ):
        with Server(stream(*frames, cut=1)) as server, http_to(server.url) as http:
            talk = conversation(http, model)
            with pytest.raises(Departure) as caught:
                talk.send(script(say("x")))
            said.append(str(caught.value))

    assert [
        "one line of the stream is longer than 500 bytes",
        "the stream did not end after 5000 bytes",
        "the stream did not end after 80 frames",
    ] == said


def test_a_running_step_without_end_is_a_finding(model: FakeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking on while it runs is bounded likewise."""
    monkeypatch.setattr(chat_module, "MAX_FRAMES", 80)
    with Server(stream(start(), *[text("x")] * 200, cut=1)) as server, http_to(server.url) as http:
        talk = conversation(http, model)
        with (
            talk.start(talk.prepare(script(say("x")))) as live,
            pytest.raises(Departure, match="the stream did not end after 80 frames"),
        ):
            live.end()


def test_a_step_that_outlasts_its_deadline_is_a_finding(model: FakeModel) -> None:
    """A stream that goes on and on, never silent, still has to end some time."""
    over = threading.Event()

    def handler(connection: Connection) -> None:
        connection.begin_stream()
        while not over.is_set():
            connection.send(ndjson(text()))

    with Server(handler) as server, http_to(server.url, step_deadline=0.2) as http:
        talk = conversation(http, model)
        with pytest.raises(Departure, match=r"the step did not end within 0\.2 s"):
            talk.send(script(say("x")))
        over.set()


def heard(words: str) -> Callable[[Sequence[Frame]], bool]:
    """Whether the frames so far hold a text."""
    return lambda frames: any(isinstance(frame, TextDelta) and frame.text == words for frame in frames)


def test_a_running_step_is_read_while_it_runs(model: FakeModel) -> None:
    """A case waits for what it needs to have seen, acts, and reads on; nothing waits for the clock."""
    go_on = threading.Event()

    def handler(connection: Connection) -> None:
        connection.begin_stream()
        connection.send(ndjson(start(), text("one")))
        go_on.wait(5)
        connection.send(ndjson(text("two"), finish()))

    with Server(handler) as server, http_to(server.url) as http:
        talk = conversation(http, model)
        with talk.start(talk.prepare(script(say("x")))) as live:
            before = live.wait_for(heard("one"), "the first word")
            go_on.set()
            after = live.end()

    assert (("one", False), ("onetwo", True)) == (
        (before.text, before.complete),
        (after.text, after.complete),
    )


class Patient:
    """A server that sends the beginning of a step, waits until the other side hangs up, and remembers how it did."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self.ending = ""

    def __call__(self, connection: Connection) -> None:
        """Serve one step."""
        connection.begin_stream()
        connection.send(ndjson(start(), text("one")))
        self.ending = connection.ending()
        self.ended.set()


@pytest.mark.parametrize(("reset", "ending"), [(False, "closed"), (True, "reset")])
def test_hanging_up_is_seen_at_the_other_end(model: FakeModel, *, reset: bool, ending: str) -> None:
    """A closed tab ends its connection in order, a pulled cable does not; the target must see the one that was meant."""
    patient = Patient()
    with Server(patient) as server, http_to(server.url) as http:
        talk = conversation(http, model)
        with talk.start(talk.prepare(script(say("x")))) as live:
            live.wait_for(heard("one"), "the first word")
            live.disconnect(reset=reset)
        patient.ended.wait(5)

    assert ending == patient.ending
    assert ("one", False) == (live.so_far().text, live.so_far().complete)


def test_leaving_a_running_step_hangs_up(model: FakeModel) -> None:
    """A case that fails half-way must not leave a stream behind."""
    patient = Patient()
    with Server(patient) as server, http_to(server.url) as http:
        talk = conversation(http, model)
        with talk.start(talk.prepare(script(say("x")))):
            pass

        assert patient.ended.wait(5)


def test_a_running_step_that_falls_silent_has_not_ended(model: FakeModel) -> None:
    """Silence beyond the deadline is a finding; what came before it must not pass for a whole step."""
    with Server(Patient()) as server, http_to(server.url, deadline=1) as http:
        talk = conversation(http, model)
        with talk.start(talk.prepare(script(say("x")))) as live:
            with pytest.raises(Departure, match="waited for the moon; the stream has step-start, text-delta"):
                live.wait_for(heard("moon"), "the moon")
            with pytest.raises(Departure, match=r"the step did not end.*; it has step-start, text-delta"):
                live.end()


def test_a_running_step_that_is_cut_has_not_ended(model: FakeModel) -> None:
    """Nor must a stream that the target cut."""

    def handler(connection: Connection) -> None:
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\ncontent-length: 99999\r\n\r\n"
        connection.send(head + ndjson(start()))

    with Server(handler) as server, http_to(server.url) as http:
        talk = conversation(http, model)
        with (
            talk.start(talk.prepare(script(say("x")))) as live,
            pytest.raises(
                Departure, match="the step did not end; it has step-start; it broke off: peer closed"
            ),
        ):
            live.end()


def test_waiting_for_what_never_came_is_a_finding(model: FakeModel) -> None:
    """When the stream ends without it, the message shows what the stream had, repeats counted."""
    with Server(stream(start(), text(), text(), finish())) as server, http_to(server.url) as http:
        talk = conversation(http, model)
        with (
            talk.start(talk.prepare(script(say("x")))) as live,
            pytest.raises(Departure, match=r"the stream has step-start, 2 text-delta, step-finish$"),
        ):
            live.wait_for(heard("moon"), "the moon")
