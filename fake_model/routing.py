"""Which run a request belongs to, and which step of it: by marker, by path or by API key, never by guessing.

A marker in the user's text goes before a run's path prefix (`/run/TOKEN/v1/…`), and that before an API key
(`dp-TOKEN`). Without a marker the turn is counted from the user's messages; the step always follows from call ids.
"""

import re
from dataclasses import dataclass

from fake_model.http import Headers, HttpRequest
from fake_model.request import Message, ModelRequest, Role

_RUN_PATH = re.compile(r"/run/([a-z0-9]{1,16})/")
_KEY = re.compile(r"(?:Bearer )?dp-([a-z0-9]{1,16})")
_SECRETS = frozenset(
    {"authorization", "x-api-key", "api-key", "cookie", "proxy-authorization", "x-goog-api-key"}
)
_SECRET_QUERY = re.compile(r"([?&](?:api[-_]?)?key=)[^&]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Routed:
    """The run and the step that a request asks for."""

    token: str
    turn: int
    step: int


def route(http: HttpRequest, request: ModelRequest) -> Routed | None:
    """Return what a request asks for, or None where nothing in it names a run."""
    if request.marker is not None:
        token, turn = request.marker.token, request.marker.turn
    else:
        match = _RUN_PATH.match(http.target) or _KEY.fullmatch(
            http.header("authorization") or http.header("x-api-key")
        )
        if match is None:
            return None
        token, turn = match[1], implied_turn(request.messages)
    return Routed(token, turn, request.step_asked(token, turn))


def implied_turn(messages: tuple[Message, ...]) -> int:
    """Return the turn, counted from 0, of a conversation without markers: user messages in a row are one."""
    turns = 0
    before: Role | None = None
    for message in messages:
        if message.role is Role.SYSTEM or message.is_state_block:
            continue
        if message.role is Role.USER and message.texts:
            turns += before is not Role.USER
            before = Role.USER
        else:
            before = Role.ASSISTANT
    return max(0, turns - 1)


def masked(headers: Headers) -> Headers:
    """Return headers without the values that are secrets."""
    return tuple((name, "***" if name in _SECRETS else value) for name, value in headers)


def masked_target(target: str) -> str:
    """Return a request target without keys in its query."""
    return _SECRET_QUERY.sub(r"\1***", target) if "?" in target else target
