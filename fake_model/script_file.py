"""A script as JSON or YAML: what may stand where, and what it becomes.

    name: overdue
    steps:
      - parts:
          - say: Let me look.
          - call: domain:list-invoices
            with: {kind: all}
      - say: Three are overdue.

A file has `steps` for a script of one turn, or `turns`, each with `steps`. A step with only one part may be written
as that part.
"""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from fake_model import writing
from fake_model.errors import ScriptError
from fake_model.pointer import JsonValue
from fake_model.script import Arm, Branch, Element, FailedAttempt, Repeat, Script, Step, Turn
from fake_model.shapes import (
    PARTS,
    ChunksShape,
    ExpectShape,
    FaultShape,
    OnePartShape,
    PartShape,
    ResultShape,
    Shape,
    UsageShape,
    exactly_one,
)


class ArmShape(Shape):
    """What follows when the value that a branch looks at equals `value`."""

    value: JsonValue
    steps: "tuple[ElementShape, ...]" = Field(min_length=1)


class ElementShape(PartShape):
    """A step, by its only part or with `parts`; or a branch."""

    parts: tuple[OnePartShape, ...] | None = None
    expect: ExpectShape | None = None
    faults: tuple[FaultShape, ...] = ()
    fails: tuple[FaultShape, ...] = ()
    hold: str | None = None
    finish: str | None = None
    usage: UsageShape | None = UsageShape()
    chunks: ChunksShape | None = None
    asked: int | None = Field(default=1, ge=1)
    optional: bool = False
    repeat: Annotated[int, Field(ge=1)] | Literal["forever"] | None = None
    branch: ResultShape | None = None
    arms: tuple[ArmShape, ...] = ()
    otherwise: "tuple[ElementShape, ...] | None" = None

    @model_validator(mode="after")
    def _one_kind(self) -> "ElementShape":
        if not self.faults:
            exactly_one(self, (*PARTS, "parts", "branch"), "a step")
        if self.branch is None and (self.arms or self.otherwise is not None):
            raise ValueError("arms and otherwise belong to branch, and there is none")
        if self.branch is not None and (other := self.model_fields_set - {"branch", "arms", "otherwise"}):
            raise ValueError(
                f"a branch is no step: expected arms and otherwise beside it, got {', '.join(other)}"
            )
        return self

    def value(self) -> Element:
        """Return the script's value; raises ScriptError where the pieces don't fit together."""
        if self.branch is not None:
            arms = tuple(_arm(arm) for arm in self.arms)
            way = None if self.otherwise is None else tuple(element.value() for element in self.otherwise)
            return Branch(self.branch.value(), arms, way)
        step = self._step()
        if self.repeat is None:
            return step
        return Repeat(step, None if self.repeat == "forever" else self.repeat)

    def _step(self) -> Step:
        shapes: tuple[PartShape, ...] = self.parts if self.parts is not None else (self,)
        parts = tuple(part for shape in shapes if (part := shape.part()) is not None)
        return writing.step(
            *parts,
            *(self.expect.value() if self.expect else ()),
            *(fault.value() for fault in self.faults),
            hold=self.hold,
            fails=tuple(_failed(fault) for fault in self.fails),
            finish=self.finish,
            usage=self.usage.value() if self.usage else None,
            chunks=self.chunks.value() if self.chunks else None,
            asked=self.asked,
            optional=self.optional,
        )


class TurnShape(Shape):
    """What the model answers to one user message."""

    steps: tuple[ElementShape, ...] = Field(min_length=1)


class ScriptShape(Shape):
    """A whole script."""

    name: str = ""
    names: dict[str, str] = Field(default_factory=dict)
    steps: tuple[ElementShape, ...] | None = Field(default=None, min_length=1)
    turns: tuple[TurnShape, ...] | None = Field(default=None, min_length=1)

    @model_validator(mode="after")
    def _one_kind(self) -> "ScriptShape":
        exactly_one(self, ("steps", "turns"), "a script")
        return self

    def value(self) -> Script:
        """Return the script; raises ScriptError where it can never be played."""
        turns = self.turns or (TurnShape(steps=self.steps or ()),)
        values = tuple(Turn(tuple(element.value() for element in turn.steps)) for turn in turns)
        return Script(values, self.name, writing.aliases(self.names))


def _arm(shape: ArmShape) -> Arm:
    return writing.arm(shape.value, *(element.value() for element in shape.steps))


def _failed(shape: FaultShape) -> FailedAttempt:
    fault = shape.value()
    if not isinstance(fault, FailedAttempt):
        raise ScriptError(f"expected status, reset or silence as a failed attempt, got {fault}")
    return fault
