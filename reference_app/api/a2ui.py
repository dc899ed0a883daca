"""``/a2ui``: cards answered and withdrawn in the envelope of the connection RPC; ``/api/a2ui``: one card as its owner sees it.

A business refusal is never an HTTP error: the envelope carries it.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic import JsonValue as WireValue
from starlette.requests import Request
from starlette.responses import Response

from reference_app.a2ui.desk import CardDesk, Receipt
from reference_app.a2ui.interactions import CardKey, Interaction, Standing, result_of
from reference_app.a2ui.submission import PostedCancel, PostedSubmission
from reference_app.api.bodies import BodyTooLargeError, json_response, read_body, storable
from reference_app.api.errors import api_error, refuse
from reference_app.api.identity import Gate, actor_of
from reference_app.clock import iso
from reference_app.strict_json import JsonError, JsonObject, JsonValue, Strictness, loads

STRICTNESS = Strictness(max_depth=16, refuse_prototype_keys=True)
UNREADABLE_ID = "invalid-request"
"""The id of a reply to a request whose own cannot be read."""

ModelT = TypeVar("ModelT", bound=BaseModel)


class RpcEnvelope(BaseModel):
    """One request of the connection RPC."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    type: Literal["client-request"]
    rpcId: Annotated[str, Field(min_length=1, max_length=128)]  # noqa: N815 - the wire's own name
    method: str
    payload: WireValue


class BadEnvelopeError(Exception):
    """A body is JSON, and not a request of the connection RPC.

    Attributes:
        rpc_id: Its id, as far as it has one.
        issues: What is wrong with it.
    """

    def __init__(self, rpc_id: str, issues: list[JsonValue]) -> None:
        super().__init__("The body is not a request of the connection RPC.")
        self.rpc_id = rpc_id
        self.issues = issues


class CardRpc:
    """Serves cards.

    Args:
        gate: Finds out who is asking.
        desk: Settles cards.
        limit: The most bytes of a body.
    """

    def __init__(self, gate: Gate, desk: CardDesk, limit: int) -> None:
        self._gate = gate
        self._desk = desk
        self._limit = limit

    async def action(self, request: Request) -> Response:
        """Take an answer."""
        return await self._serve(request, "action")

    async def cancel(self, request: Request) -> Response:
        """Close a card without an answer."""
        return await self._serve(request, "cancel")

    async def show(self, request: Request) -> Response:
        """One card of the caller's, as it was compiled and as it stands."""
        owner = actor_of(await self._gate.require(request)).id
        place = (storable(request.path_params[name]) for name in ("conversation", "call"))
        interaction = await self._desk.find(CardKey(owner, *place))
        if interaction is None:
            return api_error(404, "NOT_FOUND", "not found")
        return json_response(card_json(interaction, self._desk.standing(interaction)))

    async def _serve(self, request: Request, method: str) -> Response:
        if request.method != "POST":
            return await no_endpoint(request)
        owner = actor_of(await self._gate.require(request)).id
        try:
            body = await read_body(request, self._limit)
        except BodyTooLargeError:
            return _value(UNREADABLE_ID, Receipt.TOO_LARGE)
        try:
            envelope = read_envelope(loads(body, STRICTNESS), method)
        except JsonError as problem:
            return refuse(request.url.path, 400, str(problem))
        except BadEnvelopeError as problem:
            return _bad_request(problem)
        return _value(envelope.rpcId, await self._settle(owner, method, envelope.payload))

    async def _settle(self, owner: str, method: str, payload: JsonValue) -> Receipt:
        if method == "cancel":
            withdrawn = _shaped(PostedCancel, payload)
            if withdrawn is None:
                return Receipt.BAD_RESPONSE
            return await self._desk.withdraw(CardKey(owner, withdrawn.session, withdrawn.call))
        posted = _shaped(PostedSubmission, payload)
        return Receipt.BAD_RESPONSE if posted is None else await self._desk.submit(owner, posted)


async def no_endpoint(request: Request) -> Response:
    """The answer for every other method and endpoint."""
    return refuse(request.url.path, 404, "There is no such endpoint.")


def read_envelope(document: JsonValue, method: str) -> RpcEnvelope:
    """Read a request.

    Raises:
        BadEnvelopeError: It is none, or is about another method.
    """
    try:
        envelope = RpcEnvelope.model_validate(document)
    except ValidationError as problem:
        issues: list[JsonValue] = [
            {"path": [str(part) for part in error["loc"]], "message": error["msg"]}
            for error in problem.errors()
        ]
        raise BadEnvelopeError(_rpc_id(document), issues) from problem
    if envelope.method != method:
        raise BadEnvelopeError(
            envelope.rpcId, [{"path": ["method"], "message": f"This endpoint is {method}."}]
        )
    return envelope


def card_json(interaction: Interaction, standing: Standing) -> JsonObject:
    """A card as its owner's tabs see it."""
    waits = standing is Standing.PENDING
    return {
        "session": interaction.key.conversation_id,
        "call": interaction.key.call_id,
        "surfaceId": interaction.surface.id,
        "status": standing.value,
        "deadline": iso(interaction.deadline),
        "turnId": interaction.turn_id,
        "stepIndex": interaction.step_index,
        "messages": list(interaction.surface.messages),
        "result": None if waits else result_of(standing, interaction.submission),
    }


def _shaped(shape: type[ModelT], payload: JsonValue) -> ModelT | None:
    try:
        return shape.model_validate(payload)
    except ValidationError:
        return None


def _rpc_id(document: JsonValue) -> str:
    found = document.get("rpcId") if isinstance(document, dict) else None
    return found if isinstance(found, str) and 1 <= len(found) <= 128 else UNREADABLE_ID


def _value(rpc_id: str, receipt: Receipt) -> Response:
    accepted = receipt is Receipt.ACCEPTED
    value: JsonObject = {"accepted": True} if accepted else {"accepted": False, "reason": receipt.value}
    return _reply(rpc_id, {"ok": True, "value": value})


def _bad_request(problem: BadEnvelopeError) -> Response:
    error: JsonObject = {
        "code": "bad-request",
        "message": str(problem),
        "details": {"issues": problem.issues},
    }
    return _reply(problem.rpc_id, {"ok": False, "error": error})


def _reply(rpc_id: str, result: JsonObject) -> Response:
    return json_response({"type": "server-response", "rpcId": rpc_id, "result": result})
