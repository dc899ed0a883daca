"""The agent host: it turns a posted step into a running one, or refuses it before anything happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace

from reference_app.domain.actor import Actor
from reference_app.domain.capability import Surface
from reference_app.domain.discovery import Descriptor, describe, may_discover
from reference_app.domain.errors import CapabilityError
from reference_app.domain.pipeline import Runtime
from reference_app.host import catalog as catalogs
from reference_app.host.catalog import Catalog
from reference_app.host.frames import Names
from reference_app.host.history import History, read_history
from reference_app.host.host_tools import HostTool
from reference_app.host.memory import StepMemory
from reference_app.host.protocol import HostError
from reference_app.host.records import Claim, Replay, StepKey, StepRecords
from reference_app.host.redaction import ResultRedactor
from reference_app.host.request import StepRequest
from reference_app.host.scope import Route, floor_for, resolve_scope
from reference_app.host.state_block import state_block
from reference_app.host.step import Step, StepPlan
from reference_app.host.stream import StepStream
from reference_app.host.toolbox import HostToolbox, WhoNow
from reference_app.runtime.conversation import AssistantTurn, SystemText, UserText
from reference_app.runtime.loop import Loop, RunLimits
from reference_app.runtime.model import Model
from reference_app.strict_json import JsonValue, digest_of


@dataclass(frozen=True)
class HostConfig:
    """How the host is set up.

    Attributes:
        model_ids: The models that a request may choose from, the default first.
        limits: What bounds a run.
        routes: The pages and their scopes.
        contextual: The bare ids that a page may bind.
        instructions: What the model is told first; empty for nothing.
        backlog: The most inspector frames that wait for a slow reader.
        host_tools: The host's own tools.
    """

    model_ids: tuple[str, ...]
    limits: RunLimits
    routes: tuple[Route, ...]
    contextual: tuple[str, ...]
    instructions: str
    backlog: int
    host_tools: tuple[HostTool, ...] = ()


class Host:
    """Begins steps and sees them through.

    Args:
        config: How it is set up.
        model: The model, or None when none is configured.
        runtime: The domain plane.
        steps: Remembers which steps have run.
        memory: Keeps what steps leave behind.
    """

    def __init__(
        self,
        config: HostConfig,
        model: Model | None,
        runtime: Runtime,
        steps: StepRecords,
        memory: StepMemory,
    ) -> None:
        self._config = config
        self._model = model
        self._runtime = runtime
        self._steps = steps
        self._memory = memory
        self._running: set[asyncio.Task[None]] = set()

    async def begin(self, request: StepRequest, owner: Actor, who: WhoNow) -> AsyncIterator[bytes]:
        """Begin a step, or replay one that has run.

        Args:
            request: What was posted.
            owner: Who posted it.
            who: Derives the same actor again, later.

        Returns:
            The lines of the stream. The step goes on to its end even when nobody reads them.

        Raises:
            HostError: The step is refused; nothing was executed.
        """
        model = self._require_model()
        await model.prepare()
        catalog = await self._compose(request, owner)
        check_collisions(request, catalog)
        catalogs.check_limits(catalog)
        plan = await self._plan(request, owner, catalog)
        check_history(plan.history)
        claimed = await self._steps.claim(plan.key, _digest(request, owner))
        if isinstance(claimed, Replay):
            return _once(claimed.stream)
        check_claim(claimed)
        services = self._runtime.services
        stream = StepStream(self._config.backlog)
        step = Step(
            plan,
            loop=Loop(model, self._choose_model(request.model_id), services.clock, self._config.limits),
            toolbox=HostToolbox(
                catalog,
                self._runtime,
                who=who,
                names=plan.names,
                ids=services.ids,
                used_ids=plan.history.call_ids,
            ),
            stream=stream,
            audit=services.audit,
            memory=self._memory,
        )
        self._run(step)
        return stream.lines()

    async def prepare(self) -> None:
        """Get the model ready, where there is one, so that nobody's first message waits for that."""
        if self._model is not None:
            await self._model.prepare()

    async def stop(self) -> None:
        """End the steps that are still running."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _require_model(self) -> Model:
        if self._model is None:
            raise HostError(
                503, "MODEL_NOT_CONFIGURED", "No model provider is configured; set OPENAI_API_KEY."
            )
        return self._model

    def _choose_model(self, wanted: str | None) -> str:
        return wanted if wanted in self._config.model_ids else self._config.model_ids[0]

    async def _compose(self, request: StepRequest, owner: Actor) -> Catalog:
        scope = resolve_scope(floor_for(request.pathname, self._config.routes), request.requested_scope)
        try:
            offered = await describe(self._runtime, Surface.MODEL, owner, scope)
        except CapabilityError as problem:
            raise HostError(
                503, "CATALOG_UNAVAILABLE", "The catalog could not be composed in time."
            ) from problem
        server = catalogs.server_tools(
            descriptor for descriptor in offered if offered_here(descriptor, scope)
        )
        taken: tuple[catalogs.Tool, ...] = (*server, *self._config.host_tools)
        contextual = await self._contextual(owner)
        admission = catalogs.admit(request.frontend_tools, taken, contextual, request.mode)
        return Catalog(server, admission, self._config.host_tools, scope, request.mode)

    async def _contextual(self, owner: Actor) -> frozenset[str]:
        """The canonical ids that this person's page may bind now."""
        allowed = set()
        for capability_id in self._config.contextual:
            capability = self._runtime.services.registry.capability(capability_id)
            if capability is not None and await may_discover(
                self._runtime, capability, Surface.DIRECT, owner
            ):
                allowed.add(catalogs.DOMAIN + capability_id)
        return frozenset(allowed)

    async def _plan(self, request: StepRequest, owner: Actor, catalog: Catalog) -> StepPlan:
        recorded = await self._steps.settled(owner.id, request.conversation_id)
        redactor = ResultRedactor(self._runtime.services.registry, catalog)
        history = read_history(request.messages, recorded, redactor)
        history = await self._settle_host_calls(history, recorded, owner, request.conversation_id)
        history = replace(history, call_ids=history.call_ids | recorded.keys())
        declared = {tool.wire_name: tool.canonical_id for tool in catalog.admission.accepted}
        block = state_block(request.frontend_state, declared)
        return StepPlan(
            request=request,
            owner=owner,
            names=Names(self._runtime.services.ids.short("stp"), request.turn_id, request.conversation_id),
            key=StepKey(owner.id, request.conversation_id, request.turn_id, request.step_index),
            catalog=catalog,
            history=history,
            instructions=self._config.instructions,
            state=None if block is None else SystemText(block),
        )

    async def _settle_host_calls(
        self, history: History, recorded: Mapping[str, JsonValue], owner: Actor, conversation_id: str
    ) -> History:
        """Let the host's own tools say what became of the calls that they presented, whatever the tab posted."""
        if not self._config.host_tools:
            return history
        values: dict[str, JsonValue] = {}
        for call in history.calls:
            tool = next((tool for tool in self._config.host_tools if tool.wire_name == call.name), None)
            if tool is not None and call.id not in recorded and tool.refuse(call) is None:
                values[call.id] = await tool.settle(owner, conversation_id, call)
        return history.with_results(values)

    def _run(self, step: Step) -> None:
        task = asyncio.create_task(step.run())
        self._running.add(task)
        task.add_done_callback(self._running.discard)


RESERVED_TAGS = frozenset({"lab"})
"""Tags whose operations are offered only where the scope names them; an unscoped page is not a demonstration."""


def offered_here(descriptor: Descriptor, scope: tuple[str, ...]) -> bool:
    """Whether a discovered operation is offered on the page."""
    return bool(scope) or RESERVED_TAGS.isdisjoint(descriptor.tags)


def check_collisions(request: StepRequest, catalog: Catalog) -> None:
    """Refuse a first-version request that declares what the server offers; the second version drops and reports instead.

    Raises:
        HostError: 409 CATALOG_COLLISION, naming the ids.
    """
    collisions = catalog.admission.collisions
    if request.version == 1 and collisions:
        raise HostError(409, "CATALOG_COLLISION", f"The server offers these itself: {', '.join(collisions)}.")


def check_history(history: History) -> None:
    """Refuse a request in which nobody says anything.

    Raises:
        HostError: 400 PROTOCOL_DECODE_ERROR.
    """
    if not any(isinstance(message, UserText | AssistantTurn) for message in history.messages):
        raise HostError(
            400, "PROTOCOL_DECODE_ERROR", "The request holds no message of the person or the assistant."
        )


def check_claim(claimed: Claim) -> None:
    """Refuse a step that was begun before and cannot be replayed.

    Raises:
        HostError: 409 STEP_CONFLICT.
    """
    if claimed is Claim.REFUSE:
        message = "This step was posted before; it is still running, was interrupted, or had another content."
        raise HostError(409, "STEP_CONFLICT", f"{message} Begin a new turn.")


def _digest(request: StepRequest, owner: Actor) -> str:
    """The fingerprint of what was posted, and in which role."""
    return digest_of([owner.role, request.digest])


async def _once(stream: bytes) -> AsyncIterator[bytes]:
    yield stream
