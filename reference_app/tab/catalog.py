"""The browser's half of a step's catalog: what is declared, and apart from it the state that it is in."""

from collections.abc import Sequence
from dataclasses import dataclass

from reference_app.surface.json_value import Json, copy_object
from reference_app.surface.refusals import shorten
from reference_app.surface.tools import Tool

MAX_FRONTEND_TOOLS = 128
MAX_MESSAGES = 400
MAX_DESCRIPTION = 1000
MAX_STATE_TEXT = 300


@dataclass(frozen=True, slots=True)
class Offer:
    """What one step offers: the tools, by the names under which the model may call them."""

    mode: str
    scope: tuple[str, ...]
    tools: tuple[Tool, ...]

    def find(self, name: str) -> Tool | None:
        """The offered tool of a name."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def to_json(self) -> dict[str, Json]:
        """The catalog as it is posted; a route without a scope sends none."""
        body: dict[str, Json] = {
            "mode": self.mode,
            "frontendTools": [declaration(tool) for tool in self.tools],
            "frontendState": [state(tool) for tool in self.tools],
        }
        if self.scope:
            body["scope"] = list(self.scope)
        return body


def declaration(tool: Tool) -> dict[str, Json]:
    """Declare a tool; nothing that moves with the page's state is in it."""
    return {
        "wireName": tool.name,
        "canonicalId": tool.canonical_id,
        "plane": tool.plane,
        "description": shorten(tool.description, MAX_DESCRIPTION),
        "inputSchema": copy_object(tool.input_schema),
        "effect": tool.effect,
        "confirmation": tool.confirmation.value,
    }


def state(tool: Tool) -> dict[str, Json]:
    """Say in which state a tool is."""
    entry: dict[str, Json] = {"wireName": tool.name, "available": tool.state.available}
    if tool.state.unavailable_reason is not None:
        entry["unavailableReason"] = shorten(tool.state.unavailable_reason, MAX_STATE_TEXT)
    if tool.state.note is not None:
        entry["note"] = shorten(tool.state.note, MAX_STATE_TEXT)
    return entry


def excess(offer: Offer, messages: Sequence[Json]) -> str | None:
    """What is too much to be posted at all, named with its count and its limit."""
    if len(offer.tools) > MAX_FRONTEND_TOOLS:
        return f"The page offers {len(offer.tools)} view tools, at most {MAX_FRONTEND_TOOLS} can be sent."
    if len(messages) > MAX_MESSAGES:
        return f"The conversation has {len(messages)} messages, at most {MAX_MESSAGES} can be sent."
    return None
