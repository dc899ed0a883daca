"""How each provider's answers are listened to, streamed and whole."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import orjson

from fake_model.pointer import JsonValue
from fake_model.recording.heard import Heard, Listener
from fake_model.script import Finish, Usage

_CHAT_FINISH = {
    "stop": Finish.STOP,
    "tool_calls": Finish.TOOL_CALLS,
    "length": Finish.LENGTH,
    "content_filter": Finish.CONTENT_FILTER,
}

_ANTHROPIC_FINISH = {
    "end_turn": Finish.STOP,
    "tool_use": Finish.TOOL_CALLS,
    "max_tokens": Finish.LENGTH,
    "refusal": Finish.CONTENT_FILTER,
}

_INCOMPLETE = {"max_output_tokens": Finish.LENGTH, "content_filter": Finish.CONTENT_FILTER}


@dataclass(frozen=True, slots=True)
class Format:
    """How to listen to one provider: to the data of each event, and to a whole document.

    `endings` mark the event after which a client need not read on.
    """

    event: Callable[[Listener, JsonValue], None]
    document: Callable[[Listener, JsonValue], None]
    endings: tuple[bytes, ...]


def listen(provider: str, body: bytes, *, stream: bool) -> Heard:
    """Return what an answer said.

    Args:
        provider: the name of the wire format.
        body: the answer's whole body.
        stream: whether it is a stream of events.
    """
    listener, form = Listener(), FORMATS[provider]
    if not stream:
        form.document(listener, orjson.loads(body))
        return listener.heard()
    for data in events_in(body):
        form.event(listener, data)
    return listener.heard()


def is_over(provider: str, body: bytes | bytearray) -> bool:
    """Tell whether the last whole event in a stream is one after which a client need not read on."""
    if not body.endswith(b"\n\n"):
        return False
    start = body.rfind(b"\n\n", 0, len(body) - 2) + 1
    return any(ending in body[start:] for ending in FORMATS[provider].endings)


def events_in(body: bytes) -> Iterable[JsonValue]:
    """Yield the data of each event in a stream; an event that is no JSON, or not whole, is left out."""
    for line in body.splitlines():
        if line.startswith(b"data:"):
            try:
                yield orjson.loads(line[5:])
            except orjson.JSONDecodeError:
                continue


def _chat_event(listener: Listener, data: JsonValue) -> None:
    if data.get("usage"):
        listener.usage = _openai_usage(data["usage"], "prompt_tokens", "completion_tokens")
    for choice in data.get("choices") or ():
        _chat_delta(listener, choice.get("delta") or {})
        if choice.get("finish_reason"):
            listener.finish = _CHAT_FINISH.get(choice["finish_reason"], choice["finish_reason"])


def _chat_delta(listener: Listener, delta: JsonValue) -> None:
    listener.reason(delta.get("reasoning") or delta.get("reasoning_content") or "")
    listener.say(delta.get("content") or "")
    for call in delta.get("tool_calls") or ():
        function = call.get("function") or {}
        if call.get("id"):
            listener.begin_call(call["index"], call["id"], function.get("name") or "")
        listener.argue(call["index"], function.get("arguments") or "")


def _chat_document(listener: Listener, data: JsonValue) -> None:
    choice = data["choices"][0]
    message = choice["message"]
    calls = [{**call, "index": index} for index, call in enumerate(message.get("tool_calls") or ())]
    whole = {**choice, "delta": {**message, "tool_calls": calls}}
    _chat_event(listener, {"usage": data.get("usage"), "choices": [whole]})


def _anthropic_event(listener: Listener, data: JsonValue) -> None:
    match data.get("type"):
        case "message_start":
            _note_anthropic_usage(listener, data["message"].get("usage"))
        case "content_block_start" if data["content_block"]["type"] == "tool_use":
            listener.begin_call(data["index"], data["content_block"]["id"], data["content_block"]["name"])
        case "content_block_delta":
            delta = data["delta"]
            listener.say(delta.get("text") or "")
            listener.reason(delta.get("thinking") or "")
            listener.argue(data["index"], delta.get("partial_json") or "")
        case "message_delta":
            _note_anthropic_usage(listener, data.get("usage"))
            _note_anthropic_finish(listener, data["delta"].get("stop_reason"))


def _anthropic_document(listener: Listener, data: JsonValue) -> None:
    for index, block in enumerate(data["content"]):
        match block["type"]:
            case "text":
                listener.say(block["text"])
            case "thinking":
                listener.reason(block["thinking"])
            case "tool_use":
                listener.begin_call(index, block["id"], block["name"])
                listener.argue(index, orjson.dumps(block["input"]).decode())
    _note_anthropic_usage(listener, data.get("usage"))
    _note_anthropic_finish(listener, data.get("stop_reason"))


def _note_anthropic_finish(listener: Listener, reason: str | None) -> None:
    if reason:
        listener.finish = _ANTHROPIC_FINISH.get(reason, reason)


def _note_anthropic_usage(listener: Listener, usage: JsonValue) -> None:
    """Note figures; those that a later event leaves out stay as they were."""
    if not usage:
        return
    known = listener.usage or Usage(0, 0)
    cached = usage.get("cache_read_input_tokens")
    cached = known.cached if cached is None else cached
    total = known.input
    if usage.get("input_tokens") is not None:
        total = usage["input_tokens"] + (cached or 0) + (usage.get("cache_creation_input_tokens") or 0)
    thinking = (usage.get("output_tokens_details") or {}).get("thinking_tokens")
    listener.usage = Usage(total, usage.get("output_tokens") or 0, cached or None, thinking)


def _responses_event(listener: Listener, data: JsonValue) -> None:
    match data.get("type"):
        case "response.output_text.delta":
            listener.say(data["delta"])
        case "response.reasoning_summary_text.delta":
            listener.reason(data["delta"])
        case "response.output_item.added" if data["item"]["type"] == "function_call":
            listener.begin_call(data["output_index"], data["item"]["call_id"], data["item"]["name"])
        case "response.function_call_arguments.delta":
            listener.argue(data["output_index"], data["delta"])
        case "response.completed" | "response.incomplete":
            _note_responses_end(listener, data["response"])


def _responses_document(listener: Listener, data: JsonValue) -> None:
    for index, item in enumerate(data["output"]):
        match item["type"]:
            case "message":
                for part in item["content"]:
                    listener.say(part.get("text") or "")
            case "reasoning":
                for part in item["summary"]:
                    listener.reason(part["text"])
            case "function_call":
                listener.begin_call(index, item["call_id"], item["name"])
                listener.argue(index, item["arguments"])
    _note_responses_end(listener, data)


def _note_responses_end(listener: Listener, response: JsonValue) -> None:
    if response.get("usage"):
        listener.usage = _openai_usage(response["usage"], "input_tokens", "output_tokens", zero_is_none=True)
    reason = (response.get("incomplete_details") or {}).get("reason")
    calls = any(item["type"] == "function_call" for item in response["output"])
    if reason:
        listener.finish = _INCOMPLETE.get(reason, reason)
    elif response["status"] == "completed":
        listener.finish = Finish.TOOL_CALLS if calls else Finish.STOP
    else:
        listener.finish = response["status"]


def _openai_usage(usage: JsonValue, inputs: str, outputs: str, *, zero_is_none: bool = False) -> Usage:
    """Return figures; the Responses format always has the nested ones, so that a nought there says nothing."""
    cached = (usage.get(f"{inputs}_details") or {}).get("cached_tokens")
    reasoning = (usage.get(f"{outputs}_details") or {}).get("reasoning_tokens")
    if zero_is_none:
        cached, reasoning = cached or None, reasoning or None
    return Usage(usage[inputs], usage[outputs], cached, reasoning)


FORMATS = {
    "openai-chat": Format(_chat_event, _chat_document, (b"data: [DONE]",)),
    "openai-responses": Format(
        _responses_event, _responses_document, (b'"response.completed"', b'"response.incomplete"')
    ),
    "anthropic": Format(_anthropic_event, _anthropic_document, (b'"message_stop"',)),
}
"""By the name of the wire format."""
