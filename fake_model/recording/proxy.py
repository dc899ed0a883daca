"""The recorder: a server that passes each request on, and the answer back as it comes, and keeps a tape of both."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from fake_model import http
from fake_model.background import Background
from fake_model.errors import RequestError
from fake_model.http import Connection, Headers, HttpRequest
from fake_model.providers.base import Provider, compact
from fake_model.recording.formats import is_over, listen
from fake_model.recording.tape import Failed, Tape
from fake_model.request import ModelRequest
from fake_model.server import PROVIDERS

_OURS = frozenset(
    {
        "host",
        "content-length",
        "connection",
        "accept-encoding",
        "transfer-encoding",
        "content-encoding",
        "keep-alive",
    }
)
"""Headers that belong to one connection, or would compress what is to be read."""


class Recorder:
    """Passes requests on to a provider and writes scripts of its answers.

    Args:
        upstream: the provider's address, without `/v1`; the path of each request is put behind it.
        directory: where the scripts go, one file a conversation.
        host: the address to listen on.
        port: the port; 0 takes a free one.
    """

    def __init__(
        self, upstream: str, directory: Path | str, *, host: str = "127.0.0.1", port: int = 0
    ) -> None:
        self._upstream = upstream.rstrip("/")
        self._tape = Tape(Path(directory))
        self._host = host
        self._port = port
        self._connections: set[Connection] = set()
        self._client: httpx.AsyncClient | None = None
        self._background = Background(self._listen, self._stop)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> Self:
        """Begin to listen; raises FakeModelError when that does not succeed."""
        self._port = self._background.start()
        return self

    def close(self) -> None:
        """Stop listening; what was recorded is in the files already."""
        self._background.close()

    @property
    def url(self) -> str:
        """Where the recorder listens, without `/v1`."""
        return f"http://{self._host}:{self._port}"

    async def _listen(self) -> asyncio.Server:
        self._client = httpx.AsyncClient(timeout=httpx.Timeout(None, connect=10.0), trust_env=False)
        loop = asyncio.get_running_loop()
        return await loop.create_server(
            lambda: Connection(self._handle, self._connections), self._host, self._port
        )

    async def _stop(self) -> None:
        for connection in tuple(self._connections):
            connection.reset()
        if self._client is not None:
            await self._client.aclose()

    def _handle(self, request: HttpRequest, connection: Connection) -> Coroutine[None, None, None]:
        return self._pass_on(request, connection)

    async def _pass_on(self, request: HttpRequest, connection: Connection) -> None:
        if self._client is None:
            raise RuntimeError("the recorder handles requests only while it listens")
        headers = [(name, value) for name, value in request.headers if name not in _OURS]
        outgoing = self._client.build_request(
            request.method,
            f"{self._upstream}{request.target}",
            headers=[*headers, ("accept-encoding", "identity")],
            content=request.body,
        )
        try:
            answer = await self._client.send(outgoing, stream=True)
        except httpx.TransportError as error:
            _say_unreachable(connection, f"expected an answer from {self._upstream}: {error!r}")
            return
        try:
            await self._pass_back(request, answer, connection)
        finally:
            await answer.aclose()

    async def _pass_back(self, request: HttpRequest, answer: httpx.Response, connection: Connection) -> None:
        more: Headers = tuple(
            (name, value) for name, value in answer.headers.items() if name not in _OURS | {"content-type"}
        )
        kind = answer.headers.get("content-type", "application/octet-stream")
        connection.write(http.head(answer.status_code, kind, None, more))
        take = _Take(self._tape, request, answer)
        try:
            async for data in answer.aiter_raw():
                take.add(data)
                connection.write(http.chunk(data))
                await connection.flush()
        except httpx.TransportError:
            take.end(broken=True)
            connection.hang_up()
            return
        take.end(broken=False)
        connection.write(http.LAST_CHUNK)


class _Take:
    """One answer on its way to the tape.

    It is put there before the bytes that end it are passed on: a client may then leave at once, and whoever asks for
    the script afterwards finds it.
    """

    def __init__(self, tape: Tape, request: HttpRequest, answer: httpx.Response) -> None:
        self._tape = tape
        self._status = answer.status_code
        self._retry_after: str | None = answer.headers.get("retry-after")
        self._provider = _provider_of(request)
        self._asked = _parsed(request, self._provider)
        self._body = bytearray()
        self._done = False

    def add(self, data: bytes) -> None:
        """Hear a piece of the body."""
        self._body += data
        if self._provider and self._status < 400 and is_over(self._provider.name, self._body):
            self.end(broken=False)

    def end(self, *, broken: bool) -> None:
        """Put the answer on the tape, once; what is no reply of a known format is not recorded."""
        if self._done or self._provider is None or self._asked is None:
            return
        self._done = True
        if self._status >= 400:
            failed = Failed(self._status, self._body.decode("utf-8", "replace"), self._retry_after)
            self._tape.failed(self._asked, failed)
        elif self._asked.stream or not broken:
            heard = listen(self._provider.name, bytes(self._body), stream=self._asked.stream)
            self._tape.heard(self._asked, heard, self._body.count(b"\n\n") if broken else None)


def _parsed(request: HttpRequest, provider: Provider | None) -> ModelRequest | None:
    try:
        return provider.parse(request.body) if provider else None
    except RequestError:
        return None


def _provider_of(request: HttpRequest) -> Provider | None:
    path = request.target.partition("?")[0]
    if request.method != "POST":
        return None
    return next((provider for provider in PROVIDERS if path.endswith(provider.path)), None)


def _say_unreachable(connection: Connection, message: str) -> None:
    body = compact(
        {"error": {"message": message, "type": "server_error", "param": None, "code": "unreachable"}}
    )
    connection.write(http.head(502, "application/json", len(body)) + body)
