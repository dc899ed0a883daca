"""A call on the surface and its result, as values."""

from dataclasses import dataclass

from reference_app.surface.errors import ErrorPayload
from reference_app.surface.json_value import UNSET, Json, Unset
from reference_app.surface.policy import ANONYMOUS, Consumer
from reference_app.surface.signal import Signal


@dataclass(frozen=True, slots=True)
class InvocationRequest:
    """What to call. Every id but the capability's may be left out."""

    capability_id: str
    input: Json = None
    invocation_id: str | None = None
    instance_id: str | None = None
    registration_id: str | None = None
    surface_version: str | None = None
    confirmation_id: str | None = None


@dataclass(frozen=True, slots=True)
class CallOptions:
    """Who calls, what may stop the call, and how long it may take."""

    consumer: Consumer = ANONYMOUS
    signal: Signal | None = None
    timeout_ms: int | None = None


DEFAULT_OPTIONS = CallOptions()


@dataclass(frozen=True, slots=True)
class InvocationResult:
    """How a call ended: an output (or none), or a typed error."""

    invocation_id: str
    capability_id: str
    surface_version: str
    output: Json | Unset = UNSET
    error: ErrorPayload | None = None
    surface_changed: bool = False

    @property
    def ok(self) -> bool:
        """Whether it ended without an error."""
        return self.error is None

    def to_json(self) -> dict[str, Json]:
        """The wire form; ``output`` and ``surfaceChanged`` are absent when there is nothing to say."""
        body: dict[str, Json] = {
            "status": "ok" if self.ok else "error",
            "invocationId": self.invocation_id,
            "capabilityId": self.capability_id,
            "surfaceVersion": self.surface_version,
        }
        if self.error is not None:
            body["error"] = self.error.to_json()
        elif not isinstance(self.output, Unset):
            body["output"] = self.output
        if self.surface_changed:
            body["surfaceChanged"] = True
        return body
