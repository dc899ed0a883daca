"""The envelope of `/rpc`: `{"json": value}` on the way in and out, a typed error under `json` where the status says so."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conformance.errors import Departure
from conformance.wire.answer import Answer


@dataclass(frozen=True)
class RpcError:
    """A typed error: a code in capitals, its HTTP status, a message for people, optional data."""

    code: str
    status: int
    message: str
    data: Any = None
    defined: bool = False


@dataclass(frozen=True)
class RpcAnswer:
    """What a procedure call came to: a value, or an error."""

    answer: Answer
    value: Any = None
    error: RpcError | None = None

    @property
    def ok(self) -> bool:
        """Whether the call succeeded."""
        return self.error is None


def read_rpc(answer: Answer) -> RpcAnswer:
    """Read an answer of `/rpc`.

    A failure in any other shape (a router's plain-text 404, say) becomes an error with the status alone: what was refused
    is what counts, and the shape has requirements of its own.

    Raises:
        Departure: a success that is not `{"json": ...}`.
    """
    if answer.status < 400:
        body = answer.json()
        if not isinstance(body, dict) or "json" not in body:
            raise Departure(
                f"{answer.method} {answer.path} answered {answer.status} without the json envelope: {answer.text[:120]!r}"
            )
        return RpcAnswer(answer, value=body["json"])
    return RpcAnswer(answer, error=_read_error(answer))


def _read_error(answer: Answer) -> RpcError:
    try:
        body = answer.json()
    except Departure:
        body = None
    inner = body.get("json") if isinstance(body, dict) else None
    if not isinstance(inner, Mapping) or not isinstance(inner.get("code"), str):
        return RpcError(code="", status=answer.status, message=answer.text[:300])
    return RpcError(
        code=inner["code"],
        status=answer.status,
        message=str(inner.get("message", "")),
        data=inner.get("data"),
        defined=inner.get("defined") is True,
    )
