"""The way through a turn: which step comes at which place, given what the earlier results decided."""

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat

from fake_model.findings import Finding, FindingKind, RefusedError
from fake_model.ids import Position, read_call_id
from fake_model.pointer import JsonValue
from fake_model.request import ModelRequest, ResultPart
from fake_model.script import Branch, Element, Repeat, ResultOf, Script, Step


@dataclass(frozen=True, slots=True)
class Planned:
    """A step at its place; `without_end` marks a repeat that answers everything from here on."""

    step: Step
    without_end: bool = False


Decide = Callable[[Branch, int], tuple[Element, ...]]


def steps_of(elements: tuple[Element, ...], decide: Decide, first: int = 0) -> Generator[Planned, None, int]:
    """Yield the steps of a turn in order, from number `first` on; a repeat without end yields without end.

    `decide` says how a branch goes on, and may raise; it is given the branch and the number of the step after it.
    """
    number = first
    for element in elements:
        if isinstance(element, Step):
            yield Planned(element)
            number += 1
        elif isinstance(element, Repeat):
            endless = element.times is None
            for _ in repeat(None) if element.times is None else range(element.times):
                yield Planned(element.step, endless)
                number += 1
        else:
            number = yield from steps_of(decide(element, number), decide, number)
    return number


def step_at(script: Script, request: ModelRequest, position: Position) -> Step:
    """Return the step at a position.

    Raises:
        RefusedError: the script has no such turn or step, or a branch on the way to it is not decided.
    """
    if position.turn >= len(script.turns):
        raise RefusedError(
            FindingKind.EXHAUSTED,
            f"expected at most turn {len(script.turns) - 1}, the request is for turn {position.turn}; "
            "add a turn(...) to the script",
        )
    turn = script.turns[position.turn]
    if position.step < len(turn.plain_steps):
        return turn.plain_steps[position.step]
    number = -1
    for number, planned in enumerate(steps_of(turn.elements, decider(request, position))):
        if number == position.step:
            return planned.step
    raise RefusedError(
        FindingKind.EXHAUSTED,
        f"turn {position.turn} ends with step {number}, the request is for step {position.step}; "
        "either the target asks once too often, or the script needs one more step",
    )


def decider(request: ModelRequest, position: Position) -> Decide:
    """Return how branches are decided by the results that a request carries."""

    def decide(branch: Branch, number: int) -> tuple[Element, ...]:
        value = value_of(branch.source, request, Position(position.token, position.turn, number))
        for arm in branch.arms:
            if json.loads(arm.value) == value:
                return arm.elements
        if branch.otherwise is None:
            known = ", ".join(arm.value for arm in branch.arms)
            raise RefusedError(
                FindingKind.NO_WAY_ON, f"expected one of {known} at {branch.source.pointer!r}, got {value!r}"
            )
        return branch.otherwise

    return decide


def value_of(source: ResultOf, request: ModelRequest, position: Position) -> JsonValue:
    """Return the value from an earlier result that `source` names, seen from a position.

    Raises:
        RefusedError: the request carries no such result, or the result has nothing at the pointer.
    """
    result = _result(source, request, position)
    try:
        return result.at(source.pointer)
    except LookupError as error:
        raise RefusedError(FindingKind.NO_RESULT, str(error)) from error


def _result(source: ResultOf, request: ModelRequest, position: Position) -> ResultPart:
    step = source.step if source.step >= 0 else position.step + source.step
    for result in request.all_results:
        place = read_call_id(result.call_id)
        if place and (place.token, place.turn, place.step, place.index) == (
            position.token,
            position.turn,
            step,
            source.call,
        ):
            return result
    seen = [result.call_id for result in request.all_results]
    raise RefusedError(
        FindingKind.NO_RESULT,
        f"expected the result of call {source.call} of step {step} in the conversation, got results for {seen}",
    )


def unconsumed(
    script: Script, token: str, asked: Mapping[tuple[int, int], int], last: Mapping[int, ModelRequest | None]
) -> Iterator[Finding]:
    """Yield a finding for each step that was not answered and is not optional.

    Args:
        script: what should have been played.
        token: the run.
        asked: how often each (turn, step) was asked.
        last: the last request of each turn, which decides the branches.
    """
    for turn, content in enumerate(script.turns):
        request = last.get(turn)
        decide = decider(request, Position(token, turn, 0)) if request else _undecided
        number = 0
        try:
            for number, planned in enumerate(steps_of(content.elements, decide)):
                step = planned.step
                if not step.optional and asked.get((turn, number), 0) <= len(step.fails):
                    yield Finding(FindingKind.UNCONSUMED, "this step was never answered", token, turn, number)
                if planned.without_end:
                    break
        except RefusedError:
            yield Finding(
                FindingKind.UNCONSUMED, "the branch after this step was never taken", token, turn, number
            )


def _undecided(branch: Branch, number: int) -> tuple[Element, ...]:
    raise RefusedError(FindingKind.NO_RESULT, f"nothing decides {branch.source} before step {number}")
