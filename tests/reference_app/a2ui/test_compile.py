"""Three messages, always the same, within the subset that is written down."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import reference_app.a2ui
from reference_app.a2ui.compile import CATALOG_ID, compile_template, surface_id
from reference_app.a2ui.template import read_template
from reference_app.strict_json import dumps
from tests.reference_app.a2ui.templates import FILLED, KINDS, templates

SUBSET = json.loads((Path(reference_app.a2ui.__file__).parent / "subset.json").read_text())
LINKS = ("child", "children")


def compiled(template: Any) -> tuple[dict[str, Any], ...]:
    """The messages as they go over the wire."""
    surface = compile_template(read_template(template), "s")
    return tuple(json.loads(dumps(message)) for message in surface.messages)


def components(template: Any) -> list[dict[str, Any]]:
    """The components of a card."""
    found: list[dict[str, Any]] = compiled(template)[1]["updateComponents"]["components"]
    return found


def children(component: dict[str, Any]) -> Iterator[str]:
    """The components that a component holds."""
    for link in LINKS:
        held = component.get(link, [])
        yield from [held] if isinstance(held, str) else held


@settings(max_examples=30)
@given(templates())
def test_compiling_is_a_pure_function(template: dict[str, Any]) -> None:
    """The same template makes the same bytes, whenever."""
    first, second = (compile_template(read_template(template), "s").messages for _ in range(2))

    assert dumps(list(first)) == dumps(list(second))


@settings(max_examples=30)
@given(templates())
def test_there_are_three_messages_in_their_order(template: dict[str, Any]) -> None:
    """createSurface, updateComponents, updateDataModel, about one surface."""
    messages = compiled(template)

    assert SUBSET["messages"] == [next(key for key in message if key != "version") for message in messages]
    assert {"v0.9"} == {message["version"] for message in messages}
    assert ["s"] * 3 == [
        message[kind]["surfaceId"] for message, kind in zip(messages, SUBSET["messages"], strict=True)
    ]
    assert CATALOG_ID == SUBSET["catalogId"] == messages[0]["createSurface"]["catalogId"]


@settings(max_examples=30)
@given(templates())
def test_a_card_is_one_tree_below_its_root(template: dict[str, Any]) -> None:
    """Every id is unique, and every component is held exactly once, after its parent."""
    found = components(template)
    names = [component["id"] for component in found]
    held = [child for component in found for child in children(component)]

    assert "root" == names[0]
    assert sorted(names[1:]) == sorted(held)
    assert len(set(names)) == len(names)
    assert all(names.index(child) > names.index(part["id"]) for part in found for child in children(part))


@settings(max_examples=30)
@given(templates())
def test_nothing_outside_the_subset_is_used(template: dict[str, Any]) -> None:
    """A renderer that knows the subset can render every card."""
    for component in components(template):
        kind = component["component"]

        assert set() == component.keys() - {"id", "component", *SUBSET["components"][kind]}
        assert component.get("variant") in (None, *SUBSET["variants"].get(kind, []))
        assert "Icon" != kind or component["name"] in SUBSET["icons"]


def test_everything_in_the_subset_is_used() -> None:
    """A manifest that promises more than there is would be no promise."""
    used: dict[str, set[str]] = {}
    for component in (part for template in KINDS.values() for part in components(template)):
        used.setdefault(component["component"], set()).update(component.keys() - {"id", "component"})

    assert {kind: set(properties) for kind, properties in SUBSET["components"].items()} == used


@settings(max_examples=30)
@given(templates())
def test_every_bound_path_is_in_the_model_with_the_type_of_its_component(template: dict[str, Any]) -> None:
    """A text field is bound to a text, a box to a boolean, a picker to a list of texts, a slider to a number."""
    model = compiled(template)[2]["updateDataModel"]["value"]
    types: dict[str, Any] = {
        "TextField": str,
        "DateTimeInput": str,
        "CheckBox": bool,
        "ChoicePicker": list,
        "Slider": (int, float),
    }
    bound = [component for component in components(template) if "value" in component]

    assert list(model) == [component["value"]["path"].removeprefix("/") for component in bound]
    for component in bound:
        value = model[component["value"]["path"].removeprefix("/")]
        assert isinstance(value, types[component["component"]])
        assert isinstance(value, bool) == (component["component"] == "CheckBox")


def test_a_status_card_has_no_button_and_no_model() -> None:
    """There is nothing to settle."""
    kinds = [component["component"] for component in components(KINDS["status"])]

    assert ("Button" in kinds, {}) == (False, compiled(KINDS["status"])[2]["updateDataModel"]["value"])


def test_a_form_has_a_member_for_each_field() -> None:
    """The complete model is what a submission is held to."""
    assert list(FILLED) == list(compiled(KINDS["form"])[2]["updateDataModel"]["value"])


@pytest.mark.parametrize(
    ("conversation", "call", "expected"),
    [
        ("cnv_1", "call-1", "a2ui:cnv_1:call-1"),
        ("a:b", "c", "a2ui:a%3Ab:c"),
        ("a", "b:c", "a2ui:a:b%3Ac"),
        ("é/ !~*'()", "%", "a2ui:%C3%A9%2F%20!~*'():%25"),
    ],
)
def test_a_surface_is_named_by_conversation_and_call(conversation: str, call: str, expected: str) -> None:
    """The browser derives the same id, and no other pair has it."""
    assert expected == surface_id(conversation, call)
