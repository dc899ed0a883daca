"""A compiled surface, read from its messages as a renderer would, and what is wrong with it as sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.errors import Departure
from conformance.wire.pointer import MISSING, resolve

ORDER = ("createSurface", "updateComponents", "updateDataModel")
VERSION = "v0.9"
ROOT = "root"
Message = Mapping[str, Any]
_BOUND_TYPES: Mapping[str, tuple[type, ...]] = {
    "Text": (str,),
    "TextField": (str,),
    "DateTimeInput": (str,),
    "CheckBox": (bool,),
    "ChoicePicker": (list,),
    "Slider": (int, float),
}
"""What the data model holds at the path that a component's value is bound to."""


@dataclass(frozen=True)
class Component:
    """One component in the flat form: its id, its name in the catalog, and its properties."""

    id: str
    name: str
    properties: Mapping[str, Any]

    @property
    def children(self) -> tuple[str, ...]:
        """The ids that it refers to, in order."""
        listed = self.properties.get("children")
        single = self.properties.get("child")
        return tuple(str(one) for one in (listed if isinstance(listed, list) else [])) + (
            (str(single),) if single is not None else ()
        )

    @property
    def path(self) -> str | None:
        """The data model path that its value is bound to; None where it is bound to none."""
        value = self.properties.get("value")
        path = value.get("path") if isinstance(value, Mapping) else None
        return path if isinstance(path, str) else None

    @property
    def label(self) -> str:
        """Its label, as far as it is a text."""
        label = self.properties.get("label")
        return label if isinstance(label, str) else ""


@dataclass(frozen=True)
class Button:
    """A component that declares an action."""

    id: str
    action: str
    context: Mapping[str, Any]


@dataclass(frozen=True)
class Surface:
    """What three messages come to.

    Attributes:
        id: the surface's id.
        catalog: the id of the catalog that it names.
        components: in their order.
        model: the initial data model.
    """

    id: str
    catalog: str
    components: tuple[Component, ...]
    model: Mapping[str, Any]

    @property
    def buttons(self) -> tuple[Button, ...]:
        """What can be pressed."""
        return tuple(button for component in self.components for button in _button(component))

    @property
    def inputs(self) -> tuple[Component, ...]:
        """The components whose value is bound, in order."""
        return tuple(component for component in self.components if component.path is not None)

    def button(self, action: str) -> Button:
        """The one button that declares an action.

        Raises:
            Departure: none does, or several.
        """
        found = [button for button in self.buttons if button.action == action]
        if len(found) != 1:
            declared = [button.action for button in self.buttons]
            raise Departure(f"expected one button for the action {action!r}, the surface declares {declared}")
        return found[0]

    def input(self, label: str) -> Component:
        """The one input with a label.

        Raises:
            Departure: none has it, or several.
        """
        found = [one for one in self.inputs if one.label == label]
        if len(found) != 1:
            raise Departure(
                f"expected one input labelled {label!r}, saw {[one.label for one in self.inputs]}"
            )
        return found[0]

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text that a Text component says literally."""
        texts = (one.properties.get("text") for one in self.components if one.name == "Text")
        return tuple(text for text in texts if isinstance(text, str))


def _button(component: Component) -> Iterator[Button]:
    action = component.properties.get("action")
    event = action.get("event") if isinstance(action, Mapping) else None
    if isinstance(event, Mapping):
        context = event.get("context")
        yield Button(
            component.id, str(event.get("name")), dict(context) if isinstance(context, Mapping) else {}
        )


def read_surface(messages: Sequence[Message]) -> Surface:
    """Apply messages in whatever order they come.

    Raises:
        Departure: a part that every surface has is missing.
    """
    parts = {name: body for message in messages for name, body in message.items() if name in ORDER}
    for name in ORDER:
        if not isinstance(parts.get(name), Mapping):
            raise Departure(f"the messages have no {name}: {[sorted(message) for message in messages]}")
    listed, value = parts["updateComponents"].get("components"), parts["updateDataModel"].get("value")
    if not isinstance(listed, list) or not isinstance(value, Mapping):
        raise Departure("the messages have no list of components, or no object as the data model")
    return Surface(
        id=str(parts["createSurface"].get("surfaceId")),
        catalog=str(parts["createSurface"].get("catalogId")),
        components=tuple(_component(one) for one in listed if isinstance(one, Mapping)),
        model=value,
    )


def _component(value: Mapping[str, Any]) -> Component:
    properties = {key: item for key, item in value.items() if key not in ("id", "component")}
    return Component(str(value.get("id")), str(value.get("component")), properties)


def kinds_of(messages: Sequence[Message]) -> tuple[tuple[str, ...], ...]:
    """What each message is, beside its version."""
    return tuple(tuple(key for key in message if key != "version") for message in messages)


def surfaces_named(messages: Sequence[Message]) -> tuple[Any, ...]:
    """The surface that each message names."""
    return tuple(
        body.get("surfaceId") if isinstance(body, Mapping) else None
        for message in messages
        for name, body in message.items()
        if name != "version"
    )


def graph_problems(surface: Surface) -> tuple[str, ...]:
    """What keeps the components from being one tree under the root: dangling and unreachable ids, shared ones, cycles."""
    by_id = {component.id: component for component in surface.components}
    seen: list[str] = []
    waiting = [ROOT]
    problems: list[str] = []
    while waiting:
        here = waiting.pop()
        if here in seen:
            problems.append(f"{here!r} is reached twice")
        elif here not in by_id:
            problems.append(f"{here!r} is no component")
        else:
            seen.append(here)
            waiting.extend(by_id[here].children)
    return (*problems, *(f"{name!r} is reached from nowhere" for name in by_id if name not in seen))


def binding_problems(surface: Surface) -> tuple[str, ...]:
    """Paths that the initial data model lacks, or at which it holds what the component can't show."""
    problems = []
    for component in surface.inputs:
        value = resolve(dict(surface.model), component.path or "")
        wanted = _BOUND_TYPES.get(component.name, ())
        is_number_or_text = not isinstance(value, bool) or bool in wanted
        if value is MISSING:
            problems.append(f"{component.id} is bound to {component.path}, which the data model lacks")
        elif not (isinstance(value, wanted) and is_number_or_text):
            problems.append(f"{component.id}, a {component.name}, is bound to {value!r}")
    return tuple(problems)


def calls_and_media(value: Any, at: str = "") -> Iterator[str]:
    """Every function call, theme, URL property and medium in messages, by where it stands."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key in ("call", "functionCall", "theme", "checks", "url", "iconUrl", "svgPath"):
                yield f"{at}/{key}"
            yield from calls_and_media(item, f"{at}/{key}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from calls_and_media(item, f"{at}/{index}")
