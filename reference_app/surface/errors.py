"""What can go wrong on the surface: author errors are raised, agent errors are typed results.

An agent error is a value with a code, a retry hint and details; it never carries internals
(The dual-plane model, The invariants, 7).
"""

from dataclasses import dataclass
from enum import StrEnum

from reference_app.surface.json_value import Json, JsonObject, copy_object


class ErrorCode(StrEnum):
    """Every code that a call on the view plane can end with."""

    CAPABILITY_NOT_FOUND = "CAPABILITY_NOT_FOUND"
    CAPABILITY_NOT_AVAILABLE = "CAPABILITY_NOT_AVAILABLE"
    AMBIGUOUS_INSTANCE = "AMBIGUOUS_INSTANCE"
    COMPONENT_UNMOUNTED = "COMPONENT_UNMOUNTED"
    STALE_CAPABILITY = "STALE_CAPABILITY"
    INVOCATION_CONFLICT = "INVOCATION_CONFLICT"
    INVALID_INPUT = "INVALID_INPUT"
    NOT_AUTHENTICATED = "NOT_AUTHENTICATED"
    NOT_AUTHORIZED = "NOT_AUTHORIZED"
    PRECONDITION_FAILED = "PRECONDITION_FAILED"
    CONFIRMATION_REQUIRED = "CONFIRMATION_REQUIRED"
    CONFIRMATION_INVALID = "CONFIRMATION_INVALID"
    RATE_LIMITED = "RATE_LIMITED"
    TIMEOUT = "TIMEOUT"
    CANCELLED = "CANCELLED"
    EXECUTION_FAILED = "EXECUTION_FAILED"


class Retry(StrEnum):
    """What the caller can do about an error."""

    NO = "no"
    YES = "yes"
    AFTER_REFRESH = "after-refresh"
    AFTER_DELAY = "after-delay"
    WITH_CONFIRMATION = "with-confirmation"
    WITH_CHANGES = "with-changes"


class DefinitionCode(StrEnum):
    """Why a component may not register; for its author, never for an agent."""

    INVALID_ID = "INVALID_ID"
    INVALID_DEFINITION = "INVALID_DEFINITION"
    UNSUPPORTED_SCHEMA = "UNSUPPORTED_SCHEMA"
    PLANE_VIOLATION = "PLANE_VIOLATION"
    DUPLICATE_CAPABILITY = "DUPLICATE_CAPABILITY"
    LIMIT_EXCEEDED = "LIMIT_EXCEEDED"


@dataclass(frozen=True, slots=True)
class ErrorPayload:
    """An error as the agent sees it."""

    code: ErrorCode
    message: str
    retry: Retry
    details: JsonObject | None = None

    def to_json(self) -> dict[str, Json]:
        """The wire form; ``details`` is absent when there are none."""
        body: dict[str, Json] = {"code": self.code.value, "message": self.message, "retry": self.retry.value}
        if self.details is not None:
            body["details"] = copy_object(self.details)
        return body


class SurfaceError(Exception):
    """The root of everything that the surface raises."""


class DefinitionError(SurfaceError):
    """A component or contract is wrong in itself, in every environment."""

    def __init__(self, code: DefinitionCode, message: str) -> None:
        super().__init__(f"[{code.value}] {message}")
        self.code = code


class DisposedError(SurfaceError):
    """The registry was disposed of; its tab is gone."""


class OutputDefectError(SurfaceError):
    """A handler returned what is not JSON; raised outside production, so that its author sees it."""


class CapabilityError(SurfaceError):
    """A typed agent error on its way out of the pipeline; handlers and policies may raise it too."""

    def __init__(self, payload: ErrorPayload) -> None:
        super().__init__(f"{payload.code.value}: {payload.message}")
        self.payload = payload


class TransportError(SurfaceError):
    """A procedure could not be carried out at the server; transient when trying again later may help."""

    def __init__(self, message: str, *, transient: bool = False) -> None:
        super().__init__(message)
        self.transient = transient
