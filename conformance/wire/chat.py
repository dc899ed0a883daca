"""The body of a chat step, in both protocol versions, and the messages that travel in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Message = Mapping[str, Any]
CLOSED_OBJECT: Mapping[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}


def wire_name(canonical_id: str) -> str:
    """The plain spelling of a short canonical id: the first colon becomes `_`, each dot `__`."""
    return canonical_id.replace(":", "_", 1).replace(".", "__")


@dataclass(frozen=True)
class Declaration:
    """A capability that a tab says it has: what it is called, what it takes, whether it can be used now."""

    canonical_id: str
    description: str = "[view · local-state] A capability that the suite declares."
    input_schema: Mapping[str, Any] = field(default_factory=lambda: dict(CLOSED_OBJECT))
    effect: str = "local-state"
    confirmation: str = "never"
    wire_name: str = ""
    plane: str = ""
    available: bool = True
    reason: str = ""
    note: str = ""

    @property
    def name(self) -> str:
        """The wire name: the one given, else the plain spelling."""
        return self.wire_name or wire_name(self.canonical_id)

    def descriptor(self) -> dict[str, Any]:
        """The declaration as version 2 sends it, without state."""
        return {
            "wireName": self.name,
            "canonicalId": self.canonical_id,
            "plane": self.plane or self.canonical_id.partition(":")[0],
            "description": self.description,
            "inputSchema": dict(self.input_schema),
            "effect": self.effect,
            "confirmation": self.confirmation,
        }

    def state(self) -> dict[str, Any]:
        """The state as version 2 sends it, beside the declarations."""
        state: dict[str, Any] = {"wireName": self.name, "available": self.available}
        if self.reason:
            state["unavailableReason"] = self.reason
        if self.note:
            state["note"] = self.note
        return state


@dataclass(frozen=True)
class Catalog:
    """What a tab declares in one step."""

    tools: tuple[Declaration, ...] = ()
    mode: str | None = "direct"
    scope: tuple[str, ...] | None = None
    truncated: Mapping[str, Any] | None = None

    def body(self) -> dict[str, Any]:
        """The `catalog` of a version 2 request."""
        body: dict[str, Any] = {
            "frontendTools": [tool.descriptor() for tool in self.tools],
            "frontendState": [tool.state() for tool in self.tools],
        }
        if self.mode is not None:
            body["mode"] = self.mode
        if self.scope is not None:
            body["scope"] = list(self.scope)
        if self.truncated is not None:
            body["truncated"] = dict(self.truncated)
        return body


@dataclass(frozen=True)
class StepRequest:
    """One step as a tab posts it."""

    conversation_id: str
    turn_id: str
    step_index: int
    messages: Sequence[Message]
    pathname: str
    catalog: Catalog = field(default_factory=Catalog)
    version: int = 2
    model_id: str | None = None

    def body(self) -> dict[str, Any]:
        """The JSON body."""
        body: dict[str, Any] = {
            "protocolVersion": self.version,
            "conversationId": self.conversation_id,
            "turnId": self.turn_id,
            "stepIndex": self.step_index,
            "messages": [dict(message) for message in self.messages],
        }
        if self.version == 1:
            return {**body, "frontendTools": [_v1_descriptor(tool) for tool in self.catalog.tools]}
        body |= {"pathname": self.pathname, "catalog": self.catalog.body()}
        if self.model_id is not None:
            body["modelId"] = self.model_id
        return body


def _v1_descriptor(tool: Declaration) -> dict[str, Any]:
    """Version 1 carries state inside the declaration."""
    descriptor = tool.descriptor() | {"available": tool.available}
    return descriptor | ({"unavailableReason": tool.reason} if tool.reason else {})


def user_message(text: str) -> Message:
    """What a person typed."""
    return {"role": "user", "content": text}


def tool_message(tool_call_id: str, name: str, value: Any) -> Message:
    """The result of one call, as a browser appends it."""
    part = {
        "type": "tool-result",
        "toolCallId": tool_call_id,
        "toolName": name,
        "output": {"type": "json", "value": value},
    }
    return {"role": "tool", "content": [part]}


def assistant_call(tool_call_id: str, name: str, value: Any) -> Message:
    """An assistant message with one call, as `responseMessages` carries it."""
    part = {"type": "tool-call", "toolCallId": tool_call_id, "toolName": name, "input": value}
    return {"role": "assistant", "content": [part]}
