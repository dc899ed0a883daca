"""Faults in composing the catalog: deny by default, one path for each operation, and nothing dropped silently."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from typing import Any

from reference_app.capabilities import reminder_footer
from reference_app.domain.actor import Actor
from reference_app.domain.capability import Capability, Surface
from reference_app.domain.discovery import Descriptor, may_discover
from reference_app.domain.pipeline import Runtime
from reference_app.domain.registry import is_exposed
from reference_app.faults import Fault, Patches, constant, fault
from reference_app.faults.authority import run_unoffered
from reference_app.host import catalog, host
from reference_app.host.catalog import BrowserTool, Catalog, ServerTool
from reference_app.host.frames import StepStart
from reference_app.host.host import Host
from reference_app.host.request import Declaration, StepRequest
from reference_app.host.step import Step
from reference_app.host.toolbox import HostToolbox
from reference_app.runtime.conversation import ToolDefinition
from reference_app.runtime.loop import PlannedCall
from reference_app.strict_json import JsonObject, JsonValue

FAULTS: list[Fault] = []

Compose = Callable[[Host, StepRequest, Actor], Awaitable[Catalog]]


@fault(FAULTS, "expose-unannotated", "a procedure without agent metadata is offered to the model")
def _expose_unannotated(patches: Patches) -> None:
    procedure = reminder_footer.PROCEDURE
    tool = _server_tool(procedure.id, "Read or set the closing line of letters.", procedure.input_schema)
    recompose(patches, lambda composed: _with_server(composed, (*composed.server, tool)))


@fault(FAULTS, "run-unannotated", "a model's call of a procedure without agent metadata runs")
def _run_unannotated(patches: Patches) -> None:
    def make(execute: Callable[..., Awaitable[JsonValue]]) -> Any:
        async def run_it(self: HostToolbox, planned: PlannedCall) -> JsonValue:
            actor = await self._who()
            if planned.call.name == "domain_reminder-footer" and actor is not None:
                await self._runtime.call_plain(reminder_footer.PROCEDURE, planned.call.input, actor)
            return await execute(self, planned)

        return run_it

    async def nothing_else(runtime: Runtime, capability: Capability, actor: Actor) -> bool:
        del runtime, capability, actor
        return False

    run_unoffered(patches, nothing_else)
    patches.wrap(HostToolbox, "execute", make)


@fault(
    FAULTS,
    "contextual-also-direct",
    "a contextual operation is offered as a server tool where no screen declares it",
)
def _contextual_also_direct(patches: Patches) -> None:
    def make(compose: Compose) -> Any:
        async def offer_too(self: Host, request: StepRequest, owner: Actor) -> Catalog:
            composed = await compose(self, request, owner)
            contextual = await self._contextual(owner)
            missing = contextual - set(composed.canonical_ids.values())
            tools = [
                _server_tool(name.removeprefix("domain:"), "Note a chase.", {"type": "object"})
                for name in missing
            ]
            return _with_server(composed, (*composed.server, *tools))

        return offer_too

    patches.wrap(Host, "_compose", make)


@fault(FAULTS, "run-unexposed", "a model's call of an operation that is not exposed to models runs")
def _run_unexposed(patches: Patches) -> None:
    async def is_unexposed(runtime: Runtime, capability: Capability, actor: Actor) -> bool:
        return not is_exposed(capability, Surface.MODEL) and await may_discover(
            runtime, capability, Surface.DIRECT, actor
        )

    run_unoffered(patches, is_unexposed)


@fault(FAULTS, "unexposed-runs", "a model's call of an operation that is exposed to nobody runs")
def _unexposed_runs(patches: Patches) -> None:
    async def is_nobodys(runtime: Runtime, capability: Capability, actor: Actor) -> bool:
        del runtime, actor
        return not capability.meta.expose

    run_unoffered(patches, is_nobodys)


@fault(FAULTS, "phantom-view-tool", "the model is offered a view tool that no tab has declared")
def _phantom_view_tool(patches: Patches) -> None:
    def make(definitions: property) -> Any:
        def with_phantom(self: Catalog) -> tuple[ToolDefinition, ...]:
            block: tuple[ToolDefinition, ...] = definitions.__get__(self)
            if self.admission.accepted:
                return block
            return (*block, ToolDefinition("view_page__scroll", "Scroll the page.", {"type": "object"}))

        return property(with_phantom)

    patches.wrap(Catalog, "definitions", make)


@fault(FAULTS, "collision-kept", "a tab's second way to a server operation is offered beside the first")
def _collision_kept(patches: Patches) -> None:
    def make_collides(collides: Callable[..., bool]) -> Any:
        return lambda declaration, ids: (
            collides(declaration, ids) and declaration.wire_name.startswith("domain_")
        )

    def make_may(may_declare: Callable[..., bool]) -> Any:
        def also_second(declaration: Declaration, *rest: Any) -> bool:
            return not declaration.wire_name.startswith("domain_") or may_declare(declaration, *rest)

        return also_second

    patches.wrap(catalog, "collides", make_collides)
    patches.wrap(catalog, "may_declare", make_may)


@fault(FAULTS, "collision-silent", "a double claim is dropped without a word")
def _collision_silent(patches: Patches) -> None:
    def make(note: Callable[[Step, str, JsonObject], None]) -> Any:
        def say_nothing(self: Step, event_type: str, data: JsonObject) -> None:
            if event_type != "catalog.collision":
                note(self, event_type, data)

        return say_nothing

    patches.wrap(Step, "_note", make)


@fault(FAULTS, "collision-prefers-browser", "of a double claim under one name the tab's is kept")
def _collision_prefers_browser(patches: Patches) -> None:
    def make(compose: Compose) -> Any:
        async def prefer(self: Host, request: StepRequest, owner: Actor) -> Catalog:
            composed = await compose(self, request, owner)
            names = {tool.wire_name for tool in composed.server}
            return _hand_over(
                composed, [d for d in request.frontend_tools if d.wire_name in names and d.plane == "domain"]
            )

        return prefer

    patches.wrap(Host, "_compose", make)


@fault(FAULTS, "wire-name-shadow", "a view tool that takes a server tool's name gets that tool's calls")
def _wire_name_shadow(patches: Patches) -> None:
    def make(compose: Compose) -> Any:
        async def shadow(self: Host, request: StepRequest, owner: Actor) -> Catalog:
            composed = await compose(self, request, owner)
            names = {tool.wire_name for tool in composed.server}
            return _hand_over(
                composed, [d for d in request.frontend_tools if d.wire_name in names and d.plane == "view"]
            )

        return shadow

    patches.wrap(Host, "_compose", make)


@fault(FAULTS, "raw-wire-names", "an operation is offered under its canonical id, which no provider accepts")
def _raw_wire_names(patches: Patches) -> None:
    def make(tools: Callable[[Iterable[Descriptor]], tuple[ServerTool, ...]]) -> Any:
        def raw(offered: Iterable[Descriptor]) -> tuple[ServerTool, ...]:
            return tuple(
                replace(tool, wire_name=tool.canonical_id)
                if tool.capability_id == "collections-aging"
                else tool
                for tool in tools(offered)
            )

        return raw

    patches.wrap(catalog, "server_tools", make)


@fault(FAULTS, "announce-too-much", "step-start announces a server tool that the model is not offered")
def _announce_too_much(patches: Patches) -> None:
    def make(as_json: Callable[[StepStart], JsonObject]) -> Any:
        def more(self: StepStart) -> JsonObject:
            start = dict(as_json(self))
            ghost = {
                "canonicalId": "domain:ghost",
                "wireName": "domain_ghost",
                "description": "",
                "requiresApproval": False,
            }
            start["domainTools"] = [*start["domainTools"], ghost]  # type: ignore[misc,list-item]  # a list, see as_json
            return start

        return more

    patches.wrap(StepStart, "as_json", make)


@fault(FAULTS, "hide-from-everybody", "an operation is offered to nobody, not even to whoever may use it")
def _hide_from_everybody(patches: Patches) -> None:
    def make(offered_here: Callable[[Descriptor, tuple[str, ...]], bool]) -> Any:
        return lambda descriptor, scope: descriptor.id != "update-invoice" and offered_here(descriptor, scope)

    patches.wrap(host, "offered_here", make)


@fault(FAULTS, "drop-view-tools", "a view tool that takes arguments reaches the model without them")
def _drop_view_tools(patches: Patches) -> None:
    def make(browser_tool: Callable[[Declaration], BrowserTool]) -> Any:
        def without_arguments(declaration: Declaration) -> BrowserTool:
            tool = browser_tool(declaration)
            return replace(tool, parameters={"type": "object"}) if declaration.plane == "view" else tool

        return without_arguments

    patches.wrap(catalog, "_browser_tool", make)


@fault(FAULTS, "scope-ignored", "what belongs to other pages is offered on every page")
def _scope_ignored(patches: Patches) -> None:
    def make(describe: Callable[..., Awaitable[tuple[Descriptor, ...]]]) -> Any:
        async def everything(runtime: Runtime, surface: Surface, actor: Actor, tags: tuple[str, ...]) -> Any:
            if "lab" in tags:
                return await describe(runtime, surface, actor, tags)
            offered = await describe(runtime, surface, actor, ())
            return tuple(descriptor for descriptor in offered if "lab" not in descriptor.tags)

        return everything

    patches.wrap(host, "describe", make)


@fault(FAULTS, "long-names-cut", "long names are cut to 64 characters, whatever else they then collide with")
def _long_names_cut(patches: Patches) -> None:
    def cut(keys: Iterable[Any]) -> dict[Any, str]:
        return {key: key.canonical_id.replace(":", "_", 1).replace(".", "__")[:64] for key in keys}

    patches.replace(catalog, "assign", cut)


@fault(
    FAULTS,
    "approval-need-not-announced",
    "neither step-start nor the tool says that an operation waits for approval",
)
def _approval_not_announced(patches: Patches) -> None:
    from reference_app.domain import discovery  # noqa: PLC0415 - patched where it is used

    patches.replace(discovery, "needs_approval", constant(False))


def recompose(patches: Patches, change: Callable[[Catalog], Catalog]) -> None:
    """Change every catalog after it was composed."""

    def make(compose: Compose) -> Any:
        async def composed_otherwise(self: Host, request: StepRequest, owner: Actor) -> Catalog:
            return change(await compose(self, request, owner))

        return composed_otherwise

    patches.wrap(Host, "_compose", make)


def _with_server(composed: Catalog, server: tuple[ServerTool, ...]) -> Catalog:
    return Catalog(server, composed.admission, composed.host, composed.scope, composed.mode)


def _hand_over(composed: Catalog, declarations: list[Declaration]) -> Catalog:
    """Let some of the tab's declarations have the names of server tools."""
    names = {declaration.wire_name for declaration in declarations}
    server = tuple(tool for tool in composed.server if tool.wire_name not in names)
    tools = tuple(
        BrowserTool(d.wire_name, d.canonical_id, d.description, d.input_schema) for d in declarations
    )
    admission = replace(composed.admission, accepted=(*composed.admission.accepted, *tools))
    return Catalog(server, admission, composed.host, composed.scope, composed.mode)


def _server_tool(capability_id: str, description: str, parameters: JsonObject) -> ServerTool:
    return ServerTool(
        wire_name=f"domain_{capability_id}",
        canonical_id=f"domain:{capability_id}",
        capability_id=capability_id,
        description=description,
        parameters=parameters,
        requires_approval=False,
        side_effect="write",
    )
