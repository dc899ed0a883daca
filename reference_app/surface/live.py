"""What is mounted now, and for a while what was: registrations, their capabilities, and tombstones."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from reference_app.surface.audit import AuditLevel
from reference_app.surface.definition import (
    Action,
    Component,
    ComponentLink,
    Concurrency,
    ConfirmationLevel,
    Observation,
    ProcedureBinding,
    highest,
)
from reference_app.surface.identifiers import ViewId, plane_of
from reference_app.surface.json_value import JsonObject
from reference_app.surface.limits import Limits
from reference_app.surface.policy import Kind, Policy
from reference_app.surface.schema import EMPTY_OBJECT

Source: TypeAlias = Observation | Action | ProcedureBinding


class Status(StrEnum):
    """Where a registration is in its life."""

    ACTIVE = "active"
    REJECTED = "rejected"
    UNREGISTERED = "unregistered"


@dataclass(frozen=True, slots=True)
class Group:
    """A queue that some calls share: its key, how many run at once, how many wait."""

    key: str
    max: int
    depth: int


@dataclass(frozen=True, slots=True)
class Capability:
    """One capability of one mount, of any kind, in the form that the pipeline works with."""

    id: str
    name: str
    kind: Kind
    effect: str
    description: str
    input_schema: JsonObject
    output_schema: JsonObject | None
    idempotent: bool
    reversible: bool
    confirmation: ConfirmationLevel
    audit: AuditLevel
    timeout_ms: int
    group: Group | None
    policies: tuple[Policy, ...]
    meta: JsonObject
    source: Source


@dataclass(frozen=True, slots=True)
class Override:
    """Availability that a component pushed, over what its own ``when`` says."""

    available: bool
    reason: str | None = None


@dataclass(slots=True, eq=False)
class Registration:
    """One mount. What it declares never changes; whether it is enabled and available may."""

    id: str
    definition: Component
    capabilities: tuple[Capability, ...]
    enabled: bool
    status: Status = Status.ACTIVE
    overrides: dict[str, Override] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str]:
        """What at most one live mount may hold."""
        return (self.definition.type, self.definition.instance_id)

    @property
    def link(self) -> ComponentLink:
        """How others refer to it."""
        return ComponentLink(self.definition.type, self.definition.instance_id)

    def find(self, capability_id: str) -> Capability | None:
        """Its capability of an id."""
        return next((capability for capability in self.capabilities if capability.id == capability_id), None)

    def named(self, name: str) -> Capability | None:
        """Its capability by bare name, or procedure by path."""
        return next((capability for capability in self.capabilities if capability.name == name), None)

    def context_of(self, capability: Capability) -> ComponentLink | None:
        """The component that a procedure belongs to: as linked, else the one that has view capabilities and binds it."""
        if not isinstance(capability.source, ProcedureBinding):
            return None
        if capability.source.context is not None:
            return capability.source.context
        has_view = any(plane_of(other.id) == "view" for other in self.capabilities)
        return self.link if has_view else None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A capability together with the mount that offers it."""

    registration: Registration
    capability: Capability


def make_capabilities(
    definition: Component, registration_id: str, outer: tuple[Policy, ...], limits: Limits
) -> tuple[Capability, ...]:
    """Fill in every default of a definition."""
    chain = outer + definition.policies
    return (
        *(_observation(definition, item, chain, limits) for item in definition.observations),
        *(_action(definition, item, registration_id, chain, limits) for item in definition.actions),
        *(_procedure(item, chain, limits) for item in definition.procedures),
    )


def _observation(
    definition: Component, item: Observation, chain: tuple[Policy, ...], limits: Limits
) -> Capability:
    return Capability(
        id=ViewId(definition.type, item.name).text,
        name=item.name,
        kind="observation",
        effect="read",
        description=item.description,
        input_schema=EMPTY_OBJECT,
        output_schema=item.output,
        idempotent=True,
        reversible=True,
        confirmation=ConfirmationLevel.NEVER,
        audit=AuditLevel.NONE,
        timeout_ms=item.timeout_ms or limits.observation_timeout_ms,
        group=None,
        policies=chain + item.policies,
        meta=item.meta,
        source=item,
    )


def _action(
    definition: Component, item: Action, registration_id: str, chain: tuple[Policy, ...], limits: Limits
) -> Capability:
    capability_id = ViewId(definition.type, item.name).text
    return Capability(
        id=capability_id,
        name=item.name,
        kind="action",
        effect=item.effect,
        description=item.description,
        input_schema=item.input,
        output_schema=item.output,
        idempotent=item.idempotent,
        reversible=item.reversible,
        confirmation=item.confirmation,
        audit=item.audit,
        timeout_ms=item.timeout_ms or limits.action_timeout_ms,
        group=_group(item.concurrency, capability_id, registration_id, limits.action_queue_depth),
        policies=chain + item.policies,
        meta=item.meta,
        source=item,
    )


def _group(concurrency: Concurrency, capability_id: str, registration_id: str, default_depth: int) -> Group:
    depth = default_depth if concurrency.queue_depth is None else concurrency.queue_depth
    keys = {
        "instance": f"instance:{registration_id}",
        "capability": f"cap:{capability_id}",
        "key": f"key:{concurrency.key}",
        "parallel": f"par:{capability_id}",
    }
    running = concurrency.max or 1 if concurrency.mode == "parallel" else 1
    return Group(keys[concurrency.mode], running, depth)


def _procedure(item: ProcedureBinding, chain: tuple[Policy, ...], limits: Limits) -> Capability:
    ref = item.ref
    strict = ref.effect in ("external-side-effect", "destructive")
    return Capability(
        id=ref.id,
        name=ref.path,
        kind="procedure",
        effect=ref.effect,
        description=ref.description,
        input_schema=item.input_schema,
        output_schema=ref.output_schema,
        idempotent=ref.effect == "server-query",
        reversible=not strict,
        confirmation=confirmation_floor(item),
        audit=AuditLevel.FULL if strict else AuditLevel.METADATA,
        timeout_ms=limits.procedure_timeout_ms,
        group=Group(f"proc:{ref.id}", 1, limits.action_queue_depth),
        policies=chain + item.policies,
        meta=item.meta,
        source=item,
    )


def confirmation_floor(binding: ProcedureBinding) -> ConfirmationLevel:
    """The least that a procedure is confirmed at: by its effect, its binding and its manifest, whichever is strictest."""
    by_effect: Mapping[str, ConfirmationLevel] = {
        "server-query": ConfirmationLevel.NEVER,
        "server-mutation": ConfirmationLevel.OPTIONAL,
    }
    approval = ConfirmationLevel.REQUIRED if binding.ref.requires_approval else ConfirmationLevel.NEVER
    return highest(
        by_effect.get(binding.ref.effect, ConfirmationLevel.REQUIRED),
        binding.confirmation or ConfirmationLevel.NEVER,
        approval,
    )


class LiveComponents:
    """The mounts of one page by type and instance, and the tombstones of those that left."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._by_key: dict[tuple[str, str], Registration] = {}
        self._tombstones: deque[tuple[int, Registration]] = deque()

    def __iter__(self) -> Iterator[Registration]:
        return iter(tuple(self._by_key.values()))

    def at(self, key: tuple[str, str]) -> Registration | None:
        """The mount that holds a place."""
        return self._by_key.get(key)

    def add(self, registration: Registration) -> None:
        """Let a mount take its place."""
        self._by_key[registration.key] = registration

    def remove(self, registration: Registration, now_ms: int) -> None:
        """Take a mount away and remember for a while that it was there."""
        if self._by_key.get(registration.key) is registration:
            del self._by_key[registration.key]
        self._tombstones.append((now_ms + self._limits.tombstone_ttl_ms, registration))
        while len(self._tombstones) > self._limits.tombstone_size:
            self._tombstones.popleft()

    def candidates(self, capability_id: str) -> list[Candidate]:
        """Everything that offers an id now, by instance id."""
        found = [
            Candidate(registration, capability)
            for registration in self
            if (capability := registration.find(capability_id)) is not None
        ]
        return sorted(found, key=lambda candidate: candidate.registration.definition.instance_id)

    def buried(self, capability_id: str, now_ms: int) -> list[Candidate]:
        """Everything that offered an id not too long ago."""
        while self._tombstones and self._tombstones[0][0] <= now_ms:
            self._tombstones.popleft()
        return [
            Candidate(registration, capability)
            for _, registration in self._tombstones
            if (capability := registration.find(capability_id)) is not None
        ]


Visible: TypeAlias = Callable[[Candidate], bool]
