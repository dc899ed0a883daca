"""What the server sends, validated against the types of the providers' own Python packages.

The clients read leniently; a field that is missing or misspelt would show only in the application under test, and be
taken for its mistake.
"""

import json
from typing import Any

import httpx
import pytest
from anthropic.types import Message as AnthropicMessage
from anthropic.types import ModelInfo, RawMessageStreamEvent
from openai.types import Model
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from fake_model import FakeModel, call, gate, reason, say, script, step, turn, usage
from tests.fake_model.clients import PLAIN, SCHEMA

PATHS = {"openai-chat": "chat/completions", "openai-responses": "responses", "anthropic": "messages"}

WHOLE: dict[str, TypeAdapter[Any]] = {
    "openai-chat": TypeAdapter(ChatCompletion),
    "openai-responses": TypeAdapter(Response),
    "anthropic": TypeAdapter(AnthropicMessage),
}

EVENT: dict[str, TypeAdapter[Any]] = {
    "openai-chat": TypeAdapter(ChatCompletionChunk),
    "openai-responses": TypeAdapter(ResponseStreamEvent),
    "anthropic": TypeAdapter(RawMessageStreamEvent),
}

REPLIES = {
    "text": step(say("Three ", "are overdue.")),
    "reasoning": step(reason("Hm", "m."), say("Three.")),
    "calls": step(
        say("Let me look."),
        call("domain_list-invoices", {"kind": "all"}, pieces=2),
        call("domain_list-invoices"),
    ),
    "text after a call": step(call("domain_list-invoices"), say("And so on."), call("domain_list-invoices")),
    "a wait in a text": step(say("One, "), gate("open"), say("two.")),
    "length": step(say("Half"), finish="length"),
    "usage": step(say("Hi."), usage=usage(24, 16, cached=8, reasoning=4)),
    "nothing": step(),
}


def request_body(provider: str, prompt: str, *, stream: bool) -> dict[str, Any]:
    """Return a small request of a provider's format."""
    message = {"role": "user", "content": prompt}
    match provider:
        case "openai-chat":
            tool = {"type": "function", "function": {"name": "domain_list-invoices", "parameters": SCHEMA}}
            return {"model": "m", "stream": stream, "messages": [message], "tools": [tool]}
        case "openai-responses":
            tool = {"type": "function", "name": "domain_list-invoices", "parameters": SCHEMA}
            return {"model": "m", "stream": stream, "input": [message], "tools": [tool]}
        case _:
            tool = {"name": "domain_list-invoices", "input_schema": SCHEMA}
            return {"model": "m", "max_tokens": 9, "stream": stream, "messages": [message], "tools": [tool]}


def post(model: FakeModel, provider: str, prompt: str, *, stream: bool) -> httpx.Response:
    """Ask once, without any provider's client."""
    return PLAIN.post(f"{model.url}/v1/{PATHS[provider]}", json=request_body(provider, prompt, stream=stream))


def events(text: str) -> list[tuple[str | None, Any]]:
    """Return name and data of each server-sent event."""
    found = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n"))
        data = fields["data"]
        found.append((fields.get("event"), data if data == "[DONE]" else json.loads(data)))
    return found


@pytest.mark.parametrize("provider", PATHS)
@pytest.mark.parametrize("name", REPLIES)
def test_a_whole_reply_is_of_the_providers_type(model: FakeModel, provider: str, name: str) -> None:
    """The JSON document has every field that the provider's own type requires, with the type's values."""
    run = model.play(script(turn(REPLIES[name])))
    run.release("open")

    response = post(model, provider, run.prompt("Hello"), stream=False)

    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    WHOLE[provider].validate_json(response.content)


@pytest.mark.parametrize("provider", PATHS)
@pytest.mark.parametrize("name", REPLIES)
def test_each_event_is_of_the_providers_type(model: FakeModel, provider: str, name: str) -> None:
    """Every event of a stream has the fields that the provider's own type requires, and names itself rightly."""
    run = model.play(script(turn(REPLIES[name])))
    run.release("open")

    response = post(model, provider, run.prompt("Hello"), stream=True)

    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    for event, data in events(response.text):
        if data == "[DONE]" or event == "ping":
            continue
        EVENT[provider].validate_python(data)
        assert event == data.get("type")


def test_a_chat_stream_ends_with_usage_and_done(model: FakeModel) -> None:
    """Chat Completions ends as gateways end it: the finish, then the usage without choices, then `[DONE]`."""
    run = model.play(script(say("Hi.")))

    *_, finish, figures, done = events(post(model, "openai-chat", run.prompt("Hello"), stream=True).text)

    assert finish[1]["choices"][0]["finish_reason"] == "stop"
    assert (figures[1]["choices"], figures[1]["usage"]["total_tokens"]) == ([], 32)
    assert done == (None, "[DONE]")


def test_an_anthropic_stream_has_the_order_of_the_real_one(model: FakeModel) -> None:
    """Blocks are opened, filled and closed one after another, between the message's start and its end."""
    run = model.play(script(step(reason("Hm."), say("Look."), call("domain_list-invoices")), say(".")))

    seen = events(post(model, "anthropic", run.prompt("Hello"), stream=True).text)

    block = ["content_block_start", "content_block_delta", "content_block_stop"]
    thinking = [
        "content_block_start",
        "ping",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
    ]
    assert [event for event, _ in seen] == [
        "message_start",
        *thinking,
        *block,
        *block,
        "message_delta",
        "message_stop",
    ]
    assert [data["index"] for event, data in seen if event == "content_block_start"] == [0, 1, 2]


def test_a_responses_stream_numbers_its_events(model: FakeModel) -> None:
    """The sequence numbers count without a gap, and the last event holds everything that came before."""
    run = model.play(script(step(reason("Hm."), say("Look."), call("domain_list-invoices")), say(".")))

    seen = [
        data for _, data in events(post(model, "openai-responses", run.prompt("Hello"), stream=True).text)
    ]

    assert [data["sequence_number"] for data in seen] == list(range(len(seen)))
    assert [item["type"] for item in seen[-1]["response"]["output"]] == [
        "reasoning",
        "message",
        "function_call",
    ]


def test_the_list_of_models_is_of_both_providers_types(model: FakeModel) -> None:
    """One list serves both clients, because they ask under the same path."""
    response = PLAIN.get(f"{model.url}/v1/models")

    entry = response.json()["data"][0]
    assert Model.model_validate(entry).id == ModelInfo.model_validate(entry).id == "dualplane-scripted"
