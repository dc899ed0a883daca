"""A listener that nobody has a reason to speak to: what it hears has leaked."""

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self

_FIRST_LINE = 2048
_PATIENCE = 1.0


class Listener:
    """Accepts connections on the loopback and notes the first line of each."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._heard: list[str] = []
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    @property
    def heard(self) -> tuple[str, ...]:
        """The first line of everything that came in."""
        return tuple(self._heard)

    def __enter__(self) -> Self:
        """Begin to listen."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(_PATIENCE)

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                with connection, contextlib.suppress(OSError):
                    connection.settimeout(_PATIENCE)
                    line = connection.recv(_FIRST_LINE).decode("latin-1").partition("\r\n")[0]
                    self._heard.append(line or "a connection")
                    connection.sendall(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")
