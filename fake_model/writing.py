"""Functions that write a script so that it reads as a sentence.

script(
step(reason("…"), say("Let me look."), call("domain:list-invoices", {"kind": "all"})),
say("Three are overdue."),
)
"""

import json
from collections.abc import Iterable, Iterator, Mapping

from fake_model.errors import ScriptError
from fake_model.expectations import (
    Absent,
    Expectation,
    LastCode,
    LastValue,
    Offered,
    StateShown,
    WithField,
    WithoutField,
)
from fake_model.faults import (
    BrokenEvent,
    ChunkPlan,
    Cut,
    ErrorEvent,
    Fault,
    HttpError,
    NotAStream,
    Reset,
    Silence,
)
from fake_model.names import Alias
from fake_model.pointer import JsonValue
from fake_model.script import (
    Arguments,
    Arm,
    Branch,
    Call,
    Element,
    Endless,
    FailedAttempt,
    Filling,
    Finish,
    Gate,
    MetaTool,
    Part,
    Pause,
    Reason,
    Repeat,
    ResultOf,
    Say,
    Script,
    Step,
    Turn,
    Usage,
)

Piece = Part | Expectation | Fault
"""What stands between the parentheses of a step: what is sent, what is expected, what goes wrong."""

Written = Piece | Element
"""One element of a turn: a step, or a piece that is a step by itself."""


def script(*elements: Written | Turn, name: str = "", names: Mapping[str, str] | None = None) -> Script:
    """Return a script of one turn with these steps, or of these turns.

    Args:
        elements: either only `turn(...)`s, or the steps of the only turn; a single part is a step.
        name: what reports call it.
        names: wire names by canonical id, for targets with an encoding of their own.

    Raises:
        ScriptError: turns and steps are mixed, or a step can never be reached.
    """
    turns = tuple(element for element in elements if isinstance(element, Turn))
    if not turns:
        turns = (turn(*(element for element in elements if not isinstance(element, Turn))),)
    elif len(turns) != len(elements):
        raise ScriptError(
            "expected either turns or steps in a script, got both; put the steps into a turn(...)"
        )
    return Script(turns, name, aliases(names or {}))


def aliases(names: Mapping[str, str]) -> tuple[Alias, ...]:
    """Return wire names by canonical id as values."""
    return tuple(Alias(canonical_id, wire_name) for canonical_id, wire_name in names.items())


def turn(*elements: Written) -> Turn:
    """Return the steps that answer one message of the user's."""
    return Turn(_elements(elements))


def step(
    *pieces: Piece | Iterable[Expectation],
    hold: str | None = None,
    fails: Iterable[FailedAttempt] = (),
    finish: Finish | str | None = None,
    usage: Usage | None = Usage(),  # noqa: B008 - a frozen value
    chunks: ChunkPlan | None = None,
    asked: int | None = 1,
    optional: bool = False,
) -> Step:
    """Return one reply of the model, made of parts, expectations and faults in any order.

    Args:
        pieces: parts are sent in their order; `expect(...)` counts as the expectations that it returns.
        hold: the gate at which the reply waits before its first byte.
        fails: what the first attempts get in place of the reply.
        finish: why the model stopped, where that does not follow from the parts.
        usage: token counts; None leaves them out.
        chunks: where the body is split into writes.
        asked: how often the step may be asked; None is any number.
        optional: whether the step may stay unasked.
    """
    flat = tuple(_flat(pieces))
    return Step(
        parts=tuple(piece for piece in flat if isinstance(piece, Part)),
        expects=tuple(piece for piece in flat if isinstance(piece, Expectation)),
        faults=tuple(piece for piece in flat if isinstance(piece, Fault)),
        fails=tuple(fails),
        hold=hold,
        finish=_finish_of(finish),
        usage=usage,
        chunks=chunks,
        asked=asked,
        optional=optional,
    )


def say(*deltas: str) -> Say:
    """Return text for the user; each argument is one streamed delta."""
    return Say(deltas)


def reason(*deltas: str) -> Reason:
    """Return visible thinking; each argument is one streamed delta."""
    return Reason(deltas)


def call(
    name: str,
    arguments: JsonValue = None,
    *,
    raw: str | Iterable[str] | None = None,
    offered: bool = True,
    through: MetaTool | None = None,
    pieces: int = 1,
    same_id_as: int | None = None,
) -> Call:
    """Return a tool call.

    Args:
        name: a canonical id, with `@instance` where a screen has several, or a wire name.
        arguments: a JSON value in which `result_of(...)` may stand for a value; None is `{}`.
        raw: the argument text as it is, or its deltas, for arguments that are not what they should be.
        offered: False where the name is meant not to be offered.
        through: which meta tool carries it in meta mode; what a discovery disclosed goes before this.
        pieces: the number of deltas that carry the arguments.
        same_id_as: index of an earlier call of this step whose id is used again.
    """
    if raw is not None and arguments is not None:
        raise ScriptError(f"call to {name}: expected arguments or raw, got both")
    if raw is None:
        text = _arguments({} if arguments is None else arguments, pieces)
    elif isinstance(raw, str):
        text = Arguments(raw, pieces=pieces)
    else:
        deltas = tuple(raw)
        text = Arguments("".join(deltas), deltas=deltas)
    return Call(name, text, offered, through, same_id_as)


def read(name: str, *, offered: bool = True) -> Call:
    """Return a call to an observation: a call that the meta tool for reading carries in meta mode."""
    return Call(name, offered=offered, through=MetaTool.READ)


def result_of(step: int = -1, pointer: str = "", *, call: int = 0) -> ResultOf:
    """Return a stand-in for a value from an earlier result; step -1 is the step before."""
    return ResultOf(step, pointer, call)


def gate(name: str) -> Gate:
    """Return a place where the reply waits until `run.release(name)`."""
    return Gate(name)


def pause(seconds: float) -> Pause:
    """Return a place where the reply waits for some time."""
    return Pause(seconds)


def endless(delta: str, at_most: int = 100_000) -> Endless:
    """Return a text delta that is sent until the reader goes away."""
    return Endless(delta, at_most)


def repeat(element: Piece | Step, times: int | None = None) -> Repeat:
    """Return a step that answers `times` requests in a row, or all that follow."""
    return Repeat(element if isinstance(element, Step) else step(element), times)


def branch(
    source: ResultOf,
    arms: Mapping[JsonValue, Written | Iterable[Written]],
    *,
    otherwise: Written | Iterable[Written] | None = None,
) -> Branch:
    """Return a choice by the value of an earlier result; without `otherwise` any other value is a finding."""
    return Branch(
        source,
        tuple(arm(value, *_listed(way)) for value, way in arms.items()),
        None if otherwise is None else _elements(_listed(otherwise)),
    )


def arm(value: JsonValue, *elements: Written) -> Arm:
    """Return what follows when the value that a branch looks at equals `value`."""
    return Arm(json.dumps(value), _elements(elements))


def usage(
    input: int = 16,  # noqa: A002 - the field's own word
    output: int = 16,
    *,
    cached: int | None = None,
    reasoning: int | None = None,
) -> Usage:
    """Return token counts of a step."""
    return Usage(input, output, cached, reasoning)


def expect(
    *,
    offered: str | Iterable[str] = (),
    absent: str | Iterable[str] = (),
    with_field: Mapping[str, str | Iterable[str]] | None = None,
    without_field: Mapping[str, str | Iterable[str]] | None = None,
    available: str | Iterable[str] = (),
    unavailable: Mapping[str, str] | str | Iterable[str] = (),
    last_code: str | None = None,
    last_value: Mapping[str, JsonValue] | None = None,
) -> tuple[Expectation, ...]:
    """Return what a step expects to have been shown.

    Args:
        offered: tools that must be among the offered ones.
        absent: tools that must not.
        with_field: by tool, properties that its input schema must have.
        without_field: by tool, properties that its input schema must not have.
        available: capabilities with a state line that says so.
        unavailable: capabilities with a state line that says so; as a mapping, with a text that the reason must hold.
        last_code: the code or status that the last result must carry.
        last_value: by JSON pointer, values that the last result must have.
    """
    reasons = unavailable if isinstance(unavailable, Mapping) else dict.fromkeys(_names(unavailable), "")
    return (
        *(Offered(name) for name in _names(offered)),
        *(Absent(name) for name in _names(absent)),
        *(WithField(name, key) for name, keys in (with_field or {}).items() for key in _names(keys)),
        *(WithoutField(name, key) for name, keys in (without_field or {}).items() for key in _names(keys)),
        *(StateShown(name, available=True) for name in _names(available)),
        *(StateShown(name, available=False, text=text) for name, text in reasons.items()),
        *((LastCode(last_code),) if last_code is not None else ()),
        *(LastValue(pointer, json.dumps(value)) for pointer, value in (last_value or {}).items()),
    )


def status(
    code: int,
    message: str = "scripted failure",
    *,
    error: str | None = None,
    retry_after: str | float | None = None,
    body: str | None = None,
) -> HttpError:
    """Return an HTTP error with the provider's error body, or with `body` as it is."""
    return HttpError(code, message, error, None if retry_after is None else str(retry_after), body)


def reset(after_events: int = 0) -> Reset:
    """Return a TCP reset after so many events."""
    return Reset(after_events)


def silence(gate: str = "silence") -> Silence:
    """Return an answer of which no byte comes."""
    return Silence(gate)


def cut(*, after_events: int | None = None, after_bytes: int | None = None, clean: bool = False) -> Cut:
    """Return an answer that ends too early; `clean` ends the HTTP message properly."""
    return Cut(after_events, after_bytes, clean)


def broken_event(at: int = 0) -> BrokenEvent:
    """Return a fault that cuts the JSON of event number `at`."""
    return BrokenEvent(at)


def error_event(
    after_events: int = 0, message: str = "scripted failure", code: str = "server_error"
) -> ErrorEvent:
    """Return an error event inside a 200."""
    return ErrorEvent(after_events, message, code)


def not_a_stream(body: str, content_type: str = "text/html") -> NotAStream:
    """Return a 200 that is something else than was asked for."""
    return NotAStream(body, content_type)


def every(count: int) -> ChunkPlan:
    """Return a chunk plan that writes `count` bytes at a time."""
    return ChunkPlan(every=count)


def at_bytes(*offsets: int) -> ChunkPlan:
    """Return a chunk plan that splits the body at these byte offsets."""
    return ChunkPlan(offsets)


def _elements(elements: Iterable[Written]) -> tuple[Element, ...]:
    return tuple(
        element if isinstance(element, Step | Repeat | Branch) else step(element) for element in elements
    )


def _finish_of(reason: str | None) -> Finish | str | None:
    """Return one of the `Finish` values by its name, else the word as it is."""
    return next((known for known in Finish if known == reason), reason)


def _listed(way: Written | Iterable[Written]) -> Iterable[Written]:
    return (way,) if isinstance(way, Piece | Element) else way


def _flat(pieces: Iterable[Piece | Iterable[Expectation]]) -> Iterator[Piece]:
    for piece in pieces:
        if isinstance(piece, Piece):
            yield piece
        else:
            yield from piece


def _names(names: str | Iterable[str]) -> Iterable[str]:
    return (names,) if isinstance(names, str) else names


def _arguments(value: JsonValue, pieces: int) -> Arguments:
    fillings: list[Filling] = []
    bare = _without_results(value, (), fillings)
    return Arguments(json.dumps(bare, ensure_ascii=False), tuple(fillings), pieces)


def _without_results(value: JsonValue, path: tuple[str | int, ...], fillings: list[Filling]) -> JsonValue:
    """Return `value` with null in the place of each stand-in, which is added to `fillings` with its path."""
    if isinstance(value, ResultOf):
        fillings.append(Filling(path, value))
        return None
    if isinstance(value, Mapping):
        return {key: _without_results(item, (*path, key), fillings) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_results(item, (*path, index), fillings) for index, item in enumerate(value)]
    return value
