"""Faults in scope, and in what a step announces about it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from reference_app.capabilities import policies
from reference_app.domain.actor import Actor
from reference_app.domain.capability import Capability, Surface
from reference_app.domain.discovery import may_discover
from reference_app.domain.pipeline import Runtime
from reference_app.domain.registry import is_exposed
from reference_app.faults import Fault, Patches, fault
from reference_app.faults.authority import run_unoffered
from reference_app.host import host
from reference_app.host.catalog import Catalog
from reference_app.host.host import Host
from reference_app.host.request import StepRequest
from reference_app.host.scope import APP, Route

FAULTS: list[Fault] = []

Resolve = Callable[[Sequence[str], Sequence[str]], tuple[str, ...]]
Floor = Callable[[str, Sequence[Route]], tuple[str, ...]]


@fault(FAULTS, "requested-scope-ignored", "a requested scope narrows nothing")
def _requested_scope_ignored(patches: Patches) -> None:
    def make(resolve: Resolve) -> Any:
        return lambda floor, requested: resolve(floor, requested[:0])

    patches.wrap(host, "resolve_scope", make)


@fault(
    FAULTS, "requested-scope-widens", "what a page's scope leaves out can be asked for along with what it has"
)
def _requested_scope_widens(patches: Patches) -> None:
    def make(resolve: Resolve) -> Any:
        def widen(floor: Sequence[str], requested: Sequence[str]) -> tuple[str, ...]:
            kept = resolve(floor, requested)
            is_common = bool(set(floor) & set(requested))
            return (*kept, *(t for t in requested if t not in kept)) if is_common else kept

        return widen

    patches.wrap(host, "resolve_scope", make)


@fault(
    FAULTS,
    "disjoint-scope-empty",
    "a requested scope that the page does not have leaves the model without tools",
)
def _disjoint_scope_empty(patches: Patches) -> None:
    def make(resolve: Resolve) -> Any:
        def empty(floor: Sequence[str], requested: Sequence[str]) -> tuple[str, ...]:
            is_disjoint = bool(floor) and bool(requested) and not set(floor) & set(requested)
            return (APP,) if is_disjoint else resolve(floor, requested)

        return empty

    patches.wrap(host, "resolve_scope", make)


@fault(FAULTS, "nested-page-unscoped", "a page below a scoped page is unscoped")
def _nested_page_unscoped(patches: Patches) -> None:
    def make(floor_for: Floor) -> Any:
        def exact(pathname: str, routes: Sequence[Route]) -> tuple[str, ...]:
            return floor_for(pathname, [route for route in routes if route.path == pathname])

        return exact

    patches.wrap(host, "floor_for", make)


@fault(FAULTS, "prefix-page-scoped", "a page whose address begins like a scoped page's has its scope")
def _prefix_page_scoped(patches: Patches) -> None:
    def make(floor_for: Floor) -> Any:
        def by_letters(pathname: str, routes: Sequence[Route]) -> tuple[str, ...]:
            alike = [route.path for route in routes if pathname.startswith(route.path)]
            return floor_for(alike[0] if alike else pathname, routes)

        return by_letters

    patches.wrap(host, "floor_for", make)


@fault(FAULTS, "out-of-scope-callable", "a model's call of an operation that its page does not offer runs")
def _out_of_scope_callable(patches: Patches) -> None:
    async def is_elsewhere(runtime: Runtime, capability: Capability, actor: Actor) -> bool:
        if policies.is_gated(capability.id) or not is_exposed(capability, Surface.MODEL):
            return False
        return await may_discover(runtime, capability, Surface.MODEL, actor)

    run_unoffered(patches, is_elsewhere)


@fault(
    FAULTS, "catalog-cached-across-people", "a catalog that was composed for one person is served to the next"
)
def _catalog_cached_across_people(patches: Patches) -> None:
    from reference_app.assembly import Parts  # noqa: PLC0415 - a reset empties the cache

    cache: dict[Any, Catalog] = {}

    def make_compose(compose: Callable[[Host, StepRequest, Actor], Awaitable[Catalog]]) -> Any:
        async def cached(self: Host, request: StepRequest, owner: Actor) -> Catalog:
            names = tuple(tool.wire_name for tool in request.frontend_tools)
            key = (request.version, request.pathname, request.requested_scope, request.mode, names)
            if key not in cache:
                cache[key] = await compose(self, request, owner)
            return cache[key]

        return cached

    def make_reset(reset: Callable[[Parts], Awaitable[None]]) -> Any:
        async def forget(self: Parts) -> None:
            cache.clear()
            await reset(self)

        return forget

    patches.wrap(Host, "_compose", make_compose)
    patches.wrap(Parts, "reset", make_reset)
