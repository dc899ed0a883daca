"""A provider that answers every request with the same bytes, and what a client of ours makes of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from reference_app.runtime.conversation import UserText
from reference_app.runtime.model import ModelEvent, ModelFinished, ModelRequest, ReasoningDelta, TextDelta
from reference_app.runtime.providers import model_of
from reference_app.runtime.providers.sdk import SdkModel
from reference_app.settings import ModelSettings

REQUEST = ModelRequest("m", (UserText("hello"),), ())


def chat_chunk(delta: dict[str, Any] | None = None, finish: str | None = None, **more: Any) -> str:
    """One event of a Chat Completions stream."""
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    envelope = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return f"data: {json.dumps({**envelope, 'choices': choices, **more})}\n\n"


def event(kind: str, **fields: Any) -> str:
    """One event of a Responses or a Messages stream."""
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"


@asynccontextmanager
async def provider(
    name: str, body: str, status: str = "200 OK", kind: str = "text/event-stream"
) -> AsyncIterator[tuple[SdkModel, list[bytes]]]:
    """A client for one wire format in front of a canned answer, and the heads of the requests that came."""
    seen: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n"
        writer.write((head + body).encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    path = "" if name == "anthropic" else "/v1"
    client = model_of(ModelSettings(name, f"http://127.0.0.1:{port}{path}", "k", ("m",)))
    try:
        yield client, seen
    finally:
        await client.close()
        server.close()
        await server.wait_closed()


async def events_of(client: SdkModel) -> list[ModelEvent]:
    """What one reply brings, without mere progress."""
    async with client.stream(REQUEST) as stream:
        return [
            event async for event in stream if isinstance(event, TextDelta | ReasoningDelta | ModelFinished)
        ]


async def reply_of(name: str, *events: str) -> list[ModelEvent]:
    """What a client makes of these events."""
    async with provider(name, "".join(events)) as (client, _):
        return await events_of(client)
