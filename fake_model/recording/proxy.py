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
from fake_model.recording.formats import listen
from fake_model.recording.tape import Failed, Tape
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
        body: list[bytes] = []
        try:
            async for data in answer.aiter_raw():
                body.append(data)
                connection.write(http.chunk(data))
                await connection.flush()
        except httpx.TransportError:
            self._record(request, answer, b"".join(body), broken=True)
            connection.hang_up()
            return
        self._record(request, answer, b"".join(body), broken=False)
        connection.write(http.LAST_CHUNK)

    def _record(self, request: HttpRequest, answer: httpx.Response, body: bytes, *, broken: bool) -> None:
        """Put an answer on the tape; what is no request for a reply is passed on and not recorded."""
        provider = _provider_of(request)
        if provider is None:
            return
        try:
            asked = provider.parse(request.body)
        except RequestError:
            return
        if answer.status_code >= 400:
            retry_after = answer.headers.get("retry-after")
            self._tape.failed(asked, Failed(answer.status_code, body.decode("utf-8", "replace"), retry_after))
            return
        if broken and not asked.stream:
            return
        heard = listen(provider.name, body, stream=asked.stream)
        self._tape.heard(asked, heard, body.count(b"\n\n") if broken else None)


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
