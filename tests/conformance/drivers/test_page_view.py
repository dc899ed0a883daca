"""Reading what the script saw on a page: what a person sees, as the tab protocol has it."""

from typing import Any

import pytest

from conformance.drivers.tabs import page_view
from conformance.drivers.tabs.base import Told, TurnEnd
from conformance.errors import Departure
from conformance.target_file import load_target

NOTHING: dict[str, Any] = {
    "address": "/a?b=1",
    "title": "A",
    "totalRows": "12",
    "conversation": "cnv_1",
    "busy": False,
    "selected": ["1", None],
    "notices": ["Hear!"],
    "rows": [{"key": "1", "cells": {"amount": "€1"}}],
    "dialogs": [],
    "cards": [],
    "transcript": [{"role": "user", "text": None}],
    "turn": {"status": "completed", "steps": "2", "error": None},
    "told": {"id": "apr_1", "ok": "true", "text": "Done."},
}


def seen(**changes: Any) -> dict[str, Any]:
    """What the script saw, with changes."""
    return {**NOTHING, **changes}


def test_the_screen_is_read() -> None:
    """Texts that are not there are empty."""
    looked = page_view.visible(NOTHING)

    assert ("/a?b=1", "A", 12, "cnv_1", ("1",), ("Hear!",)) == (
        looked.route,
        looked.title,
        looked.total_rows,
        looked.conversation,
        looked.selected,
        looked.notices,
    )
    assert [("user", "")] == [(said.role, said.text) for said in looked.transcript]


def test_a_dialog_s_input_is_its_json_or_its_fields() -> None:
    """A confirmation shows what would run; a form shows what is in it."""
    confirmation = {"kind": "confirmation", "id": "c", "input": '{"by": 2}', "fields": None, "title": None}
    form = {"kind": "chase", "id": "1", "input": None, "fields": {"note": "x"}, "title": "Chase"}
    looked = page_view.visible(seen(dialogs=[confirmation, form]))

    assert [{"by": 2}, {"note": "x"}] == [dialog.input for dialog in looked.dialogs]
    assert ["c"] == [dialog.id for dialog in looked.confirmations]


def test_an_input_that_is_no_json_is_a_finding() -> None:
    """A card that shows something else shows not exactly what would run."""
    card = {
        "kind": "approval",
        "id": "a",
        "capability": "x",
        "state": "pending",
        "text": "",
        "input": "{by: 2}",
    }

    with pytest.raises(Departure, match="the input on a card is not JSON"):
        page_view.visible(seen(cards=[card]))


def test_what_no_tab_shows_is_a_finding() -> None:
    """A row without a key can't be told from the others."""
    with pytest.raises(Departure, match=r"what the page shows is not readable: rows\.0\.key"):
        page_view.visible(seen(rows=[{"key": None, "cells": {}}]))


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ({"status": "completed", "steps": "2"}, TurnEnd(status="completed", conversation="cnv_1", steps=2)),
        (
            {"status": "error", "steps": None, "error": "MODEL_ERROR"},
            TurnEnd(status="error", error={"code": "MODEL_ERROR"}, conversation="cnv_1"),
        ),
        ({"status": None}, TurnEnd(status="", conversation="cnv_1")),
    ],
)
def test_the_end_of_a_turn_is_read(turn: dict[str, Any], expected: TurnEnd) -> None:
    """A code says that it failed."""
    assert expected == page_view.turn_end(seen(turn=turn))


def test_what_a_decision_told_is_read() -> None:
    """Where the page says nothing, nothing was told."""
    assert Told(id="apr_1", ok=True, text="Done.") == page_view.told(NOTHING)
    assert Told() == page_view.told(seen(told=None))


def test_the_script_gets_every_spot_of_the_file() -> None:
    """And the reference's file has a page."""
    page = load_target("reference").page
    assert page is not None
    spots = page_view.spots_of(page)

    assert page.busy == spots["busy"]
    assert "@data-row" == spots["shown"]["rows"]["key"]
