"""The state block: what can be used at this moment, said behind the conversation.

It changes with every click. In the tool definitions, which stand in front of the conversation, it would invalidate the
provider's cache of everything behind them. (Architecture, The transport.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reference_app.host.request import ToolState

HEADING = "Capability state (this step):"
_NO_REASON = "not available right now"


def state_block(states: Iterable[ToolState], declared: Mapping[str, str]) -> str | None:
    """The block for one step.

    Args:
        states: What the tab says, in its order.
        declared: The canonical id of each wire name that the tab has declared and that is offered; nothing is said about
            others, neither about the server's own tools nor about what was dropped or never declared.

    Returns:
        The heading and one line for each tool that is unavailable or has a note, or None when there is no line.
    """
    lines = [
        line
        for state in states
        if state.wire_name in declared and (line := _line(state, declared[state.wire_name]))
    ]
    return "\n".join([HEADING, *lines]) if lines else None


def _line(state: ToolState, name: str) -> str | None:
    if not state.available:
        return f"- {name} — unavailable: {_one_line(state.unavailable_reason) or _NO_REASON}"
    note = _one_line(state.note)
    return f"- {name} — available; {note}" if note else None


def _one_line(text: str | None) -> str:
    """A text without line breaks, so that nobody can write a line of the block that is not theirs."""
    return " ".join((text or "").split())
