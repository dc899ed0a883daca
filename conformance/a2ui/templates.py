"""Templates as a model sends them, one of each kind, and each made as large as its bounds allow.

A template is JSON with the key names of the contract; the driver renames them for a target whose names differ.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.errors import Untested
from conformance.target_a2ui import Bounds

Template = dict[str, Any]
KINDS = ("form", "choice", "review", "status")
OPTIONS = ({"value": "north", "label": "North"}, {"value": "south", "label": "South"})
FIELDS: tuple[Template, ...] = (
    {"id": "reference", "label": "Reference", "type": "text", "required": True},
    {"id": "remark", "label": "Remark", "type": "long_text"},
    {"id": "amount", "label": "Amount", "type": "number", "min": 0, "max": 1000},
    {"id": "urgent", "label": "Urgent", "type": "boolean"},
    {"id": "due", "label": "Due", "type": "date"},
    {"id": "meeting", "label": "Meeting", "type": "datetime"},
    {"id": "region", "label": "Region", "type": "single_choice", "options": list(OPTIONS), "required": True},
    {"id": "channels", "label": "Channels", "type": "multi_choice", "options": list(OPTIONS)},
    {"id": "share", "label": "Share", "type": "range", "min": 0, "max": 10},
)
"""One field of each type."""
ACTIONS: tuple[Template, ...] = (
    {"name": "send", "label": "Send", "primary": True},
    {"name": "later", "label": "Later"},
)


def form(*fields: Mapping[str, Any], actions: Sequence[Mapping[str, Any]] = ACTIONS) -> Template:
    """A form of these fields, or of one field of each type."""
    return _template("form", fields=list(fields or FIELDS), actions=list(actions))


def choice(*, multiple: bool = False, actions: Sequence[Mapping[str, Any]] = ACTIONS) -> Template:
    """Two options with an explanation each."""
    options = [{**option, "explanation": f"Goes {option['label'].lower()}."} for option in OPTIONS]
    return _template("choice", options=options, multiple=multiple, actions=list(actions))


def review(actions: Sequence[Mapping[str, Any]] = ACTIONS) -> Template:
    """Two items to look over."""
    items = [{"label": "Customer", "value": "Halyard"}, {"label": "Amount", "value": "€4,200"}]
    return _template("review", items=items, actions=list(actions))


def status() -> Template:
    """A step in each state; nothing to press."""
    states = ("done", "running", "pending", "failed")
    return _template(
        "status",
        steps=[{"label": f"Step {number}", "state": state} for number, state in enumerate(states, 1)],
    )


def of_kind(kind: str) -> Template:
    """The plain template of a kind."""
    make: Mapping[str, Callable[[], Template]] = {
        "form": form,
        "choice": choice,
        "review": review,
        "status": status,
    }
    return make[kind]()


def without(template: Template, key: str) -> Template:
    """The same template with a key left out."""
    return {name: value for name, value in template.items() if name != key}


def _template(kind: str, **parts: Any) -> Template:
    return {
        "kind": kind,
        "title": f"A {kind}",
        "description": "Asked for by the suite.",
        "fallback_text": f"A {kind} that the suite asked for.",
        **parts,
    }


@dataclass(frozen=True)
class Limit:
    """One bound of a template: what it is about, how large it may be, and a template of exactly some size."""

    name: str
    most: int
    sized: Callable[[int], Template]


def limits(bounds: Bounds) -> Iterator[Limit]:
    """Every bound that has a largest size, each with templates that have nothing else of any size."""
    yield Limit("title", bounds.title, lambda size: {**review(), "title": "t" * size})
    yield Limit("description", bounds.description, lambda size: {**review(), "description": "d" * size})
    yield Limit("fallback_text", bounds.fallback_text, lambda size: {**review(), "fallback_text": "f" * size})
    yield Limit("fields", bounds.fields, lambda size: form(*(_field(number) for number in range(size))))
    yield Limit("field label", bounds.label, lambda size: form({**FIELDS[0], "label": "l" * size}))
    yield Limit("field options", bounds.options, lambda size: form(_choice_field(size)))
    yield Limit("options", bounds.options, lambda size: {**choice(), "options": options(size)})
    yield Limit("option label", bounds.label, lambda size: _first_option(label="l" * size))
    yield Limit("option value", bounds.option_value, lambda size: _first_option(value="v" * size))
    yield Limit("explanation", bounds.explanation, lambda size: _first_option(explanation="e" * size))
    yield Limit("items", bounds.items, lambda size: {**review(), "items": [_ITEM] * size})
    yield Limit(
        "item value", bounds.item_value, lambda size: {**review(), "items": [{**_ITEM, "value": "v" * size}]}
    )
    yield Limit("steps", bounds.steps, lambda size: {**status(), "steps": [_STEP] * size})
    yield Limit("actions", bounds.actions, lambda size: review([action(number) for number in range(size)]))
    yield Limit(
        "action label", bounds.action_label, lambda size: review([{**action(0), "label": "l" * size}])
    )


def limit(bounds: Bounds, name: str) -> Limit:
    """One of them by its name."""
    return next(one for one in limits(bounds) if one.name == name)


LIMITS = tuple(one.name for one in limits(Bounds()))
_ITEM = {"label": "Item", "value": "Value"}
_STEP = {"label": "Step", "state": "pending"}


def options(count: int) -> list[Template]:
    """So many options."""
    return [{"value": f"v{number}", "label": f"Option {number}"} for number in range(count)]


def action(number: int) -> Template:
    """One of several actions."""
    return {"name": f"act_{number}", "label": f"Act {number}"}


def _field(number: int) -> Template:
    return {"id": f"field_{number}", "label": f"Field {number}", "type": "text"}


def _choice_field(count: int) -> Template:
    return {"id": "region", "label": "Region", "type": "single_choice", "options": options(count)}


def _first_option(**changed: str) -> Template:
    first, *rest = options(2)
    return {**choice(), "options": [{**first, **changed}, *rest]}


def of_bytes(bounds: Bounds, size: int, letter: str = "l") -> Template:
    """A form of exactly so many bytes, made of this letter as far as possible.

    Raises:
        Untested: nothing within the other bounds is so large.
    """
    fields = [
        {**_choice_field(bounds.options), "id": f"field_{number}", "label": f"Field {number}"}
        for number in range(bounds.fields)
    ]
    template = form(*fields)
    room = size - weight(template)
    texts = [(option, key) for field in fields for option in field["options"] for key in ("label", "value")]
    for option, key in texts:
        most = (bounds.label if key == "label" else bounds.option_value) - len(option[key])
        count = min(most, room // len(letter.encode()))
        option[key] += letter * count
        room -= count * len(letter.encode())
    template["title"] += "t" * min(room, bounds.title - len(template["title"]))
    if weight(template) != size:
        raise Untested("a2ui.bounds", f"no template within them has {size} bytes")
    return template


def weight(template: Mapping[str, Any]) -> int:
    """Bytes of a template as compact JSON."""
    return len(json.dumps(template, ensure_ascii=False, separators=(",", ":")).encode())
