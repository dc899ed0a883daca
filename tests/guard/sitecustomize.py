"""Denies every connection that leaves the machine, in each Python process that finds this folder on its PYTHONPATH.

The file that `DUALPLANE_GUARD` names gets a line from every guarded process, and one for each attempt that was denied.
The hook sits below every Python library; what opens sockets without Python (uvloop) can't be imported.
"""

import os
import sys
from typing import Any

LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0", "::ffff:127.")
REPORT = os.environ.get("DUALPLANE_GUARD", "")


def note(what: str) -> None:
    """Add a line to the report; one write, so that processes do not mix theirs."""
    with open(REPORT, "a", encoding="utf-8") as report:
        report.write(f"{what}\n")


def leaves_the_machine(address: Any) -> bool:
    """Whether an address, as `connect`, `sendto` or `getaddrinfo` has it, is not this machine's own."""
    host = address[0] if isinstance(address, tuple) else address
    if host is None or not isinstance(address, tuple):
        return False  # the wildcard, or a socket in the file system
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    return not text.startswith(LOOPBACK)


def deny(event: str, arguments: tuple[Any, ...]) -> None:
    """The audit hook."""
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
    elif event == "socket.getaddrinfo":
        address = arguments[:2]
    else:
        return
    if leaves_the_machine(address):
        note(f"denied {event} {address!r} in {' '.join(sys.argv)}")
        raise PermissionError(f"{event} to {address!r} would leave the machine")


if REPORT:
    sys.modules["uvloop"] = None  # type: ignore[assignment]
    sys.addaudithook(deny)
    note(f"guarded {' '.join(sys.orig_argv)}")
