"""One attempt: the requests that are sent in a row, byte for byte, with what the fake model plays beside each."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

MARKER = "[[dp:fuzz]]"
"""Stands in a body for the marker of the run that is played beside it; the real one is only known when it is sent."""

_REFERENCE = re.compile(r"\[\[from:(?P<index>[0-9]{1,3}):(?P<pointer>[^\]\"]*)\]\]")
_WHOLE = re.compile(f'"{_REFERENCE.pattern}"')


@dataclass(frozen=True)
class Request:
    """One request.

    Attributes:
        operation: the operation of the description that it belongs to, as `POST /rpc/list-invoices`.
        method: the HTTP method.
        path: the path, with a query where there is one.
        body: the bytes of the body; empty for none.
        media_type: its media type; empty for none.
        script: what the model answers, as the JSON text of a script file; empty where no model is meant to be asked.
    """

    operation: str
    method: str
    path: str
    body: bytes = b""
    media_type: str = ""
    script: str = ""

    def resolved(self, look_up: Callable[[int, str], Any]) -> "Request":
        """Fill in what earlier answers gave.

        A reference that is a whole JSON string becomes the value itself; anywhere else it becomes text.

        Args:
            look_up: returns the value at a JSON pointer in the answer to an earlier request of the attempt.
        """

        def value(found: re.Match[str]) -> Any:
            return look_up(int(found["index"]), found["pointer"])

        def fill(text: str) -> str:
            whole = _WHOLE.sub(lambda found: json.dumps(value(found)), text)
            return _REFERENCE.sub(lambda found: str(value(found)), whole)

        body = self.body
        if b"[[from:" in body:
            body = fill(body.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        path = _REFERENCE.sub(lambda found: quote(str(value(found)), safe=""), self.path)
        return replace(self, path=path, body=body, script=fill(self.script))


@dataclass(frozen=True)
class Attempt:
    """Requests of one identity, in order, from a target whose data is put back before the first.

    Attributes:
        identity: its name in the target file, or `nobody`.
        requests: what is sent.
    """

    identity: str
    requests: tuple[Request, ...]

    @property
    def size(self) -> tuple[int, int, tuple[bytes, ...]]:
        """By which the smaller of two attempts is told: fewer requests, then fewer bytes, then the first in order."""
        length = sum(len(request.body) + len(request.script) for request in self.requests)
        return len(self.requests), length, tuple(request.body for request in self.requests)


def reference(index: int, pointer: str) -> str:
    """Return the text that stands for a value in the answer to request number `index` (from 0)."""
    return f"[[from:{index}:{pointer}]]"
