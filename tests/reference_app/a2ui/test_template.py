"""Templates are taken within their bounds, and refused one past them with an error that says where."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from reference_app.a2ui.template import TemplateError, check_size, read_template
from tests.reference_app.a2ui.templates import (
    BASE,
    CHOICE,
    FIELDS,
    FORM,
    KINDS,
    OPTIONS,
    REVIEW,
    SEND,
    STATUS,
    templates,
)


def form_of(**field: Any) -> dict[str, Any]:
    """A form with one field."""
    return {**FORM, "fields": [{"id": "x", "label": "X", "type": "text", **field}]}


def issue_paths(template: Any) -> list[str]:
    """Where the errors of a template are."""
    with pytest.raises(TemplateError) as refused:
        read_template(template)
    return [".".join(issue.path) for issue in refused.value.issues]


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_taken(kind: str) -> None:
    """The four kinds of the contract."""
    assert kind == read_template(KINDS[kind]).kind


@settings(max_examples=30)
@given(templates())
def test_any_valid_template_is_taken(template: dict[str, Any]) -> None:
    """The bounds that the contract publishes are the bounds that hold."""
    assert template["kind"] == read_template(template).kind


@pytest.mark.parametrize(
    ("template", "path"),
    [
        ({**FORM, "title": ""}, "title"),
        ({**FORM, "title": "x" * 121}, "title"),
        ({**FORM, "description": "x" * 501}, "description"),
        ({**FORM, "description": None}, "description"),
        ({**FORM, "fallback_text": ""}, "fallback_text"),
        ({**FORM, "fallback_text": "x" * 2001}, "fallback_text"),
        ({**FORM, "html": "<b>"}, "html"),
        ({**FORM, "kind": "page"}, ""),
        ({**FORM, "fields": []}, "fields"),
        ({**FORM, "fields": [{"id": f"f{n}", "label": "F", "type": "text"} for n in range(21)]}, "fields"),
        ({**FORM, "fields": [FIELDS["text"], FIELDS["text"]]}, ""),
        ({**FORM, "actions": []}, "actions"),
        ({**FORM, "actions": [{**SEND, "name": f"a{n}"} for n in range(4)]}, "actions"),
        ({**FORM, "actions": [SEND, SEND]}, ""),
        ({**FORM, "actions": [{**SEND, "name": "Send"}]}, "actions.0.name"),
        ({**FORM, "actions": [{**SEND, "label": "x" * 41}]}, "actions.0.label"),
        ({**FORM, "actions": [{**SEND, "primary": 1}]}, "actions.0.primary"),
        ({**STATUS, "actions": [SEND]}, "actions"),
        ({**STATUS, "steps": [{"label": "x", "state": "late"}]}, "steps.0.state"),
        ({**REVIEW, "items": [{"label": "x", "value": "x" * 501}]}, "items.0.value"),
        ({**CHOICE, "options": OPTIONS[:1]}, "options"),
        ({**CHOICE, "options": [OPTIONS[0], OPTIONS[0]]}, ""),
        (
            {**CHOICE, "options": [{**OPTIONS[0], "explanation": "x" * 241}, OPTIONS[1]]},
            "options.0.explanation",
        ),
        (form_of(id="a" * 33), "fields.0.id"),
        (form_of(id="constructor"), "fields.0.id"),
        (form_of(id="x\n"), "fields.0.id"),
        (form_of(label="x" * 81), "fields.0.label"),
        (form_of(type="password"), "fields.0"),
        (form_of(default="a\nb"), "fields.0"),
        (form_of(min=1), "fields.0.min"),
        (form_of(type="number", min=5, max=5), "fields.0"),
        (form_of(type="number", max=5, default=6), "fields.0"),
        (form_of(type="number", default=True), "fields.0.default"),
        (form_of(type="number", default=1e16), "fields.0.default"),
        (form_of(type="range", min=1), "fields.0.max"),
        (form_of(type="date", default="2026-02-30"), "fields.0"),
        (form_of(type="datetime", default="2026-02-28T10:00:00"), "fields.0"),
        (form_of(type="single_choice", options=OPTIONS, default="c"), "fields.0"),
        (form_of(type="single_choice"), "fields.0.options"),
        (form_of(type="multi_choice", options=OPTIONS, default=["a", "a"]), "fields.0"),
    ],
)
def test_one_past_a_bound_is_refused_where_it_is(template: dict[str, Any], path: str) -> None:
    """A model can only act on an error that says what to change."""
    assert path in issue_paths(template)


@pytest.mark.parametrize(
    "template",
    [
        {**FORM, "title": "x" * 120, "description": "x" * 500, "fallback_text": "é" * 2000},
        {**FORM, "fields": [{"id": f"f{n}", "label": "F", "type": "text"} for n in range(20)]},
        {**FORM, "actions": [{**SEND, "name": f"a{n}", "label": "x" * 40} for n in range(3)]},
        form_of(id="a" * 32, label="x" * 80),
        form_of(type="number", default=1e15),
        form_of(
            type="multi_choice", options=[{"value": f"{n}" * 32, "label": "L" * 80} for n in range(10, 30)]
        ),
    ],
)
def test_at_a_bound_is_taken(template: dict[str, Any]) -> None:
    """A bound is the last that is allowed."""
    assert "form" == read_template(template).kind


def test_the_size_of_a_template_is_counted_in_bytes() -> None:
    """A character can be four bytes, and white space is not counted, because arguments are read before they are counted."""
    template = {**BASE, "title": "€"}
    size = len('{"title":"€","fallback_text":"A card, as text."}'.encode())

    check_size(template, size)
    with pytest.raises(TemplateError):
        check_size(template, size - 1)
