"""Faults in what a template is compiled to."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from reference_app.a2ui import compile as compiling
from reference_app.a2ui import interactions
from reference_app.a2ui.compile import CATALOG_ID, Surface
from reference_app.a2ui.model import unset_value
from reference_app.a2ui.template import Form, Template
from reference_app.faults import Fault, Patches, fault
from reference_app.strict_json import JsonObject, JsonValue

FAULTS: list[Fault] = []

Change = Callable[[list[Any], Surface], list[Any]]
"""Takes the components, free to be changed, and the surface; returns other components."""


def _changing(patches: Patches, change: Change) -> None:
    def make(compile_template: Callable[[Template, str], Surface]) -> Any:
        def changed(template: Template, surface: str) -> Surface:
            compiled = compile_template(template, surface)
            return replace(
                compiled, components=tuple(change([_copy(c) for c in compiled.components], compiled))
            )

        return changed

    patches.wrap(interactions, "compile_template", make)


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copy(member) for key, member in value.items()}
    return [_copy(member) for member in value] if isinstance(value, list) else value


def _into_body(components: list[Any], *added: JsonObject) -> list[Any]:
    """Put a component, with what it holds behind it, at the end of the card's body."""
    body = next(component for component in components if component["id"] == "body")
    body["children"].append(added[0]["id"])
    return [*components, *added]


def _renamed(components: list[Any], old: str, new: str) -> list[Any]:
    for component in components:
        if component["id"] == old:
            component["id"] = new
        if component.get("child") == old:
            component["child"] = new
        component.update(
            {"children": [new if name == old else name for name in component["children"]]}
            if "children" in component
            else {}
        )
    return components


@fault(FAULTS, "a2ui-messages-shuffled", "the data model comes before the components")
def _messages_shuffled(patches: Patches) -> None:
    before = vars(Surface)["messages"]

    def shuffled(self: Surface) -> tuple[JsonObject, JsonObject, JsonObject]:
        created, components, model = before.fget(self)
        return created, model, components

    patches.replace(Surface, "messages", property(shuffled))


@fault(FAULTS, "a2ui-version-091", "the messages say v0.9.1")
def _version_091(patches: Patches) -> None:
    patches.replace(compiling, "VERSION", "v0.9.1")


@fault(FAULTS, "a2ui-catalog-v091", "the surface names a catalog that renderers do not know")
def _catalog_v091(patches: Patches) -> None:
    patches.replace(compiling, "CATALOG_ID", CATALOG_ID.replace("v0_9", "v0_9_1"))


@fault(FAULTS, "a2ui-compiled-anew", "the same template is compiled to other ids in every call")
def _compiled_anew(patches: Patches) -> None:
    _changing(patches, lambda parts, card: _renamed(parts, "title", f"title-{zlib.crc32(card.id.encode())}"))


@fault(FAULTS, "a2ui-nested-components", "texts are written in the nested form of an earlier version")
def _nested_components(patches: Patches) -> None:
    def nest(parts: list[Any], card: Surface) -> list[Any]:
        del card
        return [
            {"id": part["id"], "component": {"Text": {"text": {"literalString": part["text"]}}}}
            if part["component"] == "Text"
            else part
            for part in parts
        ]

    _changing(patches, nest)


@fault(FAULTS, "a2ui-root-renamed", "the root is called main")
def _root_renamed(patches: Patches) -> None:
    _changing(patches, lambda parts, _card: _renamed(parts, "root", "main"))


@fault(FAULTS, "a2ui-image-component", "a card loads an image from elsewhere")
def _image_component(patches: Patches) -> None:
    image: dict[str, JsonValue] = {"id": "image", "component": "Image", "url": "https://example.org/seen.png"}
    _changing(patches, lambda parts, _card: _into_body(parts, dict(image)))


@fault(FAULTS, "a2ui-links", "a text that is an address becomes a link")
def _links(patches: Patches) -> None:
    def link(parts: list[Any], card: Surface) -> list[Any]:
        del card
        return [piece for part in parts for piece in _linked(part)]

    _changing(patches, link)


def _linked(part: Any) -> list[Any]:
    text = part.get("text", "")
    if not isinstance(text, str) or not text.startswith(("http://", "https://", "javascript:")):
        return [part]
    action = {"functionCall": {"call": "openUrl", "args": {"url": text}}}
    label = {"id": f"{part['id']}-link", "component": "Text", "text": "Open"}
    return [{"id": part["id"], "component": "Button", "child": label["id"], "action": action}, label]


@fault(FAULTS, "a2ui-off-schema", "texts carry a weight that is no number")
def _off_schema(patches: Patches) -> None:
    def weigh(parts: list[Any], card: Surface) -> list[Any]:
        del card
        return [{**part, "weight": "1"} if part["component"] == "Text" else part for part in parts]

    _changing(patches, weigh)


@fault(FAULTS, "a2ui-off-graph", "the body holds a component that does not exist")
def _off_graph(patches: Patches) -> None:
    def hold(parts: list[Any], card: Surface) -> list[Any]:
        del card
        return _into_body(parts, {"id": "nowhere"})[:-1]

    _changing(patches, hold)


@fault(FAULTS, "a2ui-duplicate-ids", "two components have one id")
def _duplicate_ids(patches: Patches) -> None:
    _changing(patches, lambda parts, _card: [*parts, *(dict(p) for p in parts if p["id"] == "title")])


@fault(FAULTS, "a2ui-function-call", "the title is the result of a function")
def _function_call(patches: Patches) -> None:
    def call(parts: list[Any], card: Surface) -> list[Any]:
        del card
        for part in parts:
            if part["id"] == "title":
                part["text"] = {
                    "call": "formatString",
                    "args": {"value": part["text"]},
                    "returnType": "string",
                }
        return parts

    _changing(patches, call)


@fault(FAULTS, "a2ui-unbound-path", "the last field of a form is bound to nothing")
def _unbound_path(patches: Patches) -> None:
    def make(compile_template: Callable[[Template, str], Surface]) -> Any:
        def unbound(template: Template, surface: str) -> Surface:
            compiled = compile_template(template, surface)
            return replace(compiled, model=dict(list(compiled.model.items())[:-1]))

        return unbound

    patches.wrap(interactions, "compile_template", make)


@fault(FAULTS, "a2ui-shared-surface", "all cards of a conversation share one surface")
def _shared_surface(patches: Patches) -> None:
    patches.wrap(
        interactions, "surface_id", lambda name: lambda conversation, _call: name(conversation, "card")
    )


@fault(FAULTS, "a2ui-extra-button", "a card has a button that its template does not declare")
def _extra_button(patches: Patches) -> None:
    button: dict[str, JsonValue] = {
        "id": "action-close",
        "component": "Button",
        "child": "action-close-label",
        "action": {"event": {"name": "close"}},
    }
    label: dict[str, JsonValue] = {"id": "action-close-label", "component": "Text", "text": "Close"}
    _changing(patches, lambda parts, _card: _into_body(parts, dict(button), dict(label)))


@fault(FAULTS, "a2ui-defaults-lost", "a card begins without the defaults of its template")
def _defaults_lost(patches: Patches) -> None:
    def make(initial_model: Callable[[Template], JsonObject]) -> Any:
        def unset(template: Template) -> JsonObject:
            if isinstance(template, Form):
                return {entry.id: unset_value(entry) for entry in template.fields}
            return initial_model(template)

        return unset

    patches.wrap(compiling, "initial_model", make)
