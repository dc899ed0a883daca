"""What is sent, and values in it that only an earlier answer gives."""

import pytest

from conformance.fuzz.attempt import Attempt, Request, reference

ANSWERS = [{"id": 33, "name": "a/b"}, [{"id": "apr-1"}]]
POINTERS = {(0, "/id"): 33, (0, "/name"): "a/b", (1, "/0/id"): "apr-1"}


def look_up(index: int, pointer: str) -> object:
    """The value at a pointer in one of the answers."""
    return POINTERS.get((index, pointer), "")


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ({"path": f"/approvals/{reference(1, '/0/id')}"}, {"path": "/approvals/apr-1"}),
        ({"path": f"/rpc/{reference(0, '/name')}"}, {"path": "/rpc/a%2Fb"}),
        ({"body": f'{{"id":"{reference(0, "/id")}"}}'.encode()}, {"body": b'{"id":33}'}),
        ({"body": f'{{"text":"for {reference(0, "/id")}!"}}'.encode()}, {"body": b'{"text":"for 33!"}'}),
        ({"script": f'{{"with":"{reference(1, "/0/id")}"}}'}, {"script": '{"with":"apr-1"}'}),
        ({"body": f'{{"id":"{reference(7, "/id")}"}}'.encode()}, {"body": b'{"id":""}'}),
        ({"body": b"\xff[[from:0:/id]]"}, {"body": b"\xff33"}),
    ],
)
def test_references_become_what_the_target_answered(
    written: dict[str, object], sent: dict[str, object]
) -> None:
    """An id differs from run to run, so that a finding can only be sent again when it names where the id came from."""
    request = Request("POST /x", "POST", **{"path": "/x", **written})  # type: ignore[arg-type]

    resolved = request.resolved(look_up)

    assert sent == {name: getattr(resolved, name) for name in sent}


def test_fewer_requests_are_smaller_than_fewer_bytes() -> None:
    """A person reads one request sooner than two."""
    one = Attempt("carla", (Request("POST /x", "POST", "/x", b"x" * 100),))
    two = Attempt("carla", (Request("GET /x", "GET", "/x"), Request("GET /x", "GET", "/x")))

    assert one.size < two.size
