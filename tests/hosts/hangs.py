"""Takes a step and never answers."""

import socket
import threading

from tests.hosts.bare import serve


def break_step(_: socket.socket) -> None:
    """Wait for what does not come."""
    threading.Event().wait()


serve(break_step)
