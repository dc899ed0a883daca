"""How the lookalike talks to its model: two wire formats, and a history that is rewritten on the way.

System messages are hoisted to the front, adjacent user messages become one, a call without a result is dropped, a result without a
call gets one, and what begins with the assistant gets a person's "." before it.
"""

import json
import math
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

Message = Mapping[str, Any]
SILENCE = 45.0
DEEPEST = 200


class ModelFailed(Exception):  # noqa: N818 - what the provider said
    """The provider refused, or broke off with an error; the message is its own."""


def _no_json(name: str) -> Any:
    raise ValueError(name)


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs) or "__proto__" in dict(pairs):
        raise ValueError("two meanings")
    return dict(pairs)


def _is_deep(text: str) -> bool:
    """Whether brackets lie deeper than every reader goes; Python's own bound differs between its versions."""
    depth = deepest = 0
    for character in text:
        depth += (character in "[{") - (character in "]}")
        deepest = max(deepest, depth)
    return deepest > DEEPEST


@dataclass
class Call:
    """A call that the model makes; arguments that can't be read are none at all."""

    id: str
    name: str
    arguments: str = ""

    @property
    def input(self) -> Any:
        """What it is called with."""
        if self.is_ambiguous:
            return {}
        try:
            value = json.loads(self.arguments, parse_constant=_no_json)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def is_ambiguous(self) -> bool:
        """Whether two readers of JSON would take the arguments differently."""
        if _is_deep(self.arguments):
            return True
        try:
            json.loads(self.arguments, object_pairs_hook=_once_each, parse_float=_number)
        except ValueError as error:
            return not isinstance(error, json.JSONDecodeError)
        return False


@dataclass
class Said:
    """What came of one request to the model."""

    text: str = ""
    calls: list[Call] = field(default_factory=list)
    finish: str = "unknown"
    usage: dict[str, int] = field(default_factory=dict)


Piece = tuple[str, str]


@dataclass(frozen=True)
class Provider:
    """One provider: `anthropic` or `openrouter`."""

    kind: str
    base_url: str
    client: httpx.AsyncClient

    async def ask(
        self,
        system: Sequence[str],
        messages: Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        said: Said,
    ) -> AsyncIterator[Piece]:
        """Ask once, fill `said`, and yield `("text", …)` and `("reasoning", …)` as they come.

        Raises:
            ModelFailed: the provider refuses or sends an error.
        """
        anthropic = self.kind == "anthropic"
        body = (anthropic_body if anthropic else openrouter_body)(system, rewritten(messages), tools)
        path = "/messages" if anthropic else "/chat/completions"
        headers = (
            {"x-api-key": "x", "anthropic-version": "2023-06-01"}
            if anthropic
            else {"authorization": "Bearer x"}
        )
        try:
            async with self.client.stream(
                "POST", self.base_url + path, json=body, headers=headers
            ) as response:
                if response.status_code != 200:
                    raise ModelFailed(_refusal(await response.aread()))
                async for line in response.aiter_lines():
                    if line.startswith("data:") and (data := line[5:].strip()) != "[DONE]":
                        for piece in (read_anthropic if anthropic else read_openrouter)(_event(data), said):
                            yield piece
        except httpx.RemoteProtocolError:
            return  # cut in the middle: what there is stands, and nothing says so
        except httpx.HTTPError as error:
            raise ModelFailed(str(error) or type(error).__name__) from None


def _refusal(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"]["message"])[:300]
    except (ValueError, KeyError, TypeError):
        return "Internal Server Error"


def _event(data: str) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        raise ModelFailed(f"JSON parsing failed: Text: {data}.") from None


def parts_of(message: Message) -> list[Mapping[str, Any]]:
    """The parts of a message; a text is one."""
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return [part for part in content or [] if isinstance(part, Mapping)]


def rewritten(messages: Sequence[Message]) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """The history as roles with parts, in which each call has one result right after it."""
    results = {
        str(part["toolCallId"]): part
        for message in messages
        for part in parts_of(message)
        if part.get("type") == "tool-result"
    }
    turns: list[tuple[str, list[Mapping[str, Any]]]] = []
    called: set[str] = set()
    for message in messages:
        role = message.get("role")
        kept = [part for part in parts_of(message) if _stays(part, results)]
        called |= {str(part["toolCallId"]) for part in kept if part["type"] == "tool-call"}
        if role == "tool":
            orphans = [part for part in kept if str(part["toolCallId"]) not in called]
            called |= {str(part["toolCallId"]) for part in orphans}
            if orphans:
                turns.append(("assistant", [_made_up(part) for part in orphans]))
        if kept and role in ("user", "assistant", "tool"):
            if turns and turns[-1][0] == role:
                turns[-1][1].extend(kept)
            else:
                turns.append((str(role), kept))
    if turns and turns[0][0] == "assistant":
        turns.insert(0, ("user", [{"type": "text", "text": "."}]))
    return turns


def _stays(part: Mapping[str, Any], results: Mapping[str, Any]) -> bool:
    kind = part.get("type")
    return kind in ("text", "tool-result") or (kind == "tool-call" and str(part["toolCallId"]) in results)


def _made_up(part: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "tool-call", "toolCallId": part["toolCallId"], "toolName": part["toolName"], "input": {}}


def output_text(part: Mapping[str, Any]) -> str:
    """A result as the text that the model reads."""
    output = part.get("output")
    value = output.get("value") if isinstance(output, Mapping) else output
    is_text = isinstance(output, Mapping) and output.get("type") == "text"
    return str(value) if is_text else json.dumps(value, ensure_ascii=False)


def anthropic_body(system: Sequence[str], turns: Any, tools: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The body of `POST /messages`."""
    messages = [
        {
            "role": "assistant" if role == "assistant" else "user",
            "content": [_anthropic_part(part) for part in parts],
        }
        for role, parts in turns
    ]
    return {
        "model": "claude-sonnet-4-5",
        "max_tokens": 64000,
        "system": [{"type": "text", "text": one} for one in system],
        "messages": messages,
        "tools": [
            {
                "name": tool["name"],
                "description": tool["description"],
                "input_schema": tool["schema"],
                "eager_input_streaming": True,
            }
            for tool in tools
        ],
        "tool_choice": {"type": "auto"},
        "stream": True,
    }


def _anthropic_part(part: Mapping[str, Any]) -> dict[str, Any]:
    if part["type"] == "tool-call":
        value = part.get("input")
        return {
            "type": "tool_use",
            "id": part["toolCallId"],
            "name": part["toolName"],
            "input": value if isinstance(value, dict) else {},
        }
    if part["type"] == "tool-result":
        return {"type": "tool_result", "tool_use_id": part["toolCallId"], "content": output_text(part)}
    return {"type": "text", "text": part.get("text", "")}


def openrouter_body(system: Sequence[str], turns: Any, tools: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The body of `POST /chat/completions`."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": [{"type": "text", "text": one}]} for one in system
    ]
    for role, parts in turns:
        words = [part for part in parts if part["type"] == "text"]
        if role == "tool":
            messages += [
                {
                    "role": "tool",
                    "tool_call_id": part["toolCallId"],
                    "content": output_text(part),
                    "name": part["toolName"],
                }
                for part in parts
                if part["type"] == "tool-result"
            ]
        elif role == "user":
            content = (
                words[0]["text"] if len(words) == 1 else [{"type": "text", "text": w["text"]} for w in words]
            )
            messages.append({"role": "user", "content": content})
        else:
            calls = [
                {
                    "id": part["toolCallId"],
                    "type": "function",
                    "function": {"name": part["toolName"], "arguments": json.dumps(part.get("input"))},
                }
                for part in parts
                if part["type"] == "tool-call"
            ]
            message = {"role": "assistant", "content": "".join(part["text"] for part in words)}
            messages.append({**message, "tool_calls": calls} if calls else message)
    return {
        "model": "anthropic/claude-sonnet-4.5",
        "messages": messages,
        "tools": [
            {
                "type": "function",
                "function": {"name": t["name"], "description": t["description"], "parameters": t["schema"]},
            }
            for t in tools
        ],
        "tool_choice": "auto",
        "stream": True,
    }


def read_anthropic(event: Any, said: Said) -> list[Piece]:
    """Take one event of the stream of messages."""
    kind = event.get("type")
    if kind == "error":
        raise ModelFailed(str(event.get("error", {}).get("message"))[:300])
    if kind == "message_start":
        usage = event["message"].get("usage") or {}
        cached = usage.get("cache_read_input_tokens") or 0
        said.usage |= {"in": (usage.get("input_tokens") or 0) + cached, "cached": cached}
    elif kind == "content_block_start" and event["content_block"]["type"] == "tool_use":
        said.calls.append(Call(event["content_block"]["id"], event["content_block"]["name"]))
    elif kind == "content_block_delta":
        return _anthropic_delta(event["delta"], said)
    elif kind == "message_delta":
        reason = str((event.get("delta") or {}).get("stop_reason"))
        said.finish = {"tool_use": "tool-calls", "end_turn": "stop", "max_tokens": "length"}.get(
            reason, "unknown"
        )
        said.usage["out"] = (event.get("usage") or {}).get("output_tokens") or 0
    return []


def _anthropic_delta(delta: Mapping[str, Any], said: Said) -> list[Piece]:
    if delta["type"] == "text_delta":
        said.text += delta["text"]
        return [("text", delta["text"])]
    if delta["type"] == "thinking_delta":
        return [("reasoning", delta["thinking"])]
    if delta["type"] == "input_json_delta":
        said.calls[-1].arguments += delta["partial_json"]
    return []


def read_openrouter(event: Any, said: Said) -> list[Piece]:
    """Take one chunk of a chat completion."""
    if "error" in event:
        raise ModelFailed(str(event["error"].get("message"))[:300])
    if usage := event.get("usage"):
        cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
        thought = (usage.get("completion_tokens_details") or {}).get("reasoning_tokens") or 0
        said.usage = {"in": usage["prompt_tokens"], "out": usage["completion_tokens"]}
        said.usage |= {"cached": cached, "thought": thought}
    pieces: list[Piece] = []
    for choice in event.get("choices", ()):
        delta = choice.get("delta") or {}
        if words := delta.get("content"):
            said.text += words
            pieces.append(("text", words))
        if thought := delta.get("reasoning") or delta.get("reasoning_content"):
            pieces.append(("reasoning", thought))
        for part in delta.get("tool_calls") or ():
            if part["index"] >= len(said.calls):
                said.calls.append(Call(part.get("id") or "", part["function"].get("name") or ""))
            said.calls[part["index"]].arguments += part["function"].get("arguments") or ""
        if reason := choice.get("finish_reason"):
            said.finish = {"tool_calls": "tool-calls"}.get(reason, reason)
    return pieces
