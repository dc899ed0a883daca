"""A small surface for tests: one component type with a capability of each kind, a hand-driven clock, a procedure."""

import asyncio
import heapq
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from reference_app.surface.audit import MemorySink
from reference_app.surface.authority import Authority
from reference_app.surface.binding import bind_procedure
from reference_app.surface.contract_binding import Doing, Handlers, Placement, Reading, bind_contract
from reference_app.surface.contract_files import ComponentContract, ContextualManifest
from reference_app.surface.core import Settings
from reference_app.surface.definition import Component, HandlerContext, ProcedureBinding
from reference_app.surface.events import SurfaceEvent
from reference_app.surface.invocation_types import CallOptions, InvocationRequest, InvocationResult
from reference_app.surface.json_value import Json, JsonObject
from reference_app.surface.manifest import Declaration, compile_manifest
from reference_app.surface.policy import Consumer
from reference_app.surface.registry import Handle, Registry, Surroundings

IDS = {
    "type": "object",
    "properties": {"ids": {"type": "array", "items": {"type": "integer"}}},
    "required": ["ids"],
}
EMPTY: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
ANY: dict[str, Any] = {}
DISABLE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "deviceId": {"type": "integer", "minimum": 1},
        "reason": {"type": "string", "description": "Why."},
        "force": {"type": "boolean"},
    },
    "required": ["deviceId", "reason"],
    "additionalProperties": False,
}
PROCEDURES = {
    "devices.disable": {
        "description": "Disable one device.",
        "inputSchema": DISABLE,
        "effect": "server-mutation",
    },
    "devices.wipe": {"description": "Wipe one device.", "inputSchema": DISABLE, "effect": "destructive"},
}
CONTRACT: dict[str, Any] = {
    "component": "devices.table",
    "description": "A table of devices.",
    "observations": {"readState": {"description": "Read the table.", "output": ANY}},
    "actions": {
        "selectRows": {
            "description": "Select rows.",
            "effect": "local-state",
            "idempotent": True,
            "input": IDS,
        },
        "refresh": {"description": "Refresh.", "effect": "local-state", "input": EMPTY},
        "leave": {"description": "Leave.", "effect": "navigation", "input": EMPTY},
        "forget": {
            "description": "Forget.",
            "effect": "local-state",
            "confirmation": "required",
            "input": IDS,
        },
    },
    "procedures": {
        path: {"description": tool["description"], "input": tool["inputSchema"], "effect": tool["effect"]}
        for path, tool in PROCEDURES.items()
    },
}
DECLARATION = Declaration("tests/contracts.json", ComponentContract.model_validate(CONTRACT))
MANIFEST = ContextualManifest.model_validate({"tools": PROCEDURES})
CALLER = Consumer("assistant", "test")
TABLE = "devices.table"


@dataclass(order=True)
class _Timer:
    due_ms: int
    number: int
    callback: Callable[[], None] | None = field(compare=False)

    def cancel(self) -> None:
        """Call it off."""
        self.callback = None


class ManualClock:
    """Time that moves when a test says so."""

    def __init__(self, start_ms: int = 1_800_000_000_000) -> None:
        self._now_ms = start_ms
        self._timers: list[_Timer] = []
        self._numbers = itertools.count()

    def now_ms(self) -> int:
        """The time that the test has set."""
        return self._now_ms

    def call_later(self, delay_ms: int, callback: Callable[[], None]) -> _Timer:
        """Set a timer."""
        timer = _Timer(self._now_ms + delay_ms, next(self._numbers), callback)
        heapq.heappush(self._timers, timer)
        return timer

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Queue on the running loop."""
        asyncio.get_running_loop().call_soon(callback)

    def advance(self, delta_ms: int) -> None:
        """Let time pass, ringing what becomes due on the way."""
        end = self._now_ms + delta_ms
        while self._timers and self._timers[0].due_ms <= end:
            timer = heapq.heappop(self._timers)
            self._now_ms = max(self._now_ms, timer.due_ms)
            if timer.callback is not None:
                timer.callback()
        self._now_ms = end


class StillClock(ManualClock):
    """A clock without an event loop: nothing that is put off ever happens."""

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Forget it."""


@dataclass
class Executor:
    """Carries out the procedures by a function of the test's, and remembers what it was given."""

    carry_out: Callable[[str, JsonObject, HandlerContext], Any] = lambda _path, given, _context: dict(given)
    calls: list[tuple[str, JsonObject]] = field(default_factory=list)

    @property
    def paths(self) -> frozenset[str]:
        """What the manifest lists."""
        return frozenset(PROCEDURES)

    async def execute(self, path: str, effective_input: JsonObject, context: HandlerContext) -> Json:
        """Remember and carry out."""
        self.calls.append((path, effective_input))
        result: Any = self.carry_out(path, effective_input, context)
        value: Json = await result if asyncio.iscoroutine(result) else result
        return value


@dataclass
class World:
    """A registry with everything around it that a test looks at."""

    clock: ManualClock
    executor: Executor
    sink: MemorySink
    registry: Registry
    authority: Authority
    events: list[SurfaceEvent]

    def mount(self, component: Component | None = None, **changes: Any) -> Handle:
        """Register a table; the changes are those of ``table``."""
        return self.registry.register(component or self.table(**changes))

    def table(
        self,
        *,
        instance: str = "default",
        readings: Mapping[str, Reading] | None = None,
        doings: Mapping[str, Doing] | None = None,
        bound: Mapping[str, Any] | None = None,
        procedure: Callable[[ProcedureBinding], ProcedureBinding] = lambda binding: binding,
        overridable: frozenset[str] = frozenset(),
        placement: Placement | None = None,
    ) -> Component:
        """A table whose handlers answer with nothing, unless told otherwise."""
        values = {"deviceId": 7} if bound is None else bound
        bindings = tuple(
            procedure(bind_procedure(MANIFEST.ref(path), lambda: values, overridable=overridable))
            for path in PROCEDURES
        )
        handlers = Handlers(
            {"readState": Reading(lambda _context: {"rows": 3}), **(readings or {})},
            {name: Doing(_nothing) for name in CONTRACT["actions"]} | dict(doings or {}),
            bindings,
        )
        place = replace(placement or Placement(), instance_id=instance)
        return bind_contract(self.authority, DECLARATION, handlers, place)

    async def call(self, name: str, given: Json = None, **more: Any) -> InvocationResult:
        """Call a capability by its name, or a procedure by its path."""
        capability_id = f"domain:{name}" if name in PROCEDURES else f"view:{TABLE}.{name}"
        options = CallOptions(
            more.pop("consumer", CALLER), more.pop("signal", None), more.pop("timeout_ms", None)
        )
        return await self.registry.invoke(InvocationRequest(capability_id, given, **more), options)

    def events_of(self, kind: type[SurfaceEvent]) -> list[SurfaceEvent]:
        """The events of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]


def _nothing(_given: JsonObject, _context: HandlerContext) -> Json:
    return None


def make_world(clock: ManualClock | None = None, **settings: Any) -> World:
    """A fresh surface."""
    clock, sink, executor = clock or ManualClock(), MemorySink(), Executor()
    authority = Authority.mint(compile_manifest([DECLARATION]))
    chosen = Settings(**{"environment": "test", "executor": executor, **settings})
    registry = Registry(authority, chosen, Surroundings(clock, Random(1), (sink,)))
    events: list[SurfaceEvent] = []
    registry.subscribe(events.append)
    return World(clock, executor, sink, registry, authority, events)


def code_of(result: InvocationResult) -> str:
    """The code of a failed call, ``ok`` for one that succeeded."""
    return "ok" if result.error is None else result.error.code.value


async def turn_loop(times: int = 5) -> None:
    """Let the event loop go round."""
    for _ in range(times):
        await asyncio.sleep(0)
