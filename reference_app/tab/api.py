"""The tab's requests to its server, made as a browser would make them: with the person's cookie and an Origin."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TypeVar
from urllib.parse import quote

import httpx
from pydantic import TypeAdapter, ValidationError

from reference_app.surface.json_value import Json, stringify
from reference_app.tab import strict_json
from reference_app.tab.errors import ChatRefusedError, ServerError, UnreachableError
from reference_app.tab.records import (
    Approval,
    CardLook,
    CardReply,
    CardRpcReply,
    Client,
    DecisionAnswer,
    ErrorAnswer,
    ErrorDetail,
    Invoice,
    Person,
    RpcErrorBody,
    SessionAnswer,
)

_INVOICES = TypeAdapter(tuple[Invoice, ...])
_CLIENTS = TypeAdapter(tuple[Client, ...])
_SESSION = TypeAdapter(SessionAnswer)
_APPROVAL = TypeAdapter(Approval)
_DECISION = TypeAdapter(DecisionAnswer)
_LOOK = TypeAdapter(CardLook)
_CARD_REPLY = TypeAdapter(CardRpcReply)
_Value = TypeVar("_Value")
INVOCATION_HEADER = "x-agent-invocation-id"


class Api:
    """One person's connection to the server."""

    def __init__(self, base_url: str, headers: Mapping[str, str]) -> None:
        self._http = httpx.AsyncClient(
            base_url=base_url,
            headers={"origin": base_url.rstrip("/"), **headers},
            timeout=httpx.Timeout(30, read=120),
            trust_env=False,
            verify=base_url.startswith(
                "https:"
            ),  # without TLS there are no certificates to load, which takes long
        )

    async def close(self) -> None:
        """Let go of the connections."""
        await self._http.aclose()

    async def _send(
        self, method: str, path: str, body: Json | None = None, more: Mapping[str, str] | None = None
    ) -> httpx.Response:
        content = None if body is None else stringify(body).encode("utf-8", "surrogatepass")
        headers = dict(more or {}) if body is None else {"content-type": "application/json", **(more or {})}
        try:
            return await self._http.request(method, path, content=content, headers=headers)
        except httpx.HTTPError as error:
            raise UnreachableError(f"The server can't be reached: {type(error).__name__}.") from error

    async def _json(self, method: str, path: str, body: Json | None = None) -> Json:
        response = await self._send(method, path, body)
        if response.is_success:
            return _parse(response)
        detail = _error_of(response)
        raise ServerError(response.status_code, detail.code, detail.message)

    async def rpc(self, path: str, given: Json, invocation_id: str | None = None) -> Json:
        """Call a procedure as the page itself does; the id of the model's call, if it is one, goes along for the audit.

        Raises:
            ServerError: The typed error that the server answered with.
            UnreachableError: There was no answer.
        """
        correlation = {INVOCATION_HEADER: header_text(invocation_id)} if invocation_id is not None else {}
        response = await self._send("POST", f"/rpc/{path}", {"json": given}, correlation)
        body = _parse(response)
        value = body.get("json") if isinstance(body, dict) else None
        if response.is_success:
            return value
        raise _rpc_error(response.status_code, value)

    async def invoices(self, kind: str) -> tuple[Invoice, ...]:
        """The ledger's rows of a kind: ``pending`` or ``all``."""
        return _read(_INVOICES, await self.rpc("list-invoices", {"kind": kind}))

    async def clients(self) -> tuple[Client, ...]:
        """All clients."""
        return _read(_CLIENTS, await self.rpc("list-clients", {}))

    async def person(self) -> Person | None:
        """Who is signed in, as the server says."""
        return _read(_SESSION, await self._json("GET", "/api/session")).user

    async def switch_user(self, user: str) -> None:
        """Sign in as somebody else; the server's cookie replaces the one that this tab was opened with."""
        response = await self._send("POST", "/api/session", {"user": user})
        if not response.is_success:
            detail = _error_of(response)
            raise ServerError(response.status_code, detail.code, detail.message)
        cookie = response.headers.get("set-cookie", "").partition(";")[0]
        self._http.cookies.clear()
        self._http.headers["cookie"] = cookie

    async def approval(self, approval_id: str) -> Approval:
        """One approval, whatever its state."""
        return _read(_APPROVAL, await self._json("GET", f"/api/approvals/{approval_id}"))

    async def decide(
        self, approval_id: str, *, approved: bool, thread_id: str, input_hash: str | None
    ) -> DecisionAnswer:
        """Decide an approval, saying which input the card showed."""
        body: dict[str, Json] = {"approved": approved, "threadId": thread_id}
        if input_hash is not None:
            body["inputHash"] = input_hash
        return _read(_DECISION, await self._json("POST", f"/api/approvals/{approval_id}", body))

    async def card(self, conversation_id: str, call_id: str) -> CardLook:
        """One interaction card as the host has it."""
        return _read(
            _LOOK,
            await self._json("GET", f"/api/a2ui/{quote(conversation_id, safe='')}/{quote(call_id, safe='')}"),
        )

    async def card_rpc(self, method: str, payload: Json) -> CardReply:
        """Answer or close an interaction card.

        Raises:
            ServerError: The host took the request for no answer at all.
            UnreachableError: There was no answer.
        """
        body: dict[str, Json] = {"type": "client-request", "rpcId": "1", "method": method, "payload": payload}
        reply = _read(_CARD_REPLY, await self._json("POST", f"/a2ui/{method}", body)).result
        if reply.value is None:
            raise ServerError(200, "BAD_REQUEST", "The host could not read the answer.")
        return reply.value

    async def thread_messages(self, thread_id: str) -> Json:
        """The stored messages of a conversation."""
        return await self._json("GET", f"/api/threads/{thread_id}/model-messages")

    @asynccontextmanager
    async def chat(self, body: Json) -> AsyncIterator[AsyncIterator[bytes]]:
        """Post a step and stream the answer's bytes.

        Raises:
            ChatRefusedError: The host refused it.
            UnreachableError: There was no answer, or it broke off.
        """
        content = stringify(body).encode("utf-8", "surrogatepass")
        headers = {"content-type": "application/json"}
        try:
            async with self._http.stream("POST", "/agent/chat", content=content, headers=headers) as response:
                if not response.is_success:
                    await response.aread()
                    detail = _error_of(response)
                    raise ChatRefusedError(detail.code, detail.message)
                yield response.aiter_raw()
        except httpx.HTTPError as error:
            raise UnreachableError(f"The host's answer broke off: {type(error).__name__}.") from error


def header_text(text: str) -> str:
    """A text as a header may carry it: what is not printable ASCII is left out."""
    return "".join(letter for letter in text if letter.isascii() and letter.isprintable())


def _read(shape: TypeAdapter[_Value], value: Json) -> _Value:
    """Read an answer; one of another shape is the server's error, and told as one."""
    try:
        return shape.validate_python(value)
    except ValidationError as error:
        issue = error.errors()[0]
        where = ".".join(map(str, issue["loc"])) or "the answer"
        raise ServerError(
            200, "UNREADABLE", f"The server's answer can't be read: {where}: {issue['msg']}"
        ) from error


def _parse(response: httpx.Response) -> Json:
    try:
        return strict_json.loads(response.content)
    except ValueError as error:
        raise ServerError(
            response.status_code, "UNREADABLE", f"The server answered {response.status_code} without JSON."
        ) from error


def _error_of(response: httpx.Response) -> ErrorDetail:
    """The error of an answer, also of one that has none that can be read."""
    fallback = ErrorDetail(code="TRANSPORT_FAILED", message=f"The server answered {response.status_code}.")
    try:
        answer = ErrorAnswer.model_validate(strict_json.loads(response.content))
    except (ValidationError, ValueError):
        return fallback
    if isinstance(answer.error, str):
        return ErrorDetail(code=fallback.code, message=answer.error)
    return answer.error


def _rpc_error(status: int, value: Json) -> ServerError:
    try:
        body = RpcErrorBody.model_validate(value)
    except ValidationError:
        body = RpcErrorBody()
    approval = (body.data or {}).get("approvalId")
    return ServerError(
        status, body.code, body.message, approval_id=approval if isinstance(approval, str) else None
    )
