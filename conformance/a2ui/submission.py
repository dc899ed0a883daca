"""What a click sends: the connection-RPC envelope, the public event in it, the complete data model; and one step away from it."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conformance.a2ui.surface import VERSION, Component, Surface
from conformance.errors import Departure
from conformance.wire.pointer import MISSING, resolve

TIMESTAMP = "2026-03-02T09:00:00.000Z"
RPC_ID = "suite-1"
VALUES: Mapping[str, Any] = {
    "Reference": "HAL-0310",
    "Remark": "First line.\nSecond line.",
    "Amount": "12.5",
    "Urgent": True,
    "Due": "2026-03-31",
    "Meeting": "2026-03-31T10:30:00Z",
    "Region": ["south"],
    "Channels": ["north", "south"],
    "Share": 4,
}
"""A valid value for each field of the plain form, by its label."""
DELETED = object()
"""As a new value: take the member away."""


@dataclass(frozen=True)
class Submission:
    """One click: whose card it is about, what was pressed, and everything that was entered."""

    session: str
    call: str
    surface: str
    component: str
    action: str
    model: Mapping[str, Any]
    context: Mapping[str, Any]

    @property
    def payload(self) -> dict[str, Any]:
        """The payload of the envelope."""
        action = {
            "name": self.action,
            "surfaceId": self.surface,
            "sourceComponentId": self.component,
            "timestamp": TIMESTAMP,
            "context": dict(self.context),
        }
        return {
            "session": self.session,
            "call": self.call,
            "message": {"version": VERSION, "action": action},
            "dataModel": dict(self.model),
        }


def envelope(method: str, payload: Any) -> dict[str, Any]:
    """A request over the connection."""
    return {"type": "client-request", "rpcId": RPC_ID, "method": method, "payload": payload}


def click(
    session: str, call: str, surface: Surface, action: str = "", entered: Mapping[str, Any] | None = None
) -> Submission:
    """Press a button, the first one where none is named, with a valid value in every input.

    Args:
        session: the conversation.
        call: the call that presented the card.
        surface: as compiled.
        action: the name of the action.
        entered: values by the inputs' labels; by default valid ones.

    Raises:
        Departure: nothing can be pressed.
    """
    if not surface.buttons:
        raise Departure("the surface has no button to press")
    button = surface.button(action) if action else surface.buttons[0]
    model = copy.deepcopy(dict(surface.model))
    for component in surface.inputs:
        put(model, component.path or "", _value_for(component, surface, entered or {}))
    context = {key: _resolved(value, model) for key, value in button.context.items()}
    return Submission(session, call, surface.id, button.id, button.action, model, context)


def _value_for(component: Component, surface: Surface, entered: Mapping[str, Any]) -> Any:
    values = {**VALUES, **entered}
    if component.label in values:
        return values[component.label]
    options = component.properties.get("options")
    if component.name == "ChoicePicker" and isinstance(options, list) and options:
        return [options[0]["value"]]
    return resolve(dict(surface.model), component.path or "")


def _resolved(value: Any, model: Any) -> Any:
    path = value.get("path") if isinstance(value, Mapping) else None
    if not isinstance(path, str):
        return value
    found = resolve(model, path)
    return None if found is MISSING else found


def put(value: Any, pointer: str, new: Any) -> None:
    """Set what a JSON pointer leads to, or take it away where `new` is `DELETED`; its parent must be there."""
    *parents, last = pointer.split("/")[1:]
    for key in parents:
        value = value[int(key) if isinstance(value, list) else key]
    if new is DELETED:
        del value[last]
    else:
        value[last] = new


def changed(payload: Mapping[str, Any], pointer: str, new: Any) -> dict[str, Any]:
    """The same payload with one thing changed."""
    copied = copy.deepcopy(dict(payload))
    put(copied, pointer, new)
    return copied
