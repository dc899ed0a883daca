"""A click is made from the surface, and each mistake differs from it in one thing."""

import pytest

from conformance.a2ui.faulty import lacking, misshapen, superfluous, values
from conformance.a2ui.submission import DELETED, changed, click
from conformance.a2ui.surface import read_surface
from conformance.errors import Departure
from tests.conformance.a2ui.surfaces import messages, spoilt

SURFACE = read_surface(messages())


def test_click_has_a_value_for_every_input() -> None:
    """Given ones where the case gives them, valid ones elsewhere, and the context as the renderer resolves it."""
    made = click("cnv", "call", SURFACE, "go", {"Name": "Ada"})

    assert ({"name": "Ada", "ways": ["north"], "share": 4}, {"who": "Ada"}, "go") == (
        made.model,
        made.context,
        made.component,
    )


def test_click_needs_a_button() -> None:
    """A surface without one can't be answered."""
    silent = read_surface(spoilt(1, "/updateComponents/components/6/action", {}))

    with pytest.raises(Departure, match="no button"):
        click("cnv", "call", silent)


def test_change_leaves_the_original() -> None:
    """Cases make many from one."""
    payload = click("cnv", "call", SURFACE).payload

    assert ("x", "cnv", False) == (
        changed(payload, "/session", "x")["session"],
        payload["session"],
        "call" in changed(payload, "/call", DELETED),
    )


def test_every_mistake_differs_from_the_click() -> None:
    """One that does not would be accepted, and rightly."""
    made = click("cnv", "call", SURFACE)
    mistakes = {
        **lacking(made),
        **superfluous(made),
        **misshapen(made),
        **values(made, SURFACE, {"Name": (5,), "Share": (True,)}),
    }

    assert [] == [name for name, payload in mistakes.items() if repr(payload) == repr(made.payload)]
