"""The journal: what the model was asked, in order, and how each request was answered.

Values that leave the journal never change: an exchange that is over is another value than the one that had arrived.
All methods may be called from any thread.
"""

import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from fake_model.errors import IncompleteError, JournalError, NotSeenError
from fake_model.exchange import Carried, Clock, Entry, Exchange
from fake_model.findings import Finding
from fake_model.ids import Position, check_token
from fake_model.request import ModelRequest
from fake_model.script import Script
from fake_model.walk import unconsumed


class Place(NamedTuple):
    """What is played at a position: the run's script, and how often the step was asked, this time included."""

    script: Script
    attempt: int


@dataclass(slots=True)
class _RunLog:
    """What the journal counts about one run. Only touched under the lock."""

    script: Script
    generation: int
    findings: deque[Finding]
    asked: Counter[tuple[int, int]] = field(default_factory=Counter)
    last: dict[int, ModelRequest | None] = field(default_factory=dict)
    arrived: int = 0
    finished: int = 0
    evicted: int = 0


class Journal:
    """Exchanges in order, and what each run has been asked.

    Args:
        clock: seconds, for arrival and reply times.
        limit: how many exchanges are kept; older ones go first.
        limit_bytes: how many bytes of requests and replies are kept.
        standing: scripts by token whose runs are open from the start, and anew after each reset.
    """

    def __init__(
        self, clock: Clock, limit: int, limit_bytes: int, standing: tuple[tuple[str, Script], ...] = ()
    ) -> None:
        self._lock = threading.RLock()
        self.changed = threading.Condition(self._lock)
        self.clock = clock
        self._limit = limit
        self._limit_bytes = limit_bytes
        self._bytes = 0
        self._generation = 0
        self._order = 0
        self._waiting = 0
        self._numbers = count(1)
        self._entries: OrderedDict[int, Entry] = OrderedDict()
        self._runs: dict[str, _RunLog] = {}
        self._retired: OrderedDict[str, int] = OrderedDict()
        self._loose: deque[Finding] = deque(maxlen=limit)
        self._standing = standing
        for token, script in standing:
            self.open_run(script, token)

    @property
    def generation(self) -> int:
        """How often the journal was reset."""
        return self._generation

    @property
    def order(self) -> int:
        """How many exchanges were recorded, over all generations."""
        return self._order

    @property
    def runs(self) -> tuple[tuple[str, Script], ...]:
        """The runs of this generation: token and script of each."""
        with self.changed:
            return tuple((token, log.script) for token, log in self._runs.items())

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

    def take_place(self, position: Position) -> Place | None:
        """Count that a step is asked and return what is played there, or None when there is no such run."""
        with self._lock:
            log = self._runs.get(position.token)
            if log is None:
                return None
            place = position.turn, position.step
            attempt = log.asked[place] = log.asked[place] + 1
            return Place(log.script, attempt)

    def generation_of(self, token: str) -> int:
        """Return the generation that a token belongs to, the present one for a token that nobody knows."""
        return self._retired.get(token, self._generation)

    def arrived(self, entry: Entry, parsed: ModelRequest | None) -> None:
        """Record a request, with its answer where that is known already; gives the entry its order."""
        with self._lock:
            entry.order = self._order
            self._order += 1
            position = entry.position
            log = self._runs.get(position.token) if position else None
            if position is not None and log is not None:
                entry.generation = log.generation
                log.arrived += 1
                log.finished += entry.ending is not None
                self._note_last(log, position.turn, parsed)
            else:
                entry.generation = self.generation_of(position.token) if position else self._generation
            self._keep(entry)
            if entry.findings:
                self._note(entry, entry.findings)
            if self._waiting:
                self.changed.notify_all()

    def finished(self, entry: Entry, carried: Carried, findings: tuple[Finding, ...] = ()) -> None:
        """Record how an answer went out."""
        with self.changed:
            if entry.order in self._entries:
                self._bytes += len(carried.body) - len(entry.written)
            entry.written = carried.body
            entry.ended_at = self.clock()
            entry.started_at = entry.ended_at if carried.started_at is None else carried.started_at
            entry.ending = carried.ending
            entry.findings += findings
            log = self._log_of(entry)
            if log is not None:
                log.finished += 1
            self._note(entry, findings)
            self._evict()
            self.changed.notify_all()

    def exchanges(self, token: str | None = None) -> tuple[Exchange, ...]:
        """Return the exchanges of this generation, or those of one run, in the order of their arrival.

        Raises:
            JournalError: the run is unknown, or some of its exchanges had to make room for newer ones.
        """
        with self.changed:
            if token is None:
                return tuple(
                    self._seen(e) for e in self._entries.values() if e.generation == self._generation
                )
            log = self._run(token)
            if log.evicted:
                raise JournalError(
                    f"{log.evicted} exchange(s) of run {token} made room for newer ones; raise journal_limit "
                    f"above {self._limit} or journal_bytes above {self._limit_bytes}"
                )
            own = (e for e in self._entries.values() if self._log_of(e) is log)
            return tuple(self._seen(entry) for entry in own)

    def counts(self, token: str) -> tuple[int, int]:
        """Return how many requests of a run have arrived, and how many of their answers are over."""
        with self.changed:
            log = self._run(token)
            return log.arrived, log.finished

    def wait(self, holds: Callable[[], bool], timeout: float, wanted: Callable[[], str]) -> None:
        """Block until `holds()`; raises NotSeenError with `wanted()` after `timeout` seconds."""
        with self.changed:
            self._waiting += 1
            try:
                if not self.changed.wait_for(holds, timeout):
                    raise NotSeenError(f"within {timeout} s: {wanted()}")
            finally:
                self._waiting -= 1

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
            standing = {token for token, _ in self._standing}
            for token in self._runs.keys() - standing:
                self._retired[token] = self._generation
            while len(self._retired) > self._limit:
                self._retired.popitem(last=False)
            self._runs.clear()
            self._entries.clear()
            self._bytes = 0
            self._loose.clear()
            self._generation += 1
            for token, script in self._standing:
                self.open_run(script, token)
            self.changed.notify_all()

    @staticmethod
    def _note_last(log: _RunLog, turn: int, parsed: ModelRequest | None) -> None:
        """Keep the last request of a turn where its results decide the way on; elsewhere it would only be ballast."""
        if turn < len(log.script.turns) and log.script.turns[turn].branches:
            log.last[turn] = parsed

    def _run(self, token: str) -> _RunLog:
        log = self._runs.get(token)
        if log is None:
            raise JournalError(f"no run {token!r} in generation {self._generation}; it ended with a reset")
        return log

    def _log_of(self, entry: Entry) -> _RunLog | None:
        """Return the run that an entry belongs to; None once a reset has ended it."""
        log = self._runs.get(entry.position.token) if entry.position else None
        return log if log is not None and log.generation == entry.generation else None

    def _seen(self, entry: Entry) -> Exchange:
        log = self._log_of(entry)
        return entry.exchange(log.script.aliases if log else ())

    def _keep(self, entry: Entry) -> None:
        self._entries[entry.order] = entry
        self._bytes += entry.size
        if len(self._entries) > self._limit or self._bytes > self._limit_bytes:
            self._evict()

    def _evict(self) -> None:
        """Drop the oldest exchanges until both limits hold; the newest always stays."""
        while len(self._entries) > 1 and (
            len(self._entries) > self._limit or self._bytes > self._limit_bytes
        ):
            _, oldest = self._entries.popitem(last=False)
            self._bytes -= oldest.size
            log = self._log_of(oldest)
            if log is not None:
                log.evicted += 1

    def _note(self, entry: Entry, findings: tuple[Finding, ...]) -> None:
        """Add findings to the run they are about, or to those outside of any; a late request adds to neither."""
        log = self._log_of(entry)
        if log is not None:
            log.findings.extend(findings)
        elif entry.generation == self._generation:
            self._loose.extend(findings)

    @staticmethod
    def _findings_of(token: str, log: _RunLog) -> tuple[Finding, ...]:
        return (*log.findings, *unconsumed(log.script, token, log.asked, log.last))
