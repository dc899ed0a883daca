"""Reading stored conversations, and what a record says of one's own calls."""

import json

import pytest

from conformance.drivers.audit import Audit
from conformance.drivers.threads import Threads
from conformance.errors import Departure, Untested
from conformance.target_tables import Paths
from tests.conformance.servers import Connection, Server, http_to

PATHS = Paths(threads="/threads", audit="/audit")


def test_threads_are_listed_in_the_target_s_order() -> None:
    """The order is one of the things that a case looks at."""
    body = json.dumps([{"id": "b", "title": "x"}, {"id": "a"}]).encode()
    with Server(lambda c: c.answer(body)) as server, http_to(server.url) as http:
        assert Threads(http, PATHS).ids() == ("b", "a")


@pytest.mark.parametrize(
    ("status", "body"), [(401, b"{}"), (200, b"{}"), (200, b"[1]"), (200, b'[{"title": "x"}]')]
)
def test_a_list_that_is_none_is_a_finding(status: int, body: bytes) -> None:
    """Whatever comes instead is shown."""
    with (
        Server(lambda c: c.answer(body, status)) as server,
        http_to(server.url) as http,
        pytest.raises(Departure, match="GET /threads"),
    ):
        Threads(http, PATHS).ids()


@pytest.mark.parametrize(("status", "body"), [(404, b"{}"), (200, b'"x"'), (200, b'["x"]')])
def test_messages_that_are_none_are_a_finding(status: int, body: bytes) -> None:
    """Likewise."""
    with (
        Server(lambda c: c.answer(body, status)) as server,
        http_to(server.url) as http,
        pytest.raises(Departure, match="GET /threads/t1/model-messages"),
    ):
        Threads(http, PATHS).messages("t1")


def test_one_thread_has_its_addresses() -> None:
    """Reading, its messages, deleting."""
    asked = []

    def handler(connection: Connection) -> None:
        asked.append(connection.head.split()[:2])
        connection.answer(b"[]")

    with Server(handler) as server, http_to(server.url) as http:
        threads = Threads(http, PATHS)
        threads.raw("t1")
        threads.messages("t1")
        threads.delete("t1")

    assert asked == [
        [b"GET", b"/threads/t1"],
        [b"GET", b"/threads/t1/model-messages"],
        [b"DELETE", b"/threads/t1"],
    ]


def test_without_addresses_both_are_untested() -> None:
    """The key is named."""
    with Server(lambda c: c.answer(b"[]")) as server, http_to(server.url) as http:
        with pytest.raises(Untested) as threads:
            Threads(http, Paths()).ids()
        with pytest.raises(Untested) as audit:
            Audit(http, Paths()).events()

    assert (threads.value.missing, audit.value.missing) == ("paths.threads", "paths.audit")


def test_events_are_read_by_what_they_say() -> None:
    """The common prefix is dropped; fields that the suite does not know are passed over."""
    event = {"type": "capability.denied", "capabilityId": "a", "correlation": {"trusted": False}, "at": "now"}
    with Server(lambda c: c.answer(json.dumps([event]).encode())) as server, http_to(server.url) as http:
        (read,) = Audit(http, PATHS).events()

    assert (read.kind, read.capability_id, read.correlation) == ("denied", "a", {"trusted": False})


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [(403, b"{}", "answered 403"), (200, b"{}", "answered 200"), (200, b"[{}]", "can't be read")],
)
def test_a_record_that_can_t_be_read_is_a_finding(status: int, body: bytes, message: str) -> None:
    """It is the target's, so it is no error of the suite."""
    with (
        Server(lambda c: c.answer(body, status)) as server,
        http_to(server.url) as http,
        pytest.raises(Departure, match=message),
    ):
        Audit(http, PATHS).events()
