"""Which run a request belongs to, and which step of it: by marker, path, API key or call id, never by guessing.

A marker in the user's text goes before a run's path prefix (`/run/TOKEN/v1/…`), that before an API key (`dp-TOKEN`),
and that before the ids of calls, which alone remain where a request refers to the conversation and does not carry it.
Where no marker says the turn, it is counted from the user's messages. The step always follows from call ids.
"""

import re

from fake_model.http import HttpRequest
from fake_model.ids import Position
from fake_model.request import Message, ModelRequest, Role

_RUN_PATH = re.compile(r"/run/([a-z0-9]{1,16})/")
_KEY = re.compile(r"(?:Bearer )?dp-([a-z0-9]{1,16})")
_SECRETS = frozenset(
    {"authorization", "x-api-key", "api-key", "cookie", "proxy-authorization", "x-goog-api-key"}
)
_SECRET_QUERY = re.compile(r"([?&](?:api[-_]?)?key=)[^&]*", re.IGNORECASE)


def route(http: HttpRequest, request: ModelRequest) -> Position | None:
    """Return what a request asks for, or None where nothing in it names a run."""
    marker = request.marker
    if marker is not None:
        token, turn = marker.token, marker.turn
    elif match := _RUN_PATH.match(http.target) or _KEY.fullmatch(_key(http)):
        token, turn = match[1], _unmarked_turn(request)
    elif request.places and not request.user_texts:
        token, turn = request.places[-1].token, request.places[-1].turn
    else:
        return None
    return Position(token, turn, request.step_asked(token, turn))


def _key(http: HttpRequest) -> str:
    return http.header("authorization") or http.header("x-api-key")


def _unmarked_turn(request: ModelRequest) -> int:
    if request.places and not request.user_texts:
        return request.places[-1].turn
    return implied_turn(request.messages)


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


def masked(http: HttpRequest) -> HttpRequest:
    """Return the request without secrets: those of its headers, and keys in the query of its target."""
    if "?" not in http.target and _SECRETS.isdisjoint([name for name, _ in http.headers]):
        return http
    headers = tuple([(name, "***" if name in _SECRETS else value) for name, value in http.headers])
    target = _SECRET_QUERY.sub(r"\1***", http.target) if "?" in http.target else http.target
    return HttpRequest(http.method, target, headers, http.body, http.keep_alive)
