"""Says something and hangs up without a step-finish."""

import socket

from tests.hosts.bare import START, TEXT, head, serve


def break_step(connection: socket.socket) -> None:
    """Leave the end out."""
    connection.sendall(head() + START + TEXT)


serve(break_step)
