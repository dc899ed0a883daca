"""A whole fuzzing run: each identity in turn, each family of requests in turn, all from one seed."""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from conformance.errors import Departure, Untested
from conformance.fuzz import histories, procedures
from conformance.fuzz.attempt import Attempt, Request
from conformance.fuzz.bench import NOBODY, Bench, TargetGoneError, hidden_from
from conformance.fuzz.description import Description, to_request
from conformance.fuzz.errors import FuzzError
from conformance.fuzz.hunt import Bag, Found, hunt, seed_of
from conformance.fuzz.offer import Tool, tools_of
from conformance.fuzz.openapi import describe
from conformance.fuzz.problem import Check
from conformance.fuzz.sequences import hunt_sequences
from conformance.fuzz.staples import before_sequences, scripts_of
from conformance.fuzz.steps import with_script
from conformance.scripts import answer
from conformance.stage import Worker
from conformance.target import Target
from conformance.worker import ANYWHERE, ModelPlace, one_worker

SHARES = {"procedures": 8, "steps": 4, "histories": 6, "sequences": 2}
"""The families of requests, with the weight by which the cases are shared out between them."""

_SILENT_AT_MOST = 3


@dataclass(frozen=True)
class Family:
    """What one identity's requests of one kind came to.

    Attributes:
        identity: who sent them.
        name: the family: a key of `SHARES`.
        cases: how many generated cases were sent, those that made a finding smaller included.
        found: what they showed.
    """

    identity: str
    name: str
    cases: int
    found: tuple[Found, ...]


@dataclass
class Outcome:
    """What a run has come to so far.

    Attributes:
        families: one for each identity and kind of request, in order.
        gone: what ended the target, when something did.
    """

    families: list[Family] = field(default_factory=list)
    gone: Found | None = None

    @property
    def cases(self) -> int:
        """How many generated cases were sent."""
        return sum(family.cases for family in self.families)

    @property
    def found(self) -> tuple[Found, ...]:
        """Every finding, in the order in which they were met; what ended the target comes last."""
        each = [found for family in self.families for found in family.found]
        return (*each, *([self.gone] if self.gone else []))

    @property
    def exit_code(self) -> int:
        """0 without findings, 1 with findings, 2 when the target did not live to the end."""
        return 2 if self.gone else int(bool(self.found))


def identities_of(target: Target, chosen: Sequence[str]) -> tuple[str, ...]:
    """Who a run sends requests as: all of the target file and nobody, or the chosen ones.

    Raises:
        FuzzError: the file has no such identity.
    """
    known = (*target.identities, NOBODY)
    for name in chosen:
        if name not in known:
            raise FuzzError(f"{target.name} has no identity {name!r}; it has {', '.join(known)}")
    return tuple(dict.fromkeys(chosen)) or known


def run(
    target: Target,
    identities: Sequence[str],
    *,
    cases: int,
    seed: int,
    families: Sequence[str] = tuple(SHARES),
    watcher: Callable[[Family], None] = lambda _: None,
    place: ModelPlace = ANYWHERE,
) -> Outcome:
    """Fuzz a target.

    Args:
        target: the target file.
        identities: see `identities_of`.
        cases: how many cases are generated at least, over all identities.
        seed: the same one gives the same requests.
        families: which kinds of requests, by their names in `SHARES`.
        watcher: told about each family as it ends.
        place: where the fake model listens.

    Raises:
        LaunchError: the target does not start.
        FuzzError: it can't be fuzzed: it publishes no readable description, or nobody can sign in.
    """
    outcome = Outcome()
    with one_worker(target, place) as worker:
        try:
            for identity in identities:
                shares = _shared_out(-(-cases // len(identities)), families)
                for family in _families(worker, identity, shares, seed):
                    outcome.families.append(family)
                    watcher(family)
                    if _is_too_silent(outcome):
                        return outcome
        except TargetGoneError as gone:
            outcome.gone = Found(gone.problem, gone.attempt)
        except Untested as untested:
            raise FuzzError(f"the target file has no {untested.missing}") from None
    return outcome


def _is_too_silent(outcome: Outcome) -> bool:
    """Each request that is not answered costs a deadline; after a few of them the rest would tell no more."""
    silent = sum(found.problem.check is Check.NO_ANSWER for found in outcome.found)
    return silent >= _SILENT_AT_MOST


def _shared_out(cases: int, families: Sequence[str]) -> Mapping[str, int]:
    """How many cases each family gets; rounded up, so that together they are not fewer."""
    whole = sum(SHARES[name] for name in families)
    return {name: -(-cases * SHARES[name] // whole) for name in families}


def _families(worker: Worker, identity: str, shares: Mapping[str, int], seed: int) -> Iterator[Family]:
    try:
        bench = Bench(worker, identity)
    except Departure as departure:
        raise FuzzError(f"{worker.target.name} can't be fuzzed as {identity}: {departure}") from None
    plan = _Plan(bench, _tools(bench))
    for name, count in shares.items():
        bag = plan.go(name, count, seed_of(seed, identity, name))
        if bag is not None:
            found = tuple(_confirmed(bench, one) for one in bag.found)
            yield Family(identity, name, bag.attempts, found)


def _confirmed(bench: Bench, found: Found) -> Found:
    """Send a finding once more; what was not answered is believed, since asking again would cost as long."""
    if found.problem.check is Check.NO_ANSWER:
        return found
    again = bench.make(found.attempt)
    return replace(found, steady=any(problem.key == found.problem.key for problem in again))


def _tools(bench: Bench) -> tuple[Tool, ...]:
    """What the model is offered for this identity on any page; a page whose step goes wrong will be found out later."""
    target = bench.worker.target
    if bench.person.session is None or not target.routes:
        return ()
    found: dict[str, Tool] = {}
    for route in target.routes:
        chat = bench.person.chat(route)
        with contextlib.suppress(Departure):
            step = chat.send(answer())
            found |= {
                tool.canonical_id: tool for tool in tools_of(step, chat.asked, target.inventory.leave_out)
            }
    return tuple(found.values())


def descriptions_for(bench: Bench) -> tuple[Description, ...]:
    """What is known about the target's operations: the suite's own description first, then what is known about `/rpc`."""
    target = bench.worker.target
    protocol = Description(describe(target, tuple(scripts_of(target))), "the suite's own description")
    own = procedures.published(bench.person, target)
    everything = procedures.published(bench.full, target) or procedures.as_the_roles_say(target)
    return (protocol, *(one for one in (own, everything) if one is not None))


class _Plan:
    """How each family of one identity's requests is generated."""

    def __init__(self, bench: Bench, tools: tuple[Tool, ...]) -> None:
        target = bench.worker.target
        self._bench = bench
        self._tools = tools
        self._scripts = scripts_of(target)
        self._protocol, *self._procedures = bench.descriptions = descriptions_for(bench)

    def go(self, name: str, count: int, seed: int) -> Bag | None:
        """Generate the requests of one family; None where the target gives no means."""
        if name == "sequences":
            return self._sequences(count, seed)
        strategy = {"procedures": self._calls, "steps": self._steps, "histories": self._histories}[name]()
        return None if strategy is None else hunt(strategy, self._bench.make, count=count, seed=seed)

    def _calls(self) -> st.SearchStrategy[Attempt] | None:
        """Calls of what the identity is told about, and of what only others are."""
        known: set[str] = set()
        strategies = []
        for description in self._procedures:
            labels = [label for label in description.labels if label not in known]
            known |= set(labels)
            if labels:
                strategies.append(description.cases(labels).map(to_request).map(self._alone))
        return st.one_of(strategies) if strategies else None

    def _steps(self) -> st.SearchStrategy[Attempt]:
        chat = f"POST {self._bench.worker.target.paths.chat}"
        return self._protocol.cases([chat]).map(to_request).map(self._hook).map(self._alone)

    def _histories(self) -> st.SearchStrategy[Attempt]:
        target, identity = self._bench.worker.target, self._bench.identity
        known = histories.Known(target, identity, self._tools, tuple(hidden_from(target, identity)))
        return histories.attempts(known)

    def _sequences(self, count: int, seed: int) -> Bag | None:
        target = self._bench.worker.target
        if target.paths.approvals is None and target.paths.threads is None:
            return None
        first = before_sequences(target)
        return hunt_sequences(self._bench, self._protocol, self._hook, first, count=count, seed=seed)

    def _hook(self, request: Request) -> Request:
        chat = f"POST {self._bench.worker.target.paths.chat}"
        return with_script(request, self._scripts) if request.operation == chat else request

    def _alone(self, request: Request) -> Attempt:
        return Attempt(self._bench.identity, (request,))
