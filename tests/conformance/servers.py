"""Tiny servers for tests of the drivers: what they send, and how a connection ends, is decided byte by byte."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import httpx

from conformance.drivers.http import Budget, Http, open_connections
from conformance.target_tables import Limits
from conformance.transcript import Transcript

Handler = Callable[["Connection"], object]


@dataclass
class Connection:
    """One accepted connection: its request, once read, and its socket."""

    sock: socket.socket
    head: bytes = b""
    body: bytes = b""

    def read(self) -> None:
        """Read one request."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.sock.recv(65536)
        self.head, _, self.body = data.partition(b"\r\n\r\n")
        length = next(
            (
                int(line.split(b":")[1])
                for line in self.head.lower().split(b"\r\n")
                if b"content-length" in line
            ),
            0,
        )
        while len(self.body) < length:
            self.body += self.sock.recv(65536)

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.sock.sendall(data)

    def answer(
        self, body: bytes, status: int = 200, media_type: str = "application/json", extra: str = ""
    ) -> None:
        """Send a whole answer."""
        head = (
            f"HTTP/1.1 {status} X\r\ncontent-type: {media_type}\r\ncontent-length: {len(body)}\r\n{extra}\r\n"
        )
        self.send(head.encode() + body)

    def begin_stream(self, media_type: str = "application/x-ndjson") -> None:
        """Send the head of an answer that ends with its connection."""
        self.send(f"HTTP/1.1 200 OK\r\ncontent-type: {media_type}\r\nconnection: close\r\n\r\n".encode())

    def ending(self) -> str:
        """Wait until the other side hangs up, and say how it did."""
        try:
            return "closed" if self.sock.recv(1) == b"" else "sent more"
        except ConnectionResetError:
            return "reset"


@dataclass
class Server:
    """A server on the loopback address that hands each connection, its request read, to one function."""

    handler: Handler
    _listener: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))
    _threads: list[threading.Thread] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Self:
        """Begin to accept connections."""
        self._start(self._accept)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop accepting, and wait for the handlers."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(5)

    def _start(self, target: Callable[[], None]) -> None:
        thread = threading.Thread(target=target, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                sock, _ = self._listener.accept()
                self._start(lambda sock=sock: self._serve(sock))  # type: ignore[misc]

    def _serve(self, sock: socket.socket) -> None:
        with sock, contextlib.suppress(OSError):
            sock.settimeout(5)
            connection = Connection(sock)
            connection.read()
            self.handler(connection)


@contextlib.contextmanager
def http_to(url: str, **limits: float) -> Iterator[Http]:
    """A client of the suite for one address."""
    client: httpx.Client
    with open_connections() as client:
        yield Http(lambda: url, client, Budget(Limits.model_validate(limits)), Transcript())
