"""What a model is offered of the surface: a tool is a name, a description, a schema, and apart from them its state.

Name, description and schema are the same bytes whatever state the page is in; only the state moves, and it travels
elsewhere (Architecture, The transport).
"""

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from reference_app.surface.confirmation import ConfirmationBook
from reference_app.surface.definition import ConfirmationLevel
from reference_app.surface.errors import ErrorCode, SurfaceError
from reference_app.surface.identifiers import Plane
from reference_app.surface.invocation_types import CallOptions, InvocationRequest, InvocationResult
from reference_app.surface.json_value import Json, JsonObject
from reference_app.surface.registry import Registry
from reference_app.surface.signal import Signal

Topology: TypeAlias = Literal["embedded", "remote"]
ConfirmationMode: TypeAlias = Literal["wait", "two-phase"]


@dataclass(frozen=True, slots=True)
class ToolState:
    """The part of a tool that may differ from one step to the next."""

    available: bool = True
    unavailable_reason: str | None = None
    note: str | None = None


READY = ToolState()


@dataclass(frozen=True, slots=True)
class Tool:
    """One offered tool, and which mount of the page it was taken from."""

    name: str
    canonical_id: str
    plane: Plane
    description: str
    input_schema: JsonObject
    effect: str
    confirmation: ConfirmationLevel = ConfirmationLevel.NEVER
    state: ToolState = READY
    registration_id: str | None = None
    surface_version: str | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's call of a tool; its id is the invocation's."""

    input: Json
    id: str | None = None
    signal: Signal | None = None


class Toolset(Protocol):
    """A way of offering the surface, direct or meta."""

    def tools(self) -> tuple[Tool, ...]:
        """What is offered now."""

    def canonical_id_of(self, tool: Tool, given: Json) -> str:
        """What a call is recorded under."""

    def effect_of(self, tool: Tool, given: Json) -> str:
        """What kind of change a call makes, as far as is known beforehand; ``read`` is none."""

    async def execute(self, tool: Tool, call: ToolCall) -> InvocationResult:
        """Carry out a call of a tool that was offered."""


def confirmation_mode(topology: Topology | None, mode: ConfirmationMode | None) -> ConfirmationMode:
    """How a toolset deals with confirmations: as said, else waiting when embedded and in two phases when remote.

    Raises:
        SurfaceError: Neither was said; a default would decide on consent silently.
    """
    if mode is not None:
        return mode
    if topology is None:
        raise SurfaceError(
            "a toolset needs a topology (embedded, remote) or a confirmation mode (wait, two-phase)"
        )
    return "wait" if topology == "embedded" else "two-phase"


@dataclass(frozen=True, slots=True)
class Caller:
    """Invokes on behalf of a toolset, and waits for the person where the toolset does."""

    registry: Registry
    mode: ConfirmationMode
    closed: Signal

    async def invoke(self, request: InvocationRequest, options: CallOptions) -> InvocationResult:
        """Invoke; in waiting mode ask the person, then call again under the same id with the evidence."""
        result = await self.registry.invoke(request, options)
        confirmation_id = question_of(result)
        if self.mode == "two-phase" or confirmation_id is None:
            return result
        given_up = Signal()
        removals = [
            signal.on_abort(given_up.abort) for signal in (self.closed, options.signal) if signal is not None
        ]
        try:
            await wait_for_person(self.registry.confirmations, confirmation_id, given_up)
        finally:
            for remove in removals:
                remove()
        if given_up.aborted or self.registry.disposed:
            return result
        return await self.registry.invoke(
            with_evidence(request, result.invocation_id, confirmation_id), options
        )


async def wait_for_person(book: ConfirmationBook, confirmation_id: str, signal: Signal) -> None:
    """Hold the call until the person has answered, the question has expired or the caller has given up."""
    await book.wait_for(confirmation_id, signal)


def question_of(result: InvocationResult) -> str | None:
    """The open question that a result waits on, if it is one that is put to the person on this page."""
    error = result.error
    if error is None or error.code is not ErrorCode.CONFIRMATION_REQUIRED or error.details is None:
        return None
    asked = error.details.get("confirmationId")
    return asked if error.details.get("origin") == "client" and isinstance(asked, str) else None


def with_evidence(request: InvocationRequest, invocation_id: str, confirmation_id: str) -> InvocationRequest:
    """The same request under the same id, with the evidence."""
    return InvocationRequest(
        capability_id=request.capability_id,
        input=request.input,
        invocation_id=invocation_id,
        instance_id=request.instance_id,
        registration_id=request.registration_id,
        surface_version=request.surface_version,
        confirmation_id=confirmation_id,
    )
