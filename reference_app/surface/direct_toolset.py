"""Direct mode: one tool a visible capability, the unavailable ones included."""

from collections import Counter

from reference_app.surface import wire_names
from reference_app.surface.definition import ConfirmationLevel
from reference_app.surface.identifiers import plane_of
from reference_app.surface.invocation_types import CallOptions, InvocationRequest, InvocationResult
from reference_app.surface.json_value import Json, JsonObject
from reference_app.surface.policy import Consumer
from reference_app.surface.registry import Registry
from reference_app.surface.signal import Signal
from reference_app.surface.snapshot import CapabilityDescriptor, Snapshot, View
from reference_app.surface.tools import (
    Caller,
    ConfirmationMode,
    Tool,
    ToolCall,
    ToolState,
    Topology,
    confirmation_mode,
)
from reference_app.surface.wire_names import NameKey

_SUFFIX_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


class DirectToolset:
    """Offers what a consumer sees under a scope, each capability as a tool of its own."""

    def __init__(
        self,
        registry: Registry,
        consumer: Consumer,
        *,
        scope: tuple[str, ...] = (),
        topology: Topology | None = None,
        confirmations: ConfirmationMode | None = None,
    ) -> None:
        self._registry = registry
        self._view = View(consumer=consumer, scope=scope)
        self._closed = Signal()
        self._caller = Caller(registry, confirmation_mode(topology, confirmations), self._closed)

    def tools(self) -> tuple[Tool, ...]:
        """One tool for each visible capability, in the order of the snapshot."""
        return offer(self._registry.snapshot(self._view))

    def wire_name_map(self) -> dict[str, str]:
        """Every offered name with the canonical id that it stands for."""
        return {tool.name: tool.canonical_id for tool in self.tools()}

    def canonical_id_of(self, tool: Tool, _given: Json) -> str:
        """What a call is recorded under: the tool's own id."""
        return tool.canonical_id

    def effect_of(self, tool: Tool, _given: Json) -> str:
        """What kind of change a call makes: the tool's own."""
        return tool.effect

    async def execute(self, tool: Tool, call: ToolCall) -> InvocationResult:
        """Call the very mount that the tool was taken from; one that was replaced answers as stale."""
        request = InvocationRequest(
            capability_id=tool.canonical_id,
            input=None if tool.effect == "read" else call.input,
            invocation_id=call.id,
            registration_id=tool.registration_id,
            surface_version=tool.surface_version,
        )
        return await self._caller.invoke(request, CallOptions(self._view.consumer, call.signal))

    def dispose(self) -> None:
        """Stop waiting for the person; the questions stay open."""
        self._closed.abort()


def offer(snapshot: Snapshot) -> tuple[Tool, ...]:
    """Make the tools of a snapshot."""
    keys = name_keys(snapshot)
    names = wire_names.assign(keys)
    return tuple(
        make_tool(item, names[key], snapshot.surface_version)
        for item, key in zip(snapshot.capabilities, keys, strict=True)
    )


def name_keys(snapshot: Snapshot) -> list[NameKey]:
    """The name keys of a snapshot's capabilities: with a suffix where several instances would share a name."""
    counts = Counter(component.type for component in snapshot.components)
    paths = Counter(procedure.capability_id for procedure in snapshot.procedures)
    keys = []
    for component in snapshot.components:
        suffix = component.instance_id if counts[component.type] > 1 else None
        keys += [
            NameKey(item.capability_id, suffix) for item in (*component.observations, *component.actions)
        ]
    for procedure in snapshot.procedures:
        keys.append(
            NameKey(
                procedure.capability_id,
                procedure_suffix(procedure) if paths[procedure.capability_id] > 1 else None,
            )
        )
    return keys


def procedure_suffix(procedure: CapabilityDescriptor) -> str:
    """What tells two bindings of one operation apart: the instance they belong to, else their mount."""
    if procedure.context is not None:
        return procedure.context.instance_id
    return "".join(letter for letter in procedure.registration_id if letter in _SUFFIX_SAFE)


def make_tool(item: CapabilityDescriptor, name: str, surface_version: str) -> Tool:
    """Make the tool of one capability."""
    return Tool(
        name=name,
        canonical_id=item.capability_id,
        plane=plane_of(item.capability_id),
        description=describe(item),
        input_schema=input_schema(item),
        effect=item.effect,
        confirmation=item.confirmation,
        state=ToolState(item.available, item.unavailable_reason, item.contextual_note),
        registration_id=item.registration_id,
        surface_version=surface_version,
    )


def describe(item: CapabilityDescriptor) -> str:
    """Put plane and effect before the authored text; nothing in it depends on the state of the page."""
    plane = plane_of(item.capability_id)
    gate = " · requires confirmation" if item.confirmation is ConfirmationLevel.REQUIRED else ""
    return f"[{plane} · {item.effect}{gate}] {item.description}"


def input_schema(item: CapabilityDescriptor) -> JsonObject:
    """The schema that is offered: a procedure's without its locked fields."""
    return item.input_schema
