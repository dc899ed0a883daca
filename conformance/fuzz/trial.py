"""One attempt while it is being made: requests go out one by one, and each answer is checked as it comes."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.data import Look
from conformance.drivers.http import MAX_BODY, Http
from conformance.errors import Departure
from conformance.fuzz.attempt import MARKER, Attempt, Request
from conformance.fuzz.checks import Bounds, problems_of, prompts
from conformance.fuzz.description import Description
from conformance.fuzz.problem import Problem
from conformance.fuzz.scripts import PLAIN
from conformance.target_tables import Limits
from conformance.wire import strict_json
from conformance.wire.answer import Answer
from conformance.wire.pointer import MISSING, resolve
from fake_model import FakeModel, JournalError, Run, parse_script, problems


@dataclass(frozen=True)
class Means:
    """What a trial needs of its bench.

    Attributes:
        identity: who sends the requests: a name of the target file, or `nobody`.
        http: that person's client.
        model: the fake model.
        limits: the deadlines of the target file.
        bounds: what answers may not show.
        descriptions: what is declared about answers; the first one that knows an operation counts.
    """

    identity: str
    http: Http
    model: FakeModel
    limits: Limits
    bounds: Bounds
    descriptions: tuple[Description, ...]


@dataclass
class Trial:
    """One attempt while it is being made.

    Attributes:
        means: see `Means`.
        before: the data before it, where it has to stay as it was.
        requests: what was sent so far.
        answers: what was answered.
    """

    means: Means
    before: Look | None
    requests: list[Request] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)

    @property
    def attempt(self) -> Attempt:
        """What was sent so far, as a value."""
        return Attempt(self.means.identity, tuple(self.requests))

    def send(self, request: Request) -> tuple[Problem, ...]:
        """Send one request and check its answer.

        Raises:
            Departure: there is no whole answer within the deadlines.
        """
        self.requests.append(request)
        resolved = request.resolved(self._look_up)
        run = _play(self.means.model, resolved)
        answer = self._exchange(resolved, run)
        self.answers.append(answer)
        found = [*problems_of(resolved, answer, self.means.bounds), *self._undeclared(resolved, answer)]
        if run is not None:
            found += prompts(resolved, _refusable(run))
        return tuple(found)

    def _undeclared(self, request: Request, answer: Answer) -> Sequence[Problem]:
        for description in self.means.descriptions:
            if request.operation in description.labels:
                return tuple(description.problems(request, answer))
        return ()

    def _exchange(self, request: Request, run: Run | None) -> Answer:
        """Send the bytes, and read the answer to its end."""
        body = request.body
        if run is not None:
            body = body.replace(MARKER.encode(), run.marker().encode())
        headers = {"content-type": request.media_type} if request.media_type else {}
        deadline = self.means.limits.step_deadline
        end = time.monotonic() + deadline
        received = bytearray()
        with self.means.http.stream(request.method, request.path, content=body, headers=headers) as response:
            for chunk in response.iter_raw():
                received += chunk
                if len(received) > MAX_BODY:
                    raise Departure(f"{request.operation} answered with more than {MAX_BODY} bytes")
                if time.monotonic() > end:
                    raise Departure(f"{request.operation} was not answered whole within {deadline:g} s")
            status, sent = response.status_code, dict(response.headers)
        return Answer(request.method, request.path, status, sent, bytes(received))

    def _look_up(self, index: int, pointer: str) -> Any:
        """The value at a pointer in an earlier answer; an empty text where there is none, so that the request is sent all the same."""
        value = resolve(readable(self.answers[index]), pointer) if index < len(self.answers) else MISSING
        return "" if value is MISSING else value


def readable(answer: Answer) -> Any:
    """An answer as a value: JSON, or the list of its lines; None where it is neither."""
    try:
        if answer.media_type.endswith("ndjson"):
            return [strict_json.loads(line) for line in answer.body.split(b"\n") if line.strip()]
        return strict_json.loads(answer.body)
    except strict_json.NotJson:
        return None


def _play(model: FakeModel, request: Request) -> Run | None:
    """Begin the run of a request that names one."""
    if MARKER.encode() not in request.body:
        return None
    return model.play(parse_script(request.script or PLAIN, "script", yaml=False))


def _refusable(run: Run) -> Sequence[str]:
    """What a provider would refuse in what the model was asked."""
    found: list[str] = []
    for exchange in run.exchanges:
        try:
            found += problems(exchange.request)
        except JournalError as error:
            found.append(str(error))
    return found
