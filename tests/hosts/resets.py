"""Resets the connection in the middle of a step."""

import socket
import struct

from tests.hosts.bare import START, TEXT, head, serve


def break_step(connection: socket.socket) -> None:
    """Pull the cable: what is closed without lingering is reset."""
    connection.sendall(head() + START + TEXT)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


serve(break_step)
