"""What every provider's wire format has to do: read its requests, and write replies and errors in its shape."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

import orjson

from fake_model.errors import RequestError
from fake_model.pointer import JsonValue
from fake_model.reply import Reply
from fake_model.request import ModelRequest, Role
from fake_model.script import Gate, Pause

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Loop:
    """An event that is sent again and again, at most so many times."""

    event: bytes
    at_most: int


Event = bytes | Gate | Pause | Loop
"""One server-sent event as bytes, or a wait between two."""


class Identity(NamedTuple):
    """What names a reply: a part for its ids, the model as the request spelled it, and seconds since 1970."""

    key: str
    model: str
    created: int


class Provider(Protocol):
    """One provider's wire format, without state."""

    def __hash__(self) -> int:
        """Return a hash: a format is the same as itself only."""

    @property
    def name(self) -> str:
        """What the journal calls it."""

    @property
    def path(self) -> str:
        """The end of the path that its requests are posted to."""

    def parse(self, body: bytes) -> ModelRequest:
        """Return what was asked; raises RequestError where the body is not of this format."""

    def stream(self, reply: Reply, identity: Identity) -> tuple[Event, ...]:
        """Return the reply as server-sent events."""

    def document(self, reply: Reply, identity: Identity) -> bytes:
        """Return the reply as one JSON document."""

    def error(self, status: int, message: str, code: str | None) -> bytes:
        """Return an error body."""

    def error_event(self, message: str, code: str, sequence: int) -> bytes:
        """Return an error event inside a stream; `sequence` is the number of events before it."""


def read_object(body: bytes) -> dict[str, JsonValue]:
    """Return the JSON object in a request body.

    Raises:
        RequestError: the body is no JSON, or no object.
    """
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        value = _read_leniently(body)
    if not isinstance(value, dict):
        raise RequestError(f"expected a JSON object as the request body, got {_kind(value)}")
    return value


def each(values: JsonValue, field: str, read: Callable[[JsonValue], T]) -> list[T]:
    """Return the elements of an array as `read` reads them, none for null; an error names the element."""
    if values is None:
        return []
    if not isinstance(values, list):
        raise RequestError(f"expected an array, got {_kind(values)}", field)
    found: list[T] = []
    for value in values:
        try:
            found.append(read(value))
        except RequestError as error:
            raise error.within(f"{field}[{len(found)}]") from error
    return found


def object_of(value: JsonValue, field: str = "") -> dict[str, JsonValue]:
    """Return `value` as an object; raises RequestError."""
    if not isinstance(value, dict):
        raise RequestError(f"expected an object, got {_kind(value)}", field)
    return value


def text_of(value: JsonValue, field: str = "") -> str:
    """Return `value` as a string; raises RequestError."""
    if not isinstance(value, str):
        raise RequestError(f"expected a string, got {_kind(value)}", field)
    return value


def role_of(message: dict[str, JsonValue], roles: Mapping[str, Role]) -> Role:
    """Return a message's role; raises RequestError for one that the format does not know."""
    name = message.get("role")
    role = roles.get(name) if isinstance(name, str) else None
    if role is None:
        raise RequestError(f"expected one of {', '.join(sorted(roles))}, got {name!r}", "role")
    return role


def compact(value: JsonValue) -> bytes:
    """Return `value` as compact JSON; lone surrogates, which UTF-8 can't hold, are escaped."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value, separators=(",", ":")).encode()


def is_json(text: str) -> bool:
    """Tell whether `text` is JSON."""
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def _read_leniently(body: bytes) -> JsonValue:
    """Read what only the standard library takes (lone surrogates, huge numbers), so that the journal can show it."""
    try:
        return json.loads(body)
    except ValueError as error:
        raise RequestError(f"expected JSON as the request body, got {body[:80]!r}: {error}") from error


def _kind(value: JsonValue) -> str:
    return "null" if value is None else type(value).__name__
