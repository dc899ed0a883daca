"""HTTP/1.1 on a socket that one controls: requests in, and for the answer each byte, each pause and the way it ends.

ASGI servers hide the socket; a fake provider needs it, to cut, to reset and to split where a script says.
"""

import asyncio
import socket
import struct
from collections import deque
from collections.abc import Callable, Coroutine
from functools import partial
from http import HTTPStatus
from typing import NamedTuple, cast

import httptools

Headers = tuple[tuple[str, str], ...]

MAX_BODY = 64 * 1024 * 1024
"""Largest request body in bytes; a bigger one is answered 413 and the connection closes."""

_REASONS = {status.value: status.phrase for status in HTTPStatus}


class HttpRequest(NamedTuple):
    """One request as it came; header names are in lower case.

    A tuple, like the other values that each request makes anew: making a frozen data class takes thrice as long.
    """

    method: str
    target: str
    headers: Headers
    body: bytes
    keep_alive: bool = True

    def header(self, name: str) -> str:
        """Return the first header of this name, or an empty text."""
        return next((value for key, value in self.headers if key == name), "")


def head(status: int, content_type: str, length: int | None, more: Headers = ()) -> bytes:
    """Return status line and headers; without a length the body is chunked."""
    framing = "transfer-encoding: chunked" if length is None else f"content-length: {length}"
    lines = [
        f"HTTP/1.1 {status} {_REASONS.get(status, 'Unknown')}",
        f"content-type: {content_type}",
        framing,
        *(f"{name}: {value}" for name, value in more),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def chunk(data: bytes) -> bytes:
    """Return one chunk of a chunked body."""
    return b"%x\r\n%b\r\n" % (len(data), data) if data else b""


LAST_CHUNK = b"0\r\n\r\n"

Handler = Callable[[HttpRequest, "Connection"], Coroutine[None, None, None] | None]
"""Answers a request: at once, or by a coroutine that runs until the answer is over."""


class Connection(asyncio.Protocol):
    """One client connection; requests are handled one after another."""

    def __init__(self, handler: Handler, open_connections: set["Connection"]) -> None:
        self._handler = handler
        self._open = open_connections
        self._parser = httptools.HttpRequestParser(self)
        self._transport: asyncio.Transport | None = None
        self._waiting: deque[HttpRequest] = deque()
        self._task: asyncio.Task[None] | None = None
        self._writable = asyncio.Event()
        self._begin()

    # What the parser calls while it reads.

    def on_url(self, url: bytes) -> None:
        """Take a piece of the request target."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take one header."""
        self._headers.append((name.decode("latin-1").lower(), value.decode("latin-1")))

    def on_headers_complete(self) -> None:
        """Let a client go on that asks before it sends its body."""
        if ("expect", "100-continue") in self._headers:
            self.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body."""
        self._size += len(body)
        if self._size <= MAX_BODY:
            self._body.append(body)

    def on_message_complete(self) -> None:
        """Hand the request on, or queue it behind the one that is being answered."""
        request = HttpRequest(
            self._parser.get_method().decode("latin-1"),
            self._url.decode("latin-1"),
            tuple(self._headers),
            self._body[0] if len(self._body) == 1 else b"".join(self._body),
            self._parser.should_keep_alive(),
        )
        too_large = self._size > MAX_BODY
        self._begin()
        if too_large:
            self._refuse(413, "expected a body of at most 64 MiB")
        elif self._task is None:
            self._start(request)
        else:
            self._waiting.append(request)

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember the transport."""
        self._transport = cast("asyncio.Transport", transport)  # a TCP server makes no other kind
        self._writable.set()
        self._open.add(self)

    def data_received(self, data: bytes) -> None:
        """Parse what came; what is not HTTP is answered 400."""
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            # An offer to upgrade may be ignored (RFC 9110, 7.8); the request was answered, and more may follow.
            self._parser = httptools.HttpRequestParser(self)
            self.data_received(data[upgrade.args[0] :])
        except httptools.HttpParserCallbackError as error:
            self._report(error.__context__ or error)
        except httptools.HttpParserError as error:
            self._refuse(400, f"expected HTTP/1.1: {error}")

    def connection_lost(self, _: Exception | None) -> None:
        """Stop the answer that is under way: its reader has gone."""
        self._transport = None
        self._writable.set()
        self._open.discard(self)
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()

    def pause_writing(self) -> None:
        """The reader is slower than we are."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """The reader has caught up."""
        self._writable.set()

    # What a handler calls.

    @property
    def is_open(self) -> bool:
        """Whether the other side is still there."""
        return self._transport is not None and not self._transport.is_closing()

    def write(self, data: bytes) -> None:
        """Send bytes; nothing happens once the reader is gone."""
        if self._transport is not None:
            self._transport.write(data)

    async def flush(self) -> None:
        """Wait until the reader takes more, and give the loop a turn so that each write leaves by itself."""
        await asyncio.sleep(0)
        await self._writable.wait()

    def hang_up(self) -> None:
        """Close the connection after what was written."""
        if self._transport is not None:
            self._transport.close()

    def reset(self) -> None:
        """Send a TCP reset: what was not read yet may be lost to the reader."""
        if self._transport is not None:
            sock = self._transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._transport.abort()

    def _begin(self) -> None:
        self._url = b""
        self._headers: list[tuple[str, str]] = []
        self._body: list[bytes] = []
        self._size = 0

    def _start(self, request: HttpRequest) -> None:
        answer = self._handler(request, self)
        if answer is None:
            self._answered(request)
        else:
            self._task = asyncio.get_running_loop().create_task(answer)
            self._task.add_done_callback(partial(self._task_done, request))

    def _task_done(self, request: HttpRequest, task: asyncio.Task[None]) -> None:
        self._task = None
        if task.cancelled():
            return
        if error := task.exception():
            self._report(error)
            return
        self._answered(request)
        while self._waiting and self._task is None:
            self._start(self._waiting.popleft())

    def _answered(self, request: HttpRequest) -> None:
        if not request.keep_alive:
            self.hang_up()

    def _report(self, error: BaseException) -> None:
        """Answer 500 for a mistake of our own, and let the loop print it: it must not pass for the application's."""
        context = {"message": "the fake model itself erred", "exception": error, "protocol": self}
        asyncio.get_running_loop().call_exception_handler(context)
        self._refuse(500, f"the fake model itself erred: {error!r}")

    def _refuse(self, status: int, message: str) -> None:
        body = message.encode()
        self.write(head(status, "text/plain; charset=utf-8", len(body), (("connection", "close"),)) + body)
        self.hang_up()
