"""Where one identity's attempts are made: a running target whose data is put back before each, and a fake model."""

from collections.abc import Sequence

from conformance.data import Data, Look
from conformance.errors import Departure
from conformance.fuzz.attempt import Attempt
from conformance.fuzz.checks import Bounds
from conformance.fuzz.description import Description
from conformance.fuzz.problem import Check, Problem
from conformance.fuzz.trial import Means, Trial
from conformance.people import People, Person
from conformance.stage import App, Stage, Worker
from conformance.target import Target
from conformance.target_tables import Rights

NOBODY = "nobody"
"""Who sends requests without any token."""


class TargetGoneError(BaseException):
    """The target answers nothing any more. No `Exception`, so that generation ends with it instead of shrinking."""

    def __init__(self, problem: Problem, attempt: Attempt) -> None:
        self.problem = problem
        self.attempt = attempt
        super().__init__(problem.detail)


class Bench:
    """Makes the attempts of one identity.

    Args:
        worker: the target and the fake model.
        identity: a name of the target file, or `nobody`.

    Raises:
        Departure: the target can't be reset, or the identity can't sign in.
    """

    def __init__(self, worker: Worker, identity: str) -> None:
        self.worker = worker
        self.identity = identity
        self.descriptions: tuple[Description, ...] = ()
        self._stage = Stage(worker, f"fuzz as {identity}")
        self._people = People(self._stage)
        self._last: Trial | None = None
        self.reset()
        # Once, since a session outlives a reset.
        self.person: Person = self._people.nobody if identity == NOBODY else self._people.named(identity)

    @property
    def full(self) -> Person:
        """Somebody who may use every capability."""
        return self._people.full

    @property
    def must_not_write(self) -> bool:
        """Whether whatever this identity sends has to leave the data as it was."""
        target = self.worker.target
        if not target.reads:
            return False
        if self.identity == NOBODY:
            return not target.unauthenticated_writes
        return target.identities[self.identity].rights is Rights.RESTRICTED

    def reset(self) -> None:
        """Put the data back, as far as the target can, and begin a new journal.

        Raises:
            Departure: the target refuses, or does not answer.
        """
        self.worker.model.reset()
        App(self._stage).reset()
        self._stage.transcript.entries.clear()

    def look(self) -> Look:
        """Read the data as somebody who may see it all."""
        return Data(self._stage, self._people).look()

    def begin(self) -> Trial:
        """Put the data back and begin an attempt.

        Raises:
            TargetGoneError: that does not succeed after what was sent before.
        """
        try:
            self.reset()
            before = self.look() if self.must_not_write else None
        except Departure as departure:
            raise self._gone(f"afterwards {departure}") from None
        self._last = Trial(self._means(), before)
        return self._last

    def make(self, attempt: Attempt) -> tuple[Problem, ...]:
        """Make a whole attempt and say what is wrong with the answers; nothing more is sent after the first problem.

        Raises:
            TargetGoneError: the target answers nothing any more.
        """
        trial = self.begin()
        try:
            for request in attempt.requests:
                if found := trial.send(request):
                    return found
        except Departure as departure:
            return (self.unanswered(str(departure)),)
        return self.end(trial)

    def end(self, trial: Trial) -> tuple[Problem, ...]:
        """Look whether the data is as it was, where it has to be.

        Raises:
            TargetGoneError: the target answers nothing any more.
        """
        if trial.before is None or not trial.requests:
            return ()
        try:
            moved = self.look().differences(trial.before)
        except Departure as departure:
            return (self.unanswered(f"afterwards {departure}"),)
        return (Problem(Check.DATA, trial.requests[-1].operation, moved[0]),) if moved else ()

    def unanswered(self, what: str) -> Problem:
        """Tell a request that was not answered from a target that answers nothing any more.

        Raises:
            TargetGoneError: the latter.
        """
        if not self._is_alive():
            raise self._gone(what)
        return Problem(Check.NO_ANSWER, self._asked_last(), what)

    def _gone(self, what: str) -> TargetGoneError:
        instance = self.worker.instance
        words = f"; the process has ended{instance.last_words()}" if instance.ends() else ""
        problem = Problem(Check.GONE, self._asked_last(), f"{what}{words}")
        return TargetGoneError(problem, self._last.attempt if self._last else Attempt(self.identity, ()))

    def _is_alive(self) -> bool:
        """Whether the target still answers anything."""
        try:
            self.person.http.request("GET", self.worker.target.paths.health or "/")
        except Departure:
            return False
        return self.worker.instance.alive

    def _asked_last(self) -> str:
        requests = self._last.requests if self._last else []
        return requests[-1].operation if requests else "controls.reset"

    def _means(self) -> Means:
        worker = self.worker
        return Means(
            self.identity,
            self.person.http,
            worker.model,
            worker.target.limits,
            bounds_of(worker.target, self.identity),
            self.descriptions,
        )


def bounds_of(target: Target, identity: str) -> Bounds:
    """What the target file says that answers to an identity may not show."""
    canaries = dict.fromkeys(role.canary for role in target.roles.values() if role.canary)
    return Bounds(tuple(canaries), frozenset(hidden_from(target, identity)))


def hidden_from(target: Target, identity: str) -> Sequence[str]:
    """The canonical ids of what an identity may not use, as the target file declares it."""
    names = target.hidden_from.get(identity, ())
    return [target.roles[name].capability for name in names if name in target.roles]
