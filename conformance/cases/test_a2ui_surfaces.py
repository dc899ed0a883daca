"""What a template is compiled to: three messages that every renderer reads alike."""

from typing import Any

import pytest

from conformance.a2ui.official import schema_problems, sdk_problems
from conformance.a2ui.surface import (
    ROOT,
    VERSION,
    binding_problems,
    calls_and_media,
    graph_problems,
    kinds_of,
    surfaces_named,
)
from conformance.a2ui.templates import ACTIONS, FIELDS, KINDS, choice, form, of_kind, review
from conformance.interactions import interactions_of, present
from conformance.people import People
from conformance.stage import App

HOSTILE = {
    "markup": '<script>alert(1)</script><img src="https://example.test/pixel.png">',
    "address": "https://example.test/",
    "script address": "javascript:alert(1)",
    "expression": "${openUrl('https://example.test/')} ${/reference}",
    "pointer": "/reference",
    "markdown": "![x](https://example.test/pixel.gif) [click](https://example.test/)",
    "binding": '{"path": "/reference"}',
}


@pytest.mark.requirement("A2UI-20")
@pytest.mark.parametrize("kind", KINDS)
def test_three_messages_in_order(kind: str, people: People) -> None:
    """A surface is there before its components, and they before their data."""
    shown = present(people.full, of_kind(kind)).shown

    assert kinds_of(shown.messages) == (("createSurface",), ("updateComponents",), ("updateDataModel",))


@pytest.mark.requirement("A2UI-21")
@pytest.mark.parametrize("kind", KINDS)
def test_messages_say_their_version(kind: str, people: People) -> None:
    """Messages of v0.9.1 still say v0.9, and a renderer of that version reads nothing else."""
    shown = present(people.full, of_kind(kind)).shown

    assert [message.get("version") for message in shown.messages] == [VERSION] * 3


@pytest.mark.requirement("A2UI-22")
@pytest.mark.parametrize("kind", KINDS)
def test_same_template_same_messages(kind: str, people: People, app: App) -> None:
    """Only what follows from the template alone can be rebuilt from it in another tab, on another day."""
    elsewhere = people.full.at(app.twin())
    persons = (people.full, people.full, elsewhere)

    texts = set()
    for person in persons:
        card = present(person, of_kind(kind))
        texts |= {shown.text.replace(card.surface.id, "SURFACE") for shown in (card.shown, card.shown)}

    assert len(texts) == 1, f"the same template has {len(texts)} compilations: {sorted(texts)}"


@pytest.mark.requirement("A2UI-23")
@pytest.mark.parametrize("kind", KINDS)
def test_catalog_is_named(kind: str, people: People) -> None:
    """Renderers compare the catalog's id letter by letter."""
    card = present(people.full, of_kind(kind))

    assert card.surface.catalog == interactions_of(people.full).table.catalog


@pytest.mark.requirement("A2UI-24")
@pytest.mark.parametrize("kind", KINDS)
def test_components_are_flat(kind: str, people: People) -> None:
    """In the older form the component was a key with its properties under it; no v0.9 renderer reads that."""
    components = listed(people, kind)

    nested = [one for one in components if not isinstance(one.get("component"), str)]
    assert nested == []
    assert [one for one in components if not isinstance(one.get("id"), str)] == []


@pytest.mark.requirement("A2UI-25")
@pytest.mark.parametrize("kind", KINDS)
def test_one_root(kind: str, people: People) -> None:
    """Nothing is drawn before there is one."""
    assert [one.get("id") for one in listed(people, kind)].count(ROOT) == 1


@pytest.mark.requirement("A2UI-26")
@pytest.mark.parametrize("kind", KINDS)
def test_ids_are_unique(kind: str, people: People) -> None:
    """The later of two components of an id replaces the earlier one."""
    ids = [str(one.get("id")) for one in listed(people, kind)]

    assert sorted(ids) == sorted(set(ids))


@pytest.mark.requirement("A2UI-27")
@pytest.mark.parametrize("kind", KINDS)
def test_components_are_one_tree(kind: str, people: People) -> None:
    """What is reached from nowhere is not drawn, and what is not there is drawn as a hole."""
    assert graph_problems(present(people.full, of_kind(kind)).surface) == ()


@pytest.mark.requirement("A2UI-28")
@pytest.mark.parametrize("kind", KINDS)
def test_components_are_of_the_subset(kind: str, people: People) -> None:
    """A card renders what the subset names; the rest of the catalog is not for it."""
    allowed = interactions_of(people.full).table.components

    assert {
        one.get("component") for one in listed(people, kind) if isinstance(one.get("component"), str)
    } <= {*allowed}


@pytest.mark.requirement("A2UI-29")
@pytest.mark.parametrize("kind", KINDS)
def test_no_calls_and_no_media(kind: str, people: People) -> None:
    """A function runs in the browser and a medium is loaded by it: neither is a text that somebody reads."""
    assert list(calls_and_media(present(people.full, of_kind(kind)).shown.messages)) == []


@pytest.mark.requirement("A2UI-30")
@pytest.mark.parametrize("kind", KINDS)
def test_bound_paths_hold_values(kind: str, people: People) -> None:
    """A field that is bound to nothing shows nothing, and what is typed there is lost."""
    assert binding_problems(present(people.full, of_kind(kind)).surface) == ()


@pytest.mark.requirement("A2UI-31")
def test_each_call_has_its_surface(people: People) -> None:
    """A click says on which surface it was made; two cards of one surface could not be told apart."""
    chat = people.full.chat()
    first = present(people.full, review(), chat)
    named = surfaces_named(first.shown.messages)
    first.press()
    first.go_on()

    second = present(people.full, review(), chat)

    assert named == (named[0],) * 3
    assert named[0] not in surfaces_named(second.shown.messages)


@pytest.mark.requirement("A2UI-32")
@pytest.mark.parametrize("kind", KINDS)
def test_buttons_are_the_actions(kind: str, people: People) -> None:
    """A person can only answer what was asked."""
    template = of_kind(kind)
    surface = present(people.full, template).surface

    assert [button.action for button in surface.buttons] == [
        one["name"] for one in template.get("actions", [])
    ]


DEFAULTS: dict[str, Any] = {
    "Reference": "HAL-1",
    "Remark": "As agreed.",
    "Urgent": True,
    "Due": "2026-04-01",
    "Share": 7,
    "Channels": ["south"],
}


@pytest.mark.requirement("A2UI-33")
def test_defaults_are_initial_values(people: People) -> None:
    """A person sees what the model proposes, and agrees to it by leaving it as it is."""
    fields = [
        {**field, "default": DEFAULTS[field["label"]]} for field in FIELDS if field["label"] in DEFAULTS
    ]
    surface = present(people.full, form(*fields)).surface

    initial = {one.label: surface.model.get((one.path or "")[1:]) for one in surface.inputs}
    assert initial == {field["label"]: field["default"] for field in fields}


@pytest.mark.requirement("A2UI-34")
@pytest.mark.parametrize("what", HOSTILE)
def test_text_stays_text(what: str, people: People) -> None:
    """An invoice's note that is repeated on a card must not become a link, an image or an expression there."""
    text = HOSTILE[what]
    template = {**review([{**ACTIONS[0], "label": text[:40]}]), "title": text, "description": text}
    template["items"] = [{"label": "Note", "value": text}]
    surface = present(people.full, template).surface

    assert surface.texts.count(text) >= 3, f"the text is not shown as it is: {surface.texts}"
    assert list(calls_and_media([dict(one.properties) for one in surface.components])) == []


VARIANTS = {
    **{kind: of_kind(kind) for kind in KINDS},
    "choice of several": choice(multiple=True),
    "form with defaults": form(*({**one, "default": DEFAULTS[one["label"]]} for one in FIELDS[:2])),
}


@pytest.mark.requirement("A2UI-35")
@pytest.mark.parametrize("what", VARIANTS)
def test_schemas_accept_the_messages(what: str, people: People) -> None:
    """Any renderer of the protocol could show the card."""
    assert schema_problems(present(people.full, VARIANTS[what]).shown.messages) == ()


@pytest.mark.requirement("A2UI-36")
@pytest.mark.parametrize("what", VARIANTS)
def test_sdk_accepts_the_messages(what: str, people: People) -> None:
    """The schemas don't see the tree; the official validator does."""
    assert sdk_problems(present(people.full, VARIANTS[what]).shown.messages) == ()


@pytest.mark.requirement("A2UI-38")
def test_nobody_else_looks(people: People) -> None:
    """A form may ask about anything, and who else exists to ask is not to be learnt from it."""
    card = present(people.full, review())

    seen = people_looking(people, card.session, card.call)
    invented = people_looking(people, card.session, "call_that_never_was")

    assert seen == invented
    assert all(status >= 400 for status, _ in seen)


def people_looking(people: People, session: str, call: str) -> list[tuple[int, str]]:
    """What others are answered who ask for an interaction."""
    others = (people.peer, people.restricted, people.nobody)
    answers = [interactions_of(person).look_raw(session, call) for person in others]
    return [(answer.status, answer.text) for answer in answers]


def listed(people: People, kind: str) -> list[dict[str, Any]]:
    """The components of a kind's surface as they are listed."""
    messages = present(people.full, of_kind(kind)).shown.messages
    bodies = [message["updateComponents"] for message in messages if "updateComponents" in message]
    return [dict(one) for body in bodies for one in body["components"]]
