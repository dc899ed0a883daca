"""A card as plain text, rendered from its compiled components: what a person reads where nothing can be drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from reference_app.a2ui.compile import Surface
from reference_app.surface.json_value import Json

Component: TypeAlias = Mapping[str, Json]


def render(surface: Surface, values: Mapping[str, Json], fallback: str) -> str:
    """The card line by line.

    Args:
        surface: The compiled card.
        values: The data model as entered.
        fallback: The whole card as text, for a component that is not known here.
    """
    by_id = {str(component["id"]): component for component in surface.components}
    try:
        return "\n".join(_lines(by_id["root"], by_id, values))
    except KeyError:
        return fallback


def _lines(component: Component, by_id: Mapping[str, Component], values: Mapping[str, Json]) -> Iterator[str]:
    kind = str(component["component"])
    parts = [by_id[name] for name in _children(component)]
    if kind in ("Card", "Column"):
        for part in parts:
            yield from _lines(part, by_id, values)
    elif kind == "Row":
        yield "  ".join(line for part in parts for line in _lines(part, by_id, values))
    elif kind == "Button":
        yield f"[{next(_lines(parts[0], by_id, values))}]"
    else:
        yield LEAVES[kind](component, _value(component, values))


def _children(component: Component) -> Sequence[str]:
    held = component.get("children", component.get("child", ()))
    return (
        (held,) if isinstance(held, str) else [str(name) for name in held] if isinstance(held, list) else ()
    )


def _value(component: Component, values: Mapping[str, Json]) -> Json:
    bound = component.get("value")
    return values[str(bound["path"]).removeprefix("/")] if isinstance(bound, Mapping) else None


def _entry(component: Component, value: Json) -> str:
    return f"{component['label']}: {value}"


def _box(component: Component, value: Json) -> str:
    return f"[{'x' if value is True else ' '}] {component['label']}"


def _picker(component: Component, value: Json) -> str:
    chosen = value if isinstance(value, (list, tuple)) else ()
    options = component["options"]
    shown = [
        f"({'x' if option['value'] in chosen else ' '}) {option['label']}"
        for option in (options if isinstance(options, list) else ())
        if isinstance(option, Mapping)
    ]
    return f"{component['label']}: {' '.join(shown)}"


LEAVES: Mapping[str, Callable[[Component, Json], str]] = {
    "Text": lambda component, _value: str(component["text"]),
    "Icon": lambda _component, _value: "*",
    "Divider": lambda _component, _value: "---",
    "TextField": _entry,
    "DateTimeInput": _entry,
    "Slider": _entry,
    "CheckBox": _box,
    "ChoicePicker": _picker,
}
"""How each component that holds no other is written."""

HOLDERS = frozenset({"Card", "Column", "Row", "Button"})
"""The components that hold others."""
