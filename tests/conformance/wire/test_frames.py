"""Reading a stream of frames."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.wire.frames import (
    FrameReader,
    TextDelta,
    ToolCall,
    UnknownFrame,
    read_frames,
    read_line,
)
from tests.conformance.wire.frames_of import call, dropped, finish, ndjson, result, start, text
from tests.conformance.wire.test_strict_json import json_values

STREAM = ndjson(start(), text("Grüße 😀"), call(), result(), finish(), dropped()) + b"\r\n   \n"


def test_the_stream_reads_the_same_however_it_is_cut_in_two() -> None:
    """A chunk may end anywhere, within a character too: every byte of the stream is tried as the cut."""
    whole = read_frames(STREAM)

    for cut in range(len(STREAM) + 1):
        assert whole == read_frames([STREAM[:cut], STREAM[cut:]]), cut


@given(st.lists(st.integers(0, len(STREAM)), max_size=40).map(sorted))
def test_the_stream_reads_the_same_however_it_is_cut(cuts: list[int]) -> None:
    """Nor does the number of chunks matter, empty ones included."""
    edges = [0, *cuts, len(STREAM)]

    log = read_frames([STREAM[a:b] for a, b in itertools.pairwise(edges)])

    assert read_frames(STREAM) == log


def test_one_byte_at_a_time() -> None:
    """The slowest stream reads like the fastest, and each line is handed out when its newline arrives."""
    reader = FrameReader()

    fresh = [line.number for byte in STREAM for line in reader.feed(bytes([byte]))]

    assert [1, 2, 3, 4, 5, 6] == fresh
    assert read_frames(STREAM) == reader.log()


def test_blank_lines_count_but_are_no_frames() -> None:
    """Line numbers in a problem are those of the stream as sent."""
    log = read_frames(b"\n\n" + ndjson(text()) + b"oops\n")

    assert [3, 4] == [line.number for line in log.lines]
    assert ("line 4: not JSON (Expecting value at character 0): b'oops'",) == log.problems


def test_an_unterminated_last_line_is_a_problem_and_no_frame() -> None:
    """A stream that ends within a line was cut off; the half line must not count as read."""
    log = read_frames(ndjson(start()) + b'{"type":"text-delta","text":"hel')

    assert ["step-start"] == [frame.type for frame in log.frames]
    assert ('the stream ends within a line: b\'{"type":"text-delta","text":"hel\'',) == log.problems


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"[1]", "not an object with a `type`: b'[1]'"),
        (b'{"type": 3}', "not an object with a `type`: b'{\"type\": 3}'"),
        (b'{"type":"text-delta"}', "text-delta.text: Field required"),
        (b'{"type":"text-delta","text":1}', "text-delta.text: Input should be a valid string"),
        (
            json.dumps(call(executor="model")).encode(),
            "tool-call.executor: Input should be 'server' or 'browser'",
        ),
        (
            json.dumps(start(domainTools=None)).encode(),
            "step-start.domainTools: Input should be a valid tuple",
        ),
    ],
)
def test_a_line_that_is_no_frame_says_why(raw: bytes, problem: str) -> None:
    """Reading never fails; the problem names the frame and the field, so that a red verdict can show it."""
    line = read_line(raw, 1)

    assert (None, problem) == (line.frame, line.problem)


def test_unknown_fields_and_types_are_passed_over() -> None:
    """The protocol may grow: neither a new field nor a new frame is a problem by itself."""
    log = read_frames(ndjson({**text("a"), "later": 1}, {"type": "source", "url": "x"}))

    assert () == log.problems
    assert [TextDelta, UnknownFrame] == [type(frame) for frame in log.frames]


def test_wire_spelling_becomes_python_spelling() -> None:
    """Camel case ends at the edge; the input is handed on untouched, whatever its keys look like."""
    frame = read_line(
        json.dumps({**call("c9"), "input": {"invoiceId": 1, "due_date": None}}).encode(), 1
    ).frame

    assert isinstance(frame, ToolCall)
    assert ("c9", "domain:a", {"invoiceId": 1, "due_date": None}) == (
        frame.tool_call_id,
        frame.canonical_id,
        frame.input,
    )


@given(json_values, st.sampled_from(["step-start", "tool-call", "step-finish", "usage", "text-delta"]))
def test_reading_a_line_never_fails(value: object, kind: str) -> None:
    """Whatever JSON a target sends, the suite answers with a frame or a problem."""
    shapes = [value, {"type": kind, "x": value}, {"type": value}, {**start(), "domainTools": value}]

    for shape in shapes:
        line = read_line(json.dumps(shape).encode(), 1)
        assert (line.frame is None) is bool(line.problem)


@given(st.binary(max_size=200))
def test_reading_bytes_never_fails(body: bytes) -> None:
    """Nor do bytes that were never meant to be JSON."""
    log = read_frames(body)

    assert all((line.frame is None) is bool(line.problem) for line in log.lines)
