"""Approvals: whatever three people do in whatever order, the application agrees with a model of ten lines.

(The dual-plane model, The invariants, 5: bound to the validated input, single-use, expiring.)
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from conformance.drivers.chat import Conversation
from conformance.wire.pointer import resolve
from fake_model import call, say, script, step
from tests.model.checking import Beginning, check, holds
from tests.model.world import World

GATED = "domain:lab-gated-bump"
TTL = 900.0
PEOPLE = st.sampled_from(("carla", "conrad", "ada"))
APPROVERS = st.sampled_from(("carla", "conrad", "ada", "nobody"))


@dataclass
class Asked:
    """One approval, as the model has it."""

    owner: str
    expires: float
    status: str = "pending"


@dataclass
class Oracle:
    """What must be the case: the whole of the rules."""

    now: float = 0.0
    count: int = 0
    asked: dict[str, Asked] = field(default_factory=dict)

    def decide(self, who: str, name: str, *, approved: bool, fits: bool) -> int:
        """Take a decision; the HTTP status that it must be answered with."""
        one = self.asked[name]
        if who == "nobody" or who != one.owner:
            return 401 if who == "nobody" else 404
        if one.status != "pending" or self.now >= one.expires or not fits:
            return 409
        one.status = "consumed" if approved else "rejected"
        self.count += approved
        return 200

    def status(self, name: str) -> str:
        """What a card must show."""
        one = self.asked[name]
        return "expired" if one.status == "pending" and self.now >= one.expires else one.status

    def waiting(self, who: str) -> list[str]:
        """What must wait for somebody, oldest first."""
        return [
            name for name, one in self.asked.items() if one.owner == who and self.status(name) == "pending"
        ]


class Approvals(Beginning):
    """People ask, decide, wait, go on talking, press the page's own button, and the application is restarted."""

    approvals = Bundle("approvals")
    decided = Bundle("decided")

    @initialize()
    def begin(self) -> None:
        """An empty house."""
        super().begin()
        self.oracle = Oracle()
        self.hashes: dict[str, str] = {}
        self.talks: dict[str, Conversation] = {}

    @rule(target=approvals, who=PEOPLE, calls=st.integers(1, 2))
    def request(self, who: str, calls: int) -> object:
        """The model calls a gated operation; who may not use it is told that there is none."""
        talk = self.talks.setdefault(who, self.world.person(who).chat("lab"))
        said = talk.send(script(step(*(call(GATED, offered=False),) * calls), say("Asked.")))
        if who == "ada":
            assert {"NO_SUCH_TOOL"} == {result.code for result in talk.asked.results}
            return multiple()
        names = [str(resolve(result.result, "/approvalId")) for result in said.results]
        for name in names:
            self.oracle.asked[name] = Asked(who, self.oracle.now + TTL)
            self.hashes[name] = self.world.person(who).approvals.get(name).input_hash or ""
        return multiple(*names)

    @rule(
        name=approvals,
        who=APPROVERS,
        approved=st.booleans(),
        sent=st.sampled_from(("none", "right", "wrong")),
    )
    def decide(self, name: str, who: str, approved: bool, sent: str) -> None:
        """Somebody decides, perhaps naming the input that they mean."""
        hashes = {"none": {}, "right": {"inputHash": self.hashes[name]}, "wrong": {"inputHash": "0" * 64}}
        person = self.world.people.nobody if who == "nobody" else self.world.person(who)
        expected = self.oracle.decide(who, name, approved=approved, fits=sent != "wrong")

        decided = person.approvals.decide(name, approved=approved, **hashes[sent])

        assert expected == decided.answer.status, decided.answer.text
        assert (expected == 200 and approved) == decided.executed

    @rule(target=decided, name=approvals, approved=st.booleans())
    def decide_own(self, name: str, approved: bool) -> str:
        """Whoever asked decides, which is what mostly happens."""
        self.decide(name, self.oracle.asked[name].owner, approved, "none")
        return name

    @rule(name=decided, approved=st.booleans())
    def decide_again(self, name: str, approved: bool) -> None:
        """Whoever has decided does so once more: an answer got lost, or a second tab still shows the card."""
        self.decide(name, self.oracle.asked[name].owner, approved, "none")

    @rule(seconds=st.sampled_from((1.0, TTL - 1, TTL)))
    def wait(self, seconds: float) -> None:
        """Time passes, sometimes to the very instant of expiry."""
        self.world.advance(seconds)
        self.oracle.now += seconds

    @rule(who=PEOPLE)
    def resume(self, who: str) -> None:
        """The conversation goes on, with whatever became of its calls in it; that moves nothing by itself."""
        talk = self.talks.setdefault(who, self.world.person(who).chat("lab"))
        assert "Go on." == talk.send(script(say("Go on."))).text

    @rule(who=PEOPLE)
    def press(self, who: str) -> None:
        """The page's own button is not gated; for who may not use the operation it does not exist."""
        answer = self.world.person(who).rpc.call(GATED.removeprefix("domain:"), {})
        assert (who == "ada") == (answer.error is not None and answer.error.status == 404)
        self.oracle.count += answer.ok

    @precondition(lambda self: self.restarts < 1)
    @rule()
    def restart(self) -> None:
        """The process ends and begins again; nothing is forgotten, nothing is done twice."""
        self.restarts += 1
        self.world.restart()

    @invariant()
    def agrees(self) -> None:
        """What waits for each person, and the data, are as the model has them."""
        for who in ("carla", "conrad"):
            waiting = [card.id for card in self.world.person(who).approvals.list()]
            assert sorted(self.oracle.waiting(who)) == sorted(waiting)
        assert self.oracle.count == self.world.count()

    def teardown(self) -> None:
        """Every card shows in the end what the model has of it, and who can't ask has none."""
        assert self.world.person("ada").approvals.list() == ()
        for name, one in self.oracle.asked.items():
            assert self.oracle.status(name) == self.world.person(one.owner).approvals.get(name).status


def test_approvals_agree_with_their_model(world: World) -> None:
    """Nothing runs but what its owner approved, in time, once; nobody else learns of it; a restart changes nothing."""
    check(Approvals, world, examples=10, steps=14)


def decide(who: str, *, approved: bool) -> Callable[[Approvals], object]:
    """Have somebody decide the oldest approval."""
    return lambda machine: machine.decide(next(iter(machine.oracle.asked)), who, approved, "none")


def ask(machine: Approvals) -> object:
    """Have the model of somebody who may ask, ask."""
    return machine.request("carla", 1)


WAYS: dict[str, tuple[Callable[[Approvals], object], ...]] = {
    "approval-not-single-use": (ask, decide("carla", approved=True), decide("carla", approved=True)),
    "anybody-decides": (ask, decide("conrad", approved=True)),
    "deny-executes": (ask, decide("carla", approved=False)),
    "approvals-in-memory": (ask, Approvals.restart, decide("carla", approved=True)),
}


@pytest.mark.parametrize("fault", WAYS)
def test_the_model_finds_an_application_that_does_otherwise(world: World, fault: str) -> None:
    """A model check that nothing can fail shows nothing; the same way through a sound application is fine."""
    holds(Approvals, world, WAYS[fault], Approvals.agrees)

    with world.defective(fault), pytest.raises(AssertionError):
        holds(Approvals, world, WAYS[fault], Approvals.agrees)
