"""The values of a card's data model: what each type of field takes, for templates and for submissions alike.

Python's own readings are refused: a boolean is no number, a number no text, and a text of digits is ASCII.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Generic, TypeVar

from reference_app.strict_json import JsonValue

FIELD_TYPES = (
    "text",
    "long_text",
    "number",
    "boolean",
    "date",
    "datetime",
    "single_choice",
    "multi_choice",
    "range",
)
"""The types of fields."""

MAX_NUMBER_TEXT = 32
"""The most characters of a number that was typed."""

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?"
    r"(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
)

OrderedT = TypeVar("OrderedT", bound=Any)


@dataclass(frozen=True)
class Bounds(Generic[OrderedT]):
    """The least and the largest value, where there are such."""

    least: OrderedT | None = None
    largest: OrderedT | None = None

    def problem(self) -> str | None:
        """What is wrong with the bounds themselves."""
        if self.least is not None and self.largest is not None and not self.least < self.largest:
            return "min has to be less than max"
        return None

    def exceeded_by(self, value: OrderedT) -> str | None:
        """What is wrong with a value."""
        if self.least is not None and value < self.least:
            return "the value is less than min"
        if self.largest is not None and value > self.largest:
            return "the value is more than max"
        return None


def text_problem(value: JsonValue, *, multiline: bool) -> str | None:
    """What is wrong with a text."""
    if not isinstance(value, str):
        return "expected a text"
    if not multiline and ("\n" in value or "\r" in value):
        return "expected a text of one line"
    return None


def typed_number_problem(value: JsonValue, bounds: Bounds[float]) -> str | None:
    """What is wrong with a number that was typed as text."""
    if not isinstance(value, str) or len(value) > MAX_NUMBER_TEXT or not _NUMBER.fullmatch(value):
        return f"expected a JSON number as a text of at most {MAX_NUMBER_TEXT} characters"
    return _finite_problem(float(value), bounds)


def number_problem(value: JsonValue, bounds: Bounds[float]) -> str | None:
    """What is wrong with a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "expected a number"
    return _finite_problem(value, bounds)


def boolean_problem(value: JsonValue) -> str | None:
    """What is wrong with a yes or no."""
    return None if isinstance(value, bool) else "expected true or false"


def date_problem(value: JsonValue, *, with_time: bool) -> str | None:
    """What is wrong with a date or an instant, bounds aside."""
    try:
        if isinstance(value, str):
            read_date(value, with_time=with_time)
            return None
    except ValueError:
        pass
    return "expected YYYY-MM-DDTHH:MM:SS and a zone" if with_time else "expected a date as YYYY-MM-DD"


def read_date(text: str, *, with_time: bool) -> Any:
    """A date, or an instant in UTC; two of a kind can be compared.

    Raises:
        ValueError: The text is neither.
    """
    if not (_INSTANT if with_time else _DATE).fullmatch(text):
        raise ValueError("not a date as it is written here")
    if not with_time:
        return date.fromisoformat(text)
    instant = datetime.fromisoformat(text)
    try:
        return instant.astimezone(UTC)
    except OverflowError as problem:
        raise ValueError("beyond the calendar") from problem


def date_bounds(least: str | None, largest: str | None, *, with_time: bool) -> Bounds[Any]:
    """The bounds of a date field."""
    first, last = (
        None if text is None else read_date(text, with_time=with_time) for text in (least, largest)
    )
    return Bounds(first, last)


def choice_problem(value: JsonValue, offered: Sequence[str], *, multiple: bool) -> str | None:
    """What is wrong with a list of chosen values."""
    if not isinstance(value, list | tuple) or not all(isinstance(chosen, str) for chosen in value):
        return "expected a list of option values"
    if len(set(value)) < len(value):
        return "an option is chosen twice"
    if not set(value) <= set(offered):
        return "an option is not offered"
    return None if multiple or len(value) <= 1 else "only one option can be chosen"


def number_text(number: float) -> str:
    """A template's number as it is typed: plain decimal digits, as JavaScript writes it too."""
    return str(int(number)) if float(number).is_integer() else format(Decimal(repr(number)), "f")


def _finite_problem(number: float, bounds: Bounds[float]) -> str | None:
    return bounds.exceeded_by(number) if math.isfinite(number) else "expected a finite number"
