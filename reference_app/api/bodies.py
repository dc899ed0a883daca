"""Reading request bodies and writing JSON answers."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from reference_app.errors import ReferenceAppError
from reference_app.strict_json import JsonError, JsonValue, dumps, loads

ModelT = TypeVar("ModelT", bound=BaseModel)


class BadBodyError(ReferenceAppError):
    """A request body is not what the endpoint takes."""


class BodyTooLargeError(ReferenceAppError):
    """A request body is longer than the application reads."""


async def read_body(request: Request, limit: int) -> bytes:
    """The body of a request.

    Raises:
        BodyTooLargeError: It is longer than the limit; no more than that was read.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise BodyTooLargeError(f"The body is longer than {limit} bytes.")
    return bytes(body)


async def read_shape(request: Request, limit: int, shape: type[ModelT]) -> ModelT:
    """The body of a request, read as JSON into a shape.

    Raises:
        BadBodyError: It is not JSON, or does not have the shape.
        BodyTooLargeError: It is longer than the limit.
    """
    try:
        return shape.model_validate(loads(await read_body(request, limit)))
    except (JsonError, ValidationError) as problem:
        raise BadBodyError("The body does not have the expected shape.") from problem


def json_response(value: JsonValue, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer in JSON, which nothing keeps."""
    return Response(
        dumps(value), status, {"cache-control": "no-store", **(headers or {})}, media_type="application/json"
    )


def storable(text: str) -> str:
    """A text that every database can compare; NUL, which no id has, becomes another character that no id has."""
    return text.replace("\x00", "\ufffd")
