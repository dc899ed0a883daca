"""What an operation is: a procedure, and the metadata that makes it visible to agents.

A procedure without metadata is served to the page and invisible to every agent; metadata exposes it only on the surfaces that
it names. (The dual-plane model, The invariants, 1: deny by default.)
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from reference_app.clock import Clock
from reference_app.database import Work
from reference_app.domain.actor import Actor
from reference_app.domain.errors import BusinessCode
from reference_app.domain.policy import Policy
from reference_app.domain.shapes import Input, input_schema, output_schema
from reference_app.strict_json import JsonObject, JsonValue

InputT = TypeVar("InputT", bound=Input)
OutputT = TypeVar("OutputT")


class Surface(StrEnum):
    """Where a call comes from."""

    DIRECT = "direct"
    MODEL = "aiSdk"
    MCP = "mcp"
    WORKFLOW = "workflow"
    TEST = "test"


MODEL_SURFACES = frozenset({Surface.MODEL, Surface.MCP})
"""The surfaces on which a model decides to call."""


class SideEffect(StrEnum):
    """What a call changes."""

    NONE = "none"
    READ = "read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"
    EXTERNAL = "external"


class Risk(StrEnum):
    """How much a wrong call would hurt."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


@dataclass(frozen=True)
class AgentCall:
    """What the pipeline tells an operation about the governed call that it serves.

    Attributes:
        execution_id: Identifies the execution in the audit.
        surface: Where the call came from.
        idempotency_key: The same for every attempt of one execution.
        approval_id: The approval that let it run, if one was needed.
        approver: Who gave it.
    """

    execution_id: str
    surface: Surface
    idempotency_key: str
    approval_id: str | None = None
    approver: str | None = None


@dataclass(frozen=True)
class Call:
    """What an operation may use.

    Attributes:
        work: The transaction that its changes belong to.
        actor: On whose behalf it runs.
        clock: What time it is, and how to wait.
        agent: The governed call, or None when the procedure is called plainly.
    """

    work: Work
    actor: Actor
    clock: Clock
    agent: AgentCall | None = None


@dataclass(frozen=True)
class Subject:
    """The record that an operation is about to change, as it is shown to whoever decides.

    Attributes:
        type: What kind of record.
        id: Which one.
        version: Its version; None when there is no such record.
        shown: What the card says about it.
    """

    type: str
    id: str
    version: int | None
    shown: JsonObject


@dataclass(frozen=True)
class StaticApproval:
    """An approval that an operation itself always asks for.

    Attributes:
        type: What kind of approval, if it matters.
        expires_in: Seconds to decide, or None for the application's default.
    """

    type: str | None = None
    expires_in: float | None = None


@dataclass(frozen=True)
class AgentMeta:
    """What makes a procedure visible to agents.

    Attributes:
        description: What a model reads.
        expose: The surfaces on which it exists.
        side_effect: What a call changes.
        risk: How much a wrong call would hurt.
        tags: The scopes that it belongs to; without any it is offered only where nothing is scoped.
        idempotent: Whether repeating a call is harmless.
        timeout: Seconds that a call may take, or None for the application's default.
        approval: The approval that it always asks for.
        policies: Policies of its own, after the application's.
        redact: Takes a result and returns what a model may see of it.
        subject: Finds the record that a call is about.
    """

    description: str
    expose: frozenset[Surface]
    side_effect: SideEffect
    risk: Risk
    tags: tuple[str, ...] = ()
    idempotent: bool = False
    timeout: float | None = None
    approval: StaticApproval | None = None
    policies: tuple[Policy, ...] = ()
    redact: Callable[[JsonValue], JsonValue] | None = None
    subject: Callable[[Any, Work], Awaitable[Subject | None]] | None = None


@dataclass(frozen=True)
class Procedure(Generic[InputT, OutputT]):
    """One operation of the application.

    Attributes:
        id: Its name on the wire.
        input: What it takes.
        output: What it returns, as a type that pydantic understands.
        handler: Does the work.
        errors: The failures that it declares.
        agent: What makes it visible to agents, if anything.
        changes: For a procedure without metadata: whether it may write.
    """

    id: str
    input: type[InputT]
    output: Any
    handler: Callable[[InputT, Call], Awaitable[OutputT]]
    errors: frozenset[BusinessCode] = frozenset()
    agent: AgentMeta | None = None
    changes: bool = False

    @cached_property
    def output_adapter(self) -> TypeAdapter[Any]:
        """Validates and writes what the handler returns."""
        return TypeAdapter(self.output)

    @cached_property
    def input_schema(self) -> JsonObject:
        """The JSON Schema of the input."""
        return input_schema(self.input)

    @cached_property
    def output_schema(self) -> JsonObject:
        """The JSON Schema of the output."""
        return output_schema(self.output_adapter)


AnyProcedure = Procedure[Any, Any]
"""A procedure whose input and output do not matter to the reader."""


@dataclass(frozen=True)
class Capability:
    """A procedure that agents may see."""

    procedure: AnyProcedure
    meta: AgentMeta

    @property
    def id(self) -> str:
        """The capability's bare id."""
        return self.procedure.id

    @property
    def writes(self) -> bool:
        """Whether a call changes anything."""
        return mutates(self.meta.side_effect)


def mutates(side_effect: SideEffect) -> bool:
    """Whether a side effect is more than reading."""
    return side_effect not in {SideEffect.NONE, SideEffect.READ}
