"""The record of what was called on the surface, by whom and with what outcome.

Inputs and outputs are in it only where a capability says so (level ``full``); a sink that fails never
fails the call.
"""

import logging
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TextIO

from reference_app.surface.errors import ErrorCode
from reference_app.surface.json_value import Json, JsonObject, stringify

_log = logging.getLogger(__name__)


class AuditLevel(StrEnum):
    """How much of a call is recorded."""

    NONE = "none"
    METADATA = "metadata"
    FULL = "full"


class AuditType(StrEnum):
    """The kinds of record."""

    REGISTRATION = "registration"
    UNREGISTRATION = "unregistration"
    REGISTRATION_REJECTED = "registration-rejected"
    INVOCATION_STARTED = "invocation-started"
    INVOCATION_SETTLED = "invocation-settled"
    CONFIRMATION_REQUESTED = "confirmation-requested"
    CONFIRMATION_APPROVED = "confirmation-approved"
    CONFIRMATION_DENIED = "confirmation-denied"
    CONFIRMATION_EXPIRED = "confirmation-expired"
    CONFIRMATION_CONSUMED = "confirmation-consumed"
    LATE_SETTLEMENT = "late-settlement"
    COLLISION_SUSPECTED = "collision-suspected"


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """One record. Times are milliseconds; ``consumer`` is the kind and id of who called."""

    at: str
    type: AuditType
    capability_id: str | None = None
    registration_id: str | None = None
    invocation_id: str | None = None
    consumer: str | None = None
    status: str | None = None
    code: ErrorCode | None = None
    duration_ms: int | None = None
    queue_wait_ms: int | None = None
    execution_ms: int | None = None
    payload: JsonObject | None = None

    def to_json(self) -> dict[str, Json]:
        """The written form; what does not apply is absent."""
        fields: dict[str, Json] = {
            "at": self.at,
            "type": self.type.value,
            "capabilityId": self.capability_id,
            "registrationId": self.registration_id,
            "invocationId": self.invocation_id,
            "consumerId": self.consumer,
            "status": self.status,
            "code": self.code.value if self.code else None,
            "durationMs": self.duration_ms,
            "queueWaitMs": self.queue_wait_ms,
            "executionMs": self.execution_ms,
            "payload": self.payload,
        }
        return {key: value for key, value in fields.items() if value is not None}


class AuditSink(Protocol):
    """Where records go."""

    def write(self, event: AuditEvent) -> None:
        """Take one record."""


class MemorySink:
    """Keeps the newest records."""

    def __init__(self, capacity: int = 1000) -> None:
        self._events: deque[AuditEvent] = deque(maxlen=capacity)

    def write(self, event: AuditEvent) -> None:
        """Keep one, dropping the oldest when full."""
        self._events.append(event)

    @property
    def events(self) -> tuple[AuditEvent, ...]:
        """What is kept, oldest first."""
        return tuple(self._events)


class StreamSink:
    """Writes one JSON line a record, to standard error unless told otherwise: standard output is for protocols."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream

    def write(self, event: AuditEvent) -> None:
        """Write one line."""
        print(stringify(event.to_json()), file=self._stream or sys.stderr)


class AuditTrail:
    """Hands each record to every sink."""

    def __init__(self, sinks: Sequence[AuditSink]) -> None:
        self._sinks = tuple(sinks)

    def record(self, event: AuditEvent) -> None:
        """Write to all sinks; one that fails is logged and passed over."""
        for sink in self._sinks:
            try:
                sink.write(event)
            except Exception:
                _log.exception("an audit sink failed on %s", event.type)
