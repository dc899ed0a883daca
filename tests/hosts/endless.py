"""Begins a step and goes on for ever."""

import socket

from tests.hosts.bare import START, TEXT, head, serve


def break_step(connection: socket.socket) -> None:
    """Talk until nobody listens."""
    connection.sendall(head() + START)
    while True:
        connection.sendall(TEXT * 100)


serve(break_step)
