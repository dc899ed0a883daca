"""What all formats share: reading a document into typed records, and keeping what the format does not define."""

import re
from collections import Counter
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationError
from pydantic.alias_generators import to_camel

from conformance.inventory.canonical import Write, canonical
from conformance.inventory.errors import FormatError
from conformance.inventory.model import Schema, Unknown

_T = TypeVar("_T")
_R = TypeVar("_R", bound="Record")


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


Listed = Annotated[tuple[_T, ...], BeforeValidator(_as_tuple)]
"""A JSON list; nothing else is taken for one."""

Name = Annotated[str, StringConstraints(min_length=1)]
SchemaValue = dict[str, Any] | bool
"""A JSON Schema as it was parsed; what it may hold is asked where it is read."""


class Record(BaseModel):
    """Base of every record: camelCase in the file, frozen here, wrong types refused, unknown fields kept."""

    model_config = ConfigDict(
        frozen=True, strict=True, extra="allow", alias_generator=to_camel, populate_by_name=False
    )


def read_record(shape: type[_R], value: Any, file: str) -> _R:
    """Read a document.

    Raises:
        FormatError: it has another shape; the message names the first place and says how many more there are.
    """
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_url=False)
        first = found[0]
        more = f" ({len(found) - 1} more problems)" if len(found) > 1 else ""
        raise FormatError(file, f"{_place(first['loc'])}: {_complaint(first)}{more}") from None


def _place(location: tuple[int | str, ...]) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return f"at {text.removeprefix('.')}" if text else "the document"


def _complaint(detail: Any) -> str:
    if detail["type"] == "missing":
        return "is missing"
    seen = canonical(detail["input"]) if _is_json(detail["input"]) else type(detail["input"]).__name__
    message = re.sub(r"^Input should be", "should be", detail["msg"])
    message = re.sub(r"a valid dictionary( or instance of \w+)?$", "an object", message)
    message = message.replace("a valid tuple", "a list").replace("a valid string", "a text")
    return f"{message}, not {seen[:60]}"


def _is_json(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def unknown_fields(record: Record, **inner: Record | None) -> tuple[Unknown, ...]:
    """Return what a record holds beyond its format, and what the records inside it do, by dotted name."""
    found = [(name, value) for name, value in (record.model_extra or {}).items()]
    for prefix, part in inner.items():
        extra = part.model_extra if part else None
        found += [(f"{prefix}.{name}", value) for name, value in (extra or {}).items()]
    return tuple(Unknown(name, canonical(value)) for name, value in sorted(found, key=lambda pair: pair[0]))


def full_name(record: BaseModel, name: str) -> str:
    """Return a name with everything that the format does not define beside it, so that no difference is lost."""
    return f"{name} {canonical(record.model_extra)}" if record.model_extra else name


def schema_of(value: SchemaValue | None, write: Write) -> Schema | None:
    """Keep a schema as canonical text."""
    return None if value is None else Schema(write(value))


def refuse_twice(file: str, names: list[str]) -> None:
    """Refuse a file that holds an entry twice: which of them counts would be a guess.

    Raises:
        FormatError: a name stands twice.
    """
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise FormatError(file, f"it has two entries for {twice[0]}; one of them must go")
