"""Faults in dealing with what a tab declares, and with names."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from reference_app.api.rpc import Rpc
from reference_app.domain.actor import Actor
from reference_app.faults import Fault, Patches, constant, fault
from reference_app.faults.authority import run_unasked
from reference_app.host import catalog
from reference_app.host.catalog import Admission, Catalog, ServerTool, Tool
from reference_app.host.host import Host
from reference_app.host.request import Declaration, StepRequest
from reference_app.host.step import Step
from reference_app.host.toolbox import HostToolbox
from reference_app.runtime.conversation import ToolDefinition
from reference_app.runtime.loop import Disposition, PlannedCall
from reference_app.runtime.model import RequestedCall
from reference_app.strict_json import JsonObject
from reference_app.surface.identifiers import DomainId, parse_id

FAULTS: list[Fault] = []

Compose = Callable[[Host, StepRequest, Actor], Awaitable[Catalog]]
Note = Callable[[Step, str, JsonObject], None]


@fault(FAULTS, "undecodable-declaration-kept", "a declaration whose id cannot be read is offered")
def _undecodable_declaration_kept(patches: Patches) -> None:
    _may_also_declare(patches, lambda declaration: parse_id(declaration.canonical_id) is None)


@fault(FAULTS, "plane-from-declaration", "a domain operation that a tab calls a view capability becomes one")
def _plane_from_declaration(patches: Patches) -> None:
    def is_disguised(declaration: Declaration) -> bool:
        return declaration.plane == "view" and isinstance(parse_id(declaration.canonical_id), DomainId)

    _may_also_declare(patches, is_disguised)


@fault(
    FAULTS,
    "invented-domain-declaration-kept",
    "a domain operation that only the tab knows of is offered under its own name",
)
def _invented_domain_declaration_kept(patches: Patches) -> None:
    def is_invented(declaration: Declaration) -> bool:
        is_domain = declaration.canonical_id.startswith("domain:")
        return is_domain and not declaration.wire_name.startswith("domain_")

    _may_also_declare(patches, is_invented)


@fault(
    FAULTS,
    "contextual-declaration-refused",
    "a contextual reference is refused where it is the page's only tool",
)
def _contextual_declaration_refused(patches: Patches) -> None:
    def make(admit: Callable[..., Admission]) -> Any:
        def refuse(declarations: Sequence[Declaration], taken: Any, contextual: Any, mode: str) -> Admission:
            only = list(declarations)
            is_bare = len(only) == 1 and only[0].input_schema.get("properties") == {}
            return admit(only, taken, frozenset() if is_bare else contextual, mode)

        return refuse

    patches.wrap(catalog, "admit", make)


@fault(FAULTS, "refused-declaration-silent", "a refused declaration of a domain operation is not reported")
def _refused_declaration_silent(patches: Patches) -> None:
    def make(note: Note) -> Any:
        def say_nothing(self: Step, event_type: str, data: JsonObject) -> None:
            refused = data.get("capabilityIds")
            is_domain = isinstance(refused, list) and all(str(name).startswith("domain:") for name in refused)
            if not (event_type == "catalog.refused" and is_domain):
                note(self, event_type, data)

        return say_nothing

    patches.wrap(Step, "_note", make)


@fault(FAULTS, "truncation-silent", "what a tab says that it left out is kept to the host itself")
def _truncation_silent(patches: Patches) -> None:
    def make(note: Note) -> Any:
        def say_nothing(self: Step, event_type: str, data: JsonObject) -> None:
            if event_type != "catalog.truncated":
                note(self, event_type, data)

        return say_nothing

    patches.wrap(Step, "_note", make)


@fault(FAULTS, "duplicate-wire-names", "two tools of one name are offered")
def _duplicate_wire_names(patches: Patches) -> None:
    patches.replace(catalog, "takes_name", constant(False))


@fault(FAULTS, "duplicate-declaration-kept", "a capability that a tab declares twice is offered twice")
def _duplicate_declaration_kept(patches: Patches) -> None:
    patches.replace(catalog, "is_repeated", constant(False))


@fault(FAULTS, "shortened-name-misrouted", "of two shortened names both lead to the same operation")
def _shortened_name_misrouted(patches: Patches) -> None:
    def make(find: Callable[[Catalog, str], Tool | None]) -> Any:
        def misroute(self: Catalog, wire_name: str) -> Tool | None:
            tool = find(self, wire_name)
            if isinstance(tool, ServerTool) and len(tool.canonical_id) > 64:
                return next(other for other in self.server if len(other.canonical_id) > 64)
            return tool

        return misroute

    patches.wrap(Catalog, "find", make)


@fault(FAULTS, "unexposed-served", "an operation that is exposed to nobody can be called directly")
def _unexposed_served(patches: Patches) -> None:
    def make(refuse: Callable[..., Awaitable[Any]]) -> Any:
        async def serve(self: Rpc, request: Any, actor: Actor) -> Any:
            capability = self._runtime.services.registry.capability(request.path_params["procedure"])
            if capability is not None and not capability.meta.expose:
                await run_unasked(self._runtime, capability, {}, actor)
            return await refuse(self, request, actor)

        return serve

    patches.wrap(Rpc, "_refuse", make)


@fault(FAULTS, "unexposed-offered", "an operation that is exposed to nobody is offered")
def _unexposed_offered(patches: Patches) -> None:
    def make(definitions: property) -> Any:
        def tell(self: Catalog) -> tuple[ToolDefinition, ...]:
            block: tuple[ToolDefinition, ...] = definitions.__get__(self)
            ghost = ToolDefinition("domain_lab-unexposed", "Count one up.", {"type": "object"})
            return (*block, ghost) if "lab" in self.scope else block

        return property(tell)

    patches.wrap(Catalog, "definitions", make)


@fault(
    FAULTS,
    "declarations-remembered",
    "the only tool of an earlier step is still offered when the page has another",
)
def _declarations_remembered(patches: Patches) -> None:
    earlier: dict[str, tuple[Any, ...]] = {}

    def make(compose: Compose) -> Any:
        async def remember(self: Host, request: StepRequest, owner: Actor) -> Catalog:
            composed = await compose(self, request, owner)
            now = composed.admission.accepted
            before = earlier.get(request.conversation_id, ()) if request.step_index > 0 else ()
            earlier[request.conversation_id] = now if len(now) == 1 else ()
            names = {tool.wire_name for tool in now}
            kept = (*now, *(tool for tool in before if tool.wire_name not in names))
            admission = replace(composed.admission, accepted=kept)
            return Catalog(composed.server, admission, composed.host, composed.scope, composed.mode)

        return remember

    patches.wrap(Host, "_compose", make)


@fault(
    FAULTS,
    "undeclared-call-handed-over",
    "a view call that the step does not declare is left to a tab with one tool",
)
def _undeclared_call_handed_over(patches: Patches) -> None:
    def make(plan: Callable[[HostToolbox, RequestedCall], PlannedCall]) -> Any:
        def hand_over(self: HostToolbox, requested: RequestedCall) -> PlannedCall:
            planned = plan(self, requested)
            is_undeclared = requested.name.startswith("view_") and self._catalog.find(requested.name) is None
            if is_undeclared and len(self._catalog.admission.accepted) == 1:
                return replace(planned, disposition=Disposition.SUSPEND)
            return planned

        return hand_over

    patches.wrap(HostToolbox, "plan", make)


def _may_also_declare(patches: Patches, also: Callable[[Declaration], bool]) -> None:
    def make(may_declare: Callable[..., bool]) -> Any:
        return lambda declaration, *rest: also(declaration) or may_declare(declaration, *rest)

    patches.wrap(catalog, "may_declare", make)
