"""The official OpenAI and Anthropic clients behind one face, so that a test can say once what holds for all three.

A conversation is a list of `Said` and `Answered`; each client turns it into its own messages.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

import anthropic
import httpx
import openai
from typing_extensions import override

TOOL_NAMES = ("domain_list-invoices", "domain_issue-invoice", "view_invoices__pending__setFilters")
"""What is offered where a test does not say."""

PLAIN = httpx.Client(verify=False, timeout=10)
"""A client of nobody's; without TLS it opens quickly."""

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"kind": {"type": "string"}},
    "additionalProperties": False,
}
"""The input schema of every tool that is offered."""


@cache
def _openai() -> openai.OpenAI:
    """The client whose connections all tests share: opening one takes longer than most tests."""
    return openai.OpenAI(base_url="http://127.0.0.1", api_key="any", max_retries=0)


@cache
def _anthropic() -> anthropic.Anthropic:
    """The same for the other package."""
    return anthropic.Anthropic(base_url="http://127.0.0.1", api_key="any", max_retries=0)


@dataclass(frozen=True)
class Called:
    """A tool call as a client saw it; `arguments` is the text that came."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Seen:
    """A reply as a client saw it, streamed or not."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[Called, ...] = ()
    finish: str | None = None
    usage: tuple[int, int] | None = None
    cached: int | None = None
    thinking_tokens: int | None = None


@dataclass(frozen=True)
class Said:
    """A message of the user's."""

    text: str


@dataclass(frozen=True)
class Answered:
    """The assistant's calls, and the results that they got, by the index of the call."""

    seen: Seen
    results: tuple[str, ...] = ()


Talk = list[Said | Answered]


@dataclass
class Gathered:
    """What a stream has brought so far."""

    text: str = ""
    reasoning: str = ""
    calls: dict[int, list[str]] = field(default_factory=dict)
    finish: str | None = None


class Client(ABC):
    """One provider's official client."""

    name: ClassVar[str]

    @abstractmethod
    def __init__(self, url: str) -> None:
        """Open the client on a fake model."""

    @abstractmethod
    def ask(self, talk: Talk, *, stream: bool, tools: Iterable[str] = TOOL_NAMES) -> Seen:
        """Ask for the next message and read it to its end."""


class ChatClient(Client):
    """OpenAI Chat Completions."""

    name = "openai-chat"

    def __init__(self, url: str) -> None:
        self.sdk = _openai().with_options(base_url=f"{url}/v1")

    @override
    def ask(self, talk: Talk, *, stream: bool, tools: Iterable[str] = TOOL_NAMES) -> Seen:
        arguments: dict[str, Any] = {"model": "scripted", "messages": chat_messages(talk)}
        listed = [{"type": "function", "function": {"name": name, "parameters": SCHEMA}} for name in tools]
        if listed:
            arguments["tools"] = listed
        if not stream:
            return self._whole(self.sdk.chat.completions.create(**arguments))
        gathered, usage = Gathered(), None
        for chunk in self.sdk.chat.completions.create(**arguments, stream=True):
            usage = chunk.usage or usage
            for choice in chunk.choices:
                self._gather(gathered, choice)
        return _seen(gathered, usage and self._usage(usage))

    @staticmethod
    def _gather(gathered: Gathered, choice: Any) -> None:
        gathered.text += choice.delta.content or ""
        gathered.reasoning += getattr(choice.delta, "reasoning", None) or ""
        gathered.finish = choice.finish_reason or gathered.finish
        for call in choice.delta.tool_calls or []:
            known = gathered.calls.setdefault(call.index, [call.id, call.function.name, ""])
            known[2] += call.function.arguments or ""

    def _whole(self, completion: Any) -> Seen:
        choice = completion.choices[0]
        calls = tuple(
            Called(call.id, call.function.name, call.function.arguments)
            for call in choice.message.tool_calls or []
        )
        return Seen(
            choice.message.content or "",
            getattr(choice.message, "reasoning", None) or "",
            calls,
            choice.finish_reason,
            **(self._usage(completion.usage) if completion.usage else {}),
        )

    @staticmethod
    def _usage(usage: Any) -> dict[str, Any]:
        prompt, completion = usage.prompt_tokens_details, usage.completion_tokens_details
        return {
            "usage": (usage.prompt_tokens, usage.completion_tokens),
            "cached": prompt and prompt.cached_tokens,
            "thinking_tokens": completion and completion.reasoning_tokens,
        }


class ResponsesClient(Client):
    """OpenAI Responses."""

    name = "openai-responses"

    def __init__(self, url: str) -> None:
        self.sdk = _openai().with_options(base_url=f"{url}/v1")

    @override
    def ask(self, talk: Talk, *, stream: bool, tools: Iterable[str] = TOOL_NAMES) -> Seen:
        listed = [{"type": "function", "name": name, "parameters": SCHEMA, "strict": False} for name in tools]
        arguments: dict[str, Any] = {"model": "scripted", "input": response_items(talk), "tools": listed}
        if not stream:
            return self._whole(self.sdk.responses.create(**arguments))
        gathered, last = Gathered(), None
        for event in self.sdk.responses.create(**arguments, stream=True):
            last = self._gather(gathered, event) or last
        if last is None:
            return _seen(gathered, None)
        whole = self._whole(last)
        streamed = _seen(gathered, None)
        assert (whole.text, whole.reasoning, whole.calls) == (
            streamed.text,
            streamed.reasoning,
            streamed.calls,
        )
        return whole

    @staticmethod
    def _gather(gathered: Gathered, event: Any) -> Any:
        match event.type:
            case "response.output_text.delta":
                gathered.text += event.delta
            case "response.reasoning_summary_text.delta":
                gathered.reasoning += event.delta
            case "response.output_item.added" if event.item.type == "function_call":
                gathered.calls[event.output_index] = [event.item.call_id, event.item.name, ""]
            case "response.function_call_arguments.delta":
                gathered.calls[event.output_index][2] += event.delta
            case "response.completed" | "response.incomplete":
                return event.response
            case "error":
                raise openai.APIError(event.message, request=None, body=None)  # type: ignore[arg-type]
        return None

    @staticmethod
    def _whole(response: Any) -> Seen:
        calls = tuple(
            Called(item.call_id, item.name, item.arguments)
            for item in response.output
            if item.type == "function_call"
        )
        summaries = [
            part.text for item in response.output if item.type == "reasoning" for part in item.summary
        ]
        reason = response.incomplete_details and response.incomplete_details.reason
        usage = response.usage
        return Seen(
            response.output_text,
            "".join(summaries),
            calls,
            reason or response.status,
            usage and (usage.input_tokens, usage.output_tokens),
            usage and usage.input_tokens_details.cached_tokens,
            usage and usage.output_tokens_details.reasoning_tokens,
        )


class AnthropicClient(Client):
    """Anthropic Messages."""

    name = "anthropic"

    def __init__(self, url: str) -> None:
        self.sdk = _anthropic().with_options(base_url=url)

    @override
    def ask(self, talk: Talk, *, stream: bool, tools: Iterable[str] = TOOL_NAMES) -> Seen:
        arguments: dict[str, Any] = {
            "model": "scripted",
            "max_tokens": 1000,
            "messages": anthropic_messages(talk),
            "tools": [{"name": name, "input_schema": SCHEMA} for name in tools],
        }
        if not stream:
            return self._whole(self.sdk.messages.create(**arguments))
        gathered, usage = Gathered(), None
        for event in self.sdk.messages.create(**arguments, stream=True):
            usage = self._gather(gathered, event) or usage
        return _seen(gathered, usage and self._usage(usage))

    @staticmethod
    def _gather(gathered: Gathered, event: Any) -> Any:
        match event.type:
            case "content_block_start" if event.content_block.type == "tool_use":
                gathered.calls[event.index] = [event.content_block.id, event.content_block.name, ""]
            case "content_block_delta" if event.delta.type == "text_delta":
                gathered.text += event.delta.text
            case "content_block_delta" if event.delta.type == "thinking_delta":
                gathered.reasoning += event.delta.thinking
            case "content_block_delta" if event.delta.type == "input_json_delta":
                gathered.calls[event.index][2] += event.delta.partial_json
            case "message_delta":
                gathered.finish = event.delta.stop_reason
                return event.usage
        return None

    def _whole(self, message: Any) -> Seen:
        texts = [block.text for block in message.content if block.type == "text"]
        thoughts = [block.thinking for block in message.content if block.type == "thinking"]
        calls = tuple(
            Called(block.id, block.name, json.dumps(block.input))
            for block in message.content
            if block.type == "tool_use"
        )
        return Seen(
            "".join(texts),
            "".join(thoughts),
            calls,
            message.stop_reason,
            **(self._usage(message.usage) if message.usage else {}),
        )

    @staticmethod
    def _usage(usage: Any) -> dict[str, Any]:
        details = usage.output_tokens_details
        return {
            "usage": (usage.input_tokens + (usage.cache_read_input_tokens or 0), usage.output_tokens),
            "cached": usage.cache_read_input_tokens,
            "thinking_tokens": details and details.thinking_tokens,
        }


def chat_messages(talk: Talk) -> list[dict[str, Any]]:
    """Return a conversation as Chat Completions messages."""
    messages: list[dict[str, Any]] = []
    for entry in talk:
        if isinstance(entry, Said):
            messages.append({"role": "user", "content": entry.text})
            continue
        calls = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in entry.seen.calls
        ]
        messages.append({"role": "assistant", "content": entry.seen.text, "tool_calls": calls})
        messages.extend(
            {"role": "tool", "tool_call_id": call.id, "content": result}
            for call, result in zip(entry.seen.calls, entry.results, strict=False)
        )
    return messages


def response_items(talk: Talk) -> list[dict[str, Any]]:
    """Return a conversation as Responses input items."""
    items: list[dict[str, Any]] = []
    for entry in talk:
        if isinstance(entry, Said):
            items.append({"role": "user", "content": [{"type": "input_text", "text": entry.text}]})
            continue
        items.extend(
            {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}
            for call in entry.seen.calls
        )
        items.extend(
            {"type": "function_call_output", "call_id": call.id, "output": result}
            for call, result in zip(entry.seen.calls, entry.results, strict=False)
        )
    return items


def anthropic_messages(talk: Talk) -> list[dict[str, Any]]:
    """Return a conversation as Anthropic messages."""
    messages: list[dict[str, Any]] = []
    for entry in talk:
        if isinstance(entry, Said):
            messages.append({"role": "user", "content": [{"type": "text", "text": entry.text}]})
            continue
        calls = [
            {
                "type": "tool_use",
                "id": call.id,
                "name": call.name,
                "input": json.loads(call.arguments or "{}"),
            }
            for call in entry.seen.calls
        ]
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": result}
            for call, result in zip(entry.seen.calls, entry.results, strict=False)
        ]
        messages.append(
            {"role": "assistant", "content": calls or [{"type": "text", "text": entry.seen.text}]}
        )
        if results:
            messages.append({"role": "user", "content": results})
    return messages


def _seen(gathered: Gathered, usage: dict[str, Any] | None) -> Seen:
    calls = tuple(Called(*parts) for _, parts in sorted(gathered.calls.items()))
    return Seen(gathered.text, gathered.reasoning, calls, gathered.finish, **(usage or {}))
