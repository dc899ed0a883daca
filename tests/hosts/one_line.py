"""Sends a gigabyte without a single newline."""

import socket

from tests.hosts.bare import START, head, serve

MEGABYTE = b"x" * 2**20


def break_step(connection: socket.socket) -> None:
    """Begin a frame that does not end before its gigabyte is full."""
    connection.sendall(head() + START + b'{"type": "text-delta", "text": "')
    for _ in range(1024):
        connection.sendall(MEGABYTE)


serve(break_step)
