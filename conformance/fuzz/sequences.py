"""Requests that build on each other: the links of the description, followed by schemathesis' state machine.

A step may leave an approval and a thread behind, which are then listed, shown, decided, decided again and removed.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from hypothesis import seed as seeded
from schemathesis import Response

from conformance.errors import Departure
from conformance.fuzz.attempt import Attempt, Request, reference
from conformance.fuzz.bench import Bench
from conformance.fuzz.description import Call, Description, as_response, to_request
from conformance.fuzz.hunt import Bag, Quarry, chase, hunting_settings
from conformance.fuzz.problem import Problem
from conformance.fuzz.trial import Trial, readable
from conformance.wire.answer import Answer

MOST_REQUESTS = 6
"""How many requests one sequence has at most, beside those that prepare it."""

_MINTED = re.compile(r"(?=.*[0-9])[\w.:~-]{8,200}", re.ASCII)
Hook = Callable[[Request], Request]


def hunt_sequences(
    bench: Bench, description: Description, hook: Hook, first: tuple[Request, ...], *, count: int, seed: int
) -> Bag:
    """Follow the links of a description from answer to answer, `count` times.

    Args:
        bench: where the requests are made.
        description: what is described, with links.
        hook: what is done to each generated request.
        first: what is sent before, so that there is something to work on.
        count: how many sequences are generated.
        seed: see `hunt`.
    """
    quarry, made = Quarry(), [0]
    machine: Any = description.schema.as_state_machine()

    class Sequence(machine):  # type: ignore[misc] # made from the description at run time
        """One sequence."""

        trial: Trial
        problems: tuple[Problem, ...]

        def setup(self) -> None:
            made[0] += 1
            self.trial = bench.begin()
            self.problems = ()
            for request in first:
                self._send(request)
                quarry.note(as_attempt(self.trial), self.problems)

        def call(self, case: Call, **_: Any) -> Response:
            request = hook(to_request(case))
            return as_response(request, self._send(request))

        def validate_response(self, *_: Any, **__: Any) -> None:
            quarry.note(as_attempt(self.trial), self.problems)

        def teardown(self) -> None:
            if not self.problems:
                quarry.note(as_attempt(self.trial), bench.end(self.trial))

        def _send(self, request: Request) -> Answer:
            try:
                self.problems = self.trial.send(request)
                return self.trial.answers[-1]
            except Departure as departure:
                self.problems = (bench.unanswered(str(departure)),)
                return Answer(request.method, request.path, 599, {}, b"")

    seeded(seed)(Sequence)
    chase(lambda: Sequence.run(settings=hunting_settings(count, MOST_REQUESTS)), quarry)
    return Bag(tuple(quarry.found.values()), made[0])


def as_attempt(trial: Trial) -> Attempt:
    """What was sent, with values that earlier answers gave replaced by references to them, so that it can be sent again."""
    requests: list[Request] = []
    known: dict[str, str] = {}
    for index, request in enumerate(trial.requests):
        requests.append(_with_references(request, known))
        if index < len(trial.answers):
            _collect(readable(trial.answers[index]), index, "", known)
    return Attempt(trial.means.identity, tuple(requests))


def _with_references(request: Request, known: Mapping[str, str]) -> Request:
    path, body = request.path, request.body
    for value, stand_in in known.items():
        path = path.replace(quote(value, safe=""), stand_in)
        body = body.replace(value.encode(), stand_in.encode())
    return Request(request.operation, request.method, path, body, request.media_type, request.script)


def _collect(value: Any, index: int, pointer: str, known: dict[str, str]) -> None:
    """Note the texts of an answer that look like ids that it made, each with where it stood first."""
    if isinstance(value, dict):
        for key, item in value.items():
            _collect(item, index, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}", known)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            _collect(item, index, f"{pointer}/{number}", known)
    elif isinstance(value, str) and _MINTED.fullmatch(value) and not set(']"') & set(pointer):
        known.setdefault(value, reference(index, pointer))
