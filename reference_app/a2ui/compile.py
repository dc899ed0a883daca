"""A template, compiled to exactly three messages. A pure function: the same template in the same call makes the same bytes.

(Architecture (A2UI): createSurface, updateComponents and updateDataModel with ``version: "v0.9"``, in the Basic Catalog's flat
discriminator form, with the conventional id ``root``.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

from reference_app.a2ui.model import CHOICE, initial_model
from reference_app.a2ui.template import (
    Action,
    BooleanEntry,
    Choice,
    DateEntry,
    Entry,
    Form,
    MultiChoiceEntry,
    NumberEntry,
    Option,
    RangeEntry,
    Review,
    SingleChoiceEntry,
    Status,
    Template,
    TextEntry,
    actions_of,
)
from reference_app.strict_json import JsonObject, JsonValue

VERSION = "v0.9"
CATALOG_ID = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
STEP_ICONS = {"pending": "moreHoriz", "running": "refresh", "done": "check", "failed": "error"}
"""The icon of each state of a step; the state is written beside it as well."""


@dataclass(frozen=True)
class Surface:
    """A compiled card.

    Attributes:
        id: Names the surface.
        components: Parents before their children, the root first.
        model: The data model at first.
    """

    id: str
    components: tuple[JsonObject, ...]
    model: JsonObject

    @property
    def messages(self) -> tuple[JsonObject, JsonObject, JsonObject]:
        """The three messages, in their order."""
        return (
            {"version": VERSION, "createSurface": {"surfaceId": self.id, "catalogId": CATALOG_ID}},
            {
                "version": VERSION,
                "updateComponents": {"surfaceId": self.id, "components": list(self.components)},
            },
            {
                "version": VERSION,
                "updateDataModel": {"surfaceId": self.id, "path": "/", "value": self.model},
            },
        )


def surface_id(conversation_id: str, call_id: str) -> str:
    """The surface of a call: both ids percent-encoded, so that no other pair has the same."""
    return f"a2ui:{_encoded(conversation_id)}:{_encoded(call_id)}"


def action_component(action: str) -> str:
    """The id of the button that declares an action."""
    return f"action-{action}"


def compile_template(template: Template, surface: str) -> Surface:
    """Compile a template.

    Args:
        template: What to show.
        surface: The id of its surface.
    """
    body = (*_heading(template), *_content(template), *_footer(actions_of(template)))
    column = _component("body", "Column", children=[block[0]["id"] for block in body])
    root = _component("root", "Card", child="body")
    return Surface(
        surface, (root, column, *(part for block in body for part in block)), initial_model(template)
    )


Block = tuple[JsonObject, ...]
"""A component of the body with everything below it, itself first."""


def _heading(template: Template) -> Iterator[Block]:
    yield (_text("title", template.title, "h3"),)
    if template.description is not None:
        yield (_text("description", template.description, "body"),)


def _content(template: Template) -> Iterator[Block]:
    match template:
        case Form():
            yield from ((_field(entry),) for entry in template.fields)
        case Choice():
            yield from _choice(template)
        case Review():
            for number, item in enumerate(template.items, 1):
                name = f"item-{number}"
                label, value = (
                    _text(f"{name}-label", item.label, "caption"),
                    _text(f"{name}-value", item.value),
                )
                yield _row(name, [label, value])
        case Status():
            for number, step in enumerate(template.steps, 1):
                name = f"step-{number}"
                icon = _component(f"{name}-icon", "Icon", name=STEP_ICONS[step.state])
                yield _row(
                    name,
                    [icon, _text(f"{name}-label", step.label), _text(f"{name}-state", step.state, "caption")],
                )


def _choice(template: Choice) -> Iterator[Block]:
    yield (
        _component(
            "choice",
            "ChoicePicker",
            label=template.title,
            value=_bound(CHOICE),
            options=_options(template.options),
            variant=_variant(template.multiple),
        ),
    )
    for number, option in enumerate(template.options, 1):
        if option.explanation is not None:
            yield (_text(f"explanation-{number}", f"{option.label}: {option.explanation}", "caption"),)


def _footer(actions: Iterable[Action]) -> Iterator[Block]:
    buttons = [part for action in actions for part in _button(action)]
    if buttons:
        yield (_component("rule", "Divider"),)
        names = [part["id"] for part in buttons if part["component"] == "Button"]
        yield (_component("actions", "Row", children=names), *buttons)


def _button(action: Action) -> Block:
    name = action_component(action.name)
    return (
        _component(
            name,
            "Button",
            child=f"{name}-label",
            variant="primary" if action.primary else "default",
            action={"event": {"name": action.name}},
        ),
        _text(f"{name}-label", action.label),
    )


def _field(entry: Entry) -> JsonObject:
    name = f"field-{entry.id}"
    common: dict[str, JsonValue] = {"label": entry.label, "value": _bound(entry.id)}
    match entry:
        case TextEntry():
            variant = "longText" if entry.type == "long_text" else "shortText"
            return _component(name, "TextField", **common, variant=variant)
        case NumberEntry():
            return _component(name, "TextField", **common, variant="number")
        case BooleanEntry():
            return _component(name, "CheckBox", **common)
        case DateEntry():
            limits = {"min": entry.min, "max": entry.max}
            stated = {key: value for key, value in limits.items() if value is not None}
            return _component(
                name, "DateTimeInput", **common, enableDate=True, enableTime=entry.with_time, **stated
            )
        case RangeEntry():
            return _component(name, "Slider", **common, min=entry.min, max=entry.max)
        case SingleChoiceEntry() | MultiChoiceEntry():
            multiple = isinstance(entry, MultiChoiceEntry)
            return _component(
                name, "ChoicePicker", **common, options=_options(entry.options), variant=_variant(multiple)
            )


def _options(options: Iterable[Option]) -> list[JsonValue]:
    return [{"label": option.label, "value": option.value} for option in options]


def _variant(multiple: bool) -> str:
    return "multipleSelection" if multiple else "mutuallyExclusive"


def _row(name: str, parts: list[JsonObject]) -> Block:
    return (_component(name, "Row", children=[part["id"] for part in parts]), *parts)


def _text(name: str, text: str, variant: str = "body") -> JsonObject:
    return _component(name, "Text", text=text, variant=variant)


def _component(name: str, kind: str, /, **properties: JsonValue) -> JsonObject:
    return {"id": name, "component": kind, **properties}


def _bound(member: str) -> JsonObject:
    return {"path": f"/{member}"}


def _encoded(text: str) -> str:
    """As ``encodeURIComponent`` does it."""
    return quote(text, safe="!~*'()")
