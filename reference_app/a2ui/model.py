"""The typed data model of a card: what it holds at first, and whether a submitted one fits.

(Architecture (A2UI): a valid click must match the complete typed data model.)
"""

from __future__ import annotations

from collections.abc import Mapping

from reference_app.a2ui import values
from reference_app.a2ui.template import (
    BooleanEntry,
    Choice,
    DateEntry,
    Entry,
    Form,
    MultiChoiceEntry,
    NumberEntry,
    RangeEntry,
    SingleChoiceEntry,
    Template,
    TextEntry,
    offered,
)
from reference_app.strict_json import JsonObject, JsonValue

CHOICE = "choice"
"""The one member of a choice card's model."""

REQUIRED = "this has to be filled in"


def initial_model(template: Template) -> JsonObject:
    """The data model of a fresh card: a member for each field, in order, of the type that its component needs."""
    if isinstance(template, Form):
        return {entry.id: _initial(entry) for entry in template.fields}
    return {CHOICE: []} if isinstance(template, Choice) else {}


def model_problems(template: Template, given: JsonObject) -> Mapping[str, str]:
    """What is wrong with a submitted data model, by member; empty when it is complete and every value fits."""
    expected = initial_model(template)
    problems = {name: "this is not part of the card" for name in given if name not in expected}
    for name in expected:
        problem = _problem(template, name, given[name]) if name in given else "this is missing"
        if problem is not None:
            problems[name] = problem
    return problems


def value_problem(entry: Entry, value: JsonValue) -> str | None:
    """What is wrong with the value of one field; the unset value is fine unless the field is required."""
    unset = unset_value(entry)
    if isinstance(unset, str | list) and value == unset:
        return REQUIRED if entry.required else None
    match entry:
        case TextEntry():
            return values.text_problem(value, multiline=entry.type == "long_text")
        case NumberEntry():
            return values.typed_number_problem(value, entry.bounds)
        case BooleanEntry():
            return values.boolean_problem(value)
        case DateEntry():
            return _date_problem(entry, value)
        case SingleChoiceEntry():
            return values.choice_problem(value, offered(entry.options), multiple=False)
        case MultiChoiceEntry():
            return values.choice_problem(value, offered(entry.options), multiple=True)
        case RangeEntry():
            return values.number_problem(value, entry.bounds)


def unset_value(entry: Entry) -> JsonValue:
    """What a field holds while nobody has set it."""
    match entry:
        case TextEntry() | NumberEntry() | DateEntry():
            return ""
        case BooleanEntry():
            return False
        case RangeEntry():
            return entry.min
        case _:
            return []


def _initial(entry: Entry) -> JsonValue:
    if entry.default is None:
        return unset_value(entry)
    match entry:
        case NumberEntry():
            return values.number_text(entry.default)
        case SingleChoiceEntry():
            return [entry.default]
        case MultiChoiceEntry():
            return list(entry.default)
        case _:
            return entry.default


def _problem(template: Template, name: str, value: JsonValue) -> str | None:
    if isinstance(template, Form):
        return next(value_problem(entry, value) for entry in template.fields if entry.id == name)
    assert isinstance(template, Choice)  # the other kinds have no member at all
    return values.choice_problem(value, offered(template.options), multiple=template.multiple)


def _date_problem(entry: DateEntry, value: JsonValue) -> str | None:
    problem = values.date_problem(value, with_time=entry.with_time)
    if problem is not None or not isinstance(value, str):
        return problem
    bounds = values.date_bounds(entry.min, entry.max, with_time=entry.with_time)
    return bounds.exceeded_by(values.read_date(value, with_time=entry.with_time))
