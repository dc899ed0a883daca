"""Sends every frame of a step, the last one first."""

import socket

from tests.hosts.bare import FINISH, START, TEXT, head, serve


def break_step(connection: socket.socket) -> None:
    """Turn the order around."""
    connection.sendall(head() + FINISH + TEXT + START)


serve(break_step)
