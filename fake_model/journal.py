"""The journal: what the model was asked, in order, and how each request was answered.

Values that leave the journal never change: an exchange that is over is another value than the one that had arrived.
All methods may be called from any thread.
"""

import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count

from fake_model.errors import IncompleteError, JournalError, NotSeenError
from fake_model.findings import Finding
from fake_model.http import Headers
from fake_model.ids import check_token
from fake_model.reply import Reply
from fake_model.request import ModelRequest
from fake_model.script import Script
from fake_model.walk import unconsumed

Clock = Callable[[], float]
"""Seconds, only ever growing."""


class Ending(StrEnum):
    """How an answer ended."""

    COMPLETE = "complete"
    CUT = "cut"
    RESET = "reset"
    READER_LEFT = "reader-left"


@dataclass(frozen=True, slots=True)
class SentReply:
    """What went out: `body` is what was written of the body, without HTTP's own framing. Times are in seconds."""

    status: int
    body: bytes
    ending: Ending
    started_at: float
    ended_at: float
    reply: Reply | None = None


@dataclass(frozen=True)
class Exchange:
    """One request to the model, and its answer once that is over.

    `order` counts all exchanges of a journal from 0; `attempt` counts how often this step was asked, from 1. Token,
    turn and step are None for a request that belongs to no run; `side_call` names a side call's canned reply.
    """

    order: int
    generation: int
    provider: str
    method: str
    path: str
    headers: Headers
    body: bytes
    arrived_at: float
    parsed: ModelRequest | None = field(default=None, repr=False)
    token: str | None = None
    turn: int | None = None
    step: int | None = None
    attempt: int = 1
    side_call: str | None = None
    findings: tuple[Finding, ...] = ()
    sent: SentReply | None = None

    @property
    def request(self) -> ModelRequest:
        """What was asked, in one shape for all providers.

        Raises:
            JournalError: the body could not be read; `body` has it as it came.
        """
        if self.parsed is None:
            raise JournalError(
                f"exchange {self.order} on {self.path} has no readable request: {self.body[:200]!r}"
            )
        return self.parsed

    @property
    def reply(self) -> Reply | None:
        """What was answered; None for a refused request, or before the answer is over."""
        return self.sent.reply if self.sent else None

    @property
    def status(self) -> int | None:
        """The HTTP status that was answered, None before the answer is over."""
        return self.sent.status if self.sent else None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a request belongs: run, turn, step, how often that was asked, and the script to play."""

    token: str
    turn: int
    step: int
    attempt: int
    script: Script


@dataclass(slots=True)
class _RunLog:
    """What the journal counts about one run. Only touched under the lock."""

    script: Script
    generation: int
    findings: deque[Finding]
    asked: Counter[tuple[int, int]] = field(default_factory=Counter)
    last: dict[int, ModelRequest] = field(default_factory=dict)
    arrived: int = 0
    finished: int = 0
    evicted: int = 0


class Journal:
    """Exchanges in order, and what each run has been asked.

    Args:
        clock: seconds, for arrival and reply times.
        limit: how many exchanges are kept; older ones go first.
    """

    def __init__(self, clock: Clock, limit: int) -> None:
        self.changed = threading.Condition()
        self.clock = clock
        self._limit = limit
        self._generation = 0
        self._order = 0
        self._numbers = count(1)
        self._exchanges: OrderedDict[int, Exchange] = OrderedDict()
        self._runs: dict[str, _RunLog] = {}
        self._retired: OrderedDict[str, int] = OrderedDict()
        self._loose: deque[Finding] = deque(maxlen=limit)

    @property
    def generation(self) -> int:
        """How often the journal was reset."""
        return self._generation

    def open_run(self, script: Script, token: str | None = None) -> str:
        """Begin a run and return its token, the next of a counter where none is given.

        Raises:
            JournalError: the token was used before.
            ScriptError: the token is malformed.
        """
        with self.changed:
            token = self._next_token() if token is None else check_token(token)
            if self._is_used(token):
                raise JournalError(
                    f"expected a new token, {token!r} was used before; leave it out to get a new one"
                )
            self._runs[token] = _RunLog(script, self._generation, deque(maxlen=self._limit))
            return token

    def _is_used(self, token: str) -> bool:
        return token in self._runs or token in self._retired

    def _next_token(self) -> str:
        return next(name for number in self._numbers if not self._is_used(name := f"r{number}"))

    def take_place(self, token: str, turn: int, step: int) -> Place | None:
        """Count that a step is asked and return its place, or None when there is no such run."""
        with self.changed:
            log = self._runs.get(token)
            if log is None:
                return None
            log.asked[turn, step] += 1
            return Place(token, turn, step, log.asked[turn, step], log.script)

    def next_order(self) -> int:
        """Return the number of the next exchange."""
        self._order += 1
        return self._order - 1

    def generation_of(self, token: str | None) -> int:
        """Return the generation that a token belongs to, the present one for a token that nobody knows."""
        return self._retired.get(token, self._generation) if token else self._generation

    def arrived(self, exchange: Exchange) -> None:
        """Record a request, with its answer where that is known already."""
        with self.changed:
            self._keep(exchange)
            log = self._runs.get(exchange.token) if exchange.token else None
            if log:
                log.arrived += 1
                log.finished += exchange.sent is not None
                log.findings.extend(exchange.findings)
                if exchange.turn is not None and exchange.parsed is not None:
                    log.last[exchange.turn] = exchange.parsed
            elif exchange.generation == self._generation:
                self._loose.extend(exchange.findings)
            self.changed.notify_all()

    def finished(self, exchange: Exchange, sent: SentReply, findings: tuple[Finding, ...] = ()) -> None:
        """Record how an answer went out."""
        with self.changed:
            if exchange.order in self._exchanges:
                self._exchanges[exchange.order] = replace(
                    exchange, sent=sent, findings=exchange.findings + findings
                )
            log = self._runs.get(exchange.token) if exchange.token else None
            if log:
                log.finished += 1
                log.findings.extend(findings)
            self.changed.notify_all()

    def exchanges(self, token: str | None = None) -> tuple[Exchange, ...]:
        """Return the exchanges of this generation, or those of one run, in the order of their arrival.

        Raises:
            JournalError: the run is unknown, or some of its exchanges had to make room for newer ones.
        """
        with self.changed:
            if token is None:
                return tuple(e for e in self._exchanges.values() if e.generation == self._generation)
            log = self._run(token)
            if log.evicted:
                raise JournalError(
                    f"{log.evicted} exchange(s) of run {token} made room for newer ones; raise journal_limit "
                    f"above {self._limit}"
                )
            return tuple(e for e in self._exchanges.values() if e.token == token)

    def counts(self, token: str) -> tuple[int, int]:
        """Return how many requests of a run have arrived, and how many of their answers are over."""
        with self.changed:
            log = self._run(token)
            return log.arrived, log.finished

    def wait(self, holds: Callable[[], bool], timeout: float, wanted: Callable[[], str]) -> None:
        """Block until `holds()`; raises NotSeenError with `wanted()` after `timeout` seconds."""
        with self.changed:
            if not self.changed.wait_for(holds, timeout):
                raise NotSeenError(f"within {timeout} s: {wanted()}")

    def findings(self, token: str | None = None) -> tuple[Finding, ...]:
        """Return what is not as scripted: in one run, or in all of this generation and outside of any."""
        with self.changed:
            if token is not None:
                return self._findings_of(token, self._run(token))
            runs = (finding for name, log in self._runs.items() for finding in self._findings_of(name, log))
            return (*self._loose, *runs)

    def assert_complete(self, token: str | None = None) -> None:
        """Raise IncompleteError with every finding, if there is any."""
        findings = self.findings(token)
        if findings:
            raise IncompleteError(
                "\n".join(["the script was not played as written:", *(f"- {f}" for f in findings)])
            )

    def reset(self) -> None:
        """Begin a new generation: runs, exchanges and findings so far are no longer to be seen."""
        with self.changed:
            for token, log in self._runs.items():
                self._retired[token] = log.generation
            while len(self._retired) > self._limit:
                self._retired.popitem(last=False)
            self._runs.clear()
            self._exchanges.clear()
            self._loose.clear()
            self._generation += 1
            self.changed.notify_all()

    def _run(self, token: str) -> _RunLog:
        log = self._runs.get(token)
        if log is None:
            raise JournalError(f"no run {token!r} in generation {self._generation}; it ended with a reset")
        return log

    def _keep(self, exchange: Exchange) -> None:
        self._exchanges[exchange.order] = exchange
        if len(self._exchanges) > self._limit:
            _, oldest = self._exchanges.popitem(last=False)
            log = self._runs.get(oldest.token) if oldest.token else None
            if log:
                log.evicted += 1

    @staticmethod
    def _findings_of(token: str, log: _RunLog) -> tuple[Finding, ...]:
        return (*log.findings, *unconsumed(log.script, token, log.asked, log.last))
