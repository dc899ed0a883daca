"""What the lookalike lets a model do: its operations in an envelope, and approvals that live in memory."""

import datetime
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.lookalike.identity import may_write
from tests.lookalike.ledger import BY_ID, Capability, Ledger, Refused

User = Mapping[str, Any]
MOST_ROWS = 50
TTL = datetime.timedelta(minutes=15)


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def _iso(moment: datetime.datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass
class Approval:
    """One call that waits, or waited, for a decision."""

    owner: str
    capability: str
    input: Mapping[str, Any]
    id: str = field(default_factory=lambda: f"apr_{uuid.uuid4()}")
    status: str = "pending"
    asked: datetime.datetime = field(default_factory=_now)
    decision: Mapping[str, str] | None = None

    def card(self) -> dict[str, Any]:
        """What the person sees."""
        card = {
            "id": self.id,
            "capabilityId": self.capability,
            "status": self.status,
            "surface": "aiSdk",
            "reasons": [f"{self.capability} was initiated from a model loop"],
            "risk": "high",
            "input": dict(self.input),
            "requestedAt": _iso(self.asked),
            "expiresAt": _iso(self.asked + TTL),
        }
        return card | ({"decision": dict(self.decision)} if self.decision else {})


Event = tuple[str, Mapping[str, Any]]


@dataclass
class Governance:
    """Runs operations for models and for people."""

    ledger: Ledger
    approvals: dict[str, Approval] = field(default_factory=dict)

    def reaches(self, user: User, capability: Capability) -> bool:
        """Whether somebody may use an operation."""
        return may_write(user) or not capability.writes

    def call(
        self, user: User, capability: Capability, value: Any
    ) -> tuple[bool, dict[str, Any], list[Event]]:
        """A model's call: whether it went well, the envelope, and what is told of it."""
        events: list[Event] = [("requested", {"sideEffect": capability.effect})]
        if issues := capability.issues(value):
            error = {
                "code": "INPUT_INVALID",
                "message": "Input validation failed.",
                "details": {"issues": issues},
            }
            return False, _error(error), [*events, ("failed", {"code": "INPUT_INVALID"})]
        known = capability.known(value)
        if capability.gated:
            approval = Approval(user["email"], capability.id, known)
            self.approvals[approval.id] = approval
            message = f"Awaiting approval: {capability.id} was initiated from a model loop."
            envelope = {"status": "approval-required", "approvalId": approval.id, "message": message}
            return True, envelope, [*events, ("approval_requested", {"approvalId": approval.id})]
        events.append(("started", {"attempt": 1}))
        try:
            data = self.ledger.run(capability, known)
        except Refused as refused:
            error = {"code": "EXECUTION_FAILED", "message": str(refused)}
            return False, _error(error), [*events, ("failed", {"code": "EXECUTION_FAILED"})]
        return True, {"status": "ok", "data": cut(data)}, [*events, ("completed", {"attempts": 1})]

    def mine(self, user: User, approval_id: str) -> Approval | None:
        """An approval of somebody's own."""
        approval = self.approvals.get(approval_id)
        if approval is None or approval.owner != user["email"]:
            return None
        if approval.status == "pending" and _now() >= approval.asked + TTL:
            approval.status = "expired"
        return approval

    def pending(self, user: User) -> list[dict[str, Any]]:
        """What waits for somebody."""
        mine = [self.mine(user, name) for name in self.approvals]
        return [approval.card() for approval in mine if approval is not None and approval.status == "pending"]

    def decide(self, user: User, approval: Approval, *, approved: bool) -> dict[str, Any]:
        """Take a decision about what waits."""
        what = f"{approval.capability} (invoice {approval.input.get('id')})"
        word = "approved" if approved else "denied"
        approval.decision = {"status": word, "approver": user["name"], "decidedAt": _iso(_now())}
        approval.status = "consumed" if approved else "rejected"
        if not approved:
            return _receipt(
                f"You denied {what}. Nothing was changed.", ok=False, resolution={"status": "rejected"}
            )
        try:
            output = self.ledger.run(BY_ID[approval.capability], approval.input)
        except Refused as refused:
            failed = {"status": "failed", "error": {"message": str(refused)}}
            return _receipt(f"You approved {what}, but it failed: {refused}", ok=False, resolution=failed)
        done = {"status": "completed", "output": output}
        return _receipt(f"You approved {what}, and it completed.", ok=True, resolution=done)


def cut(data: Any) -> Any:
    """A list as a model gets it."""
    if isinstance(data, list) and len(data) > MOST_ROWS:
        return {"rows": data[:MOST_ROWS], "totalRows": len(data), "truncatedForModel": True}
    return data


def _error(error: Mapping[str, Any]) -> dict[str, Any]:
    return {"status": "error", "error": {**error, "retryable": False}}


def _receipt(text: str, *, ok: bool, resolution: Mapping[str, Any]) -> dict[str, Any]:
    return {"receipt": {"text": text, "ok": ok}, "resolution": dict(resolution)}
