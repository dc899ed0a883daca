"""Approvals: what a person is asked to agree to, and the rules of agreeing.

(The dual-plane model, The invariants, 5: an approval binds the exact input, is used once, and expires.)
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from reference_app.clock import iso
from reference_app.domain.actor import Actor
from reference_app.domain.canonical import UnserializableError, input_hash
from reference_app.domain.capability import Capability, Subject
from reference_app.domain.errors import CapabilityError, ErrorCode
from reference_app.domain.policy import RequireApproval
from reference_app.errors import ReferenceAppError
from reference_app.strict_json import JsonObject, JsonValue


class ApprovalStatus(StrEnum):
    """Where an approval stands."""

    PENDING = "pending"
    REJECTED = "rejected"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    CONSUMED = "consumed"


@dataclass(frozen=True)
class DecisionRecord:
    """What was decided, by whom and when."""

    approved: bool
    approver_id: str
    approver_name: str
    decided_at: datetime


@dataclass(frozen=True)
class Approval:
    """One request for a person's agreement.

    Attributes:
        id: ``apr_<uuid>``.
        capability_id: What would run.
        surface: Where the call came from.
        actor: Who requested it, and on whose behalf it would run.
        input: Exactly what would run, validated.
        input_hash: The fingerprint of that.
        reasons: Why it needs agreement.
        types: What kinds of agreement.
        risk: How much a wrong decision would hurt.
        side_effect: What it would change.
        requested_at: When it was requested.
        expires_at: The first instant at which it can no longer be decided.
        status: As stored; see :func:`status_at`.
        subject: The record as it was shown.
        decision: What was decided.
        consumed_by: The execution that used it.
        failure: What the execution failed with, for people.
    """

    id: str
    capability_id: str
    surface: str
    actor: Actor
    input: JsonValue
    input_hash: str
    reasons: tuple[str, ...]
    types: tuple[str, ...]
    risk: str
    side_effect: str
    requested_at: datetime
    expires_at: datetime
    status: ApprovalStatus = ApprovalStatus.PENDING
    subject: Subject | None = None
    decision: DecisionRecord | None = None
    consumed_by: str | None = None
    failure: str | None = None


class DecisionError(ReferenceAppError):
    """A decision cannot be taken; nothing was executed.

    Args:
        code: Why, for programs.
        message: Why, for people.
        forbidden: Whether a policy forbids it, rather than the state of the approval.
    """

    def __init__(self, code: ErrorCode, message: str, *, forbidden: bool = False) -> None:
        self.code = code
        self.forbidden = forbidden
        super().__init__(message)


def demands(capability: Capability, from_policies: Iterable[RequireApproval]) -> tuple[RequireApproval, ...]:
    """Everything that demands an approval for a call, the operation's own demand first."""
    static = capability.meta.approval
    if static is None:
        return tuple(from_policies)
    own = RequireApproval(f"Approval is required for {capability.id}.", static.type)
    return (own, *from_policies)


def fingerprint(value: JsonValue) -> str:
    """The hash that binds an approval to its input.

    Raises:
        CapabilityError: APPROVAL_UNSERIALIZABLE_INPUT; no approval can be bound to such an input.
    """
    try:
        return input_hash(value)
    except UnserializableError as problem:
        raise CapabilityError(ErrorCode.APPROVAL_UNSERIALIZABLE_INPUT) from problem


def lifetime(capability: Capability, demanded: Iterable[RequireApproval], default: float) -> timedelta:
    """How long it can be decided: the shortest that a policy asks for, else the operation's own, else the default."""
    asked = [demand.expires_in for demand in demanded if demand.expires_in is not None]
    if asked:
        return timedelta(seconds=min(asked))
    static = capability.meta.approval
    if static is not None and static.expires_in is not None:
        return timedelta(seconds=static.expires_in)
    return timedelta(seconds=default)


def is_expired(approval: Approval, now: datetime) -> bool:
    """Whether the time to decide is over: from the very instant of expiry on."""
    return now >= approval.expires_at


def status_at(approval: Approval, now: datetime) -> ApprovalStatus:
    """The status at an instant; a pending approval expires by itself."""
    if approval.status is ApprovalStatus.PENDING and is_expired(approval, now):
        return ApprovalStatus.EXPIRED
    return approval.status


def belongs_to(approval: Approval, actor: Actor) -> bool:
    """Whether an approval is an actor's own; for everybody else it does not exist."""
    return (approval.actor.id, approval.actor.kind) == (actor.id, actor.kind)


def check_pending(approval: Approval, now: datetime) -> None:
    """Refuse a decision about something that is already decided, expired or withdrawn.

    Raises:
        DecisionError: With the code that says which.
    """
    status = status_at(approval, now)
    if status is not ApprovalStatus.PENDING:
        raise DecisionError(_REFUSALS[status], f'Approval "{approval.id}" is not pending (status: {status})')


def check_input_hash(approval: Approval, claimed: str | None) -> None:
    """Refuse a decision about another input than the stored one, and an input that changed in the store.

    Raises:
        DecisionError: APPROVAL_INPUT_MISMATCH.
    """
    if claimed is not None and not hmac.compare_digest(claimed.encode(), approval.input_hash.encode()):
        raise DecisionError(
            ErrorCode.APPROVAL_INPUT_MISMATCH, "The decision is about another input than the card's."
        )
    if fingerprint(approval.input) != approval.input_hash:
        raise DecisionError(
            ErrorCode.APPROVAL_INPUT_MISMATCH, "The stored input is not the one that was hashed."
        )


def is_stale(approval: Approval, now: Subject | None) -> bool:
    """Whether the record that the card showed has changed since."""
    return _version(approval.subject) != _version(now)


def card(approval: Approval, now: datetime) -> JsonObject:
    """An approval as its owner sees it."""
    shown: dict[str, JsonValue] = {
        "id": approval.id,
        "capabilityId": approval.capability_id,
        "status": str(status_at(approval, now)),
        "surface": approval.surface,
        "reasons": list(approval.reasons),
        "types": list(approval.types),
        "risk": approval.risk,
        "input": approval.input,
        "inputHash": approval.input_hash,
        "requestedAt": iso(approval.requested_at),
        "expiresAt": iso(approval.expires_at),
    }
    if approval.subject is not None:
        shown["subject"] = {
            "type": approval.subject.type,
            "id": approval.subject.id,
            "version": approval.subject.version,
            "shown": approval.subject.shown,
        }
    if approval.decision is not None:
        shown["decision"] = {
            "status": "approved" if approval.decision.approved else "rejected",
            "approver": approval.decision.approver_name,
            "decidedAt": iso(approval.decision.decided_at),
        }
    if approval.failure is not None:
        shown["failure"] = approval.failure
    return shown


_REFUSALS = {
    ApprovalStatus.REJECTED: ErrorCode.APPROVAL_REJECTED,
    ApprovalStatus.EXPIRED: ErrorCode.APPROVAL_EXPIRED,
    ApprovalStatus.CANCELLED: ErrorCode.APPROVAL_STALE,
    ApprovalStatus.CONSUMED: ErrorCode.APPROVAL_CONSUMED,
}


def _version(subject: Subject | None) -> tuple[str, str, int | None] | None:
    return None if subject is None else (subject.type, subject.id, subject.version)
