"""The stream of one step: written by the step, read by one client, and complete even when the client has gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from reference_app.host.frames import Frame, InspectorFrame, encode


class StepStream:
    """Lines in the order in which they were written.

    Args:
        backlog: The most inspector frames that may wait for a slow reader; further ones are counted and dropped.
    """

    def __init__(self, backlog: int) -> None:
        self._lines: list[bytes] = []
        self._is_inspector: list[bool] = []
        self._read = 0
        self._waiting_inspectors = 0
        self._backlog = backlog
        self._closed = False
        self._moved = asyncio.Event()
        self.dropped = 0

    def write(self, frame: Frame) -> None:
        """Add one frame."""
        is_inspector = isinstance(frame, InspectorFrame)
        if is_inspector and self._waiting_inspectors >= self._backlog:
            self.dropped += 1
            return
        self.write_line(encode(frame), inspector=is_inspector)

    def write_line(self, line: bytes, *, inspector: bool = False) -> None:
        """Add one encoded frame."""
        self._lines.append(line)
        self._is_inspector.append(inspector)
        self._waiting_inspectors += inspector
        self._moved.set()

    def close(self) -> None:
        """Nothing more will come."""
        self._closed = True
        self._moved.set()

    @property
    def recording(self) -> bytes:
        """Everything that was written."""
        return b"".join(self._lines)

    async def lines(self) -> AsyncIterator[bytes]:
        """Everything that was and will be written, until the end."""
        while True:
            while self._read < len(self._lines):
                line = self._lines[self._read]
                self._waiting_inspectors -= self._is_inspector[self._read]
                self._read += 1
                yield line
            if self._closed:
                return
            self._moved.clear()
            await self._moved.wait()
