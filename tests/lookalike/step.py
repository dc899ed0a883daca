"""One step of the lookalike: what the model is offered, and the loop in which its calls run."""

import json
import re
import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.lookalike.governance import Governance, User
from tests.lookalike.ledger import CAPABILITIES, Capability
from tests.lookalike.provider import Call, Message, ModelFailed, Provider, Said
from tests.lookalike.request import StepBody, Unreadable

PROMPT = "You are the assistant inside a receivables console."
MOST_REQUESTS = 5
ID = re.compile(r"(view|domain|meta):[^.]+(\.[^.]+)*")
MISSING = "The tools defined for this step are the complete set that exists right now."
AMBIGUOUS = {
    "status": "error",
    "error": {"code": "INPUT_INVALID", "message": "Input can be read in two ways.", "retryable": False},
}
Frame = dict[str, Any]


@dataclass
class Step:
    """One step under way."""

    body: StepBody
    user: User
    governance: Governance
    provider: Provider
    id: str = field(default_factory=lambda: f"stp_{uuid.uuid4().hex[:12]}")
    added: list[Message] = field(default_factory=list)
    seen: list[Message] = field(default_factory=list)
    totals: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Compose the catalog: the server's tools that this person has on this page, then the tab's."""
        self.domain = {f"domain_{one.id}": one for one in CAPABILITIES if self._offers(one)}
        known = {f"domain:{one.id}" for one in self.domain.values()}
        self.collisions = [tool["canonicalId"] for tool in self.body.tools if tool["canonicalId"] in known]
        if self.collisions and self.body.version == 1:
            raise Unreadable(409, "CATALOG_COLLISION", f"Offered twice: {', '.join(self.collisions)}.")
        self.unreadable = [
            tool["canonicalId"] for tool in self.body.tools if not ID.fullmatch(tool["canonicalId"])
        ]
        # by canonical id only: a wire name that is taken shadows whoever had it
        passed_over = {*known, *self.unreadable}
        self.browser: dict[str, Mapping[str, Any]] = {}
        for tool in self.body.tools:
            if tool["canonicalId"] not in passed_over:
                passed_over.add(tool["canonicalId"])
                self.browser[tool["wireName"]] = tool

    def _offers(self, capability: Capability) -> bool:
        scope = self.body.scope
        return (
            capability.for_models
            and self.governance.reaches(self.user, capability)
            and (not scope or capability.tag in scope)
        )

    def tools(self) -> list[dict[str, Any]]:
        """What the model is offered."""
        offered = {
            name: {"name": name, "description": f"{one.id.replace('-', ' ')}.", "schema": one.schema}
            for name, one in self.domain.items()
        }
        for name, tool in self.browser.items():
            schema = {"$schema": "http://json-schema.org/draft-07/schema#", **tool["inputSchema"]}
            offered[name] = {"name": name, "description": tool["description"], "schema": schema}
        return list(offered.values())

    def system(self) -> list[str]:
        """The prompt, the state, and whatever was posted as a system message."""
        lines = []
        for name, state in self.body.states.items():
            if name in self.browser and (line := _state_line(self.browser[name]["canonicalId"], state)):
                lines.append(line)
        posted = [
            m["content"]
            for m in self.body.messages
            if m["role"] == "system" and isinstance(m["content"], str)
        ]
        block = ["Capability state (this step):\n" + "\n".join(lines)] if lines else []
        return [PROMPT, *posted, *block]

    async def frames(self) -> AsyncIterator[Frame]:
        """Run it."""
        yield self._start()
        for report in self._reports():
            yield report
        finish, pending = "stop", []
        history = [message for message in self.body.messages if message["role"] != "system"]
        for _ in range(MOST_REQUESTS):
            said = Said()
            try:
                async for kind, words in self.provider.ask(
                    self.system(), [*history, *self.seen], self.tools(), said
                ):
                    yield {"type": f"{kind}-delta", "text": words}
            except ModelFailed as failed:
                yield {"type": "error", "error": {"code": "MODEL_ERROR", "message": str(failed)}}
                said.finish, said.calls = "error", []
            self._count(said)
            async for frame in self._settle(said):
                yield frame
            finish = said.finish
            pending = [call for call in said.calls if call.name in self.browser]
            if pending or not said.calls:
                break
        for frame in self._end(finish, pending):
            yield frame

    def _start(self) -> Frame:
        tools = [
            {
                "wireName": name,
                "canonicalId": f"domain:{one.id}",
                "description": f"{one.id.replace('-', ' ')}.",
                "requiresApproval": False,
                "sideEffect": one.effect,
            }
            for name, one in self.domain.items()
        ]
        return {
            "type": "step-start",
            "stepId": self.id,
            "turnId": self.body.turn,
            "conversationId": self.body.conversation,
            "domainTools": tools,
            "scope": list(self.body.scope),
        }

    def _reports(self) -> list[Frame]:
        found = []
        if self.collisions:
            summary = f"{len(self.collisions)} duplicate path(s) dropped — kept the governed server tool"
            found.append(
                self._inspector("host", "catalog.collision", summary, {"capabilityIds": self.collisions})
            )
        if self.unreadable:
            data = {"capabilityIds": self.unreadable}
            found.append(self._inspector("host", "catalog.refused", "unreadable ids", data))
        if cut := self.body.truncated:
            summary = f"browser dropped {cut['dropped']} tool(s) — {cut['reason']}"
            found.append(self._inspector("host", "catalog.truncated", summary, dict(cut)))
        return found

    def _inspector(
        self, lane: str, kind: str, summary: str, data: Mapping[str, Any], capability: str = ""
    ) -> Frame:
        named = {"capabilityId": capability} if capability else {}
        correlation = {"conversationId": self.body.conversation, "turnId": self.body.turn, "stepId": self.id}
        return {
            "type": "inspector",
            "lane": lane,
            "eventType": kind,
            "summary": summary,
            "correlation": {**correlation, **named},
            "data": dict(data),
        }

    async def _settle(self, said: Said) -> AsyncIterator[Frame]:
        """Tell of the calls, and run those of the server."""
        parts: list[dict[str, Any]] = [{"type": "text", "text": said.text}] if said.text else []
        results: list[tuple[Call, Any, Any]] = []
        for call in said.calls:
            parts.append(
                {"type": "tool-call", "toolCallId": call.id, "toolName": call.name, "input": call.input}
            )
            yield self._told(call)
        for call in said.calls:
            if call.name in self.browser:
                continue
            if call.name not in self.domain:
                results.append((call, _no_such_tool(call.name), self._not_found(call.name)))
                continue
            if call.is_ambiguous:
                yield self._result_frame(call, said, ok=False, envelope=AMBIGUOUS)
                results.append((call, AMBIGUOUS, AMBIGUOUS))
                continue
            ok, envelope, events = self.governance.call(self.user, self.domain[call.name], call.input)
            for kind, data in events:
                name = self.domain[call.name].id
                yield self._inspector(
                    "runtime", f"capability.{kind}", f"capability.{kind} · {name}", data, name
                )
            yield self._result_frame(call, said, ok=ok, envelope=envelope)
            results.append((call, envelope, envelope))
        self._append(parts, results)

    def _result_frame(self, call: Call, said: Said, *, ok: bool, envelope: Mapping[str, Any]) -> Frame:
        """By the id alone: of two calls that share one, the last gives its name to both results."""
        last = [other for other in said.calls if other.id == call.id][-1]
        named = _name_of(call, self._canonical(last.name)) | {"wireName": last.name}
        return {**named, "type": "tool-result", "ok": ok, "result": dict(envelope)}

    def _append(self, parts: list[dict[str, Any]], results: list[tuple[Call, Any, Any]]) -> None:
        """Add to the history: what is handed back, and what the model is shown within this step, differ for unknown names."""
        for history, place in ((self.added, 1), (self.seen, 2)):
            if parts:
                history.append({"role": "assistant", "content": parts})
            if results:
                content = [_result(result[0], result[place]) for result in results]
                history.append({"role": "tool", "content": content})

    def _told(self, call: Call) -> Frame:
        if call.name not in self.browser and call.name not in self.domain:
            summary = f'model called "{call.name}" — in neither plane; answered NO_SUCH_TOOL'
            return self._inspector("host", "tool.unknown", summary, {"wireName": call.name})
        executor = "browser" if call.name in self.browser else "server"
        named = _name_of(call, self._canonical(call.name))
        return {**named, "type": "tool-call", "executor": executor, "input": call.input}

    def _canonical(self, name: str) -> str:
        if name in self.domain:
            return f"domain:{self.domain[name].id}"
        canonical: str = self.browser[name]["canonicalId"]
        return canonical

    def _not_found(self, name: str) -> str:
        available = ", ".join(tool["name"] for tool in self.tools())
        return f'Tool "{name}" not found. Available tools: {available}'

    def _count(self, said: Said) -> None:
        if said.finish == "error" and not said.usage:
            return
        self.totals["steps"] = self.totals.get("steps", 0) + 1
        for key in ("in", "out", "cached", "thought"):
            self.totals[key] = self.totals.get(key, 0) + said.usage.get(key, 0)

    def _end(self, finish: str, pending: list[Call]) -> list[Frame]:
        frame: Frame = {
            "type": "step-finish",
            "stepId": self.id,
            "finishReason": finish,
            "responseMessages": self.added,
            "pendingToolCalls": [
                {**_name_of(call, self._canonical(call.name)), "input": call.input} for call in pending
            ],
        }
        if not self.totals:
            return [frame]
        usage = self._usage()
        steps = usage["reportedSteps"]
        summary = f"{usage['inputTokens']} in · {usage['outputTokens']} out · {steps} model step{'s' * (steps != 1)}"
        return [self._inspector("runtime", "model.usage", summary, usage), {**frame, "usage": usage}]

    def _usage(self) -> dict[str, int]:
        totals = self.totals
        usage = {
            "inputTokens": totals["in"],
            "outputTokens": totals["out"],
            "totalTokens": totals["in"] + totals["out"],
        }
        cached = {"cachedInputTokens": totals["cached"]} if totals["cached"] else {}
        thought = {"reasoningTokens": totals["thought"]} if totals["thought"] else {}
        return {**usage, **cached, **thought, "reportedSteps": totals["steps"]}


def _state_line(canonical_id: str, state: Mapping[str, Any]) -> str:
    if state.get("available") is False:
        reason = " ".join(str(state.get("unavailableReason", "not now")).split())
        return f"- {canonical_id} — unavailable: {reason}"
    note = " ".join(str(state.get("note", "")).split())
    return f"- {canonical_id} — available; {note}" if note else ""


def _name_of(call: Call, canonical_id: str) -> Frame:
    return {"toolCallId": call.id, "wireName": call.name, "canonicalId": canonical_id}


def _result(call: Call, value: Any) -> dict[str, Any]:
    kind = "text" if isinstance(value, str) else "json"
    output = {"type": kind, "value": value}
    return {"type": "tool-result", "toolCallId": call.id, "toolName": call.name, "output": output}


def _no_such_tool(name: str) -> dict[str, Any]:
    message = f'There is no tool named "{name}". {MISSING}'
    return {"error": {"code": "NO_SUCH_TOOL", "message": message, "retry": "no"}}


def line_of(frame: Frame) -> bytes:
    """A frame as it goes over the wire."""
    return json.dumps(frame, ensure_ascii=False).encode() + b"\n"
