"""Answering interactions as one person: clicks, withdrawals, and looks at what was compiled."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from conformance.a2ui.submission import Submission, envelope
from conformance.a2ui.surface import Message, Surface, read_surface
from conformance.drivers.http import Http
from conformance.errors import Departure, Untested
from conformance.target_a2ui import A2ui
from conformance.wire.answer import Answer


@dataclass(frozen=True)
class Receipt:
    """What became of something posted to an interaction.

    Attributes:
        answer: the HTTP answer as it came.
        value: the value of the reply, where it says that the request was understood.
        code: the code of the reply's error, where it has one.
        rpc_id: which request it says that it replies to.
    """

    answer: Answer
    value: Mapping[str, Any]
    code: str = ""
    rpc_id: str = ""

    @property
    def accepted(self) -> bool:
        """Whether it counts."""
        return self.answer.status == 200 and self.value.get("accepted") is True

    @property
    def reason(self) -> str:
        """Why it does not count: the reason or error code of the reply, or else the HTTP status."""
        return str(self.value.get("reason") or self.code or self.answer.status)


def read_receipt(answer: Answer) -> Receipt:
    """Read a reply over the connection.

    Raises:
        Departure: it is answered 200 and is no reply.
    """
    if answer.status != 200:
        return Receipt(answer, {})
    body = answer.json()
    result = body.get("result") if isinstance(body, Mapping) else None
    if not isinstance(result, Mapping) or body.get("type") != "server-response":
        raise Departure(f"POST {answer.path} was not answered with a server response: {answer.text[:200]!r}")
    value, error = result.get("value"), result.get("error")
    code = str(error.get("code", "")) if isinstance(error, Mapping) else ""
    accepted = value if result.get("ok") is True and isinstance(value, Mapping) else {}
    return Receipt(answer, accepted, code, str(body.get("rpcId", "")))


@dataclass(frozen=True)
class Shown:
    """What the owner of an interaction reads of it."""

    status: str
    messages: tuple[Message, ...]
    result: Any

    @property
    def surface(self) -> Surface:
        """The surface that the messages come to."""
        return read_surface(self.messages)

    @property
    def text(self) -> str:
        """The messages as one text, members in the order in which they came."""
        return json.dumps(list(self.messages), ensure_ascii=False)


@dataclass
class Interactions:
    """Everything that one person does with interactions."""

    http: Http
    table: A2ui

    def submit(self, submission: Submission | Mapping[str, Any]) -> Receipt:
        """Post a click, or any payload of one."""
        payload = submission.payload if isinstance(submission, Submission) else submission
        return self.post(envelope("action", renamed(payload, self.table.names)))

    def post(self, body: Mapping[str, Any]) -> Receipt:
        """Post a whole request."""
        return read_receipt(self.http.request("POST", self.table.action, json=dict(body)))

    def post_text(self, text: str | bytes, **headers: str) -> Receipt:
        """Post a body as it is, with further request headers by their names with `_` for `-`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        content = text if isinstance(text, bytes) else text.encode()
        return read_receipt(
            self.http.request(
                "POST",
                self.table.action,
                content=content,
                headers={"content-type": "application/json", **named},
            )
        )

    def cancel(self, session: str, call_id: str) -> Receipt:
        """Withdraw a card."""
        payload = renamed({"session": session, "call": call_id}, self.table.names)
        return read_receipt(self.http.request("POST", self.table.cancel, json=envelope("cancel", payload)))

    def look_raw(self, session: str, call_id: str) -> Answer:
        """Ask for an interaction, whatever comes of it.

        Raises:
            Untested: the target file names no place for that.
        """
        if self.table.surface is None:
            raise Untested("a2ui.surface", "to see what a template was compiled to")
        path = self.table.surface.replace("{conversation}", quote(session, safe=""))
        return self.http.request("GET", path.replace("{call}", quote(call_id, safe="")))

    def look(self, session: str, call_id: str) -> Shown:
        """Read an interaction.

        Raises:
            Departure: it is refused, or is no interaction.
        """
        answer = self.look_raw(session, call_id)
        body = answer.json() if answer.status == 200 else None
        messages = body.get("messages") if isinstance(body, Mapping) else None
        if not isinstance(body, Mapping) or not isinstance(messages, list):
            raise Departure(f"GET {answer.path} answered {answer.status}: {answer.text[:200]!r}")
        return Shown(str(body.get("status")), tuple(messages), body.get("result"))


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """The same value with its keys as the target calls them."""
    if not names:
        return value
    if isinstance(value, Mapping):
        return {names.get(key, key): renamed(item, names) for key, item in value.items()}
    return [renamed(item, names) for item in value] if isinstance(value, list | tuple) else value
