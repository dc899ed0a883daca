"""The tape: which answer belongs to which step of which conversation, and the script files that come of it."""

from dataclasses import dataclass, field
from pathlib import Path

import yaml

from fake_model.loading import parse_script
from fake_model.pointer import JsonValue
from fake_model.recording.heard import Heard
from fake_model.request import ModelRequest
from fake_model.routing import implied_turn
from fake_model.script import Call, Finish, Reason, Say, Usage


@dataclass(frozen=True, slots=True)
class Failed:
    """An attempt that the provider answered with an error."""

    status: int
    body: str
    retry_after: str | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    conversation: str
    turn: int
    step: int


@dataclass(slots=True)
class _Recorded:
    """What was heard at one place: failed attempts, and the answer once there was one."""

    failed: list[Failed] = field(default_factory=list)
    heard: Heard | None = None
    cut_after: int | None = None


_UNHEARD: JsonValue = {"say": "", "optional": True}
"""Stands for a turn that was over before the recording began."""


class Tape:
    """Gathers answers and writes one script file a conversation.

    A conversation is told by the marker in the user's text, else by its first user message; the turn and the step
    follow from the messages, as they do when a script is played.

    Args:
        directory: where the files go; it is made if it is not there.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._names: dict[str, str] = {}
        self._places: dict[_Place, _Recorded] = {}
        self._of_call: dict[str, _Place] = {}

    def failed(self, request: ModelRequest, attempt: Failed) -> None:
        """Note that the provider answered a request with an error."""
        place = self._place(request)
        self._places.setdefault(place, _Recorded()).failed.append(attempt)
        self._write(place.conversation)

    def heard(self, request: ModelRequest, heard: Heard, cut_after: int | None = None) -> None:
        """Note an answer; `cut_after` is the number of events after which the connection broke off."""
        place = self._place(request)
        recorded = self._places.setdefault(place, _Recorded())
        recorded.heard = heard
        recorded.cut_after = cut_after
        for identity in heard.call_ids:
            self._of_call[identity] = place
        self._write(place.conversation)

    def _place(self, request: ModelRequest) -> _Place:
        name = self._name(request)
        turn = request.marker.turn if request.marker else implied_turn(request.messages)
        known = (self._of_call.get(result.call_id) for result in request.all_results)
        steps = [place.step for place in known if place and (place.conversation, place.turn) == (name, turn)]
        return _Place(name, turn, max(steps, default=-1) + 1)

    def _name(self, request: ModelRequest) -> str:
        if request.marker:
            return request.marker.token
        first = request.user_texts[0] if request.user_texts else ""
        if first not in self._names:
            self._names[first] = f"c{len(self._names) + 1}"
        return self._names[first]

    def _write(self, conversation: str) -> None:
        """Write the script of a conversation as far as it is known, so that nothing is lost with the process."""
        turns: dict[int, list[JsonValue]] = {}
        for place in sorted(self._places, key=lambda place: (place.turn, place.step)):
            if place.conversation == conversation:
                turns.setdefault(place.turn, []).append(_step(self._places[place]))
        listed = [{"steps": turns.get(number, [_UNHEARD])} for number in range(max(turns) + 1)]
        document = {"name": conversation, "turns": listed}
        text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100)
        self._directory.mkdir(parents=True, exist_ok=True)
        path = self._directory / f"{conversation}.yaml"
        parse_script(text, str(path), yaml=True)
        path.write_text(text, encoding="utf-8")


def _step(recorded: _Recorded) -> JsonValue:
    """Return a step as it stands in a file; an attempt that nothing followed is the answer itself."""
    failed = [_failed(attempt) for attempt in recorded.failed]
    if recorded.heard is None:
        return {"fails": failed[:-1], "faults": failed[-1:]}
    heard = recorded.heard
    step: dict[str, JsonValue] = {"parts": [_part(part) for part in heard.parts]}
    usual = Finish.TOOL_CALLS if heard.call_ids else Finish.STOP
    if heard.finish != usual:
        step["finish"] = str(heard.finish)
    step["usage"] = None if heard.usage is None else _usage(heard.usage)
    if failed:
        step["fails"] = failed
    if recorded.cut_after is not None:
        step["faults"] = [{"cut": {"after_events": recorded.cut_after}}]
    return step


def _part(part: Say | Reason | Call) -> JsonValue:
    match part:
        case Say():
            return {"say": list(part.deltas)}
        case Reason():
            return {"reason": list(part.deltas)}
        case Call():
            return {"call": part.name, "raw": list(part.arguments.deltas)}


def _usage(usage: Usage) -> JsonValue:
    figures = {
        "input": usage.input,
        "output": usage.output,
        "cached": usage.cached,
        "reasoning": usage.reasoning,
    }
    return {name: figure for name, figure in figures.items() if figure is not None}


def _failed(attempt: Failed) -> JsonValue:
    status: dict[str, JsonValue] = {"code": attempt.status, "body": attempt.body}
    if attempt.retry_after is not None:
        status["retry_after"] = attempt.retry_after
    return {"status": status}
