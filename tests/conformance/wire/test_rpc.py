"""Reading the answers of procedures."""

import json

import pytest

from conformance.errors import Departure
from conformance.wire.answer import Answer
from conformance.wire.rpc import RpcError, read_rpc


def answer(status: int, body: object, *, raw: bytes | None = None) -> Answer:
    """An answer of a procedure."""
    content = raw if raw is not None else json.dumps(body).encode()
    return Answer("POST", "/rpc/a", status, {"Content-Type": "application/json"}, content)


@pytest.mark.parametrize("value", [None, 0, [], {"a": [1]}, "text"])
def test_a_success_is_what_stands_under_json(value: object) -> None:
    """Every JSON value is a possible output, null included."""
    read = read_rpc(answer(200, {"json": value, "meta": []}))

    assert (True, value) == (read.ok, read.value)


@pytest.mark.parametrize("body", [{}, {"value": 1}, [1], "text"])
def test_a_success_in_another_shape_is_a_finding(body: object) -> None:
    """A case would otherwise compare nothing with nothing."""
    with pytest.raises(Departure, match="POST /rpc/a answered 200 without the json envelope"):
        read_rpc(answer(200, body))


def test_a_typed_error_keeps_all_that_it_says() -> None:
    """Code, status, message, data and whether the procedure declares it."""
    inner = {"code": "CONFLICT", "status": 409, "message": "It is paid.", "data": {"id": 1}, "defined": True}

    read = read_rpc(answer(409, {"json": inner}))

    assert (False, RpcError("CONFLICT", 409, "It is paid.", {"id": 1}, defined=True)) == (read.ok, read.error)


@pytest.mark.parametrize(
    ("body", "raw", "message"),
    [
        ({"error": "x"}, None, '{"error": "x"}'),
        ({"json": {"code": 4}}, None, '{"json": {"code": 4}}'),
        (None, b"Not Found", "Not Found"),
        (None, b"\xff", "\ufffd"),
    ],
)
def test_an_error_in_another_shape_is_still_a_refusal(body: object, raw: bytes | None, message: str) -> None:
    """What was refused counts; how the refusal is spelled has requirements of its own."""
    assert RpcError("", 404, message) == read_rpc(answer(404, body, raw=raw)).error


def test_the_status_on_the_wire_wins() -> None:
    """A body that claims another status than the answer has does not make it so."""
    body = {"json": {"code": "X", "status": 200, "message": ""}}

    read = read_rpc(answer(500, body))

    assert read.error is not None
    assert 500 == read.error.status
