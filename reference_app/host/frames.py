"""The frames of a step's stream: one JSON object a line (Host protocol)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

from reference_app.domain.audit import AuditEvent, Source, data_shown
from reference_app.host.catalog import Catalog, ServerTool
from reference_app.host.host_tools import HostTool
from reference_app.runtime.conversation import ToolCall
from reference_app.runtime.model import Usage
from reference_app.strict_json import JsonObject, JsonValue, dumps

Lane = Literal["runtime", "domain", "host"]


class Frame(Protocol):
    """One line of the stream."""

    def as_json(self) -> JsonObject:
        """The line as an object."""
        ...


@dataclass(frozen=True)
class Names:
    """Which step a frame belongs to."""

    step_id: str
    turn_id: str
    conversation_id: str


@dataclass(frozen=True)
class StepStart:
    """The first frame."""

    names: Names
    catalog: Catalog

    def as_json(self) -> JsonObject:
        """``{type, stepId, turnId, conversationId, domainTools, catalogMode, scope}``."""
        return {
            "type": "step-start",
            "stepId": self.names.step_id,
            "turnId": self.names.turn_id,
            "conversationId": self.names.conversation_id,
            "domainTools": [
                *map(_domain_tool, self.catalog.server),
                *map(_host_tool, self.catalog.host),
            ],
            "catalogMode": self.catalog.mode,
            "scope": list(self.catalog.scope),
        }


@dataclass(frozen=True)
class TextFrame:
    """A little more text or reasoning."""

    kind: Literal["text-delta", "reasoning-delta"]
    text: str

    def as_json(self) -> JsonObject:
        """``{type, text}``."""
        return {"type": self.kind, "text": self.text}


@dataclass(frozen=True)
class ToolCallFrame:
    """The model calls a tool."""

    call: ToolCall
    canonical_id: str
    executor: Literal["server", "browser"]

    def as_json(self) -> JsonObject:
        """``{type, toolCallId, wireName, canonicalId, executor, input}``."""
        return {
            "type": "tool-call",
            "toolCallId": self.call.id,
            "wireName": self.call.name,
            "canonicalId": self.canonical_id,
            "executor": self.executor,
            "input": self.call.input,
        }


@dataclass(frozen=True)
class ToolResultFrame:
    """A call has its result."""

    call: ToolCall
    canonical_id: str
    result: JsonValue

    def as_json(self) -> JsonObject:
        """``{type, toolCallId, wireName, canonicalId, ok, result}``."""
        return {
            "type": "tool-result",
            "toolCallId": self.call.id,
            "wireName": self.call.name,
            "canonicalId": self.canonical_id,
            "ok": is_ok(self.result),
            "result": self.result,
        }


@dataclass(frozen=True)
class InspectorFrame:
    """Something that happened, for people who look behind the scenes."""

    lane: Lane
    event_type: str
    summary: str
    correlation: JsonObject
    data: JsonValue

    def as_json(self) -> JsonObject:
        """``{type, lane, eventType, summary, correlation, data}``."""
        return {
            "type": "inspector",
            "lane": self.lane,
            "eventType": self.event_type,
            "summary": self.summary,
            "correlation": self.correlation,
            "data": self.data,
        }


@dataclass(frozen=True)
class ErrorFrame:
    """The run failed; the stream still ends with its step-finish."""

    code: str
    message: str

    def as_json(self) -> JsonObject:
        """``{type, error: {code, message}}``."""
        return {"type": "error", "error": {"code": self.code, "message": self.message[:300]}}


@dataclass(frozen=True)
class PendingCall:
    """A call that the tab has to execute."""

    call: ToolCall
    canonical_id: str

    def as_json(self) -> JsonObject:
        """``{toolCallId, wireName, canonicalId, input}``."""
        return {
            "toolCallId": self.call.id,
            "wireName": self.call.name,
            "canonicalId": self.canonical_id,
            "input": self.call.input,
        }


@dataclass(frozen=True)
class StepFinish:
    """The last frame."""

    step_id: str
    finish_reason: str
    response_messages: tuple[JsonObject, ...]
    pending: tuple[PendingCall, ...] = ()
    usage: Usage | None = field(default=None)

    def as_json(self) -> JsonObject:
        """``{type, stepId, finishReason, responseMessages, pendingToolCalls, usage?}``."""
        written: dict[str, JsonValue] = {
            "type": "step-finish",
            "stepId": self.step_id,
            "finishReason": self.finish_reason,
            "responseMessages": list(self.response_messages),
            "pendingToolCalls": [pending.as_json() for pending in self.pending],
        }
        if self.usage is not None:
            written["usage"] = usage_json(self.usage)
        return written


def encode(frame: Frame) -> bytes:
    """One frame as its line."""
    return dumps(frame.as_json()) + b"\n"


def is_ok(result: JsonValue) -> bool:
    """Whether a result is a success: an error envelope is not, and waiting for a person is not a failure."""
    return not (isinstance(result, dict) and (result.get("status") == "error" or "error" in result))


def usage_json(usage: Usage) -> JsonObject:
    """Token figures; what was not reported has no key."""
    written: dict[str, JsonValue] = {
        "inputTokens": usage.input_tokens,
        "outputTokens": usage.output_tokens,
        "totalTokens": usage.total_tokens,
        "reportedSteps": usage.reported_steps,
    }
    if usage.cached_input_tokens is not None:
        written["cachedInputTokens"] = usage.cached_input_tokens
    if usage.reasoning_tokens is not None:
        written["reasoningTokens"] = usage.reasoning_tokens
    return written


def from_audit(event: AuditEvent, names: Names) -> InspectorFrame:
    """An audit event as this step's stream shows it."""
    correlation: dict[str, JsonValue] = {
        "conversationId": names.conversation_id,
        "turnId": names.turn_id,
        "stepId": names.step_id,
    }
    if event.correlation.invocation_id is not None:
        correlation["invocationId"] = event.correlation.invocation_id
    if event.capability_id is not None:
        correlation["capabilityId"] = event.capability_id
    if event.execution_id is not None:
        correlation["executionId"] = event.execution_id
    shown = data_shown(event.type, event.data)
    return InspectorFrame(
        lane=_lane(event.source),
        event_type=event.type,
        summary=f"{event.type} · {event.capability_id}" if event.capability_id else event.type,
        correlation=correlation,
        data=shown,
    )


def _lane(source: Source) -> Lane:
    match source:
        case Source.DOMAIN:
            return "domain"
        case Source.HOST:
            return "host"
        case _:
            return "runtime"


def _host_tool(tool: HostTool) -> JsonObject:
    """A tool of the host's own changes nothing by itself, and nobody has to approve it."""
    return {
        "canonicalId": tool.canonical_id,
        "wireName": tool.wire_name,
        "description": tool.description,
        "requiresApproval": False,
        "sideEffect": "read",
    }


def _domain_tool(tool: ServerTool) -> JsonObject:
    return {
        "canonicalId": tool.canonical_id,
        "wireName": tool.wire_name,
        "description": tool.description,
        "requiresApproval": tool.requires_approval,
        "sideEffect": tool.side_effect,
    }
