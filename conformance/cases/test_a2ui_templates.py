"""What a template must be for a host to present it."""

import json
from typing import Any

import pytest

from conformance.a2ui.templates import (
    ACTIONS,
    FIELDS,
    KINDS,
    LIMITS,
    OPTIONS,
    Template,
    choice,
    form,
    limit,
    of_bytes,
    of_kind,
    review,
    status,
    without,
)
from conformance.interactions import interactions_of, not_refused, present, propose
from conformance.people import People
from conformance.scripts import answer
from conformance.target import Target

LISTS = ("fields", "field options", "options", "items", "steps", "actions")
TEXTS = tuple(name for name in LIMITS if name not in LISTS)
MISSPELT = ("Send", "9_lives", "a-b", "a" * 33, "", "ärger", "send\n", "a.b", "__proto__")
RAW = {
    "components": [{"id": "root", "component": "Text", "text": "Hello."}],
    "catalog": {"components": {}},
    "catalogId": "https://example.test/catalog.json",
    "html": "<b>Hello.</b>",
    "script": "alert(1)",
    "style": "body { display: none }",
    "image": "https://example.test/pixel.png",
    "theme": {"iconUrl": "https://example.test/icon.png"},
    "url": "javascript:alert(1)",
    "functionCall": {"call": "openUrl", "args": {"url": "javascript:alert(1)"}},
    "call": "openUrl",
}


@pytest.mark.requirement("A2UI-01")
def test_tool_is_offered_on_every_page(people: People, target: Target) -> None:
    """An interaction belongs to the conversation and not to a page."""
    tool = interactions_of(people.full).table.tool
    missing = []

    for route in target.routes:
        chat = people.full.chat(route)
        chat.send(answer())
        if not chat.asked.offers(tool):
            missing.append(route)

    assert missing == []


@pytest.mark.requirement("A2UI-02")
def test_unknown_kind_is_refused(people: People) -> None:
    """Whatever the host made of it, it would not be what the model meant."""
    kinds = ("chart", "Review", "", None, ["form"])

    assert not_refused(people.full, {str(kind): {**review(), "kind": kind} for kind in kinds}) == {}


@pytest.mark.requirement("A2UI-03")
def test_template_beyond_its_bytes_is_refused(people: People) -> None:
    """A template travels in every history from then on, and a model has no idea of what that costs."""
    bounds = interactions_of(people.full).table.bounds
    template = of_bytes(bounds, bounds.payload_bytes + 1)

    assert not_refused(people.full, {"one byte more": template}) == {}


@pytest.mark.requirement("A2UI-04")
def test_size_is_counted_in_bytes(people: People) -> None:
    """A text in Greek weighs twice what its characters say."""
    bounds = interactions_of(people.full).table.bounds
    template = of_bytes(bounds, bounds.payload_bytes + 1, "λ")

    assert not_refused(people.full, {"one byte more": template}) == {}


@pytest.mark.requirement("A2UI-05")
@pytest.mark.parametrize("letter", ["l", "λ"], ids=["one byte", "two bytes"])
def test_template_of_exactly_its_bytes_is_presented(letter: str, people: People) -> None:
    """A bound that is off by one makes every message about it a lie."""
    bounds = interactions_of(people.full).table.bounds

    present(people.full, of_bytes(bounds, bounds.payload_bytes, letter))


@pytest.mark.requirement("A2UI-06")
def test_longer_text_is_refused(people: People) -> None:
    """A card has the room that it has."""
    bounds = [limit(interactions_of(people.full).table.bounds, name) for name in TEXTS]

    assert not_refused(people.full, {bound.name: bound.sized(bound.most + 1) for bound in bounds}) == {}


@pytest.mark.requirement("A2UI-07")
def test_text_at_its_bound_is_presented(people: People) -> None:
    """What is allowed is allowed to the end."""
    bounds = [limit(interactions_of(people.full).table.bounds, name) for name in TEXTS]

    seen = not_refused(people.full, {bound.name: bound.sized(bound.most) for bound in bounds})

    assert seen == dict.fromkeys(TEXTS, "presented")


@pytest.mark.requirement("A2UI-08")
def test_longer_list_is_refused(people: People) -> None:
    """Nobody fills in a form of a hundred fields in a conversation."""
    bounds = [limit(interactions_of(people.full).table.bounds, name) for name in LISTS]

    assert not_refused(people.full, {bound.name: bound.sized(bound.most + 1) for bound in bounds}) == {}


@pytest.mark.requirement("A2UI-09")
def test_list_at_its_bound_is_presented(people: People) -> None:
    """What is allowed is allowed to the end."""
    bounds = [limit(interactions_of(people.full).table.bounds, name) for name in LISTS]

    seen = not_refused(people.full, {bound.name: bound.sized(bound.most) for bound in bounds})

    assert seen == dict.fromkeys(LISTS, "presented")


EMPTY = {
    "title": {**review(), "title": ""},
    "fallback text": {**review(), "fallback_text": ""},
    "field label": form({**FIELDS[0], "label": ""}),
    "option value": {**choice(), "options": [{"value": "", "label": "None"}, OPTIONS[0]]},
    "option label": {**choice(), "options": [{"value": "none", "label": ""}, OPTIONS[0]]},
    "item label": {**review(), "items": [{"label": "", "value": "x"}]},
    "step label": {**status(), "steps": [{"label": "", "state": "done"}]},
    "action label": review([{**ACTIONS[0], "label": ""}]),
    "no fields": {**form(), "fields": []},
    "no items": {**review(), "items": []},
    "no steps": {**status(), "steps": []},
    "no actions": review([]),
    "one option": {**choice(), "options": [OPTIONS[0]]},
}


@pytest.mark.requirement("A2UI-10")
def test_empty_text_is_refused(people: People) -> None:
    """A button without a word on it can't be consented to."""
    assert not_refused(people.full, EMPTY) == {}


@pytest.mark.requirement("A2UI-11")
def test_missing_fallback_is_refused(people: People) -> None:
    """Wherever the card can't be drawn its text is all that there is."""
    assert not_refused(people.full, {kind: without(of_kind(kind), "fallback_text") for kind in KINDS}) == {}


UNKNOWN = {
    "template": {**review(), "suite_key": 1},
    "field": form({**FIELDS[0], "suite_key": 1}),
    "option of a field": form(
        {**FIELDS[6], "options": [{**OPTIONS[0], "suite_key": 1}, OPTIONS[1]]},
    ),
    "option": {**choice(), "options": [{**OPTIONS[0], "suite_key": 1}, OPTIONS[1]]},
    "item": {**review(), "items": [{"label": "Item", "value": "x", "suite_key": 1}]},
    "step": {**status(), "steps": [{"label": "Step", "state": "done", "suite_key": 1}]},
    "action": review([{**ACTIONS[0], "suite_key": 1}]),
}


@pytest.mark.requirement("A2UI-12")
def test_unknown_member_is_refused(people: People) -> None:
    """A model that believes in a member goes on believing until somebody tells it."""
    assert not_refused(people.full, UNKNOWN) == {}


@pytest.mark.requirement("A2UI-13")
def test_name_of_another_spelling_is_refused(people: People) -> None:
    """Names become paths and ids, where some characters mean something."""
    fields = {f"field {name!r}": form({**FIELDS[0], "id": name}) for name in MISSPELT}
    actions = {f"action {name!r}": review([{**ACTIONS[0], "name": name}]) for name in MISSPELT}

    assert not_refused(people.full, {**fields, **actions}) == {}


TWICE = {
    "fields": form(FIELDS[0], {**FIELDS[1], "id": FIELDS[0]["id"]}),
    "options of a field": form({**FIELDS[6], "options": [OPTIONS[0], {**OPTIONS[1], "value": "north"}]}),
    "options": {**choice(), "options": [OPTIONS[0], {**OPTIONS[1], "value": "north"}]},
    "actions": review([ACTIONS[0], {**ACTIONS[1], "name": "send"}]),
}


@pytest.mark.requirement("A2UI-14")
def test_same_name_twice_is_refused(people: People) -> None:
    """Of two values under one name one is lost."""
    assert not_refused(people.full, TWICE) == {}


def field(kind: str, **members: Any) -> Template:
    """A form of one field."""
    return form({"id": "it", "label": "It", "type": kind, **members})


ODD = {
    "number bounds": field("number", min=5, max=1),
    "range bounds": field("range", min=5, max=5),
    "range without bounds": field("range"),
    "number default": field("number", min=1, max=5, default=9),
    "range default": field("range", min=1, max=5, default=9),
    "boolean default": field("boolean", default=1),
    "text default": field("text", default=7),
    "date default": field("date", default="2026-02-30"),
    "datetime default": field("datetime", default="yesterday"),
    "single choice default": field("single_choice", options=list(OPTIONS), default="west"),
    "multi choice default": field("multi_choice", options=list(OPTIONS), default=["north", "west"]),
    "choice without options": field("single_choice"),
    "options of a text": field("text", options=list(OPTIONS)),
}


@pytest.mark.requirement("A2UI-15")
def test_contradicting_field_is_refused(people: People) -> None:
    """A person would stand before a field that can't be filled in."""
    assert not_refused(people.full, ODD) == {}


@pytest.mark.requirement("A2UI-16")
def test_status_with_actions_is_refused(people: People) -> None:
    """Steps are for reading; what can be pressed there would settle nothing."""
    assert not_refused(people.full, {"status": {**status(), "actions": list(ACTIONS)}}) == {}


@pytest.mark.requirement("A2UI-17")
def test_refusal_says_where(people: People) -> None:
    """A model mends what it is pointed at."""
    chat, _ = propose(people.full, {**review(), "title": ""})

    told = chat.asked.results[-1].value
    error = told.get("error") if isinstance(told, dict) else None
    details = error.get("details") if isinstance(error, dict) else None
    issues = details.get("issues") if isinstance(details, dict) else None
    assert isinstance(issues, list), f"the model is told of no issues: {told}"
    assert any("title" in json.dumps(issue.get("path")) for issue in issues if isinstance(issue, dict)), (
        issues
    )


@pytest.mark.requirement("A2UI-18")
@pytest.mark.parametrize("place", ["template", "field", "item", "action"])
def test_raw_surface_is_refused(place: str, people: People) -> None:
    """What the model may say is what the template can say: nothing of its own is drawn, styled, run or loaded."""
    assert not_refused(people.full, {name: with_raw(place, {name: raw}) for name, raw in RAW.items()}) == {}


def with_raw(place: str, extra: Template) -> Template:
    """A template with something of the model's own in one place."""
    if place == "template":
        return {**review(), **extra}
    if place == "field":
        return form({**FIELDS[0], **extra})
    if place == "item":
        return {**review(), "items": [{"label": "Item", "value": "x", **extra}]}
    return review([{**ACTIONS[0], **extra}])


@pytest.mark.requirement("A2UI-19")
def test_secret_can_not_be_asked_for(people: People) -> None:
    """What is entered is kept and shown to the model for good, so there is no field for what nobody may read."""
    assert not_refused(people.full, {kind: field(kind) for kind in ("password", "secret", "obscured")}) == {}
