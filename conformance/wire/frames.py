"""The frames of one chat step: newline-delimited JSON, read leniently, checked strictly.

Reading never fails: what can't be read becomes a problem with its line number, so that a case can show the offending line.
Unknown fields and unknown frame types are kept and ignored, because the protocol may grow.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from conformance.wire import strict_json

Executor = Literal["server", "browser"]


class Wire(BaseModel):
    """Base of everything read from the wire: camelCase there, snake_case here, unknown fields ignored, frozen."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True, strict=True)


class DomainTool(Wire):
    """A server tool as `step-start` announces it."""

    canonical_id: str
    wire_name: str
    description: str = ""
    requires_approval: bool = False
    side_effect: str | None = None


class StepStart(Wire):
    """The first frame of every step."""

    type: Literal["step-start"]
    step_id: str
    turn_id: str
    conversation_id: str
    domain_tools: tuple[DomainTool, ...] = Field(strict=False)
    scope: tuple[str, ...] | None = Field(default=None, strict=False)
    catalog_mode: str | None = None


class TextDelta(Wire):
    """A piece of the answer."""

    type: Literal["text-delta"]
    text: str


class ReasoningDelta(Wire):
    """A piece of the model's reasoning."""

    type: Literal["reasoning-delta"]
    text: str


class ToolCall(Wire):
    """The model called a tool that this step offers."""

    type: Literal["tool-call"]
    tool_call_id: str
    wire_name: str
    canonical_id: str
    executor: Executor
    input: JsonValue = None


class ToolResult(Wire):
    """A call was answered on the server."""

    type: Literal["tool-result"]
    tool_call_id: str
    wire_name: str
    canonical_id: str
    ok: bool
    result: JsonValue = None


class Inspector(Wire):
    """Something that the host or the runtime reports beside the conversation."""

    type: Literal["inspector"]
    lane: str
    event_type: str
    summary: str = ""
    correlation: Mapping[str, JsonValue] | None = None
    data: JsonValue = None


class ErrorBody(Wire):
    """A host error."""

    code: str
    message: str


class ErrorFrame(Wire):
    """A host error inside a stream; the stream goes on to its `step-finish`."""

    type: Literal["error"]
    error: ErrorBody


class PendingCall(Wire):
    """A call that waits for the browser."""

    tool_call_id: str
    wire_name: str
    canonical_id: str
    input: JsonValue = None


class Usage(Wire):
    """Tokens of the model calls of one step; cached is part of input, reasoning part of output."""

    input_tokens: float
    output_tokens: float
    total_tokens: float
    cached_input_tokens: float | None = None
    reasoning_tokens: float | None = None
    reported_steps: int


class StepFinish(Wire):
    """The last frame of every step."""

    type: Literal["step-finish"]
    step_id: str
    finish_reason: str
    response_messages: tuple[JsonValue, ...] = Field(strict=False)
    pending_tool_calls: tuple[PendingCall, ...] = Field(strict=False)
    usage: Usage | None = None


class UnknownFrame(Wire):
    """A frame of a type that this suite does not know."""

    model_config = ConfigDict(frozen=True, extra="allow")

    type: str


Frame = (
    StepStart
    | TextDelta
    | ReasoningDelta
    | ToolCall
    | ToolResult
    | Inspector
    | ErrorFrame
    | StepFinish
    | UnknownFrame
)

KNOWN: Mapping[str, type[Wire]] = {
    "step-start": StepStart,
    "text-delta": TextDelta,
    "reasoning-delta": ReasoningDelta,
    "tool-call": ToolCall,
    "tool-result": ToolResult,
    "inspector": Inspector,
    "error": ErrorFrame,
    "step-finish": StepFinish,
}
_ADAPTERS: Mapping[str, TypeAdapter[Any]] = {name: TypeAdapter(model) for name, model in KNOWN.items()}


@dataclass(frozen=True)
class Line:
    """One line of the stream: as sent, and as read."""

    number: int
    raw: bytes
    frame: Frame | None = None
    problem: str = ""


@dataclass(frozen=True)
class FrameLog:
    """All lines of one step so far.

    Attributes:
        lines: every non-blank line, in order.
        unterminated: what came after the last newline.
    """

    lines: tuple[Line, ...] = ()
    unterminated: bytes = b""

    @property
    def frames(self) -> tuple[Frame, ...]:
        """Every line that could be read."""
        return tuple(line.frame for line in self.lines if line.frame is not None)

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be read, with line numbers."""
        found = [f"line {line.number}: {line.problem}" for line in self.lines if line.problem]
        if self.unterminated.strip():
            found.append(f"the stream ends within a line: {self.unterminated[:80]!r}")
        return tuple(found)


def read_line(raw: bytes, number: int) -> Line:
    """Read one line, without its newline."""
    try:
        value = strict_json.loads(raw)
    except strict_json.NotJson as error:
        return Line(number, raw, problem=f"not JSON ({error}): {raw[:80]!r}")
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return Line(number, raw, problem=f"not an object with a `type`: {raw[:80]!r}")
    adapter = _ADAPTERS.get(value["type"])
    if adapter is None:
        return Line(number, raw, frame=UnknownFrame.model_validate(value))
    try:
        return Line(number, raw, frame=adapter.validate_python(value))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return Line(number, raw, problem=f"{value['type']}.{where}: {first['msg']}")


@dataclass
class FrameReader:
    """Puts chunks of bytes together into lines, wherever they were cut."""

    _lines: list[Line] = field(default_factory=list)
    _rest: bytearray = field(default_factory=bytearray)
    _count: int = 0

    def feed(self, chunk: bytes) -> list[Line]:
        """Take the next bytes and return the lines that they completed; blank lines are passed over."""
        if b"\n" not in chunk:
            self._rest += chunk
            return []
        head, *middle, tail = (bytes(self._rest) + chunk).split(b"\n")
        self._rest = bytearray(tail)
        fresh = []
        for raw in (head, *middle):
            self._count += 1
            if raw.strip():
                fresh.append(read_line(raw, self._count))
        self._lines += fresh
        return fresh

    @property
    def pending_bytes(self) -> int:
        """How many bytes wait for their newline."""
        return len(self._rest)

    @property
    def line_count(self) -> int:
        """How many lines were read."""
        return self._count

    def log(self) -> FrameLog:
        """Everything read so far."""
        return FrameLog(tuple(self._lines), bytes(self._rest))


def read_frames(body: bytes | Iterable[bytes]) -> FrameLog:
    """Read a whole body."""
    reader = FrameReader()
    for chunk in (body,) if isinstance(body, bytes) else body:
        reader.feed(chunk)
    return reader.log()
