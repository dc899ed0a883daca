"""Writes its text in another encoding."""

import socket

from tests.hosts.bare import FINISH, START, head, serve


def break_step(connection: socket.socket) -> None:
    """Send Latin-1 where UTF-8 is meant."""
    text = '{"type": "text-delta", "text": "überfällig"}\n'.encode("latin-1")
    connection.sendall(head() + START + text + FINISH)


serve(break_step)
