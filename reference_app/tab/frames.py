"""The frames of a step, read from a stream of bytes, one JSON object a line.

A line that can't be read becomes an error frame and reading goes on; a last line without its newline does not count,
for what broke off may be half of it.
"""

from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from reference_app.tab import strict_json

MAX_LINE = 32 * 1024 * 1024
"""No host has reason to send a longer line; an endless one must not fill the memory."""


class _Frame(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True)


class DomainTool(_Frame):
    """A server tool of this step, as the page needs to know it."""

    canonical_id: str
    wire_name: str
    description: str = ""
    requires_approval: bool = False
    side_effect: str | None = None


class StepStart(_Frame):
    """The step begins."""

    type: Literal["step-start"]
    step_id: str
    domain_tools: tuple[DomainTool, ...] = ()


class TextDelta(_Frame):
    """A piece of the answer."""

    type: Literal["text-delta"]
    text: str


class ReasoningDelta(_Frame):
    """A piece of the model's reasoning."""

    type: Literal["reasoning-delta"]
    text: str


class ToolCallFrame(_Frame):
    """The model calls a tool."""

    type: Literal["tool-call"]
    tool_call_id: str
    wire_name: str
    canonical_id: str
    executor: Literal["server", "browser"]
    input: Any = None


class ToolResultFrame(_Frame):
    """The server answered a call."""

    type: Literal["tool-result"]
    tool_call_id: str
    wire_name: str
    canonical_id: str
    ok: bool
    result: Any = None


class InspectorFrame(_Frame):
    """What the host did, for those who want to look behind the scenes."""

    type: Literal["inspector"]
    lane: str
    event_type: str
    summary: str = ""


class PendingCall(_Frame):
    """A call that waits for the browser."""

    tool_call_id: str
    wire_name: str
    canonical_id: str
    input: Any = None


class StepFinish(_Frame):
    """The step is over; the browser may have calls to carry out."""

    type: Literal["step-finish"]
    step_id: str
    finish_reason: str
    response_messages: tuple[dict[str, Any], ...] = ()
    pending_tool_calls: tuple[PendingCall, ...] = ()


class FrameError(_Frame):
    """A code and a text."""

    code: str
    message: str


class ErrorFrame(_Frame):
    """Something went wrong in the step; its finish still follows."""

    type: Literal["error"]
    error: FrameError


Frame: TypeAlias = (
    StepStart
    | TextDelta
    | ReasoningDelta
    | ToolCallFrame
    | ToolResultFrame
    | InspectorFrame
    | StepFinish
    | ErrorFrame
)
_FRAME: TypeAdapter[Frame] = TypeAdapter(Annotated[Frame, Field(discriminator="type")])
_TYPES = frozenset(
    {
        "step-start",
        "text-delta",
        "reasoning-delta",
        "tool-call",
        "tool-result",
        "inspector",
        "step-finish",
        "error",
    }
)


def read_line(line: bytes) -> Frame | None:
    """Read one line; None where it is of a type that this page does not know, which a newer host may well send."""
    try:
        value = strict_json.loads(line)
        return None if is_of_another_type(value) else _FRAME.validate_python(value)
    except (ValueError, ValidationError, RecursionError):
        return unreadable("A line of the host's answer is not a frame.")


def is_of_another_type(value: object) -> bool:
    """Whether a line is a frame by its shape, and none of those that are read here."""
    kind = value.get("type") if isinstance(value, dict) else None
    return isinstance(kind, str) and kind not in _TYPES


def unreadable(message: str) -> ErrorFrame:
    """The error frame for what can't be read."""
    return ErrorFrame(type="error", error=FrameError(code="PROTOCOL_DECODE_ERROR", message=message))


class LineSplitter:
    """Cuts a stream into lines, whatever the pieces it comes in; no piece is looked at twice."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """Yield the lines that a piece completes, without blank ones.

        Raises:
            ValueError: A line grows beyond every reason.
        """
        *ends, rest = piece.split(b"\n")
        for end in ends:
            line = b"".join((*self._parts, end))
            self._parts, self._size = [], 0
            if line.strip():
                yield line
        if rest:
            self._parts.append(rest)
            self._size += len(rest)
        if self._size > MAX_LINE:
            raise ValueError(f"a line is longer than {MAX_LINE} bytes")


async def decode(pieces: AsyncIterator[bytes]) -> AsyncIterator[Frame]:
    """Read a stream's frames."""
    splitter = LineSplitter()
    async for piece in pieces:
        try:
            for line in splitter.feed(piece):
                if (frame := read_line(line)) is not None:
                    yield frame
        except ValueError as error:
            yield unreadable(f"The host's answer can't be read: {error}.")
            return
