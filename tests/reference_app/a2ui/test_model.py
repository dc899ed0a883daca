"""A submitted data model is complete and typed, or it is refused; Python's own readings do not count."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from reference_app.a2ui.model import initial_model, model_problems
from reference_app.a2ui.template import Form, read_template
from reference_app.a2ui.values import number_text
from tests.reference_app.a2ui.templates import CHOICE, FILLED, FORM, REVIEW, templates


def test_a_filled_model_fits() -> None:
    """Every type has a value that it takes."""
    assert {} == model_problems(read_template(FORM), FILLED)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", ""),
        ("name", "a\nb"),
        ("name", 1),
        ("name", None),
        ("amount", 12),
        ("amount", "1e400"),
        ("amount", "NaN"),
        ("amount", "100.5"),
        ("amount", "-1"),
        ("amount", "+1"),
        ("amount", "١"),
        ("amount", "01"),
        ("amount", " 1"),
        ("amount", "1" * 33),
        ("urgent", 1),
        ("urgent", "true"),
        ("due", "2026-02-30"),
        ("due", "2027-01-01"),
        ("due", "20261130"),
        ("at", "2026-11-30T12:00:00"),
        ("at", "2026-11-30"),
        ("at", "0001-01-01T00:00:00+01:00"),
        ("one", "a"),
        ("one", ["c"]),
        ("one", ["a", "b"]),
        ("one", [["a"]]),
        ("many", ["a", "a"]),
        ("many", [1]),
        ("level", True),
        ("level", "3"),
        ("level", 0),
        ("level", 5.5),
        ("level", float("nan")),
        ("level", float("inf")),
    ],
)
def test_one_wrong_value_is_named(name: str, value: Any) -> None:
    """Nothing is converted: the person saw one value, and that one is checked."""
    assert [name] == list(model_problems(read_template(FORM), {**FILLED, name: value}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("note", ""),
        ("amount", ""),
        ("amount", "-0"),
        ("amount", "1e2"),
        ("due", ""),
        ("one", []),
        ("level", 2.5),
    ],
)
def test_what_is_not_required_may_be_unset(name: str, value: Any) -> None:
    """Only a required field insists."""
    assert {} == model_problems(read_template(FORM), {**FILLED, name: value})


def test_the_model_is_complete_and_holds_nothing_else() -> None:
    """A missing member is as wrong as one more."""
    template = read_template(FORM)
    missing = {name: value for name, value in FILLED.items() if name != "note"}

    assert ["note"] == list(model_problems(template, missing))
    assert ["more"] == list(model_problems(template, {**FILLED, "more": 1}))
    assert ["more"] == list(model_problems(read_template(REVIEW), {"more": 1}))


def test_a_choice_takes_one_unless_it_says_multiple() -> None:
    """The values are the options' own."""
    single, multiple = read_template(CHOICE), read_template({**CHOICE, "multiple": True})

    assert {} == model_problems(single, {"choice": ["a"]})
    assert ["choice"] == list(model_problems(single, {"choice": ["a", "b"]}))
    assert {} == model_problems(multiple, {"choice": ["a", "b"]})


@settings(max_examples=30)
@given(templates())
def test_the_first_model_fits_but_for_what_is_required(template: dict[str, Any]) -> None:
    """Defaults are valid values; only an unset required field is in the way."""
    read = read_template(template)
    required = {entry.id for entry in read.fields if entry.required} if isinstance(read, Form) else set()

    assert set() == model_problems(read, initial_model(read)).keys() - required


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (5.0, "5"), (0.1, "0.1"), (0.000001, "0.000001"), (-2.5, "-2.5"), (10**15, "1" + "0" * 15)],
)
def test_a_default_number_is_written_as_javascript_writes_it(number: float, text: str) -> None:
    """Both compilers make the same model."""
    assert text == number_text(number)
