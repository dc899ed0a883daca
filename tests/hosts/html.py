"""Answers a step with a page."""

import socket

from tests.hosts.bare import response, serve


def break_step(connection: socket.socket) -> None:
    """Serve what a browser would like to see."""
    connection.sendall(response(b"<!doctype html><h1>Welcome</h1>", kind="text/html"))


serve(break_step)
