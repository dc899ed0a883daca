"""How a run, a turn and a step ride in plain messages: markers in the user's text, and call ids.

A marker is `[[dp:TOKEN]]`, or `[[dp:TOKEN.2]]` for the user's third message. A call id is
`call_dp_TOKEN_TURN_STEP_INDEX`; it is valid under the id grammar of every provider and is read by its
beginning, so that a target may append whatever makes it unique.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from fake_model.errors import ScriptError

TOKEN_GRAMMAR = re.compile(r"[a-z0-9]{1,16}")
_MARKER = re.compile(r"\[\[dp:([a-z0-9]{1,16})(?:\.([0-9]{1,3}))?\]\]")
_CALL_ID = re.compile(r"call_dp_([a-z0-9]{1,16})_(\d{1,3})_(\d{1,3})_(\d{1,3})")


@dataclass(frozen=True, slots=True)
class Marker:
    """Which run, and which of the user's messages in it, a user text belongs to."""

    token: str
    turn: int = 0

    def __str__(self) -> str:
        """The text that goes into the user's message."""
        return f"[[dp:{self.token}.{self.turn}]]" if self.turn else f"[[dp:{self.token}]]"


@dataclass(frozen=True, slots=True)
class CallId:
    """The place in a script that a tool call comes from; all three numbers count from 0."""

    token: str
    turn: int
    step: int
    index: int

    def __str__(self) -> str:
        """The id as it goes over the wire."""
        return f"call_dp_{self.token}_{self.turn}_{self.step}_{self.index}"


class Position(NamedTuple):
    """Where in which run a request stands; turn and step count from 0."""

    token: str
    turn: int
    step: int


def check_token(token: str) -> str:
    """Return `token` if it can ride in markers and call ids.

    Raises:
        ScriptError: it is not 1 to 16 characters of a-z and 0-9.
    """
    if TOKEN_GRAMMAR.fullmatch(token) is None:
        raise ScriptError(f"expected a token of 1 to 16 characters from a-z and 0-9, got {token!r}")
    return token


def last_marker(text: str) -> Marker | None:
    """Return the last marker in a text of the user's, or None."""
    found = _MARKER.findall(text)
    if not found:
        return None
    token, turn = found[-1]
    return Marker(token, int(turn or 0))


def read_call_id(text: str) -> CallId | None:
    """Return the place that a call id names, or None for an id that was not minted here."""
    match = _CALL_ID.match(text)
    return CallId(match[1], int(match[2]), int(match[3]), int(match[4])) if match else None
