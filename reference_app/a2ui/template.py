"""The template that a model fills in: what a card may ask and show, bounded, with errors that a model can act on.

(Architecture (A2UI): the model supplies a bounded interaction template. Trust boundary: it cannot send HTML, JavaScript, CSS,
remote images, or a raw component catalog.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from reference_app.a2ui import values
from reference_app.a2ui.values import Bounds
from reference_app.domain.errors import Issue
from reference_app.domain.shapes import Omissible
from reference_app.errors import ReferenceAppError
from reference_app.strict_json import JsonValue, dumps

ItemT = TypeVar("ItemT")


class TemplateError(ReferenceAppError):
    """A template is not valid.

    Attributes:
        issues: What is wrong with it, and where.
    """

    def __init__(self, issues: Sequence[Issue]) -> None:
        super().__init__("The template is not valid.")
        self.issues = tuple(issues)


def _unreserved(name: str) -> str:
    if name in ("constructor", "prototype"):
        raise ValueError("this name is reserved; choose another id")
    return name


def _numeric(number: int | float) -> int | float:
    if number != 0 and not 1e-6 <= abs(number) <= 1e15:
        raise ValueError("a number is 0, or its size is between 1e-6 and 1e15")
    return number


def _few(least: int, most: int) -> Any:
    # Only the container is taken leniently: JSON has lists where Python has tuples.
    return Field(strict=False, min_length=least, max_length=most)


def _text(least: int, most: int) -> Any:
    return Field(min_length=least, max_length=most)


Name: TypeAlias = Annotated[str, Field(pattern=r"\A[a-z][a-z0-9_]{0,31}\z")]
FieldId: TypeAlias = Annotated[Name, AfterValidator(_unreserved)]
Label: TypeAlias = Annotated[str, _text(1, 80)]
Number: TypeAlias = Annotated[int | float, AfterValidator(_numeric)]


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Option(_Shape):
    """One option of a field."""

    value: Annotated[str, _text(1, 64)]
    label: Label


class ExplainedOption(Option):
    """One option of a choice, with what speaks for it."""

    explanation: Omissible[Annotated[str, _text(0, 240)]] = None


class Item(_Shape):
    """One line of a review."""

    label: Label
    value: Annotated[str, _text(0, 500)]


class StatusStep(_Shape):
    """One step of a progress."""

    label: Label
    state: Literal["pending", "running", "done", "failed"]


class Action(_Shape):
    """One button."""

    name: Name
    label: Annotated[str, _text(1, 40)]
    primary: bool = False


class _Field(_Shape):
    id: FieldId
    label: Label
    required: bool = False


class TextEntry(_Field):
    """A text, of one line or several."""

    type: Literal["text", "long_text"]
    default: Omissible[str] = None

    @model_validator(mode="after")
    def _check(self) -> TextEntry:
        _accept(values.text_problem(self.default or "", multiline=self.type == "long_text"))
        return self


class NumberEntry(_Field):
    """A number, typed as text."""

    type: Literal["number"]
    min: Omissible[Number] = None
    max: Omissible[Number] = None
    default: Omissible[Number] = None

    @property
    def bounds(self) -> Bounds[float]:
        """The least and the largest."""
        return Bounds(self.min, self.max)

    @model_validator(mode="after")
    def _check(self) -> NumberEntry:
        _accept(self.bounds.problem())
        if self.default is not None:
            _accept(self.bounds.exceeded_by(self.default))
        return self


class BooleanEntry(_Field):
    """Yes or no."""

    type: Literal["boolean"]
    default: Omissible[bool] = None


class DateEntry(_Field):
    """A date, or an instant."""

    type: Literal["date", "datetime"]
    min: Omissible[str] = None
    max: Omissible[str] = None
    default: Omissible[str] = None

    @property
    def with_time(self) -> bool:
        """Whether it is an instant."""
        return self.type == "datetime"

    @model_validator(mode="after")
    def _check(self) -> DateEntry:
        for given in (self.min, self.max, self.default):
            if given is not None:
                _accept(values.date_problem(given, with_time=self.with_time))
        _accept(values.date_bounds(self.min, self.max, with_time=self.with_time).problem())
        if self.default is not None:
            bounds = values.date_bounds(self.min, self.max, with_time=self.with_time)
            _accept(bounds.exceeded_by(values.read_date(self.default, with_time=self.with_time)))
        return self


class SingleChoiceEntry(_Field):
    """One of several options."""

    type: Literal["single_choice"]
    options: Annotated[tuple[Option, ...], _few(2, 20)]
    default: Omissible[str] = None

    @model_validator(mode="after")
    def _check(self) -> SingleChoiceEntry:
        _accept_unique("option value", (option.value for option in self.options))
        if self.default is not None:
            _accept(values.choice_problem([self.default], offered(self.options), multiple=False))
        return self


class MultiChoiceEntry(_Field):
    """Any of several options."""

    type: Literal["multi_choice"]
    options: Annotated[tuple[Option, ...], _few(2, 20)]
    default: Omissible[Annotated[tuple[str, ...], _few(0, 20)]] = None

    @model_validator(mode="after")
    def _check(self) -> MultiChoiceEntry:
        _accept_unique("option value", (option.value for option in self.options))
        if self.default is not None:
            _accept(values.choice_problem(self.default, offered(self.options), multiple=True))
        return self


class RangeEntry(_Field):
    """A number between two others, on a slider."""

    type: Literal["range"]
    min: Number
    max: Number
    default: Omissible[Number] = None

    @property
    def bounds(self) -> Bounds[float]:
        """The ends of the slider."""
        return Bounds(self.min, self.max)

    @model_validator(mode="after")
    def _check(self) -> RangeEntry:
        _accept(self.bounds.problem())
        if self.default is not None:
            _accept(self.bounds.exceeded_by(self.default))
        return self


Entry: TypeAlias = (
    TextEntry | NumberEntry | BooleanEntry | DateEntry | SingleChoiceEntry | MultiChoiceEntry | RangeEntry
)


class _Card(_Shape):
    title: Annotated[str, _text(1, 120)]
    description: Omissible[Annotated[str, _text(0, 500)]] = None
    fallback_text: Annotated[str, _text(1, 2000)]


class _Answerable(_Card):
    actions: Annotated[tuple[Action, ...], _few(1, 3)]

    @model_validator(mode="after")
    def _check_actions(self) -> _Answerable:
        _accept_unique("action name", (action.name for action in self.actions))
        return self


class Form(_Answerable):
    """Several fields to fill in."""

    kind: Literal["form"]
    fields: Annotated[tuple[Annotated[Entry, Field(discriminator="type")], ...], _few(1, 20)]

    @model_validator(mode="after")
    def _check_fields(self) -> Form:
        _accept_unique("field id", (entry.id for entry in self.fields))
        return self


class Choice(_Answerable):
    """Options with explanations."""

    kind: Literal["choice"]
    options: Annotated[tuple[ExplainedOption, ...], _few(2, 20)]
    multiple: bool = False

    @model_validator(mode="after")
    def _check_options(self) -> Choice:
        _accept_unique("option value", (option.value for option in self.options))
        return self


class Review(_Answerable):
    """Facts to confirm."""

    kind: Literal["review"]
    items: Annotated[tuple[Item, ...], _few(1, 20)]


class Status(_Card):
    """How far something is; there is nothing to answer."""

    kind: Literal["status"]
    steps: Annotated[tuple[StatusStep, ...], _few(1, 20)]


Template: TypeAlias = Form | Choice | Review | Status
_TEMPLATE: TypeAdapter[Template] = TypeAdapter(Annotated[Template, Field(discriminator="kind")])


def check_size(given: JsonValue, limit: int) -> None:
    """Refuse a template that has more bytes as compact UTF-8 JSON than the limit.

    Raises:
        TemplateError: It has.
    """
    size = len(dumps(given))
    if size > limit:
        raise TemplateError(
            [Issue((), f"The template has {size} bytes of UTF-8 JSON; the limit is {limit}.")]
        )


def read_template(given: JsonValue) -> Template:
    """Read a template as a model wrote it, a JSON document.

    Raises:
        TemplateError: It is not valid.
    """
    try:
        return _TEMPLATE.validate_python(given)
    except ValidationError as problem:
        errors = problem.errors(include_input=False, include_url=False, include_context=False)
        raise TemplateError([Issue(_path(error["loc"]), error["msg"]) for error in errors]) from problem


def actions_of(template: Template) -> tuple[Action, ...]:
    """The buttons of a card; none when there is nothing to answer."""
    return () if isinstance(template, Status) else template.actions


def offered(options: Iterable[Option]) -> tuple[str, ...]:
    """The values that can be chosen."""
    return tuple(option.value for option in options)


_TAGS = frozenset(("form", "choice", "review", "status"))
_TYPES = frozenset(values.FIELD_TYPES)


def _path(place: tuple[int | str, ...]) -> tuple[str, ...]:
    """Where in the template an issue is; the names of the alternatives that were tried are no part of that."""
    inner = place[1:] if place and place[0] in _TAGS else place
    is_field = len(inner) > 2 and inner[0] == "fields" and inner[2] in _TYPES
    kept = (*inner[:2], *inner[3:]) if is_field else inner
    return tuple(
        str(part)
        for part in kept
        if part not in ("int", "float", "function-after[_numeric(), union[int,float]]")
    )


def _accept(problem: str | None) -> None:
    if problem is not None:
        raise ValueError(problem)


def _accept_unique(what: str, names: Iterable[str]) -> None:
    listed = tuple(names)
    if len(set(listed)) < len(listed):
        raise ValueError(f"every {what} has to be another one")
