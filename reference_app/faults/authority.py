"""Faults in hiding what an identity may not use, and in authorizing every call again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from reference_app.api import openapi
from reference_app.api import rpc as rpc_api
from reference_app.api.errors import orpc_error
from reference_app.api.identity import actor_of
from reference_app.api.rpc import Rpc
from reference_app.database import Work
from reference_app.domain import stages
from reference_app.domain.actor import Actor
from reference_app.domain.capability import Call, Capability, Surface
from reference_app.domain.discovery import describe, may_discover
from reference_app.domain.errors import CapabilityError
from reference_app.domain.pipeline import Runtime
from reference_app.domain.registry import is_exposed
from reference_app.domain.shapes import Input
from reference_app.faults import Fault, Patches, async_constant, constant, fault
from reference_app.host import answers, catalog
from reference_app.host.catalog import Admission, Catalog, server_tools
from reference_app.host.host import Host
from reference_app.host.request import Declaration, StepRequest
from reference_app.host.toolbox import HostToolbox
from reference_app.runtime.conversation import ToolDefinition
from reference_app.runtime.loop import Disposition, PlannedCall
from reference_app.runtime.model import RequestedCall
from reference_app.strict_json import JsonError, JsonObject, JsonValue

FAULTS: list[Fault] = []


@fault(FAULTS, "analyst-sees-writes", "the model is told about operations that its identity may not use")
def _analyst_sees_writes(patches: Patches) -> None:
    def make_compose(compose: Callable[..., Awaitable[Catalog]]) -> Any:
        async def tell_more(self: Host, request: StepRequest, owner: Actor) -> Catalog:
            composed = await compose(self, request, owner)
            everything = await describe(
                self._runtime, Surface.MODEL, replace(owner, role="controller"), composed.scope
            )
            known = set(composed.canonical_ids.values())
            more = [
                tool
                for tool in server_tools(everything)
                if tool.canonical_id not in known and "lab" not in tool.wire_name
            ]
            object.__setattr__(composed, "told", tuple(more))
            return composed

        return tell_more

    def make_definitions(definitions: property) -> Any:
        def told(self: Catalog) -> tuple[ToolDefinition, ...]:
            more = getattr(self, "told", ())
            return (
                *definitions.__get__(self),
                *(ToolDefinition(t.wire_name, t.description, t.parameters) for t in more),
            )

        return property(told)

    patches.wrap(Host, "_compose", make_compose)
    patches.wrap(Catalog, "definitions", make_definitions)


@fault(
    FAULTS, "hidden-is-forbidden", "a valid direct call of a hidden operation is answered 403 instead of 404"
)
def _hidden_is_forbidden(patches: Patches) -> None:
    async def forbid(self: Rpc, request: Request, actor: Actor, capability: Capability) -> Response | None:
        del actor
        try:
            stages.validate(capability.procedure, await _input_of(self, request))
        except (CapabilityError, JsonError):
            return None
        return orpc_error(403, "Forbidden")

    _on_hidden(patches, forbid)


@fault(FAULTS, "hide-after-validation", "a direct call is validated before it is found to be hidden")
def _hide_after_validation(patches: Patches) -> None:
    patches.replace(Rpc, "_may_use", async_constant(True))
    patches.replace(stages, "check_concealment", constant(None))


@fault(FAULTS, "analyst-may-write", "a direct call that is refused as hidden is carried out all the same")
def _analyst_may_write(patches: Patches) -> None:
    async def carry_out(self: Rpc, request: Request, actor: Actor, capability: Capability) -> Response | None:
        if is_exposed(capability, Surface.MODEL):
            await run_unasked(self._runtime, capability, await _input_of(self, request), actor)
        return None

    _on_hidden(patches, carry_out)


@fault(FAULTS, "contextual-not-authorized", "a contextual call is carried out for whoever makes it")
def _contextual_not_authorized(patches: Patches) -> None:
    async def carry_out(self: Rpc, request: Request, actor: Actor, capability: Capability) -> Response | None:
        if not is_exposed(capability, Surface.MODEL):
            await run_unasked(self._runtime, capability, await _input_of(self, request), actor)
        return None

    _on_hidden(patches, carry_out)


@fault(
    FAULTS,
    "model-skips-policies",
    "a model's call of a hidden operation runs, although it is answered like an invented one",
)
def _model_skips_policies(patches: Patches) -> None:
    run_unoffered(patches, _is_hidden)


@fault(FAULTS, "hidden-name-known", "the answer to a hidden name tells that something of that name exists")
def _hidden_name_known(patches: Patches) -> None:
    def make(plan: Callable[..., PlannedCall]) -> Any:
        def tell(self: HostToolbox, requested: RequestedCall) -> PlannedCall:
            planned = plan(self, requested)
            known = self._runtime.services.registry.capability(requested.name.removeprefix("domain_"))
            if self._catalog.find(requested.name) is None and known is not None:
                error = {"code": "NO_SUCH_TOOL", "message": "You may not use this tool.", "retry": "no"}
                return replace(planned, answer={"error": error})
            return planned

        return tell

    patches.wrap(HostToolbox, "plan", make)


@fault(
    FAULTS, "hidden-declaration-kept", "a tab's declaration brings a hidden operation back into the catalog"
)
def _hidden_declaration_kept(patches: Patches) -> None:
    def make(compose: Callable[..., Awaitable[Catalog]]) -> Any:
        async def keep(self: Host, request: StepRequest, owner: Actor) -> Catalog:
            composed = await compose(self, request, owner)
            hidden = [
                f"domain:{capability.id}"
                for capability in self._runtime.services.registry
                if not await may_discover(self._runtime, capability, Surface.DIRECT, owner)
            ]
            return with_declarations(composed, request.frontend_tools, lambda d: d.canonical_id in hidden)

        return keep

    patches.wrap(Host, "_compose", make)


@fault(
    FAULTS,
    "gated-declaration-kept",
    "a gated operation that a tab declares as its own is offered through the tab",
)
def _gated_declaration_kept(patches: Patches) -> None:
    def make(may_declare: Callable[..., bool]) -> Any:
        def also_gated(declaration: Declaration, *rest: Any) -> bool:
            return declaration.canonical_id == "domain:issue-invoice" or may_declare(declaration, *rest)

        return also_gated

    patches.wrap(catalog, "may_declare", make)


@fault(FAULTS, "openapi-tells-all", "the published description names what its reader may not use")
def _openapi_tells_all(patches: Patches) -> None:
    patches.replace(openapi.Description, "_may_know", async_constant(True))


def run_unoffered(patches: Patches, which: Callable[[Runtime, Capability, Actor], Awaitable[bool]]) -> None:
    """Let calls of names that are not offered run, where ``which`` says so, under the answer of an invented name."""

    def make_plan(plan: Callable[..., PlannedCall]) -> Any:
        def let_through(self: HostToolbox, requested: RequestedCall) -> PlannedCall:
            planned = plan(self, requested)
            if self._catalog.find(requested.name) is None and isinstance(planned.call.input, dict):
                return replace(planned, disposition=Disposition.EXECUTE)
            return planned

        return let_through

    def make_execute(execute: Callable[..., Awaitable[JsonValue]]) -> Any:
        async def run_quietly(self: HostToolbox, planned: PlannedCall) -> JsonValue:
            name = planned.call.name.removeprefix("domain_")
            capability = self._runtime.services.registry.capability(name)
            actor = await self._who()
            if self._catalog.find(planned.call.name) is not None:
                return await execute(self, planned)
            if capability is not None and actor is not None and await which(self._runtime, capability, actor):
                await run_unasked(self._runtime, capability, planned.call.input, actor)
            return answers.no_such_tool(planned.call.name)

        return run_quietly

    patches.wrap(HostToolbox, "plan", make_plan)
    patches.wrap(HostToolbox, "execute", make_execute)


def with_declarations(
    composed: Catalog, declared: Iterable[Declaration], keep: Callable[[Declaration], bool]
) -> Catalog:
    """A catalog with some dropped declarations put back."""
    taken = set(composed.canonical_ids)
    back = tuple(
        catalog.BrowserTool(d.wire_name, d.canonical_id, d.description, d.input_schema)
        for d in declared
        if keep(d) and d.wire_name not in taken
    )
    admission: Admission = replace(composed.admission, accepted=(*composed.admission.accepted, *back))
    return Catalog(composed.server, admission, composed.host, composed.scope, composed.mode)


def _on_hidden(
    patches: Patches, act: Callable[[Rpc, Request, Actor, Capability], Awaitable[Response | None]]
) -> None:
    """Do something about direct calls of hidden operations before they are answered."""

    def make(serve: Callable[..., Awaitable[Response]]) -> Any:
        async def act_first(self: Rpc, request: Request) -> Response:
            actor = actor_of(await self._gate.require(request))
            capability = self._runtime.services.registry.capability(request.path_params["procedure"])
            if capability is not None and await _is_hidden(self._runtime, capability, actor):
                answer = await act(self, request, actor, capability)
                return rpc_api.not_found() if answer is None else answer
            return await serve(self, request)

        return act_first

    patches.wrap(Rpc, "serve", make)


async def _is_hidden(runtime: Runtime, capability: Capability, actor: Actor) -> bool:
    """Whether a page could call an operation, if it were not hidden from this actor."""
    is_served = is_exposed(capability, Surface.DIRECT)
    return is_served and not await may_discover(runtime, capability, Surface.DIRECT, actor)


async def _input_of(self: Rpc, request: Request) -> JsonValue:
    del self
    return rpc_api.read_envelope(await request.body())


async def run_unasked(
    runtime: Runtime, capability: Capability, raw: JsonValue | JsonObject, actor: Actor
) -> None:
    """Run an operation without asking anybody."""
    try:
        value: Input = stages.validate(capability.procedure, raw)
        async with Work(runtime.services.database, writes=True) as work:
            await capability.procedure.handler(value, Call(work, actor, runtime.services.clock))
    except Exception:
        return
