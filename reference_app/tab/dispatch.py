"""Carrying out a call that the host left to the browser.

The tool must still be on the page, and the call goes to the very mount that was offered: one that took its place
since then answers as stale. Whatever happens, the call gets an answer.
"""

import logging
from dataclasses import dataclass

from reference_app.surface.invocation_types import InvocationResult
from reference_app.surface.json_value import Json, Unset
from reference_app.surface.signal import Signal
from reference_app.surface.tools import Tool, ToolCall, Toolset
from reference_app.tab.catalog import Offer
from reference_app.tab.frames import PendingCall

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call came to, as the model will read it."""

    ok: bool
    value: Json
    effect: str = "unknown"


def failure(code: str, message: str, retry: str) -> Answer:
    """The answer to a call that came to nothing."""
    return Answer(ok=False, value={"error": {"code": code, "message": message, "retry": retry}})


NOT_EXECUTED = failure(
    "TOOL_NOT_EXECUTED", "The run ended before this tool produced a result. Call it again.", "yes"
)


async def dispatch(toolset: Toolset, offer: Offer, call: PendingCall, signal: Signal) -> Answer:
    """Carry out one call."""
    tool = offer.find(call.wire_name)
    if tool is None or not is_live(toolset, tool):
        return failure(
            "CAPABILITY_NOT_FOUND",
            f"Tool {call.wire_name} is not present on the current surface.",
            "after-refresh",
        )
    given: Json = {} if call.input is None else call.input
    effect = toolset.effect_of(tool, given)
    try:
        result = await toolset.execute(tool, ToolCall(given, call.tool_call_id, signal))
    except Exception:
        _log.exception("the surface failed on %s", call.canonical_id)
        return failure("EXECUTION_FAILED", "The page could not carry this out.", "no")
    return answer_of(result, effect)


def is_live(toolset: Toolset, tool: Tool) -> bool:
    """Whether a tool of this name is on the page now."""
    return any(live.name == tool.name for live in toolset.tools())


def answer_of(result: InvocationResult, effect: str) -> Answer:
    """What the model reads: the output, ``{done: true}`` where there is none, or the typed error."""
    if result.error is not None:
        return Answer(ok=False, value={"error": result.error.to_json()}, effect=effect)
    value: Json = {"done": True} if isinstance(result.output, Unset) else result.output
    return Answer(ok=True, value=value, effect=effect)
