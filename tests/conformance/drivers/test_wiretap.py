"""The relay between a tab and the application: it passes on what comes, remembers it, and goes down on demand."""

import threading
from collections.abc import Iterator

import httpx
import pytest

from conformance.drivers.tabs.wiretap import Reply, Wiretap
from conformance.waiting import eventually
from tests.conformance.servers import Connection, Server


def echo(connection: Connection) -> None:
    """Answer with the body that came."""
    connection.answer(connection.body)


@pytest.fixture
def tap() -> Iterator[Wiretap]:
    """A relay in front of a server that echoes."""
    with Server(echo) as server:
        made = Wiretap(lambda: server.url).start()
        yield made
        made.close()


def post(tap: Wiretap, path: str, body: bytes) -> httpx.Response:
    """Post over the relay on a connection of its own."""
    return httpx.post(tap.url + path, content=body, trust_env=False, timeout=5)


def test_requests_pass_and_are_remembered(tap: Wiretap) -> None:
    """The application sees what the tab sent, the tab sees the answer, and the suite can read the request afterwards."""
    answer = post(tap, "/agent/chat?x=1", b'{"a": 1}')
    asked = eventually(lambda: tap.asked, lambda asked: asked[0].ended, 5)

    assert b'{"a": 1}' == answer.content
    assert [("POST", "/agent/chat?x=1", b'{"a": 1}', True)] == [
        (one.method, one.path, one.body, one.ended) for one in asked
    ]
    assert "8" == asked[0].headers["content-length"]


def test_a_stream_passes_as_it_comes() -> None:
    """A step that is still running shows as open, and its first line is there before its last."""
    go_on = threading.Event()

    def stream(connection: Connection) -> None:
        connection.begin_stream()
        connection.send(b'{"first": 1}\n')
        go_on.wait(5)
        connection.send(b'{"last": 1}\n')

    with Server(stream) as server:
        tap = Wiretap(lambda: server.url).start()
        with httpx.stream("POST", tap.url, content=b"{}", trust_env=False, timeout=5) as answer:
            lines = answer.iter_lines()
            first, during = next(lines), tap.asked[0].ended
            go_on.set()
            rest = list(lines)
        after = eventually(lambda: tap.asked[0].ended, bool, 5)
        tap.close()

    assert ('{"first": 1}', ['{"last": 1}']) == (first, rest)
    assert (False, True) == (during, after)


def test_a_tab_that_hangs_up_is_noticed_behind_the_relay() -> None:
    """What the application does when its client goes away must be the same with the relay in between."""
    gone = threading.Event()

    def wait_for_the_end(connection: Connection) -> None:
        connection.begin_stream()
        connection.send(b"x\n")
        if not connection.sock.recv(1):
            gone.set()

    with Server(wait_for_the_end) as server:
        tap = Wiretap(lambda: server.url).start()
        with httpx.stream("POST", tap.url, content=b"{}", trust_env=False, timeout=5) as answer:
            next(answer.iter_raw())
        noticed = gone.wait(5)
        tap.close()

    assert noticed


def test_it_follows_an_application_that_moved() -> None:
    """A tab keeps its address while the application is started again elsewhere."""
    with Server(echo) as old, Server(echo) as new:
        places = [old.url]
        tap = Wiretap(lambda: places[-1]).start()
        first = post(tap, "/", b"1").content
        places.append(new.url)
        second = post(tap, "/", b"2").content
        tap.close()

    assert (b"1", b"2") == (first, second)


def test_a_cut_line_refuses_and_comes_back(tap: Wiretap) -> None:
    """That is how an application looks that is being restarted."""
    tap.cut()
    with pytest.raises(httpx.TransportError):
        post(tap, "/", b"1")
    tap.mend()

    assert b"2" == post(tap, "/", b"2").content


def test_cutting_ends_what_is_under_way() -> None:
    """A stream that was open when the line went down ends at once."""

    def stream(connection: Connection) -> None:
        connection.begin_stream()
        connection.sock.recv(1)

    with Server(stream) as server:
        tap = Wiretap(lambda: server.url).start()
        with httpx.stream("POST", tap.url, content=b"{}", trust_env=False, timeout=5) as answer:
            tap.cut()
            with pytest.raises(httpx.TransportError):
                answer.read()
        tap.close()


def test_a_scripted_reply_takes_the_applications_place_once(tap: Wiretap) -> None:
    """A case plays a host that misbehaves; everything else goes on to the real one."""
    tap.answer("/agent/chat", Reply(b"scripted\n"))
    answers = [post(tap, path, b"real").content for path in ("/rpc/list", "/agent/chat", "/agent/chat")]

    assert [b"real", b"scripted\n", b"real"] == answers
    assert 3 == len(tap.asked)


def test_a_scripted_reply_can_break_off(tap: Wiretap) -> None:
    """The line goes down after what there is, which arrives whole: nobody had announced how long it would be."""
    tap.answer("/agent/chat", Reply(b"half", cut=True))
    answer = post(tap, "/agent/chat", b"{}")

    assert (b"half", "close", None) == (
        answer.content,
        answer.headers["connection"],
        answer.headers.get("content-length"),
    )


def test_forgetting_begins_anew(tap: Wiretap) -> None:
    """The next case finds no requests, no scripted replies, and the line up."""
    post(tap, "/", b"1")
    tap.answer("/", Reply(b"late"))
    tap.cut()
    tap.forget()
    before = tap.asked
    answer = post(tap, "/", b"2")

    assert ((), b"2") == (before, answer.content)


def test_what_is_no_http_ends_the_connection(tap: Wiretap) -> None:
    """And does no harm to the next one."""
    with pytest.raises(httpx.TransportError):
        httpx.request("NO HTTP", tap.url, trust_env=False, timeout=5)

    assert b"1" == post(tap, "/", b"1").content
