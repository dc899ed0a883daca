"""A relay between a tab and the application: what the tab asked for can be read, and its line can be cut.

It stands on the loopback, passes bytes on as they come in both directions, and keeps its address when the application behind it is
started again elsewhere. A case may have it answer the next chat step itself, as a host would that misbehaves.
"""

import asyncio
import contextlib
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httptools

from conformance.errors import LaunchError

_START_WITHIN = 10.0
_CHUNK = 65_536
_AT_ONCE = struct.pack("ii", 1, 0)
"""Closes with a reset: an answer whose end is the end of its connection must not look whole."""


@dataclass(frozen=True)
class Asked:
    """One request that a tab made.

    Attributes:
        method: `GET`, `POST`, …
        path: with its query, as the tab wrote it.
        headers: by lower-case name.
        body: as sent.
        ended: whether the answer has come to its end, or the line went down.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    ended: bool = False


@dataclass(frozen=True)
class Reply:
    """What the relay answers in the application's place.

    Attributes:
        body: the body.
        status: the HTTP status.
        media_type: of the body.
        cut: whether the line goes down after the body, whose length was not announced: a browser that is promised more
            may throw away what it has when the line goes down.
    """

    body: bytes
    status: int = 200
    media_type: str = "application/x-ndjson"
    cut: bool = False

    @property
    def raw(self) -> bytes:
        """The whole answer as it goes over the line."""
        length = "connection: close" if self.cut else f"content-length: {len(self.body)}"
        head = f"HTTP/1.1 {self.status} Scripted\r\ncontent-type: {self.media_type}\r\n{length}\r\n\r\n"
        return head.encode() + self.body


@dataclass
class _Record:
    method: str = ""
    path: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    body: bytearray = field(default_factory=bytearray)
    ended: bool = False

    def asked(self) -> Asked:
        path = self.path.decode("latin-1")
        return Asked(self.method, path, dict(self.headers), bytes(self.body), self.ended)


class Wiretap:
    """One relay, in a thread of its own.

    Args:
        upstream: the application's address; asked for at each new connection.
    """

    def __init__(self, upstream: Callable[[], str]) -> None:
        self.upstream = upstream
        self.url = ""
        self.offline = False
        self.replies: dict[str, deque[Reply]] = {}
        self._records: list[_Record] = []
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="wiretap", daemon=True)
        self._listening = threading.Event()

    def start(self) -> "Wiretap":
        """Begin to listen on a free port.

        Raises:
            LaunchError: it can't.
        """
        self._thread.start()
        if not self._listening.wait(_START_WITHIN) or not self.url:
            raise LaunchError("the relay in front of the tab could not listen on the loopback")
        return self

    @property
    def asked(self) -> tuple[Asked, ...]:
        """Every request since `forget`, in order."""
        return tuple(record.asked() for record in list(self._records))

    def forget(self) -> None:
        """Begin a new record, with the line up and nothing scripted."""
        self._records.clear()
        self.replies.clear()
        self.offline = False

    def answer(self, path: str, *replies: Reply) -> None:
        """Answer the next requests to a path with these, one each, instead of passing them on."""
        self.replies.setdefault(path, deque()).extend(replies)

    def cut(self) -> None:
        """Take the line down: every connection ends at once and none is accepted, until `mend`."""
        self.offline = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._drop_all)

    def mend(self) -> None:
        """Put the line up again."""
        self.offline = False

    def close(self) -> None:
        """Stop, and let go of every connection."""
        if self._loop is not None and self._stop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended by itself
                self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(_START_WITHIN)

    def note(self, record: _Record) -> None:
        """Keep a request that came in whole."""
        self._records.append(record)

    def _drop_all(self) -> None:
        for writer in list(self._writers):
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
            writer.transport.abort()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        finally:
            self._listening.set()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self._listening.set()
        await self._stop.wait()
        server.close()
        self._drop_all()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            if not self.offline:
                await _Line(self, reader, writer).run()
        except (OSError, asyncio.CancelledError):
            pass  # a line that went down is no news here: both ends see it; so is one that is open when the relay closes
        finally:
            self._writers.discard(writer)
            writer.transport.abort()


class _Line:
    """One connection of the tab's, and the one to the application that belongs to it."""

    def __init__(self, tap: Wiretap, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tap = tap
        self._reader = reader
        self._writer = writer
        self._parser = httptools.HttpRequestParser(self)
        self._record = _Record()
        self._whole = False
        self._open: deque[_Record] = deque()
        self._onward: asyncio.StreamWriter | None = None
        self._back: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Pass requests on until the tab hangs up."""
        raw = bytearray()
        try:
            while data := await self._reader.read(_CHUNK):
                raw += data
                self._parser.feed_data(data)
                if self._whole:
                    self._whole = False
                    await self._pass_on(bytes(raw))
                    raw.clear()
        except httptools.HttpParserError:
            pass  # not HTTP: the connection ends
        finally:
            await self._hang_up()

    async def _pass_on(self, raw: bytes) -> None:
        record = self._record
        self._tap.note(record)
        scripted = self._tap.replies.get(record.path.decode("latin-1").partition("?")[0])
        if scripted:
            self._say(scripted.popleft(), record)
            return
        self._open.append(record)
        if self._onward is None:
            address = urlsplit(self._tap.upstream())
            back, self._onward = await asyncio.open_connection(address.hostname, address.port)
            self._back = asyncio.create_task(self._bring_back(back))
        self._onward.write(raw)
        await self._onward.drain()

    def _say(self, reply: Reply, record: _Record) -> None:
        self._writer.write(reply.raw)
        record.ended = True
        if reply.cut:
            self._writer.close()

    async def _bring_back(self, back: asyncio.StreamReader) -> None:
        parser = httptools.HttpResponseParser(_Answers(self._open))
        with contextlib.suppress(OSError, httptools.HttpParserError):
            while data := await back.read(_CHUNK):
                self._writer.write(data)
                await self._writer.drain()
                parser.feed_data(data)
        self._writer.close()

    async def _hang_up(self) -> None:
        for record in (*self._open, self._record):
            record.ended = True
        if self._back is not None:
            self._back.cancel()
        if self._onward is not None:
            self._onward.transport.abort()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._record = _Record()

    def on_url(self, url: bytes) -> None:
        """Its target, perhaps in pieces."""
        self._record.path += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """One of its headers."""
        self._record.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_body(self, body: bytes) -> None:
        """A piece of its body."""
        self._record.body += body

    def on_message_complete(self) -> None:
        """It is here in whole."""
        self._record.method = self._parser.get_method().decode("latin-1")
        self._whole = True


@dataclass
class _Answers:
    """Marks requests as answered, in their order."""

    waiting: deque[_Record]

    def on_message_complete(self) -> None:
        """One answer has ended."""
        if self.waiting:
            self.waiting.popleft().ended = True
