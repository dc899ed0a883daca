"""What a consumer may see of the page at one moment: everything visible, with what is unavailable and why.

It is a value. Taking it runs no handler that reads data, and it shares nothing with the live page.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from reference_app.surface import availability, policy, scope
from reference_app.surface.availability import Availability
from reference_app.surface.clock import iso
from reference_app.surface.core import Core
from reference_app.surface.definition import ComponentLink, ConfirmationLevel, ProcedureBinding
from reference_app.surface.errors import DisposedError
from reference_app.surface.json_value import Json, JsonObject, copy_json, copy_object, js_length, stringify
from reference_app.surface.live import Candidate, Capability, Registration
from reference_app.surface.policy import ANONYMOUS, Consumer


@dataclass(frozen=True, slots=True)
class View:
    """What to take a snapshot of."""

    consumer: Consumer = ANONYMOUS
    scope: tuple[str, ...] = ()
    include_unavailable: bool = True
    max_components: int | None = None
    max_size: int | None = None


@dataclass(frozen=True, slots=True)
class BoundField:
    """A field that the page fills."""

    path: str
    locked: bool

    def to_json(self) -> dict[str, Json]:
        """The wire form."""
        return {"path": self.path, "locked": self.locked, "source": "ui-state"}


@dataclass(frozen=True, slots=True)
class CapabilityDescriptor:
    """One visible capability."""

    capability_id: str
    name: str
    kind: policy.Kind
    description: str
    input_schema: JsonObject
    output_schema: JsonObject | None
    effect: str
    idempotent: bool
    reversible: bool
    confirmation: ConfirmationLevel
    available: bool
    unavailable_reason: str | None
    meta: JsonObject
    registration_id: str
    instance_id: str
    bound_fields: tuple[BoundField, ...] = ()
    contextual_note: str | None = None
    context: ComponentLink | None = None

    def to_json(self) -> dict[str, Json]:
        """The wire form, by kind; what does not apply is absent."""
        body: dict[str, Json] = {
            "procedureId" if self.kind == "procedure" else "capabilityId": self.capability_id,
            "description": self.description,
            "available": self.available,
        }
        if self.unavailable_reason is not None:
            body["unavailableReason"] = self.unavailable_reason
        if self.output_schema is not None:
            body["outputSchema"] = copy_object(self.output_schema)
        if self.meta:
            body["meta"] = copy_object(self.meta)
        if self.kind == "observation":
            return body | {"name": self.name}
        body |= {
            "inputSchema": copy_object(self.input_schema),
            "effect": self.effect,
            "confirmation": self.confirmation.value,
        }
        if self.kind == "action":
            return body | {"name": self.name, "idempotent": self.idempotent, "reversible": self.reversible}
        return body | self._procedure_fields()

    def _procedure_fields(self) -> dict[str, Json]:
        fields: dict[str, Json] = {
            "registrationId": self.registration_id,
            "boundFields": [field.to_json() for field in self.bound_fields],
        }
        if self.contextual_note is not None:
            fields["contextualNote"] = self.contextual_note
        if self.context is not None:
            fields["context"] = self.context.to_json()
        return fields


@dataclass(frozen=True, slots=True)
class ComponentDescriptor:
    """One visible component with its view capabilities."""

    type: str
    instance_id: str
    registration_id: str
    description: str
    parent: ComponentLink | None
    meta: JsonObject
    priority: float
    observations: tuple[CapabilityDescriptor, ...]
    actions: tuple[CapabilityDescriptor, ...]

    def to_json(self) -> dict[str, Json]:
        """The wire form."""
        body: dict[str, Json] = {
            "type": self.type,
            "instanceId": self.instance_id,
            "registrationId": self.registration_id,
            "description": self.description,
            "observations": [item.to_json() for item in self.observations],
            "actions": [item.to_json() for item in self.actions],
        }
        if self.parent is not None:
            body["parent"] = self.parent.to_json()
        if self.meta:
            body["meta"] = copy_object(self.meta)
        return body


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The visible surface at one moment."""

    surface_id: str
    surface_version: str
    captured_at: str
    route: str | None
    components: tuple[ComponentDescriptor, ...]
    procedures: tuple[CapabilityDescriptor, ...]
    dropped_components: int = 0

    @property
    def capabilities(self) -> tuple[CapabilityDescriptor, ...]:
        """Everything visible: each component's observations and actions, then the procedures."""
        view = (
            item for component in self.components for item in (*component.observations, *component.actions)
        )
        return (*view, *self.procedures)

    def to_json(self) -> dict[str, Json]:
        """The wire form."""
        body: dict[str, Json] = {
            "surfaceId": self.surface_id,
            "surfaceVersion": self.surface_version,
            "capturedAt": self.captured_at,
            "components": [component.to_json() for component in self.components],
            "procedures": [procedure.to_json() for procedure in self.procedures],
        }
        if self.route is not None:
            body["route"] = self.route
        if self.dropped_components:
            body["truncated"] = {"droppedComponents": self.dropped_components}
        return body


def take(core: Core, view: View) -> Snapshot:
    """Look at the surface as a consumer.

    Raises:
        DisposedError: The surface is gone.
    """
    if core.disposed:
        raise DisposedError("this surface was disposed of; take snapshots of the one that replaced it")
    components: list[ComponentDescriptor] = []
    procedures: list[CapabilityDescriptor] = []
    for registration in ordered(list(core.live)):
        shown = [
            descriptor
            for capability in registration.capabilities
            if (descriptor := _visible(core, Candidate(registration, capability), view)) is not None
        ]
        procedures += [item for item in shown if item.kind == "procedure"]
        members = [item for item in shown if item.kind != "procedure"]
        if members:
            components.append(_component(registration, members))
    kept = within_budget(components, view)
    route = core.settings.route
    return Snapshot(
        core.surface_id,
        core.version,
        iso(core.clock.now_ms()),
        route() if route else None,
        tuple(kept),
        tuple(procedures),
        len(components) - len(kept),
    )


def ordered(registrations: Sequence[Registration]) -> list[Registration]:
    """Order by priority, then type, then instance; never by when something was mounted."""
    return sorted(
        registrations,
        key=lambda item: (-item.definition.priority, item.definition.type, item.definition.instance_id),
    )


def is_in_scope(registration: Registration, capability: Capability, prefixes: Sequence[str]) -> bool:
    """Whether a capability is under the scope: a procedure by the component it belongs to, else by its path."""
    context = registration.context_of(capability)
    if capability.kind == "procedure":
        return scope.in_scope(context.type if context else capability.name, prefixes)
    return scope.in_scope(registration.definition.type, prefixes)


def state_of(core: Core, candidate: Candidate, consumer: Consumer) -> Availability | None:
    """How a consumer sees a capability: available, unavailable with a reason, or not at all."""
    cast = policy.vote(candidate.capability.policies, core.policy_context(candidate, consumer))
    if isinstance(cast, policy.Hide):
        return None
    if isinstance(cast, policy.Disable):
        return Availability(available=False, reason=cast.reason)
    return availability.evaluate(candidate.registration, candidate.capability)


def _visible(core: Core, candidate: Candidate, view: View) -> CapabilityDescriptor | None:
    if not is_in_scope(candidate.registration, candidate.capability, view.scope):
        return None
    state = state_of(core, candidate, view.consumer)
    if state is None or not is_listed(state, view):
        return None
    return describe(candidate, state)


def is_listed(state: Availability, view: View) -> bool:
    """Whether a visible capability is listed: unavailable ones are, unless the viewer asked otherwise."""
    return state.available or view.include_unavailable


def describe(candidate: Candidate, state: Availability) -> CapabilityDescriptor:
    """Describe a capability; nothing internal is in it."""
    registration, capability = candidate.registration, candidate.capability
    source = capability.source
    bound: tuple[BoundField, ...] = ()
    if isinstance(source, ProcedureBinding):
        bound = tuple(BoundField(key, source.is_locked(key)) for key in source.bound_keys)
    return CapabilityDescriptor(
        capability_id=capability.id,
        name=capability.name,
        kind=capability.kind,
        description=capability.description,
        input_schema=copy_object(capability.input_schema),
        output_schema=None if capability.output_schema is None else copy_object(capability.output_schema),
        effect=capability.effect,
        idempotent=capability.idempotent,
        reversible=capability.reversible,
        confirmation=capability.confirmation,
        available=state.available,
        unavailable_reason=state.reason,
        meta=copy_object(capability.meta),
        registration_id=registration.id,
        instance_id=registration.definition.instance_id,
        bound_fields=bound,
        contextual_note=contextual_note(capability),
        context=registration.context_of(capability),
    )


def contextual_note(capability: Capability) -> str | None:
    """What a binding says about its present context; it never enters the description."""
    source = capability.source
    if not isinstance(source, ProcedureBinding) or source.describe is None:
        return None
    try:
        return source.describe() or None
    except Exception:
        return None


def _component(registration: Registration, members: Sequence[CapabilityDescriptor]) -> ComponentDescriptor:
    definition = registration.definition
    return ComponentDescriptor(
        type=definition.type,
        instance_id=definition.instance_id,
        registration_id=registration.id,
        description=definition.description,
        parent=definition.parent,
        meta=copy_object(definition.meta),
        priority=definition.priority,
        observations=tuple(item for item in members if item.kind == "observation"),
        actions=tuple(item for item in members if item.kind == "action"),
    )


def within_budget(components: Sequence[ComponentDescriptor], view: View) -> list[ComponentDescriptor]:
    """Drop the least important components until the rest fits; they are ordered by importance."""
    kept = list(components if view.max_components is None else components[: view.max_components])
    if view.max_size is not None:
        while kept and js_length(stringify(copy_json([item.to_json() for item in kept]))) > view.max_size:
            kept.pop()
    return kept
