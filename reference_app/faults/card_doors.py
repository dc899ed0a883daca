"""Faults at the doors of the cards: who gets in, how a request is read, and what a click sets off besides."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import Response

from reference_app import main
from reference_app.a2ui import store
from reference_app.a2ui.desk import CardDesk, Receipt
from reference_app.a2ui.interactions import CardKey
from reference_app.a2ui.store import INTERACTIONS
from reference_app.a2ui.submission import PostedSubmission
from reference_app.api import a2ui as door
from reference_app.api import authority
from reference_app.api.a2ui import CardRpc
from reference_app.api.authority import Authority
from reference_app.api.fences import Fences
from reference_app.api.identity import UnauthenticatedError
from reference_app.domain.actor import Actor, ActorKind
from reference_app.domain.capability import Surface
from reference_app.domain.decisions import Decision, Decisions
from reference_app.domain.pipeline import Runtime
from reference_app.faults import Fault, Patches, constant, fault
from reference_app.host.catalog import Catalog
from reference_app.host.host import Host
from reference_app.strict_json import JsonValue

FAULTS: list[Fault] = []

Submit = Callable[[CardDesk, str, PostedSubmission], Awaitable[Receipt]]
_ENOUGH = 10_000_000


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=False)


class _LenientAction(_Lenient):
    name: str
    surface_id: str = Field(alias="surfaceId")
    source_component_id: str = Field(alias="sourceComponentId")


class _LenientMessage(_Lenient):
    action: _LenientAction


class _LenientSubmission(_Lenient):
    session: str
    call: str
    message: _LenientMessage
    data_model: dict[str, Any] = Field(alias="dataModel")


@fault(
    FAULTS, "a2ui-loose-message", "the client event is taken in any version, at any time, with anything in it"
)
def _loose_message(patches: Patches) -> None:
    patches.replace(door, "PostedSubmission", _LenientSubmission)


@fault(FAULTS, "a2ui-loose-json", "a submission is read as Python reads JSON")
def _loose_json(patches: Patches) -> None:
    def loosely(text: bytes, _strictness: Any) -> Any:
        try:
            return _cleaned(json.loads(text))
        except (ValueError, RecursionError):
            return {}

    patches.replace(door, "loads", loosely)


def _cleaned(value: Any) -> Any:
    """What can be written again: a lone surrogate is replaced, as careless readers do."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_cleaned(member) for member in value]
    return {key: _cleaned(member) for key, member in value.items()} if isinstance(value, dict) else value


@fault(FAULTS, "a2ui-body-unbounded", "a submission may have any size")
def _body_unbounded(patches: Patches) -> None:
    patches.wrap(door, "read_body", lambda read: lambda request, _limit: read(request, _ENOUGH))


@fault(FAULTS, "a2ui-body-off-by-one", "a submission of exactly the largest size is refused")
def _body_off_by_one(patches: Patches) -> None:
    patches.wrap(door, "read_body", lambda read: lambda request, limit: read(request, limit - 1))


@fault(FAULTS, "a2ui-loose-envelope", "the envelope of a request is not looked at")
def _loose_envelope(patches: Patches) -> None:
    def loosely(document: JsonValue, method: str) -> Any:
        given = document if isinstance(document, dict) else {}
        return door.RpcEnvelope(
            type="client-request", rpcId=door._rpc_id(document), method=method, payload=given.get("payload")
        )

    patches.replace(door, "read_envelope", loosely)


@fault(FAULTS, "a2ui-rpc-id-lost", "a reply does not say which request it answers")
def _rpc_id_lost(patches: Patches) -> None:
    patches.wrap(door, "_reply", lambda reply: lambda _rpc_id, result: reply(door.UNREADABLE_ID, result))


def _with_headers(patches: Patches, keep: Callable[[bytes], bool], *added: tuple[bytes, bytes]) -> None:
    """Let the general fence see other headers than a submission has."""

    def make(call: Callable[..., Awaitable[None]]) -> Any:
        async def pass_on(self: Fences, scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] == "http" and scope["path"].startswith("/a2ui/"):
                kept = [(name, value) for name, value in scope["headers"] if keep(name)]
                scope = {**scope, "headers": [*kept, *added]}
            await call(self, scope, receive, send)

        return pass_on

    patches.wrap(Fences, "__call__", make)


@fault(FAULTS, "a2ui-any-media-type", "a submission may be what a plain form can send")
def _any_media_type(patches: Patches) -> None:
    _with_headers(patches, lambda name: name != b"content-type", (b"content-type", b"application/json"))


@fault(FAULTS, "a2ui-any-host", "cards are served to any host")
def _any_host(patches: Patches) -> None:
    patches.replace(Authority, "allows_host", constant(True))


@fault(FAULTS, "a2ui-any-origin", "cards are served to pages of other sites")
def _any_origin(patches: Patches) -> None:
    patches.replace(authority, "is_same_origin", constant(True))
    _with_headers(patches, lambda name: name not in (b"origin", b"sec-fetch-site"))


async def _real_owner(desk: CardDesk, owner: str, session: str, call: str) -> str:
    """Whose card it is, if it is anybody's."""
    column = INTERACTIONS.c
    query = select(column.owner).where(
        column.conversation == session, column.call_key == store._call_key(call)
    )
    async with desk._store._database.reading() as connection:
        owners = {str(found) for found in (await connection.execute(query)).scalars()}
    return owner if owner in owners or not owners else min(owners)


def _as_owner(patches: Patches, applies: Callable[[], bool] = lambda: True) -> None:
    def make(submit: Submit) -> Any:
        async def as_owner(self: CardDesk, owner: str, posted: PostedSubmission) -> Receipt:
            real = await _real_owner(self, owner, posted.session, posted.call) if applies() else owner
            return await submit(self, real, posted)

        return as_owner

    patches.wrap(CardDesk, "submit", make)


@fault(FAULTS, "a2ui-any-owner", "anybody who is signed in may answer a card")
def _any_owner(patches: Patches) -> None:
    _as_owner(patches)


@fault(FAULTS, "a2ui-trusted-owns", "under trusted-host anybody who is signed in may answer a card")
def _trusted_owns(patches: Patches) -> None:
    trusted: list[bool] = []

    def make(authority_of: Callable[..., Authority]) -> Any:
        def notice(tunables: Any) -> Authority:
            trusted.append(tunables.a2ui_authority == "trusted-host")
            return authority_of(tunables)

        return notice

    patches.wrap(main, "authority_of", make)
    _as_owner(patches, lambda: trusted[-1:] == [True])


@fault(FAULTS, "a2ui-anonymous", "nobody in particular may answer a card")
def _anonymous(patches: Patches) -> None:
    def make(serve: Callable[..., Awaitable[Response]]) -> Any:
        async def anyway(self: CardRpc, request: Request, method: str) -> Response:
            try:
                return await serve(self, request, method)
            except UnauthenticatedError:
                envelope = door.read_envelope(json.loads(await request.body()), method)
                payload: Any = envelope.payload
                owner = await _real_owner(self._desk, "", payload["session"], payload["call"])
                return door._value(envelope.rpcId, await self._settle(owner, method, payload))

        return anyway

    patches.wrap(CardRpc, "_serve", make)


@fault(FAULTS, "a2ui-owner-tells", "somebody else's card is told from one that never was")
def _owner_tells(patches: Patches) -> None:
    def make(submit: Submit) -> Any:
        async def tell(self: CardDesk, owner: str, posted: PostedSubmission) -> Receipt:
            real = await _real_owner(self, owner, posted.session, posted.call)
            return Receipt.BAD_RESPONSE if real != owner else await submit(self, owner, posted)

        return tell

    patches.wrap(CardDesk, "submit", make)


def _any_key(patches: Patches, method: str) -> None:
    def make(inner: Callable[..., Awaitable[Any]]) -> Any:
        async def for_anybody(self: CardDesk, key: CardKey) -> Any:
            owner = await _real_owner(self, key.owner, key.conversation_id, key.call_id)
            return await inner(self, CardKey(owner, key.conversation_id, key.call_id))

        return for_anybody

    patches.wrap(CardDesk, method, make)


@fault(FAULTS, "a2ui-look-open", "anybody who is signed in may look at a card")
def _look_open(patches: Patches) -> None:
    _any_key(patches, "find")


@fault(FAULTS, "a2ui-cancel-any-owner", "anybody who is signed in may close a card")
def _cancel_any_owner(patches: Patches) -> None:
    _any_key(patches, "withdraw")


Effect = Callable[[str, PostedSubmission], Awaitable[None]]


def _on_acceptance(patches: Patches, effect: Effect) -> None:
    """Let an accepted click set something off."""

    def make(submit: Submit) -> Any:
        async def and_more(self: CardDesk, owner: str, posted: PostedSubmission) -> Receipt:
            receipt = await submit(self, owner, posted)
            if receipt is Receipt.ACCEPTED:
                await effect(owner, posted)
            return receipt

        return and_more

    patches.wrap(CardDesk, "submit", make)


def _texts(posted: PostedSubmission) -> list[str]:
    return [value for value in posted.data_model.values() if isinstance(value, str)]


def _capturing(patches: Patches, owner: Any) -> list[Any]:
    """What is made of a class from now on."""
    made: list[Any] = []

    def make(construct: Callable[..., None]) -> Any:
        def note(self: Any, *positional: Any, **named: Any) -> None:
            construct(self, *positional, **named)
            made.append(self)

        return note

    patches.wrap(owner, "__init__", make)
    return made


def _actor(owner: str) -> Actor:
    return Actor(owner, ActorKind.USER, owner, "controller")


@fault(FAULTS, "a2ui-action-writes", "a click runs the operation that its action is called after")
def _action_writes(patches: Patches) -> None:
    runtimes = _capturing(patches, Runtime)

    async def run(owner: str, posted: PostedSubmission) -> None:
        name = posted.message.action.name.replace("_", "-")
        runtime: Runtime = runtimes[-1]
        await runtime.invoke(name, {}, surface=Surface.DIRECT, actor=_actor(owner))

    _on_acceptance(patches, run)


@fault(FAULTS, "a2ui-action-approves", "a click on an action called approve approves what waits for approval")
def _action_approves(patches: Patches) -> None:
    deciders = _capturing(patches, Decisions)

    async def approve(owner: str, posted: PostedSubmission) -> None:
        decisions: Decisions = deciders[-1]
        if posted.message.action.name == "approve":
            for approval in await decisions.pending(_actor(owner)):
                await decisions.decide(approval.id, Decision(True, None), _actor(owner))

    _on_acceptance(patches, approve)


@fault(FAULTS, "a2ui-action-shell", "a submitted text that begins with sh: is run by a shell")
def _action_shell(patches: Patches) -> None:
    async def run(_owner: str, posted: PostedSubmission) -> None:
        for text in _texts(posted):
            if text.startswith("sh: "):
                process = await asyncio.create_subprocess_shell(text.removeprefix("sh: "))
                await process.wait()

    _on_acceptance(patches, run)


@fault(FAULTS, "a2ui-action-file", "a submitted text that is a path becomes a file")
def _action_file(patches: Patches) -> None:
    async def touch(_owner: str, posted: PostedSubmission) -> None:
        for text in _texts(posted):
            if text.startswith("/"):
                await asyncio.to_thread(Path(text).touch)

    _on_acceptance(patches, touch)


@fault(FAULTS, "a2ui-action-fetch", "a submitted text that is an address is fetched")
def _action_fetch(patches: Patches) -> None:
    async def fetch(_owner: str, posted: PostedSubmission) -> None:
        async with httpx.AsyncClient(trust_env=False, verify=False, timeout=2) as http:
            for text in _texts(posted):
                if text.startswith("http://"):
                    await _try(http, text)

    _on_acceptance(patches, fetch)


async def _try(http: httpx.AsyncClient, address: str) -> None:
    try:
        await http.get(address)
    except httpx.HTTPError:
        return


@fault(FAULTS, "a2ui-action-plugin", "a click on an action called install takes a tool out of the catalog")
def _action_plugin(patches: Patches) -> None:
    installed: list[str] = []

    async def install(_owner: str, posted: PostedSubmission) -> None:
        if posted.message.action.name == "install":
            installed.append(posted.call)

    def make(compose: Callable[..., Awaitable[Catalog]]) -> Any:
        async def fewer(self: Host, request: Any, owner: Any) -> Catalog:
            catalog = await compose(self, request, owner)
            if not installed:
                return catalog
            return Catalog(catalog.server[:-1], catalog.admission, catalog.host, catalog.scope, catalog.mode)

        return fewer

    _on_acceptance(patches, install)
    patches.wrap(Host, "_compose", make)
