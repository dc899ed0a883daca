"""The headless tab as a process, so that the page can be held against it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self


class HeadlessTab:
    """One tab process of somebody who is signed in.

    Args:
        base_url: Where the application is.
        cookie: The person's session, as a Cookie header.
        arguments: More arguments of the tab's command line.
    """

    def __init__(self, base_url: str, cookie: str, arguments: tuple[str, ...]) -> None:
        command = [sys.executable, "-m", "reference_app.tab", "--base-url", base_url, *arguments]
        self._cookie = cookie
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._count = 0
        self._read()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate(timeout=10)

    def open(self, route: str) -> None:
        """Open the page at a route."""
        self._ask("open", {"route": route, "session": {"headers": {"cookie": self._cookie}}})

    def act(self, name: str, args: Mapping[str, Any]) -> None:
        """Do a named thing on the screen."""
        self._ask("act", {"name": name, "args": dict(args)})

    def send(self, text: str) -> Any:
        """Type a message and wait until the turn is over."""
        return self._ask("send", {"text": text})

    def visible(self) -> Any:
        """Look."""
        return self._ask("visible", {})

    def _ask(self, verb: str, params: Mapping[str, Any]) -> Any:
        self._count += 1
        line = json.dumps({"id": self._count, "verb": verb, "params": params})
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()
        reply = self._read()
        assert reply.get("id") == self._count, reply
        assert "result" in reply, reply
        return reply["result"]

    def _read(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())
