"""``/api/approvals``: what waits for a person, and the person's decision."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from starlette.requests import Request
from starlette.responses import Response

from reference_app.api.bodies import BadBodyError, json_response, read_shape, storable
from reference_app.api.errors import api_error
from reference_app.api.identity import Gate, actor_of
from reference_app.clock import Clock
from reference_app.domain.approvals import Approval, DecisionError, card
from reference_app.domain.audit import AuditTrail
from reference_app.domain.decisions import Decision, Decisions, Denied, Executed, Outcome
from reference_app.domain.errors import ErrorCode
from reference_app.host.threads import ThreadStore
from reference_app.ledger.model import euros
from reference_app.strict_json import JsonObject

_BODY_LIMIT = 65_536


class DecisionBody(BaseModel):
    """A decision as it is posted; nothing else in the body is read."""

    model_config = ConfigDict(strict=True, extra="ignore", alias_generator=to_camel, populate_by_name=True)

    approved: bool
    input_hash: Annotated[str, Field(max_length=128)] | None = None
    thread_id: Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[^\x00]*$")] | None = None


class Approvals:
    """Serves approvals.

    Args:
        gate: Finds out who is asking.
        decisions: What an owner can do.
        threads: Takes receipts.
        clock: Says what has expired.
        audit: Is written before the answer.
    """

    def __init__(
        self, gate: Gate, decisions: Decisions, threads: ThreadStore, clock: Clock, audit: AuditTrail
    ) -> None:
        self._gate = gate
        self._decisions = decisions
        self._threads = threads
        self._clock = clock
        self._audit = audit

    async def pending(self, request: Request) -> Response:
        """The caller's approvals that can be decided now, oldest first."""
        actor = actor_of(await self._gate.require(request))
        now = self._clock.now()
        return json_response([card(approval, now) for approval in await self._decisions.pending(actor)])

    async def show(self, request: Request) -> Response:
        """One approval of the caller's, in any status."""
        actor = actor_of(await self._gate.require(request))
        approval = await self._decisions.find(storable(request.path_params["approval"]), actor)
        return not_found() if approval is None else json_response(card(approval, self._clock.now()))

    async def decide(self, request: Request) -> Response:
        """Take a decision; yes runs what the card showed, in this request."""
        actor = actor_of(await self._gate.require(request))
        try:
            body = await read_shape(request, _BODY_LIMIT, DecisionBody)
        except BadBodyError:
            return api_error(400, "BAD_REQUEST", "Invalid decision body.")
        approval_id = storable(request.path_params["approval"])
        try:
            decided = await self._decisions.decide(
                approval_id, Decision(body.approved, body.input_hash), actor
            )
        except DecisionError as refusal:
            return refused(refusal)
        finally:
            self._audit.flush_soon()
        if decided is None:
            return not_found()
        approval, outcome = decided
        receipt = receipt_text(approval, outcome)
        if body.thread_id is not None:
            await self._threads.note(actor.id, body.thread_id, receipt)
        ok = isinstance(outcome, Executed)
        return json_response({"receipt": {"text": receipt, "ok": ok}, "resolution": resolution(outcome)})


def refused(refusal: DecisionError) -> Response:
    """A decision that could not be taken: 403 when policy forbids it, else 409."""
    return api_error(403 if refusal.forbidden else 409, str(refusal.code), str(refusal))


def not_found() -> Response:
    """The one answer for what does not exist, is somebody else's, or is about something hidden."""
    return api_error(404, "NOT_FOUND", "not found")


def resolution(outcome: Outcome) -> JsonObject:
    """What came of a decision, for programs."""
    match outcome:
        case Denied():
            return {"status": "rejected"}
        case Executed(output):
            return {"status": "completed", "output": output}
        case _:
            stopped = outcome.error.code in {ErrorCode.TIMEOUT, ErrorCode.CANCELLED}
            status = "cancelled" if stopped else "failed"
            return {
                "status": status,
                "error": {"code": _code(outcome), "message": outcome.error.public_message},
            }


def receipt_text(approval: Approval, outcome: Outcome) -> str:
    """What came of a decision, for people."""
    what = f"{approval.capability_id}{_object(approval)}"
    match outcome:
        case Denied():
            return f"You denied {what}. Nothing was changed."
        case Executed():
            return f"You approved {what}, and it completed."
        case _:
            return f"You approved {what}, but it failed: {outcome.error.public_message}"


def _code(outcome: Outcome) -> str:
    error = getattr(outcome, "error", None)
    return str(error.code) if error is not None and error.exposed else str(ErrorCode.INTERNAL_ERROR)


def _object(approval: Approval) -> str:
    """Which invoice, and how much, as far as the input says so."""
    if not isinstance(approval.input, dict):
        return ""
    number, amount = approval.input.get("id"), approval.input.get("amount")
    named = [f"invoice {number}"] if isinstance(number, int) else []
    if isinstance(amount, int):
        named.append(euros(amount))
    return f" ({', '.join(named)})" if named else ""
