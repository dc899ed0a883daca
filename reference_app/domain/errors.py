"""What can go wrong with an operation, and the face that each failure shows.

A concealed failure shows everybody the same sentence; its real code is for the audit alone. (The dual-plane model, The
invariants, 7: errors are typed results that carry retry hints and never internals.)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from reference_app.errors import ReferenceAppError
from reference_app.strict_json import JsonObject

CONCEALED = "The operation failed."
"""What every concealed failure says."""


class ErrorCode(StrEnum):
    """Every way in which an operation can end without its result."""

    CAPABILITY_NOT_FOUND = "CAPABILITY_NOT_FOUND"
    INPUT_INVALID = "INPUT_INVALID"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    FORBIDDEN = "FORBIDDEN"
    POLICY_DENIED = "POLICY_DENIED"
    POLICY_FAILED = "POLICY_FAILED"
    APPROVAL_REJECTED = "APPROVAL_REJECTED"
    APPROVAL_EXPIRED = "APPROVAL_EXPIRED"
    APPROVAL_CONSUMED = "APPROVAL_CONSUMED"
    APPROVAL_INPUT_MISMATCH = "APPROVAL_INPUT_MISMATCH"
    APPROVAL_STALE = "APPROVAL_STALE"
    APPROVAL_UNSERIALIZABLE_INPUT = "APPROVAL_UNSERIALIZABLE_INPUT"
    EXECUTION_FAILED = "EXECUTION_FAILED"
    OUTPUT_INVALID = "OUTPUT_INVALID"
    TIMEOUT = "TIMEOUT"
    CANCELLED = "CANCELLED"
    INTERNAL_ERROR = "INTERNAL_ERROR"


@dataclass(frozen=True)
class _Row:
    """How a code behaves unless the failure says otherwise."""

    stage: str
    message: str = CONCEALED
    retryable: bool = False

    @property
    def exposed(self) -> bool:
        return self.message != CONCEALED


_TABLE = {
    ErrorCode.CAPABILITY_NOT_FOUND: _Row("discovery", "Capability not found."),
    ErrorCode.INPUT_INVALID: _Row("input-validation", "Input validation failed."),
    ErrorCode.UNAUTHENTICATED: _Row("authentication", "Authentication is required."),
    ErrorCode.FORBIDDEN: _Row("authorization", "The operation is not permitted."),
    ErrorCode.POLICY_DENIED: _Row("policy", "The operation was denied by policy."),
    ErrorCode.POLICY_FAILED: _Row("policy"),
    ErrorCode.APPROVAL_REJECTED: _Row("approval", "The approval was rejected."),
    ErrorCode.APPROVAL_EXPIRED: _Row("approval", "The approval has expired; a new request is required."),
    ErrorCode.APPROVAL_CONSUMED: _Row("approval", "The approval has already been used."),
    ErrorCode.APPROVAL_INPUT_MISMATCH: _Row("approval"),
    ErrorCode.APPROVAL_STALE: _Row(
        "approval", "The record has changed since it was shown; a new request is required."
    ),
    ErrorCode.APPROVAL_UNSERIALIZABLE_INPUT: _Row("approval"),
    ErrorCode.EXECUTION_FAILED: _Row("execution"),
    ErrorCode.OUTPUT_INVALID: _Row("output-validation"),
    ErrorCode.TIMEOUT: _Row("timeout", "The operation timed out.", retryable=True),
    ErrorCode.CANCELLED: _Row("cancellation", "The operation was cancelled."),
    ErrorCode.INTERNAL_ERROR: _Row("execution"),
}


@dataclass(frozen=True)
class Issue:
    """One thing that is wrong with an input; the value itself is never repeated.

    Attributes:
        path: Where, as keys and indexes from the top.
        message: What was expected there.
    """

    path: tuple[str, ...]
    message: str

    def as_json(self) -> JsonObject:
        """``{path, message}``."""
        return {"path": list(self.path), "message": self.message}


class CapabilityError(ReferenceAppError):
    """An operation ended without its result.

    Args:
        code: What happened.
        message: What may be shown instead of the code's own sentence; makes the failure exposed.
        issues: What is wrong with the input, for INPUT_INVALID.
        executed: Whether the operation had run before it failed.
        business_code: The operation's own code (``NOT_FOUND``, ``CONFLICT``) when it declared the failure.
    """

    def __init__(
        self,
        code: ErrorCode,
        message: str | None = None,
        *,
        issues: tuple[Issue, ...] = (),
        executed: bool = False,
        business_code: BusinessCode | None = None,
    ) -> None:
        row = _TABLE[code]
        self.code = code
        self.stage = row.stage
        self.retryable = row.retryable
        self.exposed = row.exposed or message is not None
        self.public_message = message or row.message
        self.issues = issues
        self.executed = executed
        self.business_code = business_code
        super().__init__(f"{code}: {self.public_message}")


BusinessCode: TypeAlias = Literal["NOT_FOUND", "CONFLICT", "FORBIDDEN"]
"""The failures that an operation may declare as part of its contract."""


class BusinessError(ReferenceAppError):
    """An operation refuses for a reason of its own, which its caller may read.

    Args:
        code: One of the codes that the operation declares.
        message: A sentence for people and models, naming the record.
    """

    def __init__(self, code: BusinessCode, message: str) -> None:
        self.code: BusinessCode = code
        self.public_message = message
        super().__init__(f"{code}: {message}")


def public_face(error: CapabilityError) -> JsonObject:
    """The error object that a model may see: ``{code, message, retryable, details?}``; a concealed one shows nothing."""
    if not error.exposed:
        return {"code": str(ErrorCode.INTERNAL_ERROR), "message": CONCEALED, "retryable": False}
    face: dict[str, object] = {
        "code": str(error.code),
        "message": error.public_message,
        "retryable": error.retryable,
    }
    if error.issues:
        face["details"] = {"issues": [issue.as_json() for issue in error.issues]}
    return face  # type: ignore[return-value]  # a dict literal built in steps; every member is a JSON value
