"""Faults in deriving who is asking."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from starlette.requests import Request

from reference_app import assembly, identity
from reference_app.api import chat
from reference_app.api.identity import Gate, actor_of, tokens_of
from reference_app.domain.actor import Actor
from reference_app.domain.pipeline import Runtime
from reference_app.faults import Fault, Patches, async_constant, fault
from reference_app.identity import EVERYBODY, Directory, Person, Tokens
from reference_app.strict_json import JsonError, JsonValue, loads

FAULTS: list[Fault] = []

_CLAIMED: ContextVar[str | None] = ContextVar("claimed", default=None)

Holds = Callable[[Tokens, str, str], bool]


@fault(FAULTS, "payload-not-verified", "any person's signature verifies any payload")
def _payload_not_verified(patches: Patches) -> None:
    def make(holds: Holds) -> Any:
        def anybodys(self: Tokens, payload: str, signature: str) -> bool:
            payloads = [payload, *(self.issue(person).partition(".")[0] for person in EVERYBODY)]
            return any(holds(self, known, signature) for known in payloads)

        return anybodys

    patches.wrap(Tokens, "signature_holds", make)


@fault(FAULTS, "signature-not-verified", "only the beginning of a signature is compared")
def _signature_not_verified(patches: Patches) -> None:
    def begins_right(self: Tokens, payload: str, signature: str) -> bool:
        return (
            len(signature) == len(self._signature(payload)) and signature[:8] == self._signature(payload)[:8]
        )

    patches.replace(Tokens, "signature_holds", begins_right)


@fault(FAULTS, "unsigned-accepted", "a token without a signature is believed")
def _unsigned_accepted(patches: Patches) -> None:
    def make(verify: Callable[[Tokens, str], str | None]) -> Any:
        def believe(self: Tokens, token: str) -> str | None:
            payload, _, signature = token.partition(".")
            return verify(self, token) if signature else identity.read_payload(payload)

        return believe

    patches.wrap(Tokens, "verify", make)


@fault(FAULTS, "nobody-is-controller", "a request without a token is a controller's")
def _nobody_is_controller(patches: Patches) -> None:
    def make(person: Callable[[Gate, Request], Awaitable[Person | None]]) -> Any:
        async def somebody(self: Gate, request: Request) -> Person | None:
            if not tokens_of(request):
                return EVERYBODY[1]
            return await person(self, request)

        return somebody

    patches.wrap(Gate, "person", make)


@fault(FAULTS, "role-from-body", "a role that a chat step names is believed")
def _role_from_body(patches: Patches) -> None:
    def make_decode(decode: Callable[[bytes], Any]) -> Any:
        def remember(body: bytes) -> Any:
            try:
                document = loads(body)
            except JsonError:
                document = None
            claimed = document.get("role") if isinstance(document, dict) else None
            _CLAIMED.set(claimed if isinstance(claimed, str) else None)
            return decode(body)

        return remember

    def make_actor(actor_of: Callable[[Person], Actor]) -> Any:
        def promoted(person: Person) -> Actor:
            return replace(actor_of(person), role=_CLAIMED.get() or str(person.role))

        return promoted

    patches.wrap(chat, "decode", make_decode)
    patches.wrap(chat, "actor_of", make_actor)


@fault(FAULTS, "role-from-input", "a role in the input of a procedure is believed")
def _role_from_input(patches: Patches) -> None:
    from reference_app.api.rpc import Rpc  # noqa: PLC0415 - only this fault reaches into it

    def make(invoke: Callable[..., Awaitable[Any]]) -> Any:
        async def promote(self: Runtime, capability_id: str, raw: JsonValue, **rest: Any) -> Any:
            claimed = raw.get("role") if isinstance(raw, dict) else None
            if isinstance(claimed, str):
                rest["actor"] = replace(rest["actor"], role=claimed)
            return await invoke(self, capability_id, raw, **rest)

        return promote

    patches.wrap(Runtime, "invoke", make)
    patches.replace(Rpc, "_may_use", async_constant(True))


@fault(FAULTS, "rights-cached", "a person keeps the role of the first request")
def _rights_cached(patches: Patches) -> None:
    known: dict[str, Person] = {}

    def make(person: Callable[[Directory, str], Awaitable[Person | None]]) -> Any:
        async def remember(self: Directory, email: str) -> Person | None:
            if email not in known:
                found = await person(self, email)
                if found is None:
                    return None
                known[email] = found
            return known[email]

        return remember

    patches.wrap(Directory, "person", make)


@fault(FAULTS, "rights-captured-at-offer", "a step keeps the role that it began with")
def _rights_kept_through_step(patches: Patches) -> None:
    def make(serve: Callable[..., Awaitable[Any]]) -> Any:
        async def keep(self: chat.Chat, request: Request) -> Any:
            person = await self._gate.require(request)
            actor = actor_of(person)

            class Frozen(Gate):
                async def actor_now(self, email: str) -> Actor | None:
                    del email
                    return actor

            return await serve(
                chat.Chat(Frozen(self._gate.tokens, self._gate.directory), self._host, self._body_limit),
                request,
            )

        return keep

    patches.wrap(chat.Chat, "serve", make)


@fault(FAULTS, "default-secret", "every installation signs its tokens with the same known key")
def _default_secret(patches: Patches) -> None:
    def make(build: Callable[..., Any]) -> Any:
        def with_known_key(settings: Any, **parts: Any) -> Any:
            return build(settings, **{**parts, "secret": "dpas-dev-secret-change-me"})

        return with_known_key

    patches.wrap(assembly, "_build", make)


@fault(FAULTS, "session-names-unverified", "the session shows whoever an unverified token names")
def _session_names_forged_user(patches: Patches) -> None:
    from reference_app.api.session import Session  # noqa: PLC0415 - only this fault reaches into it

    def make(show: Callable[..., Awaitable[Any]]) -> Any:
        async def believe(self: Session, request: Request) -> Any:
            tokens = tokens_of(request)
            email = identity.read_payload(tokens[0].partition(".")[0]) if tokens else None
            person = None if email is None else await self._gate.directory.person(email)
            if person is None:
                return await show(self, request)
            request.scope["headers"] = [
                *((k, v) for k, v in request.scope["headers"] if k != b"cookie"),
                (b"cookie", f"{identity.COOKIE}={self._gate.tokens.issue(person)}".encode()),
            ]
            return await show(self, Request(request.scope, request.receive))

        return believe

    patches.wrap(Session, "show", make)
