"""A whole conversation: whatever the model, the tabs and the people do, three things hold after every step.

What the model is shown is a conversation that a provider takes; data has moved by calls that were decided or need no
decision, and by nothing else; and nothing was offered that may not be (The dual-plane model, The invariants).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from conformance.drivers.chat import Conversation
from conformance.drivers.step import Step
from conformance.scripts import last_word
from conformance.wire.chat import Catalog, Declaration, tool_message
from conformance.wire.grammar import grammar_problems
from conformance.wire.pointer import resolve
from fake_model import Fault, call, cut, error_event, gate, problems, reset, say, script, status, step
from fake_model.request import ModelRequest
from reference_app.capabilities import PROCEDURES
from reference_app.capabilities.lab import PROCEDURES as LAB
from reference_app.domain.capability import SideEffect
from tests.model.checking import Beginning, check, holds
from tests.model.world import World

BUMP, GATED = "domain:lab-bump", "domain:lab-gated-bump"
PANEL = Declaration("view:suite.panel.show")
HOSTILE = (
    Declaration("domain:lab-bump", plane="view", wire_name="view_lab__bump"),
    Declaration("domain:delete-invoice"),
    Declaration("domain:lab-unexposed"),
)
CATALOGS = {"none": Catalog(), "honest": Catalog((PANEL,)), "hostile": Catalog((PANEL, *HOSTILE))}

CALLS = {
    "reads": call("domain:lab-count", offered=False),
    "writes": call(BUMP, offered=False),
    "asks": call(GATED, offered=False),
    "shows": call(PANEL.canonical_id, offered=False),
    "shows what is not there": call("view:suite.nothing.show", offered=False),
    "writes and breaks": call("domain:lab-crash", offered=False),
    "writes and refuses": call("domain:lab-refuse", offered=False),
    "is exposed to nobody": call("domain:lab-unexposed", offered=False),
    "is unknown": call("domain:no-such-thing", offered=False),
    "is refused by a policy": call("domain:lab-policy-deny", offered=False),
    "can't be read": call(BUMP, raw='{"name": ', offered=False),
    "is invalid": call(BUMP, {"name": 5}, offered=False),
}
FAILURES = (status(500), reset(), cut(after_events=1), error_event(after_events=2))
WRITES = frozenset(
    f"domain_{procedure.id}"
    for procedure in (*PROCEDURES, *LAB)
    if procedure.agent and procedure.agent.side_effect is not SideEffect.READ
)
OF_THE_LAB = frozenset(f"domain_{procedure.id}" for procedure in LAB)
NOT_FOR_ANYBODY = frozenset({"domain_lab-unexposed"})

ANSWERS: dict[str, Callable[[tuple[str, ...]], Sequence[str]]] = {
    "in order": lambda pending: pending,
    "in reverse": lambda pending: pending[::-1],
    "to the first alone": lambda pending: pending[:1],
    "to nothing": lambda pending: (),
    "to what nobody asked": lambda pending: (*pending, "call_of_nobody"),
}
PEOPLE = st.sampled_from(("carla", "ada"))
MESSAGES = st.lists(
    st.lists(st.sampled_from((*CALLS, "shows", "asks")), min_size=1, max_size=3), min_size=0, max_size=2
)


@dataclass
class Talk:
    """One person's conversation, as their tab has it."""

    chat: Conversation
    pending: tuple[str, ...] = ()
    looked_at: int = 0


@dataclass
class Oracle:
    """What may have moved the counter, and which decisions are open, by whom."""

    moved: int = 0
    waiting: list[str] = field(default_factory=list)


class Conversations(Beginning):
    """Two people, one who may write and one who may not, talk to a model that calls whatever it likes."""

    @initialize()
    def begin(self) -> None:
        """An empty house."""
        super().begin()
        self.oracle = Oracle()
        self.talks = {
            who: Talk(self.world.person(who).chat("lab", CATALOGS["honest"])) for who in ("carla", "ada")
        }

    @rule(who=PEOPLE, messages=MESSAGES, failure=st.sampled_from((None, *FAILURES)))
    def talk(self, who: str, messages: Sequence[Sequence[str]], failure: Fault | None) -> None:
        """Somebody says something, perhaps although their tab owes a result; in the end the provider may fail."""
        made = [step(*(CALLS[name] for name in names), optional=True) for names in messages]
        end = last_word() if failure is None else step(say("I will"), failure, asked=None, optional=True)
        talk = self.talks[who]
        talk.looked_at = 0
        self._take(who, talk.chat.send(script(*made, end)))

    @precondition(lambda self: any(talk.pending for talk in self.talks.values()))
    @rule(how=st.sampled_from(sorted(ANSWERS)))
    def answer(self, how: str) -> None:
        """A tab goes on: with its results, in any order, or with others than it was asked for."""
        for who, talk in self.talks.items():
            if talk.pending:
                for call_id in ANSWERS[how](talk.pending):
                    talk.chat.messages.append(tool_message(call_id, PANEL.name, {"shown": True}))
                self._take(who, talk.chat.next())

    @rule()
    def hang_up(self) -> None:
        """A tab is closed while the model thinks about what its call came to."""
        talk = self.talks["carla"]
        talk.looked_at, talk.pending = 0, ()
        talk.chat.route = self.world.stage.target.route("lab")
        request = talk.chat.prepare(script(CALLS["writes"], step(gate("gone"), say("Done."))))
        with talk.chat.start(request) as live:
            seen = live.wait_for(
                lambda frames: any(frame.type == "tool-result" for frame in frames), "a result"
            )
            talk.chat.run.wait_held("gone")
        talk.chat.run.release("gone")
        talk.chat.run.wait_finished(2)
        self._count(seen)
        self._look("carla")

    @precondition(lambda self: self.oracle.waiting)
    @rule(which=st.integers(0, 9), approved=st.booleans())
    def decide(self, which: int, approved: bool) -> None:
        """A card is decided, whatever has been said since."""
        name = self.oracle.waiting.pop(which % len(self.oracle.waiting))
        decided = self.world.person("carla").approvals.decide(name, approved=approved)
        assert approved == decided.executed
        self.oracle.moved += approved

    @rule(
        who=PEOPLE, route=st.sampled_from(("lab", "main", "bare")), catalog=st.sampled_from(sorted(CATALOGS))
    )
    def go(self, who: str, route: str, catalog: str) -> None:
        """Somebody opens another page, whose tab declares other things, not all of which it should."""
        chat = self.talks[who].chat
        chat.route, chat.catalog = self.world.stage.target.route(route), CATALOGS[catalog]

    @precondition(lambda self: self.restarts < 1)
    @rule()
    def restart(self) -> None:
        """The process ends and begins again."""
        self.restarts += 1
        self.world.restart()

    @invariant()
    def moved_by_what_may(self) -> None:
        """Whatever moved was decided, or needed no decision and was said to be done."""
        assert self.oracle.moved == self.world.count()

    def _take(self, who: str, done: Step) -> None:
        assert () == grammar_problems(done.log)
        self.talks[who].pending = tuple(pending.tool_call_id for pending in done.pending)
        self._count(done)
        self._look(who)

    def _count(self, done: Step) -> None:
        self.oracle.moved += sum(result.ok and result.canonical_id == BUMP for result in done.results)
        asked = (
            resolve(result.result, "/approvalId") for result in done.results if result.canonical_id == GATED
        )
        self.oracle.waiting += [name for name in asked if isinstance(name, str)]

    def _look(self, who: str) -> None:
        """Look at what the model was shown since the last look."""
        talk = self.talks[who]
        for request in talk.chat.requests[talk.looked_at :]:
            assert () == problems(request)
            assert frozenset() == too_much(who, talk.chat, request)
        talk.looked_at = len(talk.chat.requests)


def too_much(who: str, chat: Conversation, request: ModelRequest) -> frozenset[str]:
    """The names that a request offers and should not: to nobody, not to this person, not on this page, not by this tab."""
    names = frozenset(tool.name for tool in request.tools)
    views = frozenset(name for name in names if name.startswith("view_"))
    declared = frozenset({PANEL.name} if PANEL in chat.catalog.tools else ())
    not_theirs = frozenset() if who == "carla" else WRITES
    elsewhere = frozenset() if chat.route.pathname == "/lab" else OF_THE_LAB
    return (names & (NOT_FOR_ANYBODY | elsewhere | not_theirs)) | (views - declared)


def test_whatever_happens_three_things_hold(world: World) -> None:
    """The model's prompt stays one that providers take, nothing moves undecided, nothing is offered that may not be."""
    check(Conversations, world, examples=10, steps=12)


def talk(who: str, *names: str) -> Callable[[Conversations], object]:
    """Have somebody talk to a model that makes these calls, one a message."""
    return lambda machine: machine.talk(who, [[name] for name in names], None)


WAYS: dict[str, tuple[Callable[[Conversations], object], ...]] = {
    "approval-remembered": (
        talk("carla", "asks"),
        lambda machine: machine.decide(0, approved=True),
        talk("carla", "asks"),
    ),
    "dangling-call-forwarded": (talk("carla", "shows"), talk("carla")),
    "failure-half-done": (talk("carla", "writes and breaks"),),
    "hidden-declaration-kept": (lambda machine: machine.go("ada", "main", "hostile"), talk("ada", "reads")),
}


@pytest.mark.parametrize("fault", WAYS)
def test_the_machine_finds_an_application_that_does_otherwise(world: World, fault: str) -> None:
    """A model check that nothing can fail shows nothing; the same way through a sound application is fine."""
    holds(Conversations, world, WAYS[fault], Conversations.moved_by_what_may)

    with world.defective(fault), pytest.raises(AssertionError):
        holds(Conversations, world, WAYS[fault], Conversations.moved_by_what_may)
