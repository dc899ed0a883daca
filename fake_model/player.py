"""The player: from a script and a request to the reply, purely.

Nothing here remembers anything. The step follows from the messages, the attempt is handed in by who counts.
"""

import json
from functools import lru_cache

from fake_model import meta
from fake_model.findings import Finding, FindingKind, RefusedError
from fake_model.ids import CallId, Position
from fake_model.names import resolve, wire_name_of
from fake_model.pointer import JsonValue
from fake_model.reply import Played, Reply, ReplyCall, ReplyPart
from fake_model.request import ModelRequest
from fake_model.script import Arguments, Call, Finish, Script, Step
from fake_model.walk import step_at, value_of


def play(script: Script, request: ModelRequest, position: Position, attempt: int) -> Played:
    """Return the reply to a request at a position; `attempt` counts from 1.

    Where the script has no answer, or the answer would not be what it means, there is no reply, and a finding says why.
    """
    try:
        step = step_at(script, request, position)
        if attempt <= len(step.fails):
            return Played(Reply(faults=(step.fails[attempt - 1],)))
        if step.expects:
            _check_expectations(step, request)
        played = Played(_reply(step, request, position)) if step.calls else _same_for_all(step)
    except RefusedError as refused:
        return Played(None, (_finding(refused.kind, str(refused), position),))
    asked = attempt - len(step.fails)
    if step.asked is None or asked <= step.asked:
        return played
    return Played(played.reply, (_asked_again(step, position, asked),))


def _finding(kind: FindingKind, message: str, position: Position) -> Finding:
    return Finding(kind, message, position.token, position.turn, position.step)


def _asked_again(step: Step, position: Position, asked: int) -> Finding:
    return _finding(
        FindingKind.ASKED_AGAIN,
        f"expected this step to be asked {step.asked} time(s), this is number {asked}; "
        "say step(..., asked=None) where that is meant",
        position,
    )


def _check_expectations(step: Step, request: ModelRequest) -> None:
    unmet = [message for expectation in step.expects if (message := expectation.unmet(request))]
    if unmet:
        raise RefusedError(FindingKind.EXPECTATION, "; ".join(unmet))


def _reply(step: Step, request: ModelRequest, position: Position) -> Reply:
    parts: list[ReplyPart] = []
    calls = 0
    for part in step.parts:
        if isinstance(part, Call):
            parts.append(_call(part, request, position, calls))
            calls += 1
        else:
            parts.append(part)
    return _with_parts(step, tuple(parts), Finish.TOOL_CALLS)


@lru_cache(maxsize=64)
def _same_for_all(step: Step) -> Played:
    """Return what a step without calls is answered with: nothing in it depends on the request."""
    parts = tuple(part for part in step.parts if not isinstance(part, Call))
    return Played(_with_parts(step, parts, Finish.STOP))


def _with_parts(step: Step, parts: tuple[ReplyPart, ...], finish: Finish) -> Reply:
    return Reply(parts, step.finish or finish, step.usage, step.faults, step.chunks, step.hold)


def _call(call: Call, request: ModelRequest, position: Position, index: int) -> ReplyCall:
    numbered = index if call.same_id_as is None else call.same_id_as
    identity = str(CallId(position.token, position.turn, position.step, numbered))
    arguments = _filled(call.arguments, request, position)
    wire_name = resolve(call.name, request.tool_names, request.aliases)
    if wire_name is None and (through := meta.carried(call, arguments, request)):
        wire_name, arguments = through
    if wire_name is None:
        if call.offered:
            raise RefusedError(
                FindingKind.NOT_OFFERED,
                f"expected {call.name} among the tools, offered are {sorted(request.tool_names)}; "
                "say call(..., offered=False) where a name that is not offered is meant",
            )
        wire_name = wire_name_of(call.name, request.aliases)
    return ReplyCall(identity, wire_name, _deltas(call.arguments, arguments))


def _deltas(written: Arguments, text: str) -> tuple[str, ...]:
    """Return the deltas that carry `text`: the ones that were written where they still make it up."""
    if written.deltas and "".join(written.deltas) == text:
        return written.deltas
    size = max(1, -(-len(text) // written.pieces))
    return tuple(text[at : at + size] for at in range(0, len(text), size)) or ("",)


def _filled(arguments: Arguments, request: ModelRequest, position: Position) -> str:
    """Return the argument text with the values from earlier results in it."""
    if not arguments.fillings:
        return arguments.text
    document: JsonValue = json.loads(arguments.text)
    for filling in arguments.fillings:
        value = value_of(filling.source, request, position)
        if not filling.path:
            return json.dumps(value, ensure_ascii=False)
        holder = document
        for key in filling.path[:-1]:
            holder = holder[key]
        holder[filling.path[-1]] = value
    return json.dumps(document, ensure_ascii=False)
