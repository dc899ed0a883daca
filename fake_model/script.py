"""A script: what the model will answer, turn by turn and step by step, as ordered frozen values.

A turn begins with a user's message, a step is one request to the model. A step's parts are sent in their order.
`fake_model.writing` has the functions that make these values read as a sentence.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from fake_model.errors import ScriptError
from fake_model.expectations import Expectation
from fake_model.faults import ChunkPlan, Fault, HttpError, Reset, Silence
from fake_model.names import Alias


@dataclass(frozen=True, slots=True)
class Say:
    """Text for the user, one streamed delta for each element."""

    deltas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """Thinking that the provider shows, one streamed delta for each element."""

    deltas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResultOf:
    """A value from an earlier tool result of this turn.

    `step` counts from 0, a negative one back from the step that asks; `call` is the call's index in that step;
    `pointer` is a JSON pointer (RFC 6901) into the result.
    """

    step: int
    pointer: str = ""
    call: int = 0


@dataclass(frozen=True, slots=True)
class Filling:
    """A place in a call's arguments (a path of keys and indexes) that takes its value from a result."""

    path: tuple[str | int, ...]
    source: ResultOf


@dataclass(frozen=True, slots=True)
class Arguments:
    """A call's arguments as the text that is sent, and the places in it that are filled in when it is played.

    `text` need not be JSON: what a model may send, a script may say. `pieces` is the number of deltas that carry it;
    `deltas`, where they are given, are those deltas themselves and together the text.
    """

    text: str
    fillings: tuple[Filling, ...] = ()
    pieces: int = 1
    deltas: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what can't be cut up."""
        if self.pieces < 1:
            raise ScriptError(f"expected arguments in at least 1 piece, got {self.pieces}")


class MetaTool(StrEnum):
    """The meta tool that carries a call where the tools themselves are not offered one by one."""

    ACT = "surface_act"
    READ = "surface_read"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call by canonical id or wire name.

    `offered=False` says that the name is meant not to be in the request's tools. `same_id_as` is the index of an
    earlier call of this step whose id is used again.
    """

    name: str
    arguments: Arguments = Arguments("{}")
    offered: bool = True
    through: MetaTool | None = None
    same_id_as: int | None = None


@dataclass(frozen=True, slots=True)
class Gate:
    """A place where the reply waits until the gate of this name is released."""

    name: str


@dataclass(frozen=True, slots=True)
class Pause:
    """A place where the reply waits for a number of seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Endless:
    """A text delta that is sent again and again, until the reader goes away or `at_most` have been sent."""

    delta: str
    at_most: int = 100_000


Part = Say | Reason | Call | Gate | Pause | Endless


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts of one step; `cached` is part of `input`, `reasoning` is part of `output`."""

    input: int = 16
    output: int = 16
    cached: int | None = None
    reasoning: int | None = None


class Finish(StrEnum):
    """Why the model stopped; each provider spells these in its own words."""

    STOP = "stop"
    TOOL_CALLS = "tool-calls"
    LENGTH = "length"
    CONTENT_FILTER = "content-filter"
    MISSING = "missing"


FailedAttempt = HttpError | Reset | Silence


@dataclass(frozen=True)
class Step:
    """One reply of the model, and what it expects to have been asked.

    `finish=None` follows from the parts; a string that is not a `Finish` is sent as it is. `fails` are what the first
    attempts get instead. `asked` is how often the step may be asked (None: any number). An `optional` step may stay
    unasked.
    """

    parts: tuple[Part, ...] = ()
    expects: tuple[Expectation, ...] = ()
    faults: tuple[Fault, ...] = ()
    fails: tuple[FailedAttempt, ...] = ()
    hold: str | None = None
    finish: Finish | str | None = None
    usage: Usage | None = field(default_factory=Usage)
    chunks: ChunkPlan | None = None
    asked: int | None = 1
    optional: bool = False

    def __post_init__(self) -> None:
        """Refuse a call under the id of one that does not come before it."""
        for index, call in enumerate(self.calls):
            if call.same_id_as is not None and not 0 <= call.same_id_as < index:
                raise ScriptError(
                    f"call {index} to {call.name}: expected same_id_as to be an earlier call of the step, "
                    f"got {call.same_id_as}"
                )

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """The calls of this step in their order."""
        return tuple(part for part in self.parts if isinstance(part, Call))

    @cached_property
    def _hash(self) -> int:
        return hash((self.parts, self.faults, self.hold))

    def __hash__(self) -> int:
        """Computed once, because what a step is answered with is looked up by the step at each request."""
        return self._hash


@dataclass(frozen=True, slots=True)
class Repeat:
    """A step that answers `times` requests in a row; None: all that follow."""

    step: Step
    times: int | None = None

    def __post_init__(self) -> None:
        """Refuse a step that is repeated less than once."""
        if self.times is not None and self.times < 1:
            raise ScriptError(f"expected a step to be repeated at least 1 time, got {self.times}")


@dataclass(frozen=True, slots=True)
class Arm:
    """What follows when the value that a branch looks at equals `value` (as JSON text)."""

    value: str
    elements: tuple["Element", ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """A choice between ways on, by the value of an earlier result; `otherwise=None` makes any other value a finding."""

    source: ResultOf
    arms: tuple[Arm, ...]
    otherwise: tuple["Element", ...] | None = None


Element = Step | Repeat | Branch


@dataclass(frozen=True)
class Turn:
    """What the model answers to one user message."""

    elements: tuple[Element, ...]

    @cached_property
    def plain_steps(self) -> tuple[Step, ...]:
        """The steps before the first repeat or branch: those whose number is their place."""
        count = next((i for i, e in enumerate(self.elements) if not isinstance(e, Step)), len(self.elements))
        return tuple(e for e in self.elements[:count] if isinstance(e, Step))

    @cached_property
    def branches(self) -> bool:
        """Whether the way through the turn depends on results."""
        return any(isinstance(element, Branch) for element in self.elements)


@dataclass(frozen=True, slots=True)
class Script:
    """Everything that the model answers in one conversation."""

    turns: tuple[Turn, ...]
    name: str = ""
    aliases: tuple[Alias, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what can never be played.

        Raises:
            ScriptError: there is no turn, or a step can never be reached; the message names it.
        """
        if not self.turns:
            raise ScriptError("expected at least one turn, got an empty script")
        for number, turn in enumerate(self.turns):
            if not turn.elements:
                raise ScriptError(f"turn {number}: expected at least one step, got none")
            _check_reach(turn.elements, f"turn {number}")


def _check_reach(elements: tuple[Element, ...], place: str) -> None:
    """Raise for a step that nothing can lead to, because the step before it makes no call or never ends."""
    for index, element in enumerate(elements):
        where = f"{place}, element {index}"
        is_last = index == len(elements) - 1
        if isinstance(element, Branch):
            for arm in (*(arm.elements for arm in element.arms), element.otherwise or ()):
                _check_reach(arm, where)
        elif isinstance(element, Repeat) and element.times is None and not is_last:
            raise ScriptError(f"{where}: expected a repeat without end to be the last element")
        elif not is_last and not any(step.calls for step in _steps(element)):
            raise ScriptError(
                f"{where}: this step makes no call, so no request can follow it in this turn; "
                "begin a new turn(...) for the user's next message"
            )


def _steps(element: Step | Repeat) -> Iterator[Step]:
    yield element.step if isinstance(element, Repeat) else element
