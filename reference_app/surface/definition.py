"""What a component declares: observations, actions and procedure bindings, with the handlers that carry them out.

A definition is frozen. Its handlers are looked up on it at each call, and read the component's state as it is then.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from reference_app.surface.audit import AuditLevel
from reference_app.surface.identifiers import DEFAULT_INSTANCE
from reference_app.surface.json_value import Json, JsonObject, Unset
from reference_app.surface.policy import Consumer, Policy
from reference_app.surface.signal import Signal

ServerEffect: TypeAlias = Literal["server-query", "server-mutation", "external-side-effect", "destructive"]
VIEW_EFFECTS = frozenset({"local-state", "navigation"})
SERVER_EFFECTS = frozenset({"server-query", "server-mutation", "external-side-effect", "destructive"})


class ConfirmationLevel(StrEnum):
    """Whether a person is asked before a call runs; only ``required`` stops it."""

    NEVER = "never"
    OPTIONAL = "optional"
    REQUIRED = "required"


def highest(*levels: ConfirmationLevel) -> ConfirmationLevel:
    """The strictest of some levels."""
    return max(levels, key=list(ConfirmationLevel).index)


@dataclass(frozen=True, slots=True)
class SpentConfirmation:
    """The evidence that a call was allowed by a person."""

    id: str
    approved_at: str


@dataclass(frozen=True, slots=True)
class HandlerContext:
    """What a handler is told about the call that it serves."""

    capability_id: str
    registration_id: str
    consumer: Consumer
    host: JsonObject
    invocation_id: str
    signal: Signal
    confirmation: SpentConfirmation | None = None


@dataclass(frozen=True, slots=True)
class PreconditionFailure:
    """Why a component refuses an input now, in its author's words."""

    message: str
    details: JsonObject | None = None


Output: TypeAlias = Json | Awaitable[Json]
When: TypeAlias = Callable[[], bool]
Reason: TypeAlias = str | Callable[[], str]


@dataclass(frozen=True, slots=True)
class Concurrency:
    """Which calls wait for each other: those of one instance, capability or key, or none beyond a number."""

    mode: Literal["instance", "capability", "key", "parallel"] = "instance"
    key: str | None = None
    max: int | None = None
    queue_depth: int | None = None


ONE_AT_A_TIME: Final = Concurrency()
"""The default: the actions of one component run in turn."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Something a consumer may look at; reading it changes nothing. A handler's None is the absent output."""

    name: str
    description: str
    output: JsonObject
    read: Callable[[HandlerContext], Output]
    when: When | None = None
    unavailable_reason: Reason | None = None
    policies: tuple[Policy, ...] = ()
    meta: JsonObject = field(default_factory=dict)
    timeout_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """Something a consumer may do to the page, by what it means and never by click or key."""

    name: str
    description: str
    input: JsonObject
    effect: str
    execute: Callable[[JsonObject, HandlerContext], Output]
    output: JsonObject | None = None
    idempotent: bool = False
    reversible: bool = True
    confirmation: ConfirmationLevel = ConfirmationLevel.NEVER
    audit: AuditLevel = AuditLevel.METADATA
    when: When | None = None
    unavailable_reason: Reason | None = None
    precondition: Callable[[JsonObject, HandlerContext], PreconditionFailure | None] | None = None
    policies: tuple[Policy, ...] = ()
    meta: JsonObject = field(default_factory=dict)
    timeout_ms: int | None = None
    concurrency: Concurrency = ONE_AT_A_TIME


@dataclass(frozen=True, slots=True)
class ProcedureRef:
    """A server operation that a component may bind; there is no place in it for a handler of the page's own."""

    path: str
    description: str
    input_schema: JsonObject
    effect: str
    output_schema: JsonObject | None = None
    requires_approval: bool = False

    @property
    def id(self) -> str:
        """The operation's canonical id, which is the binding's too."""
        return f"domain:{self.path}"


@dataclass(frozen=True, slots=True)
class ComponentLink:
    """Which component another one belongs to."""

    type: str
    instance_id: str = DEFAULT_INSTANCE

    def to_json(self) -> dict[str, Json]:
        """The wire form."""
        return {"type": self.type, "instanceId": self.instance_id}


@dataclass(frozen=True, slots=True)
class ProcedureBinding:
    """A server operation whose bound fields the page fills (The dual-plane model, Bind for context)."""

    ref: ProcedureRef
    bind: Callable[[], Mapping[str, Json | Unset]]
    bound_keys: tuple[str, ...]
    overridable: frozenset[str]
    input_schema: JsonObject
    confirmation: ConfirmationLevel | None = None
    when: When | None = None
    unavailable_reason: Reason | None = None
    describe: Callable[[], str | None] | None = None
    policies: tuple[Policy, ...] = ()
    meta: JsonObject = field(default_factory=dict)
    context: ComponentLink | None = None

    def is_locked(self, key: str) -> bool:
        """Whether only the page may fill a field."""
        return key in self.bound_keys and key not in self.overridable


@dataclass(frozen=True, slots=True)
class Proof:
    """What a compiled contract hands to a definition: the manifest it comes from and the hash of each entry."""

    manifest_hash: str
    declaration_id: str
    contract_hashes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Component:
    """All that one mounted component offers."""

    type: str
    description: str
    instance_id: str = DEFAULT_INSTANCE
    parent: ComponentLink | None = None
    meta: JsonObject = field(default_factory=dict)
    internal: JsonObject = field(default_factory=dict)
    policies: tuple[Policy, ...] = ()
    origin: str = "first-party"
    priority: float = 0
    enabled: bool = True
    observations: tuple[Observation, ...] = ()
    actions: tuple[Action, ...] = ()
    procedures: tuple[ProcedureBinding, ...] = ()
    proof: Proof | None = None
