"""The small pieces of a script file: parts, faults, expectations, each with the value that it becomes."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from fake_model import writing
from fake_model.expectations import Expectation
from fake_model.faults import ChunkPlan, Fault
from fake_model.pointer import JsonValue
from fake_model.providers.base import compact
from fake_model.script import MetaTool, Part, ResultOf, Usage
from fake_model.side_calls import SideCall


def _listed(value: Any) -> Any:
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list | tuple):
        raise ValueError("expected a text or a list of texts")  # noqa: TRY004 - pydantic reports ValueErrors
    return listed


Texts = Annotated[tuple[str, ...], BeforeValidator(_listed)]
"""One text, or several."""

Count = Annotated[int, Field(ge=0, strict=True)]

RESULT_KEY = "$result"
"""In the arguments of a call: `{"$result": {"step": 0, "pointer": "/data/id"}}` stands for a value."""


class Shape(BaseModel):
    """Frozen and closed: an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


def exactly_one(shape: Shape, names: tuple[str, ...], what: str) -> None:
    """Raise ValueError unless exactly one of the named fields is given."""
    given = [name for name in names if getattr(shape, name) is not None]
    if len(given) != 1:
        raise ValueError(
            f"expected exactly one of {', '.join(names)} in {what}, got {', '.join(given) or 'none'}"
        )


class ResultShape(Shape):
    """A value from an earlier result."""

    step: int = -1
    call: Count = 0
    pointer: str = Field(default="", pattern=r"^(/.*)?$")

    def value(self) -> ResultOf:
        """Return the script's value."""
        return ResultOf(self.step, self.pointer, self.call)


def _with_results(value: JsonValue) -> JsonValue:
    """Return arguments with a stand-in for each `{"$result": …}`."""
    if isinstance(value, dict):
        if set(value) == {RESULT_KEY}:
            return ResultShape.model_validate(value[RESULT_KEY]).value()
        return {key: _with_results(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_results(item) for item in value]
    return value


_BELONGS_TO = {
    "arguments": ("call",),
    "raw": ("call",),
    "offered": ("call", "read"),
    "through": ("call",),
    "pieces": ("call",),
    "same_id_as": ("call",),
    "at_most": ("endless",),
}
"""Fields that mean something only beside another one."""


class PartShape(Shape):
    """One part of a reply: exactly one of `PARTS`, and for a call what belongs to it."""

    say: Texts | None = None
    reason: Texts | None = None
    call: str | None = None
    read: str | None = None
    gate: str | None = None
    pause: float | None = Field(default=None, ge=0)
    endless: str | None = None
    arguments: Annotated[JsonValue, AfterValidator(_with_results)] = Field(default=None, alias="with")
    raw: str | tuple[str, ...] | None = None
    offered: bool = True
    through: MetaTool | None = None
    pieces: int = Field(default=1, ge=1)
    same_id_as: Count | None = None
    at_most: int = Field(default=100_000, ge=1)

    @model_validator(mode="after")
    def _only_what_belongs(self) -> "PartShape":
        for name, owners in _BELONGS_TO.items():
            if name in self.model_fields_set and all(getattr(self, owner) is None for owner in owners):
                field = type(self).model_fields[name].alias or name
                raise ValueError(f"{field} belongs to {' or '.join(owners)}, and there is none")
        return self

    def part(self) -> Part | None:
        """Return the part, None where the shape has none."""
        if self.call is not None:
            return writing.call(
                self.call,
                self.arguments,
                raw=self.raw,
                offered=self.offered,
                through=self.through,
                pieces=self.pieces,
                same_id_as=self.same_id_as,
            )
        if self.read is not None:
            return writing.read(self.read, offered=self.offered)
        if self.gate is not None:
            return writing.gate(self.gate)
        if self.pause is not None:
            return writing.pause(self.pause)
        if self.endless is not None:
            return writing.endless(self.endless, self.at_most)
        return self._text()

    def _text(self) -> Part | None:
        if self.say is not None:
            return writing.say(*self.say)
        return None if self.reason is None else writing.reason(*self.reason)


PARTS = ("say", "reason", "call", "read", "gate", "pause", "endless")
"""The fields of which a part has exactly one."""


class OnePartShape(PartShape):
    """A part in a list of parts."""

    @model_validator(mode="after")
    def _one(self) -> "OnePartShape":
        exactly_one(self, PARTS, "a part")
        return self


class StatusShape(Shape):
    """An HTTP error."""

    code: int = Field(ge=400, le=599)
    message: str = "scripted failure"
    error: str | None = None
    retry_after: str | int | float | None = None
    body: str | None = None


class CutShape(Shape):
    """Where an answer ends too early."""

    after_events: Count | None = None
    after_bytes: Count | None = None
    clean: bool = False

    @model_validator(mode="after")
    def _one(self) -> "CutShape":
        exactly_one(self, ("after_events", "after_bytes"), "a cut")
        return self


class ErrorEventShape(Shape):
    """An error event inside a 200."""

    after_events: Count = 0
    message: str = "scripted failure"
    code: str = "server_error"


class NotAStreamShape(Shape):
    """A 200 that is something else."""

    body: str
    content_type: str = "text/html"


class FaultShape(Shape):
    """One fault: exactly one field."""

    status: StatusShape | None = None
    reset: Count | None = None
    silence: str | None = None
    cut: CutShape | None = None
    broken_event: Count | None = None
    error_event: ErrorEventShape | None = None
    not_a_stream: NotAStreamShape | None = None

    @model_validator(mode="after")
    def _one(self) -> "FaultShape":
        exactly_one(self, tuple(type(self).model_fields), "a fault")
        return self

    def value(self) -> Fault:
        """Return the script's value."""
        if self.status is not None:
            return writing.status(**self.status.model_dump())
        if self.cut is not None:
            return writing.cut(**self.cut.model_dump())
        if self.error_event is not None:
            return writing.error_event(**self.error_event.model_dump())
        if self.not_a_stream is not None:
            return writing.not_a_stream(**self.not_a_stream.model_dump())
        if self.silence is not None:
            return writing.silence(self.silence)
        if self.broken_event is not None:
            return writing.broken_event(self.broken_event)
        return writing.reset(self.reset or 0)


class ExpectShape(Shape):
    """What a step expects to have been shown."""

    offered: Texts = ()
    absent: Texts = ()
    with_field: dict[str, Texts] = Field(default_factory=dict)
    without_field: dict[str, Texts] = Field(default_factory=dict)
    available: Texts = ()
    unavailable: dict[str, str] | Texts = ()
    last_code: str | None = None
    last_value: dict[str, JsonValue] = Field(default_factory=dict)

    def value(self) -> tuple[Expectation, ...]:
        """Return the script's values."""
        return writing.expect(
            offered=self.offered,
            absent=self.absent,
            with_field=self.with_field,
            without_field=self.without_field,
            available=self.available,
            unavailable=self.unavailable,
            last_code=self.last_code,
            last_value=self.last_value,
        )


class UsageShape(Shape):
    """Token counts."""

    input: Count = 16
    output: Count = 16
    cached: Count | None = None
    reasoning: Count | None = None

    def value(self) -> Usage:
        """Return the script's value."""
        return Usage(self.input, self.output, self.cached, self.reasoning)


class ChunksShape(Shape):
    """Where the body is split into writes."""

    at: tuple[Count, ...] = ()
    every: int | None = Field(default=None, ge=1)

    def value(self) -> ChunkPlan:
        """Return the script's value."""
        return ChunkPlan(self.at, self.every)


class SideCallShape(Shape):
    """A call beside the conversation, and its canned answer."""

    name: str = Field(min_length=1)
    say: str | None = None
    body: JsonValue = None
    path: str | None = None
    model: str | None = None
    system: str | None = None
    offers_tools: bool | None = None

    def value(self) -> SideCall:
        """Return the value; raises ScriptError where it has no answer or no condition."""
        body = None if self.body is None else compact(self.body).decode()
        return SideCall(self.name, self.say, body, self.path, self.model, self.system, self.offers_tools)


class SideCallsShape(Shape):
    """A file of side calls."""

    side_calls: tuple[SideCallShape, ...]
