"""A stream is complete whether or not anybody reads, and bounded where nobody keeps up."""

from __future__ import annotations

import asyncio

import pytest

from reference_app.host.frames import ErrorFrame, InspectorFrame
from reference_app.host.stream import StepStream

pytestmark = pytest.mark.anyio
NOTE = InspectorFrame("host", "x", "x", {}, {})
ERROR = ErrorFrame("X", "x")


async def test_a_reader_gets_everything_that_is_written_before_and_while_it_reads() -> None:
    """No line is lost between two reads."""
    stream = StepStream(10)
    stream.write(ERROR)

    async def read() -> list[bytes]:
        return [line async for line in stream.lines()]

    reader = asyncio.create_task(read())
    await asyncio.sleep(0)
    stream.write(ERROR)
    stream.close()

    assert [b'{"type":"error","error":{"code":"X","message":"x"}}\n'] * 2 == await reader


async def test_only_inspector_frames_are_dropped_for_a_slow_reader_and_counted() -> None:
    """What matters is never dropped, and what is dropped is said."""
    stream = StepStream(2)
    for _ in range(5):
        stream.write(NOTE)
    stream.write(ERROR)

    assert 3 == stream.dropped
    assert 3 == len(stream.recording.splitlines())
