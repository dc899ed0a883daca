"""``/rpc/<id>``: every procedure for the page, in oRPC's wire format.

A procedure that the caller may not use is answered exactly as one that does not exist, whatever the method and the body.
"""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from reference_app.api.bodies import json_response, read_body
from reference_app.api.errors import orpc_error
from reference_app.api.identity import Gate, actor_of
from reference_app.domain.actor import Actor, Correlation
from reference_app.domain.capability import AnyProcedure, Surface
from reference_app.domain.discovery import may_discover
from reference_app.domain.errors import CapabilityError, ErrorCode
from reference_app.domain.pipeline import ApprovalRequired, Completed, Result, Runtime
from reference_app.errors import ReferenceAppError
from reference_app.strict_json import JsonError, JsonValue, loads

INVOCATION_HEADER = "x-agent-invocation-id"
"""What a tab says about the call that a request belongs to; recorded, never believed."""

_UNDEFINED = 3
_LONGEST_ID = 128
_STATUS = {
    ErrorCode.CAPABILITY_NOT_FOUND: 404,
    ErrorCode.INPUT_INVALID: 400,
    ErrorCode.UNAUTHENTICATED: 401,
    ErrorCode.FORBIDDEN: 403,
    ErrorCode.POLICY_DENIED: 403,
    ErrorCode.TIMEOUT: 408,
}
_BUSINESS_STATUS = {"NOT_FOUND": 404, "CONFLICT": 409, "FORBIDDEN": 403}


class MalformedCallError(ReferenceAppError):
    """The body of a call is not oRPC's envelope."""


class Rpc:
    """Serves the procedures.

    Args:
        gate: Finds out who is asking.
        runtime: Runs the procedures.
        body_limit: The largest body, in bytes.
    """

    def __init__(self, gate: Gate, runtime: Runtime, body_limit: int) -> None:
        self._gate = gate
        self._runtime = runtime
        self._body_limit = body_limit

    async def serve(self, request: Request) -> Response:
        """Answer one request."""
        actor = actor_of(await self._gate.require(request))
        procedure = self._runtime.services.registry.procedure(request.path_params["procedure"])
        if procedure is None or not await self._may_use(procedure, actor):
            return await self._refuse(request, actor)
        if request.method != "POST":
            return orpc_error(405, "Procedures are called with POST.", headers={"allow": "POST"})
        body = await read_body(request, self._body_limit)
        try:
            raw = read_envelope(body)
        except MalformedCallError as problem:
            return orpc_error(400, str(problem))
        result = await self._call(procedure, raw, actor, correlation_of(request))
        self._runtime.services.audit.flush_soon()
        return respond(procedure, result)

    async def _refuse(self, request: Request, actor: Actor) -> Response:
        """Answer a call of what does not exist for the caller; it is audited, and its input never looked at."""
        if request.method == "POST":
            await self._runtime.invoke(
                request.path_params["procedure"][:_LONGEST_ID],
                None,
                surface=Surface.DIRECT,
                actor=actor,
                correlation=correlation_of(request),
            )
            self._runtime.services.audit.flush_soon()
        return not_found()

    async def _call(
        self, procedure: AnyProcedure, raw: JsonValue, actor: Actor, correlation: Correlation
    ) -> Result:
        if procedure.agent is None:
            return await self._runtime.call_plain(procedure, raw, actor)
        return await self._runtime.invoke(
            procedure.id, raw, surface=Surface.DIRECT, actor=actor, correlation=correlation
        )

    async def _may_use(self, procedure: AnyProcedure, actor: Actor) -> bool:
        capability = self._runtime.services.registry.capability(procedure.id)
        return capability is None or await may_discover(self._runtime, capability, Surface.DIRECT, actor)


def read_envelope(body: bytes) -> JsonValue:
    """The input in an oRPC request body: what is under ``json``, or an empty object when there is nothing.

    Raises:
        MalformedCallError: The body is not ``{"json": …, "meta"?: […]}``, or its meta names values that plain JSON cannot carry.
    """
    if not body:
        return {}
    try:
        envelope = loads(body)
    except JsonError as problem:
        raise MalformedCallError("Malformed request. The body has to be JSON.") from problem
    if not isinstance(envelope, Mapping):
        raise MalformedCallError("Malformed request. The body has to be an object with the input under json.")
    meta = envelope.get("meta", [])
    if not isinstance(meta, list) or not all(_is_undefined(entry) for entry in meta):
        raise MalformedCallError(
            "Malformed request. The procedures take plain JSON; meta may mark undefined values only."
        )
    return envelope.get("json", {})


def correlation_of(request: Request) -> Correlation:
    """What the request says about where it belongs."""
    claimed = request.headers.get(INVOCATION_HEADER)
    return Correlation(invocation_id=claimed[:128] if claimed else None)


def respond(procedure: AnyProcedure, result: Result) -> Response:
    """A result in oRPC's wire format."""
    match result:
        case Completed(_, output):
            return json_response({"json": output})
        case ApprovalRequired(_, approval):
            return orpc_error(
                409, "Approval is required for this operation.", data={"approvalId": approval.id}
            )
        case _:
            return respond_error(procedure, result.error)


def respond_error(procedure: AnyProcedure, error: CapabilityError) -> Response:
    """A failure with the status that fits it; what is concealed is a plain 500."""
    if error.code is ErrorCode.CAPABILITY_NOT_FOUND:
        return not_found()
    if not error.exposed:
        return orpc_error(500, error.public_message)
    if error.business_code is not None:
        defined = error.business_code in procedure.errors
        return orpc_error(_BUSINESS_STATUS[error.business_code], error.public_message, defined=defined)
    data = {"issues": [issue.as_json() for issue in error.issues]} if error.issues else None
    return orpc_error(_STATUS.get(error.code, 500), error.public_message, data=data)


def not_found() -> Response:
    """The one answer for what does not exist and for what is hidden."""
    return orpc_error(404, "Not Found")


def _is_undefined(entry: JsonValue) -> bool:
    return isinstance(entry, list) and bool(entry) and entry[0] == _UNDEFINED
