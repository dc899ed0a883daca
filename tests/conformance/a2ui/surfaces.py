"""A small surface as messages, and ways to spoil it."""

import copy
from typing import Any

from conformance.a2ui.submission import put
from conformance.target_a2ui import CATALOG

Messages = list[dict[str, Any]]


def messages() -> Messages:
    """A card with a text, a field, a picker, a slider and a button, as a host might compile it."""
    components = [
        {"id": "root", "component": "Card", "child": "body"},
        {"id": "body", "component": "Column", "children": ["title", "name", "ways", "share", "go"]},
        {"id": "title", "component": "Text", "text": "Hello"},
        {"id": "name", "component": "TextField", "label": "Name", "value": {"path": "/name"}},
        {
            "id": "ways",
            "component": "ChoicePicker",
            "label": "Ways",
            "value": {"path": "/ways"},
            "options": [{"label": "North", "value": "north"}, {"label": "South", "value": "south"}],
        },
        {
            "id": "share",
            "component": "Slider",
            "label": "Share",
            "value": {"path": "/share"},
            "min": 0,
            "max": 5,
        },
        {
            "id": "go",
            "component": "Button",
            "child": "go-label",
            "action": {"event": {"name": "go", "context": {"who": {"path": "/name"}}}},
        },
        {"id": "go-label", "component": "Text", "text": "Go"},
    ]
    value = {"name": "", "ways": [], "share": 0}
    return [
        {"version": "v0.9", "createSurface": {"surfaceId": "s", "catalogId": CATALOG}},
        {"version": "v0.9", "updateComponents": {"surfaceId": "s", "components": components}},
        {"version": "v0.9", "updateDataModel": {"surfaceId": "s", "path": "/", "value": value}},
    ]


def spoilt(number: int, pointer: str, new: Any) -> Messages:
    """The messages with one thing changed in one of them."""
    changed = copy.deepcopy(messages())
    put(changed[number], pointer, new)
    return changed
