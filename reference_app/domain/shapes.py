"""Inputs and outputs of operations: how they are declared, validated, described and written as JSON."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    TypeAdapter,
    ValidationError,
)
from pydantic.alias_generators import to_camel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import CoreSchema, PydanticSerializationError, core_schema

from reference_app.domain.errors import Issue
from reference_app.strict_json import MAX_SAFE_INTEGER, JsonObject, JsonValue

T = TypeVar("T")
ModelT = TypeVar("ModelT", bound="Input")


class Input(BaseModel):
    """The base of every input: keys in camel case on the wire, nothing converted, unknown keys ignored."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True
    )


class Output(BaseModel):
    """The base of every output: fields are written as they are named."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class NoInput(Input):
    """The input of an operation that takes none."""


class _Omissible:
    """Marks a field that may be left out but is never null."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        if schema["type"] == "nullable":
            inner: CoreSchema = schema["schema"]
            return inner
        return schema


Omissible: TypeAlias = Annotated[T | None, _Omissible()]
"""A value that the caller may leave out (then it is None here), and may not give as null."""


def _calendar_date(text: str) -> str:
    day = date.fromisoformat(text)
    if day.isoformat() != text:
        raise ValueError("a date is written YYYY-MM-DD")
    return text


def _without_nul(text: str) -> str:
    if "\x00" in text:
        raise ValueError("NUL is not allowed")
    return text


Identifier: TypeAlias = Annotated[int, Field(gt=0, le=MAX_SAFE_INTEGER)]
"""The number of a record."""

Cents: TypeAlias = Annotated[int, Field(gt=0, le=MAX_SAFE_INTEGER)]
"""A positive amount of money in whole cents."""

CalendarDate: TypeAlias = Annotated[
    str,
    AfterValidator(_calendar_date),
    Field(json_schema_extra={"format": "date", "pattern": r"^\d{4}-\d{2}-\d{2}$"}),
]
"""A date that exists, written ``YYYY-MM-DD``; the schema says the shape, validation also asks the calendar."""

Note: TypeAlias = Annotated[str, AfterValidator(_without_nul), Field(max_length=500)]
"""Free text of at most 500 characters; NUL is refused because not every database can keep it."""


class _Plain(GenerateJsonSchema):
    """JSON Schema without titles, and without a default where the default is absence."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        del schema
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        described = super().default_schema(schema)
        if described.get("default", ...) is None:
            described.pop("default")
        return described

    def generate(self, schema: CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        cleaned: JsonSchemaValue = _without_titles(super().generate(schema, mode))
        return cleaned


DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""The JSON Schema dialect of every description."""


def input_schema(model: type[Input]) -> JsonObject:
    """The JSON Schema that describes what an input accepts; open to unknown keys."""
    described = model.model_json_schema(schema_generator=_Plain)
    described.pop("description", None)
    return {"$schema": DIALECT, "type": "object", "properties": {}, **described}


def closed_schema(model: type[Input]) -> JsonObject:
    """The same as a contract writes it: without dialect, and closed to unknown keys."""
    described = {key: value for key, value in input_schema(model).items() if key != "$schema"}
    return {**described, "additionalProperties": False}


def output_schema(adapter: TypeAdapter[Any], references: str = "#/$defs/{model}") -> JsonObject:
    """The JSON Schema of what an operation returns; shared shapes are referred to as ``references`` says."""
    return adapter.json_schema(schema_generator=_Plain, mode="serialization", ref_template=references)


def schema_hash(schema: JsonObject) -> str:
    """``sha256:`` and the hash over the schema as compact JSON with sorted keys."""
    text = json.dumps(schema, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


def validate_input(model: type[ModelT], raw: JsonValue) -> ModelT | tuple[Issue, ...]:
    """Validate an input as it came over the wire.

    Returns:
        The input with defaults applied, or what is wrong with it.
    """
    try:
        return model.model_validate(raw)
    except ValidationError as problem:
        errors = problem.errors(include_input=False, include_url=False, include_context=False)
        return tuple(Issue(tuple(map(str, error["loc"])), error["msg"]) for error in errors)


def input_as_json(value: Input) -> JsonObject:
    """An input as it would be sent: what was given, and the defaults that mean something."""
    given = value.model_fields_set
    kept = {name for name in type(value).model_fields if name in given or getattr(value, name) is not None}
    return value.model_dump(mode="python", by_alias=True, include=kept)


class OutputError(Exception):
    """An operation returned something other than it declares."""


def output_as_json(adapter: TypeAdapter[Any], value: object) -> JsonValue:
    """An output as JSON, held against its own declaration.

    Raises:
        OutputError: It cannot be written as JSON, or does not fit what the operation declares.
    """
    try:
        written: JsonValue = adapter.dump_python(value, mode="json", warnings=False)
        adapter.validate_python(written)
    except (ValidationError, PydanticSerializationError) as problem:
        raise OutputError from problem
    return written


def _without_titles(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_titles(member) for member in schema]
    if not isinstance(schema, dict):
        return schema
    cleaned = {}
    for key, value in schema.items():
        if key == "title" and isinstance(value, str):
            continue
        if key == "properties":
            cleaned[key] = {name: _without_titles(member) for name, member in value.items()}
        else:
            cleaned[key] = _without_titles(value)
    return cleaned
