"""A host as small as it can be: it signs everybody in, answers every procedure with an empty list, and breaks its steps as told."""

import json
import re
import socket
import sys
import threading
from collections.abc import Callable

Break = Callable[[socket.socket], None]
NDJSON = "application/x-ndjson"


def serve(break_step: Break) -> None:
    """Serve until the process is ended; `break_step` gets the connection of each chat step, its request read to the end."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        sys.stdout.write(f"listening on http://127.0.0.1:{listener.getsockname()[1]}\n")
        sys.stdout.flush()
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=_answer, args=(connection, break_step), daemon=True).start()


def _answer(connection: socket.socket, break_step: Break) -> None:
    with connection:
        try:
            path = _read_request(connection)
            if path.startswith("/agent/chat"):
                break_step(connection)
            elif path.startswith("/sign-in"):
                connection.sendall(response(b"{}", extra="set-cookie: sid=somebody-signed-in; Path=/\r\n"))
            else:
                connection.sendall(response(b'{"json": []}'))
        except OSError:
            return


def _read_request(connection: socket.socket) -> str:
    """Read a whole request and return its path."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += _more(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
    while len(body) < (int(length[1]) if length else 0):
        body += _more(connection)
    return head.split()[1].decode()


def _more(connection: socket.socket) -> bytes:
    data = connection.recv(65536)
    if not data:
        raise ConnectionError("the client is gone")
    return data


def response(
    body: bytes, *, status: str = "200 OK", kind: str = "application/json", extra: str = ""
) -> bytes:
    """A whole HTTP answer."""
    return head(status=status, kind=kind, extra=f"content-length: {len(body)}\r\n{extra}") + body


def head(*, status: str = "200 OK", kind: str = NDJSON, extra: str = "") -> bytes:
    """The head of an answer that ends with its connection."""
    return f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n{extra}\r\n".encode()


def frame(kind: str, **fields: object) -> bytes:
    """One frame, as a line."""
    return json.dumps({"type": kind, **fields}).encode() + b"\n"


START = frame("step-start", stepId="s", turnId="t", conversationId="c", domainTools=[])
TEXT = frame("text-delta", text="Words. ")
FINISH = frame("step-finish", stepId="s", finishReason="stop", responseMessages=[], pendingToolCalls=[])
