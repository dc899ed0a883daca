"""Sends whoever posts a step elsewhere, to the address in `ELSEWHERE`."""

import os
import socket

from tests.hosts.bare import response, serve


def break_step(connection: socket.socket) -> None:
    """Point to another server."""
    location = f"location: {os.environ['ELSEWHERE']}/agent/chat\r\n"
    connection.sendall(response(b"", status="307 Temporary Redirect", extra=location))


serve(break_step)
