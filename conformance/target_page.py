"""The `[page]` tables of a target file: how a person's few gestures are made on the target's real page, and where on it is what they see.

A *spot* says where a text is: `selector` is the text of the first element that fits, `selector@attribute` an attribute of it, and
with nothing before the `@` it is the element itself that is looked at. In a list each spot is looked for inside one element of it.
"""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from conformance.target_tables import Name, Part, Seconds

Selector = Annotated[str, StringConstraints(min_length=1)]
Spot = Annotated[str, StringConstraints(min_length=1)]


class Gesture(Part):
    """One thing that a person does: exactly one of the keys that name a gesture. Arguments of the act are filled in by `{name}`.

    A gesture that names an argument which the act was not given is left out.
    """

    click: Selector | None = None
    fill: Selector | None = Field(default=None, description="Writes `value` into a field.")
    select: Selector | None = Field(default=None, description="Chooses `value` from a list.")
    check: Selector | None = Field(
        default=None, description="Ticks a box, or unticks it where `value` is false."
    )
    press: str | None = Field(default=None, description="A key, as `Enter`.")
    goto: str | None = Field(default=None, description="An address of the application, opened anew.")
    value: str = ""

    @model_validator(mode="after")
    def _one_gesture(self) -> "Gesture":
        given = [
            name for name in ("click", "fill", "select", "check", "press", "goto") if getattr(self, name)
        ]
        if len(given) != 1:
            raise ValueError("needs exactly one of click, fill, select, check, press and goto")
        return self


class Rows(Part):
    """The rows of the screen's table."""

    each: Selector
    key: Spot
    cell: Selector = Field(description="A cell of the row.")
    cell_name: Spot = Field(description="The cell's name, seen from the cell.")


class Dialogs(Part):
    """Open dialogs of any kind; `confirmation` is the kind that waits for a decision."""

    each: Selector
    kind: Spot
    id: Spot = "@id"
    title: Spot | None = None
    text: Spot | None = None
    input: Spot | None = Field(default=None, description="What would run, as JSON.")
    field: Selector | None = Field(default=None, description="A field of the dialog, where it shows no JSON.")
    field_name: Spot = "@name"


class Cards(Part):
    """The cards in the thread; their kinds are `tool`, `approval` and `a2ui`."""

    each: Selector
    kind: Spot
    id: Spot
    capability: Spot
    state: Spot
    text: Spot | None = None
    input: Spot | None = Field(default=None, description="The input, as JSON.")
    enabled: Spot | None = Field(
        default=None, description="Whether a person can answer it, `true` or `false`; of an `a2ui` card."
    )


class Transcript(Part):
    """What was said, oldest first; roles are `user` and `assistant`."""

    each: Selector
    role: Spot
    text: Spot


class Shown(Part):
    """Where on the page is what a person sees."""

    title: Spot | None = None
    total_rows: Spot | None = None
    selected: Spot | None = Field(default=None, description="The key of each selected row.")
    notice: Selector | None = None
    conversation: Spot | None = None
    rows: Rows | None = None
    dialogs: Dialogs | None = None
    cards: Cards | None = None
    transcript: Transcript | None = None


class TurnSpots(Part):
    """How the last turn ended."""

    status: Spot = Field(description="`completed`, `error` or `cancelled`.")
    steps: Spot | None = None
    error: Spot | None = Field(default=None, description="Its code; nothing where there is none.")


class ToldSpots(Part):
    """What the person is told after a decision."""

    id: Spot
    ok: Spot = Field(description="`true` or `false`.")
    text: Spot | None = None


class Page(Part):
    """Hooks into the target's real page. `{id}` in the four selectors of decisions is the card's or the dialog's."""

    browser: str = Field(
        default="", description="The Chromium to drive; by default the one that is installed."
    )
    ready: Selector = Field(description="On the page once it shows what was asked for.")
    within: Seconds = 15
    composer: Selector
    send: Selector
    busy: Selector = Field(description="On the page while a turn runs.")
    approve: Selector = ""
    deny: Selector = ""
    confirm: Selector = ""
    decline: Selector = ""
    fresh: Mapping[str, str] = Field(
        default_factory=dict, description="Query of a page with a new conversation."
    )
    stored: Mapping[str, str] = Field(
        default_factory=dict, description="Query that brings the conversation `{conversation}` back."
    )
    fault: Mapping[str, str] = Field(default_factory=dict, description="Query that switches `{fault}` on.")
    query: Mapping[str, str] = Field(default_factory=dict, description="Query of every page.")
    modes: Mapping[Name, Mapping[str, str]] = Field(default_factory=dict)
    variants: Mapping[Name, Mapping[str, str]] = Field(default_factory=dict)
    acts: Mapping[Name, tuple[Gesture, ...]] = Field(
        default_factory=dict, description="Gestures by the name that the tab knows the act under."
    )
    shown: Shown = Field(default_factory=Shown)
    turn: TurnSpots
    told: ToldSpots | None = None
