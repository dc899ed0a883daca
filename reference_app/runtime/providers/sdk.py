"""What the providers' own SDKs have in common: imported when needed, asked once, read to the end, told of in our own words.

An SDK takes a second or two to import, so only the one that the settings name is, and only where somebody will chat.
"""

from __future__ import annotations

import asyncio
import importlib
import re
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import Any, ClassVar
from urllib.parse import urlsplit

from reference_app.runtime.conversation import ToolCall
from reference_app.runtime.model import ModelError, ModelEvent, ModelRequest, Usage
from reference_app.runtime.providers.reply import WITHIN_STREAM, Reply
from reference_app.settings import ModelSettings
from reference_app.strict_json import dumps_text

_CONNECT_SECONDS = 10.0
_NAME = re.compile(r"[^a-zA-Z0-9_-]")


class SdkModel(ABC):
    """A model behind a provider's own SDK.

    Args:
        settings: Where the provider is, and how to sign in there.
    """

    sdk: ClassVar[str]
    """The module to import."""

    client: ClassVar[str]
    """The class in it that talks to the provider."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._client: Any = None
        self._sdk: Any = None

    async def prepare(self) -> None:
        """Import the SDK, if nobody has chatted yet."""
        await self._connect()

    async def close(self) -> None:
        """Close the connections to the provider."""
        if self._client is not None:
            await self._client.close()

    @asynccontextmanager
    async def stream(self, request: ModelRequest) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        """Open one reply; see :class:`reference_app.runtime.model.Model`."""
        client = await self._connect()
        try:
            events = await self._open(client, request)
        except Exception as problem:
            raise self._failure(problem, None) from problem
        try:
            yield self._read(events, self._begin())
        finally:
            await events.close()

    @abstractmethod
    async def _open(self, client: Any, request: ModelRequest) -> Any:
        """Send the request and return the SDK's stream of events."""

    @abstractmethod
    def _begin(self) -> Reply:
        """An empty reply that understands the provider's events."""

    async def _connect(self) -> Any:
        if self._client is None:
            self._sdk = await asyncio.to_thread(importlib.import_module, self.sdk)
            self._client = getattr(self._sdk, self.client)(
                base_url=self._settings.base_url,
                api_key=self._settings.api_key or "none",
                max_retries=0,
                http_client=self._sdk.DefaultAsyncHttpxClient(
                    # The loop bounds the silence of a model; a second limit here would only blur whose it was.
                    timeout=self._sdk.Timeout(None, connect=_CONNECT_SECONDS),
                    # A redirect would carry the conversation and the key somewhere that nobody configured.
                    follow_redirects=False,
                    trust_env=not _is_loopback(self._settings.base_url),
                ),
            )
        return self._client

    async def _read(self, events: Any, reply: Reply) -> AsyncIterator[ModelEvent]:
        try:
            async for event in events:
                for brought in reply.take(event):
                    yield brought
        except Exception as problem:
            raise self._failure(problem, reply.usage) from problem
        if not reply.reason:
            raise ModelError("The model provider's stream ended before the reply was finished.", reply.usage)
        yield reply.finished()

    def _failure(self, problem: Exception, usage: Usage | None) -> ModelError:
        if isinstance(problem, ModelError):
            return problem
        return ModelError(_explain(problem, self._sdk), usage)


def accepted_name(name: str) -> str:
    """A name that a provider accepts in a history, also where the model wrote one that it would not."""
    return _NAME.sub("_", name)[:64] or "_"


def arguments_text(call: ToolCall) -> str:
    """The arguments of a call as the model wrote them, or might have."""
    return call.input if isinstance(call.input, str) else dumps_text(call.input)


def _explain(problem: Exception, sdk: Any) -> str:
    """What happened, without anything that the provider or the network library wrote."""
    if isinstance(problem, sdk.APIStatusError) and problem.status_code >= 300:
        return f"The model provider answered with status {problem.status_code}."
    if isinstance(problem, sdk.APIConnectionError):
        return "The model provider could not be reached."
    if isinstance(problem, sdk.APIError):
        return WITHIN_STREAM
    return "The model provider's stream could not be read."


def _is_loopback(base_url: str | None) -> bool:
    host = urlsplit(base_url or "").hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
