"""The tab as a process: requests on standard input, replies on standard output, each under its own id.

Replies come when they are ready, so that a person can look, act and decide while a turn runs. The end of input closes
the tab.
"""

import asyncio
import logging
import os
import sys
import threading
from typing import BinaryIO

from reference_app.surface.json_value import Json, stringify
from reference_app.tab import protocol
from reference_app.tab.errors import BadRequestError, HeadlessTabError
from reference_app.tab.frames import LineSplitter
from reference_app.tab.protocol import (
    ActRequest,
    CloseRequest,
    DecideRequest,
    OpenRequest,
    Request,
    SendRequest,
    VisibleRequest,
)
from reference_app.tab.tab import Tab

_log = logging.getLogger(__name__)


class InternalTabError(HeadlessTabError):
    """A defect of the tab itself; its trace is on standard error."""

    code = "TAB_FAILED"


class Session:
    """The conversation with whoever started the process."""

    def __init__(self, tab: Tab, output: BinaryIO) -> None:
        self._tab = tab
        self._output = output
        self._running: set[asyncio.Task[None]] = set()

    def write(self, line: str) -> None:
        """Write one line and let it out at once."""
        self._output.write(line.encode("utf-8", "surrogatepass") + b"\n")
        self._output.flush()

    async def serve(self, lines: "asyncio.Queue[bytes]") -> None:
        """Serve requests until the tab is closed or the input ends."""
        self.write(stringify(protocol.GREETING))
        while line := await lines.get():
            try:
                request = protocol.read_request(line)
            except BadRequestError as error:
                self.write(protocol.failure(protocol.request_id(line), error))
                continue
            if isinstance(request, CloseRequest):
                await self._close()
                self.write(protocol.reply(request.id, {}))
                return
            self._start(request)
        await self._close()

    async def _close(self) -> None:
        await self._tab.close()
        if self._running:
            await asyncio.wait(self._running)

    def _start(self, request: Request) -> None:
        task = asyncio.get_running_loop().create_task(self._answer(request))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _answer(self, request: Request) -> None:
        try:
            result = await perform(self._tab, request)
        except HeadlessTabError as error:
            self.write(protocol.failure(request.id, error))
        except Exception as error:
            _log.exception("the tab failed on %s", request.verb)
            self.write(
                protocol.failure(request.id, InternalTabError(f"the tab failed: {type(error).__name__}"))
            )
        else:
            self.write(protocol.reply(request.id, result))


async def perform(tab: Tab, request: Request) -> Json:
    """Do what a request says.

    Raises:
        HeadlessTabError: It can't be done.
    """
    match request:
        case OpenRequest():
            return await tab.open(request.params)
        case SendRequest():
            return await tab.send(request.params.text)
        case ActRequest():
            return await tab.act(request.params.name, dict(request.params.args))
        case DecideRequest():
            return await tab.decide(request.params)
        case VisibleRequest():
            return tab.visible()
        case CloseRequest():
            return await tab.close()


def read_lines(descriptor: int, loop: asyncio.AbstractEventLoop, lines: "asyncio.Queue[bytes]") -> None:
    """Hand lines over to the event loop, and an empty one at the end.

    It reads the descriptor itself: a buffered stream that a thread waits in can't be closed when the process ends.
    """
    splitter = LineSplitter()
    try:
        while piece := os.read(descriptor, 65536):
            for line in splitter.feed(piece):
                loop.call_soon_threadsafe(lines.put_nowait, line)
    finally:
        loop.call_soon_threadsafe(lines.put_nowait, b"")


async def run(tab: Tab) -> None:
    """Serve standard input and output; the reading thread ends with the process."""
    lines: asyncio.Queue[bytes] = asyncio.Queue()
    arguments = (sys.stdin.fileno(), asyncio.get_running_loop(), lines)
    threading.Thread(target=read_lines, args=arguments, name="tab-input", daemon=True).start()
    await Session(tab, sys.stdout.buffer).serve(lines)
