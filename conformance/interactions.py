"""Interactions on their way from the model to a card and back, as several case files have them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.a2ui.submission import Submission, click
from conformance.a2ui.surface import Surface
from conformance.drivers.a2ui import Interactions, Receipt, Shown, renamed
from conformance.drivers.chat import Conversation
from conformance.drivers.step import Step
from conformance.errors import Departure, Untested
from conformance.people import Person
from conformance.scripts import last_word
from fake_model import Script, call, script, step
from fake_model.request import ResultPart
from fake_model.script import Step as ScriptStep

PENDING = {"status": "pending"}
"""What a tab posts as the call's result; the host puts the real one in its place."""


@dataclass
class Card:
    """One interaction that was presented to somebody, and the conversation that waits for it."""

    person: Person
    chat: Conversation
    call: str
    interactions: Interactions
    _surface: list[Surface] = field(default_factory=list)

    @property
    def session(self) -> str:
        """The conversation's id."""
        return self.chat.id

    @property
    def shown(self) -> Shown:
        """What its owner reads of it now."""
        return self.interactions.look(self.session, self.call)

    @property
    def surface(self) -> Surface:
        """Its surface; read once, since it never changes."""
        if not self._surface:
            self._surface.append(self.shown.surface)
        return self._surface[0]

    def click(self, action: str = "", **entered: Any) -> Submission:
        """A valid click, not posted yet."""
        return click(self.session, self.call, self.surface, action, entered)

    def press(self, action: str = "", **entered: Any) -> Receipt:
        """Post a valid click."""
        return self.interactions.submit(self.click(action, **entered))

    def go_on(self, posted: Any = None) -> Step:
        """Post the next step of the turn, as a tab does whose card is settled."""
        return self.chat.resume({self.call: PENDING if posted is None else posted})

    def told(self, posted: Any = None) -> Any:
        """Go on, and return what the model is told about the call.

        Raises:
            Departure: nothing.
        """
        self.go_on(posted)
        return result_of(self.chat.asked.results, self.call)


def result_of(results: Sequence[ResultPart], call_id: str) -> Any:
    """What a model is told about a call; the ids of a provider's format may stand for it.

    Raises:
        Departure: nothing.
    """
    found = [result.value for result in results if result.call_id == call_id] or [
        result.value for result in results
    ][-1:]
    if not found:
        raise Departure("the model was not told what became of its call")
    return found[-1]


def interactions_of(person: Person) -> Interactions:
    """The interactions of one person.

    Raises:
        Untested: the target file has no `[a2ui]` table.
    """
    table = person.stage.target.a2ui
    if table is None:
        raise Untested("a2ui")
    return Interactions(person.http, table)


def presenting(person: Person, template: Mapping[str, Any], *then: ScriptStep) -> Script:
    """A turn in which the model calls the tool with a template, does what follows, and then talks."""
    table = interactions_of(person).table
    return script(step(call(table.tool, renamed(template, table.names))), *then, last_word())


def propose(
    person: Person, template: Mapping[str, Any], chat: Conversation | None = None, *then: ScriptStep
) -> tuple[Conversation, Step]:
    """Have the model call the tool with a template, valid or not; returns the conversation and the step that it made."""
    chat = chat or person.chat()
    return chat, chat.send(presenting(person, template, *then))


def present(
    person: Person, template: Mapping[str, Any], chat: Conversation | None = None, *then: ScriptStep
) -> Card:
    """Have the model present a template.

    Raises:
        Departure: no card waits.
    """
    chat, presented = propose(person, template, chat, *then)
    waiting = [pending.tool_call_id for pending in presented.pending]
    if len(waiting) != 1:
        told = [result.result for result in presented.results]
        raise Departure(
            f"the template was not presented: {len(waiting)} calls wait, and the model was told {told}"
        )
    return Card(person, chat, waiting[0], interactions_of(person))


def not_refused(person: Person, templates: Mapping[str, Mapping[str, Any]]) -> Mapping[str, str]:
    """Which of these templates are not refused, and what becomes of them instead."""
    outcomes = {name: _outcome(propose(person, template)[1]) for name, template in templates.items()}
    return {name: outcome for name, outcome in outcomes.items() if outcome != REFUSED}


REFUSED = "answered in its run, with an error"


def _outcome(made: Step) -> str:
    """What became of a step in which the model called the tool."""
    if made.pending:
        return "presented"
    if any(not result.ok for result in made.results):
        return REFUSED
    return f"not answered: {', '.join(frame.type for frame in made.frames)}"
