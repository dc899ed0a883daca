"""An attempt as a file that a person can read, change and send again with `dualplane fuzz --replay`."""

import base64
import json
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    ValidationError,
    model_validator,
)

from conformance.fuzz.attempt import Attempt, Request
from conformance.fuzz.description import json_bytes
from conformance.fuzz.errors import FuzzError
from conformance.fuzz.hunt import Found
from conformance.wire import strict_json


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SentRequest(_Part):
    """One request; its body is given in one of three ways, whichever reads best.

    Attributes:
        operation: what it belongs to, as `POST /rpc/list-invoices`.
        method, path: the request line.
        media_type: of the body; empty for none.
        body_json: the body as a value, which is written without spaces.
        body_text: the body as text.
        body_base64: the body as bytes that are no text.
        script: what the model answers, as in a script file; `[[dp:fuzz]]` in the body stands for the marker of its run.
    """

    operation: str
    method: Annotated[str, StringConstraints(pattern=r"^[A-Z]+$")]
    path: Annotated[str, StringConstraints(pattern=r"^/")]
    media_type: str = ""
    body_json: JsonValue = None
    body_text: str | None = None
    body_base64: str | None = None
    script: JsonValue = None

    @model_validator(mode="after")
    def _one_body(self) -> "SentRequest":
        given = [name for name in ("body_json", "body_text", "body_base64") if name in self.model_fields_set]
        if len(given) > 1:
            raise ValueError(f"a request has one body, not {' and '.join(given)}")
        return self

    def value(self) -> Request:
        """The request as it is sent."""
        script = "" if self.script is None else json.dumps(self.script)
        return Request(self.operation, self.method, self.path, self._body(), self.media_type, script)

    def _body(self) -> bytes:
        if "body_json" in self.model_fields_set:
            return json_bytes(self.body_json)
        if self.body_base64 is not None:
            return base64.b64decode(self.body_base64)
        return (self.body_text or "").encode()


class Reproduction(_Part):
    """A finding as a file.

    Attributes:
        version: of this format.
        target: the target file that the finding was made with.
        identity: who sends the requests.
        check, operation, detail: what was found.
        requests: what is sent, in order, after the data was put back.
    """

    version: Literal[1] = 1
    target: str
    identity: str
    check: str
    operation: str
    detail: str
    requests: Annotated[tuple[SentRequest, ...], Field(min_length=1)]

    def attempt(self) -> Attempt:
        """What is sent."""
        return Attempt(self.identity, tuple(request.value() for request in self.requests))


def write(found: Found, target: str, folder: Path) -> Path:
    """Write a finding into a folder; the name follows from the finding.

    Raises:
        FuzzError: the folder can't be written.
    """
    problem, attempt = found.problem, found.attempt
    reproduction = Reproduction(
        target=target,
        identity=attempt.identity,
        check=problem.check.value,
        operation=problem.operation,
        detail=problem.detail,
        requests=tuple(map(_sent, attempt.requests)),
    )
    text = (
        json.dumps(reproduction.model_dump(mode="json", exclude_unset=True), indent=1, ensure_ascii=True)
        + "\n"
    )
    path = folder / f"{problem.check.value}-{attempt.identity}-{_slug(problem.operation)}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise FuzzError(f"{path} can't be written: {error.strerror}") from None
    return path


def read(path: Path) -> Reproduction:
    """Read a file that `write` wrote, or that a person changed.

    Raises:
        FuzzError: it can't be read, or is no such file.
    """
    try:
        return Reproduction.model_validate(strict_json.loads(path.read_bytes()))
    except OSError as error:
        raise FuzzError(f"{path} can't be read: {error.strerror}") from None
    except strict_json.NotJson as error:
        raise FuzzError(f"{path} is not JSON: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise FuzzError(f"{path}: {where}: {first['msg'].removeprefix('Value error, ')}") from None


def _sent(request: Request) -> SentRequest:
    script = json.loads(request.script) if request.script else None
    given = {"media_type": request.media_type} if request.media_type else {}
    given |= {"script": script} if script is not None else {}
    return SentRequest.model_validate(
        {
            "operation": request.operation,
            "method": request.method,
            "path": request.path,
            **given,
            **_written(request.body),
        }
    )


def _written(body: bytes) -> dict[str, JsonValue]:
    """A body in the way that reads best and gives the same bytes again."""
    if not body:
        return {}
    try:
        value = strict_json.loads(body)
        if json_bytes(value) == body:
            return {"body_json": value}
    except strict_json.NotJson:
        pass
    try:
        return {"body_text": body.decode()}
    except UnicodeDecodeError:
        return {"body_base64": base64.b64encode(body).decode()}


def _slug(operation: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in operation.lower()).split())[:60]
