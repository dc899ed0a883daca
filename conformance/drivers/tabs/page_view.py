"""What a person sees on the target's page, read by the spots of the target file in one look."""

import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

from pydantic import ValidationError

from conformance.drivers.tabs.base import Told, TurnEnd, Visible
from conformance.errors import Departure
from conformance.target_page import Page
from conformance.wire import strict_json

SCRIPT = resources.files("conformance.drivers.tabs").joinpath("page_script.js").read_text(encoding="utf-8")
"""A function that takes the spots and returns what stands there; it changes nothing on the page."""


def spots_of(page: Page) -> Mapping[str, Any]:
    """The part of a target file's page table that the script needs."""
    return {
        "busy": page.busy,
        "shown": page.shown.model_dump(),
        "turn": page.turn.model_dump(),
        "told": None if page.told is None else page.told.model_dump(),
    }


def visible(seen: Mapping[str, Any]) -> Visible:
    """What the script saw, as the tab protocol has it.

    Raises:
        Departure: it can't be read, as where a card's input is no JSON.
    """
    total = seen["totalRows"]
    try:
        return Visible.model_validate(
            {
                "route": seen["address"],
                "title": seen["title"] or "",
                "rows": seen["rows"],
                "totalRows": int(total) if total and total.isdecimal() else None,
                "selected": [key for key in seen["selected"] if key is not None],
                "dialogs": [_dialog(dialog) for dialog in seen["dialogs"]],
                "cards": [_card(card) for card in seen["cards"]],
                "transcript": [_texts(said) for said in seen["transcript"]],
                "busy": seen["busy"],
                "conversation": seen["conversation"] or "",
                "notices": seen["notices"],
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Departure(f"what the page shows is not readable: {where}: {first['msg']}") from None


def turn_end(seen: Mapping[str, Any]) -> TurnEnd:
    """How the last turn ended."""
    turn = seen["turn"]
    steps, code = turn.get("steps") or "", turn.get("error")
    return TurnEnd(
        status=turn.get("status") or "",
        error={"code": code} if code else None,
        conversation=seen["conversation"] or "",
        steps=int(steps) if steps.isdecimal() else 0,
    )


def told(seen: Mapping[str, Any]) -> Told:
    """What the person was told after a decision."""
    said = seen["told"] or {}
    return Told(id=said.get("id") or "", ok=said.get("ok") == "true", text=said.get("text") or "")


def _dialog(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    fields = raw.get("fields")
    read = _with_input({key: value for key, value in raw.items() if key != "fields"})
    return read if "input" in read or not fields else {**read, "input": fields}


def _card(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    enabled = raw.get("enabled")
    read = _with_input({key: value for key, value in raw.items() if key != "enabled"})
    return read if enabled is None else {**read, "enabled": enabled == "true"}


def _with_input(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    text = raw.get("input")
    rest = _texts({key: value for key, value in raw.items() if key != "input"})
    if text is None or not text.strip():
        return rest
    try:
        return {**rest, "input": strict_json.loads(text.encode())}
    except strict_json.NotJson:
        raise Departure(f"the input on a card is not JSON: {json.dumps(text[:120])}") from None


def _texts(raw: Mapping[str, Any]) -> dict[str, str]:
    return {key: value if isinstance(value, str) else "" for key, value in raw.items()}
