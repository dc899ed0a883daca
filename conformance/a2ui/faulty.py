"""One step away from a valid click: each way in which a payload can differ in one thing, by name."""

from collections.abc import Mapping
from typing import Any

from conformance.a2ui.submission import DELETED, Submission, changed
from conformance.a2ui.surface import Surface

Payload = dict[str, Any]
WRONG_TYPES: Mapping[str, tuple[Any, ...]] = {
    "Reference": (5, True, None, ["HAL-0310"], {"text": "HAL-0310"}),
    "Remark": (None, 0),
    "Amount": (12.5, 12, True, None, ["12.5"]),
    "Urgent": (1, 0, "true", None, []),
    "Due": (20260331, None, ["2026-03-31"]),
    "Meeting": (1774953000, None),
    "Region": ("south", None, {"0": "south"}, [1], [True]),
    "Channels": ("north", None, True, ["north", None], [["north"]]),
    "Share": ("4", True, False, None, [4]),
}
"""Values of another type than the field's, by its label: also those that Python takes for the right one."""
WRONG_VALUES: Mapping[str, tuple[Any, ...]] = {
    "Reference": ("",),
    "Amount": ("a lot", "1,5", "0x10", "1_000", "\u0663", "-1", "1001", "1e999", "NaN", " 1", "+1"),
    "Due": ("2026-02-30", "31.3.2026", "2026-3-1", "2026-03-31T10:30:00Z"),
    "Meeting": ("2026-03-31", "2026-03-31T10:30:00", "2026-03-31T25:00:00Z", "soon"),
    "Region": (["west"], ["north", "south"], [], ["North"]),
    "Channels": (["north", "north"], ["west"], ["north", "west"]),
    "Share": (-1, 11, 10.000001, 1e308),
}
"""Values of the field's type that can't have been entered there, by its label."""


def values(
    click: Submission, surface: Surface, wrong: Mapping[str, tuple[Any, ...]]
) -> Mapping[str, Payload]:
    """The click with one value replaced, for each of the given ones."""
    return {
        f"{label}: {value!r}": changed(click.payload, f"/dataModel{surface.input(label).path}", value)
        for label, many in wrong.items()
        for value in many
    }


def lacking(click: Submission) -> Mapping[str, Payload]:
    """The click with one member of the data model missing, or all of them, or the model itself."""
    one = {name: changed(click.payload, f"/dataModel/{name}", DELETED) for name in click.model}
    whole: dict[str, Any] = {"all": {}, "null": None, "list": []}
    return {**one, **{name: changed(click.payload, "/dataModel", value) for name, value in whole.items()}}


def superfluous(click: Submission) -> Mapping[str, Payload]:
    """The click with one more member in the data model."""
    return {
        name: changed(click.payload, f"/dataModel/{name}", "x")
        for name in ("suite_key", "__proto__", "constructor", "")
    }


def misshapen(click: Submission) -> Mapping[str, Payload]:
    """The click with an event that is not a v0.9 action as it is published."""
    at = "/message/action"
    event = click.payload["message"]["action"]
    one_less = {f"no {name}": changed(click.payload, f"{at}/{name}", DELETED) for name in event}
    others: Mapping[str, tuple[str, Any]] = {
        "no version": ("/message/version", DELETED),
        "another version": ("/message/version", "v0.8"),
        "version as it is called": ("/message/version", "0.9.1"),
        "no action": ("/message/action", DELETED),
        "action of the older form": ("/message", {"version": "v0.9", "userAction": event}),
        "action and error": ("/message/error", {"code": "X", "surfaceId": click.surface, "message": "x"}),
        "error": (
            "/message",
            {"version": "v0.9", "error": {"code": "X", "surfaceId": click.surface, "message": "x"}},
        ),
        "one more member": ("/message/suite_key", 1),
        "one more member of the action": (f"{at}/suite_key", 1),
        "timestamp without a zone": (f"{at}/timestamp", "2026-03-02T09:00:00"),
        "timestamp that is none": (f"{at}/timestamp", "now"),
        "timestamp as a number": (f"{at}/timestamp", 1772442000),
        "context as a list": (f"{at}/context", []),
        "context as null": (f"{at}/context", None),
        "name as a number": (f"{at}/name", 1),
        "message as a text": ("/message", "click"),
        "message as a list": ("/message", [click.payload["message"]]),
    }
    return {**one_less, **{name: changed(click.payload, *change) for name, change in others.items()}}
