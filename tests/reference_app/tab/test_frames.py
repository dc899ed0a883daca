"""Reading the host's frames from a stream."""

import itertools
import json
from collections.abc import AsyncIterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_app.tab import frames
from reference_app.tab.frames import ErrorFrame, LineSplitter, TextDelta, decode, read_line

pytestmark = pytest.mark.anyio

LINES = [{"type": "text-delta", "text": "é😀"}, {"type": "error", "error": {"code": "A", "message": "b"}}]
STREAM = b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in LINES)


async def _pieces(pieces: Sequence[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


@given(st.lists(st.integers(0, len(STREAM)), max_size=6))
def test_frames_do_not_depend_on_how_the_stream_is_cut(cuts: list[int]) -> None:
    """Also in the middle of a character."""
    edges = [0, *sorted(cuts), len(STREAM)]
    splitter = LineSplitter()
    lines = [line for start, end in itertools.pairwise(edges) for line in splitter.feed(STREAM[start:end])]

    assert [json.loads(line) for line in lines] == LINES


async def test_blank_lines_are_nothing_and_half_a_line_is_none() -> None:
    """What broke off may be half of anything."""
    read = [
        frame async for frame in decode(_pieces([b"\n \n", STREAM, b'{"type":"text-delta","text":"half"}']))
    ]

    assert read == [TextDelta(type="text-delta", text="é😀"), read_line(STREAM.splitlines()[1])]


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b"[]",
        b'{"type":"text-delta"}',
        b'{"type":"text-delta","text":NaN}',
        b"[" * 100_000,
    ],
)
async def test_a_line_that_cannot_be_read_is_an_error_and_reading_goes_on(line: bytes) -> None:
    """One bad line does not take the rest with it."""
    read = [frame async for frame in decode(_pieces([line + b"\n" + STREAM]))]

    assert isinstance(read[0], ErrorFrame)
    assert (read[0].error.code, len(read)) == ("PROTOCOL_DECODE_ERROR", 3)


async def test_an_endless_line_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that never ends its line must not fill the memory."""
    monkeypatch.setattr(frames, "MAX_LINE", 100)

    read = [frame async for frame in decode(_pieces([b"x" * 60] * 1000))]

    assert [type(frame) for frame in read] == [ErrorFrame]


async def test_a_frame_of_another_type_is_passed_over() -> None:
    """A newer host may say more; what a page does not know is not for it."""
    unknown = b'{"type":"unheard-of","what":1}\n'

    assert [frame async for frame in decode(_pieces([STREAM]))] == [
        frame async for frame in decode(_pieces([unknown + STREAM]))
    ]
