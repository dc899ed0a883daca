"""What a case may do with a tab, whichever kind it is."""

from collections.abc import Mapping
from typing import Any, Protocol

from pydantic import Field, JsonValue

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
    """A card in the thread: a tool call, an approval, an interaction."""

    kind: str
    id: str = ""
    capability: str = ""
    state: str = ""
    text: str = ""
    input: JsonValue = None


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
    def confirmations(self) -> tuple[Dialog, ...]:
        """The dialogs that wait for a decision."""
        return tuple(dialog for dialog in self.dialogs if dialog.kind == "confirmation")

    @property
    def row_keys(self) -> tuple[str, ...]:
        """The keys of the rows on the screen, in order."""
        return tuple(row.key for row in self.rows)


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
