"""A person in front of one of the target's own tabs, with the fake model on the other side."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from conformance.drivers.tabs.base import Tab, Told, Turn, TurnEnd, Visible
from conformance.drivers.tabs.browser import BrowserTab
from conformance.drivers.tabs.wiretap import Asked, Wiretap
from conformance.errors import Departure, Untested
from conformance.target import Target
from conformance.target_tables import Act
from conformance.waiting import eventually
from fake_model import FakeModel, Run, Script
from fake_model.request import ModelRequest, ResultPart


@dataclass
class Seat:
    """One tab: what its person does, and what the model behind it is shown."""

    tab: Tab
    model: FakeModel
    target: Target
    _run: Run | None = None

    def open(self, route: str = "main", conversation: str | None = None) -> Visible:
        """Open or reload the page at a route of the target file."""
        return self.tab.open(self.target.route(route).pathname, conversation)

    def open_address(self, address: str) -> Visible:
        """Open or reload the page at an address, as a bookmark does."""
        return self.tab.open(address)

    def play(self, script: Script, text: str = "Please go on.") -> str:
        """Hand a script to the model and return the message that starts it."""
        self._run = self.model.play(script)
        return self._run.prompt(text)

    def send(self, script: Script, text: str = "Please go on.") -> TurnEnd:
        """Type a message and wait until the turn is over."""
        return self.tab.send(self.play(script, text))

    def start(self, script: Script, text: str = "Please go on.") -> Turn:
        """Type a message and look on."""
        return self.tab.start(self.play(script, text))

    @property
    def run(self) -> Run:
        """The run of the script that was sent last."""
        if self._run is None:
            raise RuntimeError("nothing has been sent yet")
        return self._run

    @property
    def asked(self) -> tuple[ModelRequest, ...]:
        """What the model was asked in this run, in order.

        Raises:
            Departure: it was not asked at all.
        """
        requests = tuple(exchange.request for exchange in self.run.exchanges)
        if not requests:
            raise Departure("the target did not ask the model at all")
        return requests

    @property
    def told(self) -> ResultPart:
        """What the model was told last about a call of its own in this run.

        Raises:
            Departure: nothing.
        """
        result = self.asked[-1].last_result
        if result is None:
            raise Departure("the model was not told what became of its call")
        return result

    def act(self, *acts: Act) -> Visible:
        """Do named things on the screen, in order, and look."""
        seen = self.tab.visible()
        for act in acts:
            seen = self.tab.act(act.name, act.args)
        return seen

    def named_act(self, name: str, **args: Any) -> Visible:
        """Do the thing that the target file calls `tab.acts.<name>`; `args` are added to those of the file."""
        table = self.target.tab.acts if self.target.tab is not None else {}
        if name not in table:
            raise Untested(f"tab.acts.{name}")
        return self.tab.act(table[name].name, {**table[name].args, **args})

    def decide(self, kind: str, *, approved: bool, card: str | None = None) -> Told:
        """Answer a confirmation dialog or an approval card."""
        return self.tab.decide(kind, approved=approved, card=card)

    def visible(self) -> Visible:
        """Look."""
        return self.tab.visible()

    def look_until(self, wanted: Callable[[Visible], object], what: str) -> Visible:
        """Look until what is seen is as wanted.

        Raises:
            Departure: it never was; `what` ends the sentence "the tab never …".
        """
        seen = eventually(self.tab.visible, lambda seen: bool(wanted(seen)), self.target.limits.deadline)
        if not wanted(seen):
            raise Departure(f"the tab never {what}")
        return seen

    @property
    def wire(self) -> Wiretap:
        """The line between the tab and the application.

        Raises:
            Untested: the suite did not start the application, and so can't stand between the two.
        """
        if self.tab.wire is None:
            raise Untested("launch", "to listen on the line between tab and application")
        return self.tab.wire

    @property
    def page(self) -> BrowserTab:
        """The page itself, for what no other kind of tab shows.

        Raises:
            Untested: the tab is no browser's.
        """
        if not isinstance(self.tab, BrowserTab):
            raise Untested("page", "it shows in a browser only")
        return self.tab

    @property
    def steps_posted(self) -> tuple[Asked, ...]:
        """The chat steps that the tab posted, in order."""
        chat = self.target.paths.chat
        return tuple(asked for asked in self.wire.asked if (asked.method, asked.path) == ("POST", chat))

    def close(self) -> None:
        """Close the tab."""
        self.tab.close()
