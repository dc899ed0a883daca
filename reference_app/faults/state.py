"""Faults in live state: it stands beside the catalog, behind the conversation, and nowhere else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from reference_app.faults import Fault, Patches, fault
from reference_app.host import host as hosts
from reference_app.host import state_block
from reference_app.host.catalog import BrowserTool, Catalog
from reference_app.host.frames import StepFinish
from reference_app.host.host import Host
from reference_app.host.request import StepRequest, ToolState
from reference_app.host.step import Step
from reference_app.runtime import loop as loops

FAULTS: list[Fault] = []


@fault(FAULTS, "state-in-description", "the note of a bound tool is part of its description")
def _state_in_description(patches: Patches) -> None:
    def with_note(tool: BrowserTool, state: ToolState) -> BrowserTool:
        return replace(tool, description=f"{tool.description} {state.note}") if state.note else tool

    on_tools(patches, with_note)


@fault(FAULTS, "unavailable-dropped-from-tools", "an unavailable tool loses its description")
def _unavailable_dropped_from_tools(patches: Patches) -> None:
    def without_description(tool: BrowserTool, state: ToolState) -> BrowserTool:
        return tool if state.available else replace(tool, description="")

    on_tools(patches, without_description)


@fault(FAULTS, "unavailable-hidden-by-host", "an unavailable tool is not offered")
def _unavailable_hidden_by_host(patches: Patches) -> None:
    on_tools(patches, lambda tool, state: tool if state.available else None)


@fault(FAULTS, "state-block-missing", "the model is not told why a tool is unavailable")
def _state_block_missing(patches: Patches) -> None:
    def make(line: Callable[[ToolState, str], str | None]) -> Any:
        return lambda state, name: line(state.model_copy(update={"unavailable_reason": None}), name)

    patches.wrap(state_block, "_line", make)


@fault(FAULTS, "binding-note-dropped", "the model is not told what a bound tool is bound to")
def _binding_note_dropped(patches: Patches) -> None:
    def make(line: Callable[[ToolState, str], str | None]) -> Any:
        return lambda state, name: line(state.model_copy(update={"note": None}), name)

    patches.wrap(state_block, "_line", make)


@fault(FAULTS, "state-block-first", "the state block stands before the conversation")
def _state_block_first(patches: Patches) -> None:
    patches.replace(
        loops,
        "with_state",
        lambda conversation, state: conversation if state is None else (state, *conversation),
    )


@fault(FAULTS, "state-block-in-history", "the state block is part of the history that the step hands back")
def _state_block_in_history(patches: Patches) -> None:
    def make(finish: Callable[[Step], StepFinish]) -> Any:
        def keep(self: Step) -> StepFinish:
            finished = finish(self)
            if self._plan.state is None:
                return finished
            kept = {"role": "assistant", "content": self._plan.state.text}
            return replace(finished, response_messages=(*finished.response_messages, kept))

        return keep

    patches.wrap(Step, "_finish", make)


@fault(FAULTS, "state-line-forged", "a reason can write lines of its own into the state block")
def _state_line_forged(patches: Patches) -> None:
    patches.replace(state_block, "_one_line", lambda text: text or "")


@fault(FAULTS, "state-remembered", "what was said of a page's only tool one step ago is said again")
def _state_remembered(patches: Patches) -> None:
    before: dict[str, ToolState] = {}

    def make(plan: Callable[..., Awaitable[Any]]) -> Any:
        async def remember(self: Host, request: StepRequest, *rest: Any) -> Any:
            known = before.get(request.conversation_id)
            if len(request.frontend_state) == 1:
                before[request.conversation_id] = request.frontend_state[0]
                if known is not None and not known.available:
                    request = replace(request, frontend_state=(known,))
            return await plan(self, request, *rest)

        return remember

    patches.wrap(Host, "_plan", make)


@fault(FAULTS, "empty-state-block", "a heading is said where there is no state")
def _empty_state_block(patches: Patches) -> None:
    def make(block: Callable[..., str | None]) -> Any:
        return lambda *arguments: block(*arguments) or state_block.HEADING

    patches.wrap(hosts, "state_block", make)


@fault(FAULTS, "refused-state-shown", "the state of a tool that was refused is shown")
def _refused_state_shown(patches: Patches) -> None:
    def refused(request: StepRequest, composed: Catalog) -> dict[str, str]:
        del composed
        return {tool.wire_name: tool.canonical_id for tool in request.frontend_tools}

    _also_state(patches, refused)


@fault(FAULTS, "undeclared-state-shown", "the state of a tool that the tab does not declare is shown")
def _undeclared_state_shown(patches: Patches) -> None:
    def undeclared(request: StepRequest, composed: Catalog) -> dict[str, str]:
        known = {*composed.own_names, *(tool.wire_name for tool in request.frontend_tools)}
        return {
            state.wire_name: state.wire_name
            for state in request.frontend_state
            if state.wire_name not in known
        }

    _also_state(patches, undeclared)


def _also_state(patches: Patches, more: Callable[[StepRequest, Catalog], dict[str, str]]) -> None:
    """Let the state block speak of more than what the tab has declared and is offered."""
    also: ContextVar[dict[str, str] | None] = ContextVar("also", default=None)

    def make_plan(plan: Callable[..., Awaitable[Any]]) -> Any:
        async def remember(self: Host, request: StepRequest, owner: Any, composed: Catalog) -> Any:
            also.set(more(request, composed))
            return await plan(self, request, owner, composed)

        return remember

    def make_block(block: Callable[..., str | None]) -> Any:
        return lambda states, declared: block(states, {**(also.get() or {}), **declared})

    patches.wrap(Host, "_plan", make_plan)
    patches.wrap(hosts, "state_block", make_block)


def on_tools(
    patches: Patches,
    change: Callable[[BrowserTool, ToolState], BrowserTool | None],
    version: int | None = None,
) -> None:
    """Change the tab's tools by their state, in one version of the protocol or in both."""

    def make(compose: Callable[..., Awaitable[Catalog]]) -> Any:
        async def by_state(self: Host, request: StepRequest, *rest: Any) -> Catalog:
            composed = await compose(self, request, *rest)
            if version not in {None, request.version}:
                return composed
            states = {state.wire_name: state for state in request.frontend_state}
            changed = [
                change(tool, states[tool.wire_name]) if tool.wire_name in states else tool
                for tool in composed.admission.accepted
            ]
            admission = replace(
                composed.admission, accepted=tuple(tool for tool in changed if tool is not None)
            )
            return Catalog(composed.server, admission, composed.host, composed.scope, composed.mode)

        return by_state

    patches.wrap(Host, "_compose", make)
