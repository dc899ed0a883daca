"""What a case may do with a tab, whichever kind it is."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import Field, JsonValue

from conformance.drivers.session import Session
from conformance.drivers.tabs.wiretap import Wiretap
from conformance.transcript import Transcript
from conformance.wire.frames import Wire


class Row(Wire):
    """One row on the screen: its key, and the texts in its cells."""

    key: str
    cells: Mapping[str, str] = Field(default_factory=dict)


class Dialog(Wire):
    """An open dialog; `confirmation` is the kind that waits for a decision."""

    kind: str
    id: str = ""
    title: str = ""
    text: str = ""
    input: JsonValue = None


class TabCard(Wire):
    """A card in the thread: a tool call, an approval, an interaction.

    The last four are an interaction's: what the tab built it from, what stands in it, and whether a person can answer it.
    """

    kind: str
    id: str = ""
    capability: str = ""
    state: str = ""
    text: str = ""
    input: JsonValue = None
    surface: str = ""
    messages: tuple[Mapping[str, JsonValue], ...] = Field(default=(), strict=False)
    values: Mapping[str, JsonValue] | None = None
    enabled: bool | None = None


class Said(Wire):
    """One entry of the transcript that a person reads."""

    role: str
    text: str


class Visible(Wire):
    """What a person would see."""

    route: str = ""
    title: str = ""
    rows: tuple[Row, ...] = Field(default=(), strict=False)
    total_rows: int | None = None
    selected: tuple[str, ...] = Field(default=(), strict=False)
    dialogs: tuple[Dialog, ...] = Field(default=(), strict=False)
    cards: tuple[TabCard, ...] = Field(default=(), strict=False)
    transcript: tuple[Said, ...] = Field(default=(), strict=False)
    busy: bool = False
    conversation: str = ""
    notices: tuple[str, ...] = Field(default=(), strict=False)

    @property
    def screen(self) -> "Screen":
        """What the page itself shows, the assistant's part and its questions left aside."""
        return Screen(
            route=self.route,
            title=self.title,
            rows=tuple((row.key, tuple(sorted(row.cells.items()))) for row in self.rows),
            selected=self.selected,
            dialogs=tuple(
                (dialog.kind, dialog.id, json.dumps(dialog.input, sort_keys=True))
                for dialog in self.dialogs
                if dialog.kind != "confirmation"
            ),
        )

    @property
    def approvals(self) -> tuple[TabCard, ...]:
        """The approval cards in the thread."""
        return tuple(card for card in self.cards if card.kind == "approval")

    @property
    def interactions(self) -> tuple[TabCard, ...]:
        """The interaction cards in the thread."""
        return tuple(card for card in self.cards if card.kind == "a2ui")

    @property
    def confirmations(self) -> tuple[Dialog, ...]:
        """The dialogs that wait for a decision."""
        return tuple(dialog for dialog in self.dialogs if dialog.kind == "confirmation")

    @property
    def row_keys(self) -> tuple[str, ...]:
        """The keys of the rows on the screen, in order."""
        return tuple(row.key for row in self.rows)


@dataclass(frozen=True)
class Screen:
    """A screen, for comparing: equal when a person would see no difference."""

    route: str
    title: str
    rows: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    selected: tuple[str, ...]
    dialogs: tuple[tuple[str, str, str], ...]


class TurnEnd(Wire):
    """How a turn ended."""

    status: str
    error: Mapping[str, JsonValue] | None = None
    conversation: str = ""
    steps: int = 0


class Told(Wire):
    """What a person is told after a decision."""

    id: str = ""
    ok: bool = False
    text: str = ""


class Turn(Protocol):
    """A turn that runs while the person looks and acts."""

    def end(self) -> TurnEnd:
        """Wait until the turn is over."""


class Tab(Protocol):
    """The person in front of one tab."""

    kind: str
    wire: Wiretap | None

    def open(self, route: str, conversation: str | None = None) -> Visible:
        """Open or reload the page at a route."""

    def send(self, text: str) -> TurnEnd:
        """Type a message and wait until the turn is over."""

    def start(self, text: str) -> Turn:
        """Type a message and look on."""

    def act(self, name: str, args: Mapping[str, Any] | None = None) -> Visible:
        """Do a named thing on the screen."""

    def decide(self, kind: str, *, approved: bool, card: str | None = None) -> Told:
        """Answer a confirmation dialog or an approval card."""

    def visible(self) -> Visible:
        """Look."""

    def close(self) -> None:
        """Close the tab."""


@dataclass(frozen=True)
class Place:
    """Where a tab is: at which application, in which mode of the catalog, in which variant of the target file."""

    instance: str = ""
    mode: str = "direct"
    variant: str = ""


class Tabs(Protocol):
    """Where a worker's tabs come from."""

    def take(
        self,
        place: Place,
        url: Callable[[], str],
        session: Session,
        transcript: Transcript,
        beside: Tab | None = None,
    ) -> Tab:
        """Hand out a tab, not opened yet."""

    def become(self, faults: tuple[str, ...]) -> None:
        """Hand out tabs with these deliberate faults from now on."""

    def give_back(self, tab: Tab, *, keep_as: str = "") -> None:
        """Take it back; where the case failed, what can be kept of the tab is kept under a name."""

    def close(self) -> None:
        """End all tabs."""
