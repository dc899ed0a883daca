"""Sends a proper step and calls it plain text."""

import socket

from tests.hosts.bare import FINISH, START, TEXT, response, serve


def break_step(connection: socket.socket) -> None:
    """Announce something else."""
    connection.sendall(response(START + TEXT + FINISH, kind="text/plain"))


serve(break_step)
