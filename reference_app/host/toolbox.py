"""The tools of one step: each call is given a unique id, read strictly, and routed to the plane that its name belongs to."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Set

from reference_app.domain.actor import Actor, Correlation
from reference_app.domain.capability import Surface
from reference_app.domain.pipeline import Runtime
from reference_app.host import answers
from reference_app.host.catalog import BrowserTool, Catalog, ServerTool, Tool
from reference_app.host.frames import Names
from reference_app.ids import Ids
from reference_app.runtime.conversation import ToolCall, ToolDefinition
from reference_app.runtime.loop import Disposition, PlannedCall
from reference_app.runtime.model import RequestedCall
from reference_app.strict_json import ARGUMENTS, JsonError, JsonObject, JsonValue, loads

LOG = logging.getLogger(__name__)

WhoNow = Callable[[], Awaitable[Actor | None]]
"""Finds out on whose behalf a step runs, again at each call; None when that person is gone."""


class HostToolbox:
    """See :class:`reference_app.runtime.loop.Toolbox`.

    Args:
        catalog: What is offered.
        runtime: Runs the domain plane.
        who: Derives the actor again for each call.
        names: The step.
        ids: Names calls that the provider did not name.
        used_ids: The call ids that the conversation has already.
    """

    def __init__(
        self,
        catalog: Catalog,
        runtime: Runtime,
        *,
        who: WhoNow,
        names: Names,
        ids: Ids,
        used_ids: Iterable[str],
    ) -> None:
        self._catalog = catalog
        self._runtime = runtime
        self._who = who
        self._names = names
        self._ids = ids
        self._used = set(used_ids)

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """The tool block; it holds no live state."""
        return self._catalog.definitions

    def plan(self, requested: RequestedCall) -> PlannedCall:
        """Say what happens to a call."""
        call_id = unique_call_id(requested.id or self._ids.short("call"), self._used)
        self._used.add(call_id)
        tool = self._catalog.find(requested.name)
        try:
            call = ToolCall(call_id, requested.name, read_arguments(requested.arguments))
        except JsonError as problem:
            call = ToolCall(call_id, requested.name, requested.arguments)
            return PlannedCall(call, Disposition.ANSWERED, _malformed(tool, requested.name, str(problem)))
        return _route(call, tool)

    async def execute(self, planned: PlannedCall) -> JsonValue:
        """Run a call on the domain plane, for whoever the person is by now."""
        tool = self._catalog.find(planned.call.name)
        actor = await self._who()
        if not isinstance(tool, ServerTool) or actor is None:
            return answers.no_such_tool(planned.call.name)
        correlation = Correlation(
            self._names.conversation_id,
            self._names.turn_id,
            self._names.step_id,
            planned.call.id,
        )
        try:
            result = await self._runtime.invoke(
                tool.capability_id,
                planned.call.input,
                surface=Surface.MODEL,
                actor=actor,
                correlation=correlation,
            )
        except Exception:
            LOG.exception("%s broke", tool.capability_id)
            return answers.EXECUTION_FAILED
        return answers.envelope(result)


def read_arguments(text: str) -> JsonObject:
    """Read the arguments that a model wrote.

    Raises:
        JsonError: They are not exactly one JSON object, or hold something that readers understand differently.
    """
    value = loads(text, ARGUMENTS)
    if not isinstance(value, dict):
        raise JsonError("The arguments are not a JSON object.")
    return value


def unique_call_id(wanted: str, used: Set[str]) -> str:
    """An id that the conversation does not have yet, with the wanted one as its beginning."""
    if wanted not in used:
        return wanted
    number = 2
    while f"{wanted}_{number}" in used:
        number += 1
    return f"{wanted}_{number}"


def canonical_id_of(tool: Tool | None, call: ToolCall) -> str:
    """What a call is about: the tool's canonical id, and for a meta tool its target's."""
    if tool is None:
        return call.name
    if tool.canonical_id.startswith("meta:") and isinstance(call.input, dict):
        target = call.input.get("capabilityId")
        if isinstance(target, str) and target:
            return target
    return tool.canonical_id


def _route(call: ToolCall, tool: Tool | None) -> PlannedCall:
    match tool:
        case None:
            return PlannedCall(call, Disposition.ANSWERED, answers.no_such_tool(call.name))
        case ServerTool():
            return PlannedCall(call, Disposition.EXECUTE)
        case BrowserTool():
            return PlannedCall(call, Disposition.SUSPEND)
        case _:
            refusal = tool.refuse(call)
            return PlannedCall(
                call, Disposition.SUSPEND if refusal is None else Disposition.ANSWERED, refusal
            )


def _malformed(tool: Tool | None, name: str, reason: str) -> JsonObject:
    match tool:
        case None:
            return answers.no_such_tool(name)
        case BrowserTool():
            return answers.malformed_for_view(reason)
        case _:
            return answers.malformed_for_domain(reason)
