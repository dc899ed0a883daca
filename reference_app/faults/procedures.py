"""Faults in oRPC's wire format, redaction, and the identity of direct callers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from reference_app import main
from reference_app.api import rpc as rpc_api
from reference_app.api import session as session_api
from reference_app.api.bodies import json_response
from reference_app.api.errors import orpc_error
from reference_app.api.identity import Gate, UnauthenticatedError, tokens_of
from reference_app.api.rpc import MalformedCallError, Rpc
from reference_app.capabilities import list_clients, list_invoices, shapes, update_collection_status
from reference_app.domain import stages
from reference_app.domain.capability import Capability, Surface
from reference_app.domain.errors import CapabilityError, ErrorCode
from reference_app.domain.pipeline import Completed, Runtime
from reference_app.faults import Fault, Patches, fault
from reference_app.identity import EVERYBODY, Person
from reference_app.strict_json import JsonValue

FAULTS: list[Fault] = []


@fault(FAULTS, "rpc-bare-output", "a procedure's output is not announced as JSON")
def _rpc_bare_output(patches: Patches) -> None:
    def make(respond: Callable[..., Response]) -> Any:
        def announce_otherwise(procedure: Any, result: Any) -> Response:
            answer = respond(procedure, result)
            if isinstance(result, Completed):
                answer.headers["content-type"] = "text/json"
            return answer

        return announce_otherwise

    patches.wrap(rpc_api, "respond", make)


@fault(FAULTS, "rpc-error-as-success", "the body of an error names another status than its header")
def _rpc_error_as_success(patches: Patches) -> None:
    def make(error: Callable[..., Response]) -> Any:
        def soften(status: int, message: str, **more: Any) -> Response:
            answer = error(status, message, **more)
            answer.body = bytes(answer.body).replace(f'"status":{status}'.encode(), b'"status":200')
            answer.headers["content-length"] = str(len(answer.body))
            return answer

        return soften

    patches.wrap(rpc_api, "orpc_error", make)


@fault(FAULTS, "rpc-issues-missing", "invalid input is refused without saying where it is wrong")
def _rpc_issues_missing(patches: Patches) -> None:
    def make(respond: Callable[..., Response]) -> Any:
        def say_less(procedure: Any, error: CapabilityError) -> Response:
            is_input = error.code is ErrorCode.INPUT_INVALID
            return orpc_error(400, error.public_message) if is_input else respond(procedure, error)

        return say_less

    patches.wrap(rpc_api, "respond_error", make)


@fault(FAULTS, "rpc-unknown-is-500", "an unknown procedure is answered as a breakdown")
def _rpc_unknown_is_500(patches: Patches) -> None:
    patches.replace(rpc_api, "not_found", lambda: orpc_error(500, "The operation failed."))


@fault(FAULTS, "rpc-get-runs", "a procedure can be called by following a link")
def _rpc_get_runs(patches: Patches) -> None:
    def make(serve: Callable[..., Awaitable[Response]]) -> Any:
        async def follow(self: Rpc, request: Request) -> Response:
            if request.method != "GET":
                return await serve(self, request)
            data = request.query_params.get("data", "{}").encode()

            async def receive() -> dict[str, Any]:
                return {"type": "http.request", "body": data, "more_body": False}

            return await serve(self, Request({**request.scope, "method": "POST"}, receive))

        return follow

    patches.wrap(Rpc, "serve", make)


@fault(FAULTS, "rpc-bad-json-is-empty", "a body that is not JSON is taken for an empty one")
def _rpc_bad_json_is_empty(patches: Patches) -> None:
    def make(read: Callable[[bytes], JsonValue]) -> Any:
        def lenient(body: bytes) -> JsonValue:
            try:
                return read(body)
            except MalformedCallError:
                return {}

        return lenient

    patches.wrap(rpc_api, "read_envelope", make)


@fault(FAULTS, "rpc-refusal-is-500", "an operation's own refusal is answered as a breakdown")
def _rpc_refusal_is_500(patches: Patches) -> None:
    patches.replace(rpc_api, "_BUSINESS_STATUS", {"NOT_FOUND": 500, "CONFLICT": 500, "FORBIDDEN": 500})


@fault(FAULTS, "page-redacted", "the page does not read what is withheld from models")
def _page_redacted(patches: Patches) -> None:
    def make(for_surface: Callable[..., JsonValue]) -> Any:
        def redact(capability: Capability, surface: Surface, output: JsonValue) -> JsonValue:
            shown = for_surface(capability, surface, output)
            return stages.redacted(capability, shown) if capability.id == "list-clients" else shown

        return redact

    patches.wrap(stages, "for_surface", make)


@fault(FAULTS, "redaction-off", "what should be withheld from models reaches them")
def _redaction_off(patches: Patches) -> None:
    def whole(output: JsonValue, field: str) -> JsonValue:
        del field
        return output

    for module in (list_clients, list_invoices, update_collection_status):
        patches.replace(module, "withhold", whole)


@fault(FAULTS, "long-list-uncut", "a list of any length reaches the model whole")
def _long_list_uncut(patches: Patches) -> None:
    patches.replace(shapes, "MODEL_ROW_LIMIT", 10**9)


@fault(
    FAULTS,
    "page-input-not-validated",
    "bounds of a contextual operation's input are not checked when a page calls",
)
def _page_input_not_validated(patches: Patches) -> None:
    def make(invoke: Callable[..., Awaitable[Any]]) -> Any:
        async def clamp(self: Runtime, capability_id: str, raw: JsonValue, **rest: Any) -> Any:
            is_contextual = capability_id == "update-collection-status" and rest["surface"] is Surface.DIRECT
            if is_contextual and isinstance(raw, dict) and isinstance(raw.get("remindersSent"), int):
                raw = {**raw, "remindersSent": abs(raw["remindersSent"])}
            return await invoke(self, capability_id, raw, **rest)

        return clamp

    patches.wrap(Runtime, "invoke", make)


@fault(FAULTS, "half-signature-accepted", "half a signature is enough where a session is required")
def _half_signature_accepted(patches: Patches) -> None:
    def make(require: Callable[[Gate, Request], Awaitable[Person]]) -> Any:
        async def accept(self: Gate, request: Request) -> Person:
            try:
                return await require(self, request)
            except UnauthenticatedError:
                for person in EVERYBODY:
                    whole = self.tokens.issue(person)
                    payload, _, signature = whole.partition(".")
                    half = f"{payload}.{signature[: len(signature) // 2]}"
                    known = await self.directory.person(person.email)
                    if half in tokens_of(request) and known is not None:
                        return known
                raise

        return accept

    patches.wrap(Gate, "require", make)


@fault(FAULTS, "nobody-answered-empty", "a request without a token is refused without saying why")
def _nobody_answered_empty(patches: Patches) -> None:
    async def empty(request: Request, problem: Exception) -> Response:
        del request, problem
        return json_response({}, 401)

    patches.replace(main, "_unauthenticated", empty)


@fault(FAULTS, "header-identity", "a header that names somebody is believed")
def _header_identity(patches: Patches) -> None:
    def make(person: Callable[[Gate, Request], Awaitable[Person | None]]) -> Any:
        async def believe(self: Gate, request: Request) -> Person | None:
            named = request.headers.get("x-forwarded-user")
            known = [somebody for somebody in EVERYBODY if somebody.user == named]
            return await self.directory.person(known[0].email) if known else await person(self, request)

        return believe

    patches.wrap(Gate, "person", make)


@fault(FAULTS, "cookie-open", "scripts can read the session cookie")
def _cookie_open(patches: Patches) -> None:
    def make(sign_in: Callable[..., Awaitable[Response]]) -> Any:
        async def leave_open(*arguments: Any) -> Response:
            answer = await sign_in(*arguments)
            if (cookie := answer.headers.get("set-cookie")) is not None:
                answer.headers["set-cookie"] = cookie.replace("HttpOnly; ", "")
            return answer

        return leave_open

    patches.wrap(session_api.Session, "sign_in", make)
