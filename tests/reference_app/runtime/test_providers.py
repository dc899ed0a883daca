"""What holds for every provider: asked once, told of in our own words, and never finished before its end."""

from __future__ import annotations

import json

import pytest

from reference_app.runtime.model import ModelError, ModelFinished
from reference_app.runtime.providers import MODELS
from reference_app.runtime.providers.sdk import accepted_name
from reference_app.settings import PROVIDERS
from tests.reference_app.runtime.canned import chat_chunk, event, events_of, provider

pytestmark = pytest.mark.anyio

SECRET = "CANARY-PROVIDER"
MESSAGE = {"id": "x", "role": "assistant", "content": [], "model": "m"}
HALF = {
    "openai-chat": chat_chunk({"content": "half"}),
    "openai-responses": event("response.output_text.delta", delta="half"),
    "anthropic": event("message_start", message=MESSAGE)
    + event("content_block_delta", index=0, delta={"type": "text_delta", "text": "half"}),
}
WHOLE = {
    "openai-chat": chat_chunk({}, "stop") + "data: [DONE]\n\n",
    "openai-responses": event("response.completed", response={"status": "completed", "usage": None}),
    "anthropic": event("message_delta", delta={"stop_reason": "end_turn"}) + event("message_stop"),
}
ERROR = {
    "openai-chat": f"data: {json.dumps({'error': {'message': SECRET}})}\n\n",
    "openai-responses": event("error", message=SECRET, code="server_error", param=None),
    "anthropic": event("error", error={"type": "overloaded_error", "message": SECRET}),
}
STREAM = "text/event-stream"


def test_every_provider_that_can_be_named_has_a_client() -> None:
    """A setting that is accepted and then not served would fail with the first chat."""
    assert list(PROVIDERS) == list(MODELS)


@pytest.mark.parametrize("name", MODELS)
async def test_usage_that_is_not_reported_is_absent(name: str) -> None:
    """Zero tokens would be a statement that nobody made."""
    async with provider(name, HALF[name] + WHOLE[name]) as (client, _):
        finished = (await events_of(client))[-1]

    assert ModelFinished("stop", (), None) == finished


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    ("status", "body", "kind", "message"),
    [
        (
            "500 Oops",
            json.dumps({"error": {"message": SECRET}}),
            "application/json",
            "answered with status 500",
        ),
        ("429 Slow", SECRET, "text/plain", "answered with status 429"),
        ("302 Found\r\nlocation: http://127.0.0.1:9/elsewhere", "", "text/plain", "answered with status 302"),
        ("200 OK", f"<html>{SECRET}</html>", "text/html", "ended before"),
        ("200 OK\r\ncontent-length: 999", "", STREAM, "could not be (read|reached)"),
    ],
)
async def test_failures_are_told_in_our_own_words(
    name: str, status: str, body: str, kind: str, message: str
) -> None:
    """One request, no retry, and nothing of what the provider wrote: it may name keys, hosts or other people's data."""
    async with provider(name, body, status, kind) as (client, seen):
        with pytest.raises(ModelError, match=message) as caught:
            await events_of(client)

    assert len(seen) == 1
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("failure", ["error", "half", "broken"])
async def test_a_stream_that_fails_is_no_reply(name: str, failure: str) -> None:
    """Half an answer is never taken for a whole one."""
    broken = f"event: message_start\ndata: {{{SECRET}\n\n"
    tail, message = {
        "error": (ERROR[name], "within its stream"),
        "half": ("", "ended before"),
        "broken": (broken, "could not be read"),
    }[failure]
    async with provider(name, HALF[name] + tail) as (client, seen):
        with pytest.raises(ModelError, match=message) as caught:
            await events_of(client)

    assert len(seen) == 1
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("name", MODELS)
async def test_a_provider_that_is_not_there_is_said_to_be_unreachable(name: str) -> None:
    """A closed port is an error of the run, not of the application."""
    async with provider(name, "") as (client, _):
        pass
    with pytest.raises(ModelError, match="reached"):
        await events_of(client)


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("openai-chat", b"POST /v1/chat/completions "),
        ("openai-responses", b"POST /v1/responses "),
        ("anthropic", b"POST /v1/messages "),
    ],
)
async def test_each_format_has_its_address(name: str, target: bytes) -> None:
    """The address that is set leads to the format's own path."""
    async with provider(name, HALF[name] + WHOLE[name]) as (client, seen):
        await events_of(client)

    assert seen[0].startswith(target)


def test_a_name_is_made_one_that_providers_accept() -> None:
    """A model may call what it likes; in a history a provider takes 64 letters, digits, underscores and hyphens."""
    assert accepted_name("ü" * 100) == "_" * 64
    assert accepted_name("") == "_"
    assert accepted_name("domain_list-invoices") == "domain_list-invoices"
