"""The lines of the tab protocol: one JSON object each, a request, a reply or the greeting."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from reference_app.surface.json_value import Json, stringify
from reference_app.tab import strict_json
from reference_app.tab.errors import BadRequestError, HeadlessTabError

PROTOCOL = 1
GREETING: Mapping[str, Json] = {"ready": True, "protocol": PROTOCOL}


class _Params(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SessionParams(_Params):
    """What a browser of that person would send with every request."""

    headers: dict[str, str] = Field(default_factory=dict)


class OpenParams(_Params):
    """Which page to open, as whom, and whether in a browser that nobody has used yet."""

    route: str
    session: SessionParams = SessionParams()
    conversation: str | None = None
    fresh: bool = False


class SendParams(_Params):
    """What the person types."""

    text: str


class ActParams(_Params):
    """What the person does."""

    name: str
    args: dict[str, JsonValue] = Field(default_factory=dict)


class DecideParams(_Params):
    """What the person decides."""

    kind: Literal["confirmation", "approval"]
    approved: bool
    id: str | None = None


class NoParams(_Params):
    """Nothing to say."""


class _Request(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    id: int | str


class OpenRequest(_Request):
    """Open or reload the page."""

    verb: Literal["open"]
    params: OpenParams


class SendRequest(_Request):
    """Type a message."""

    verb: Literal["send"]
    params: SendParams


class ActRequest(_Request):
    """Do something on the screen."""

    verb: Literal["act"]
    params: ActParams


class DecideRequest(_Request):
    """Answer a question."""

    verb: Literal["decide"]
    params: DecideParams


class VisibleRequest(_Request):
    """Look."""

    verb: Literal["visible"]
    params: NoParams = NoParams()


class CloseRequest(_Request):
    """Close the tab."""

    verb: Literal["close"]
    params: NoParams = NoParams()


Request: TypeAlias = OpenRequest | SendRequest | ActRequest | DecideRequest | VisibleRequest | CloseRequest
_REQUEST: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="verb")])


def read_request(line: bytes) -> Request:
    """Read a request.

    Raises:
        BadRequestError: It is not one; ``request_id`` still finds its id, if it has one.
    """
    try:
        return _REQUEST.validate_python(strict_json.loads(line))
    except ValidationError as error:
        issue = error.errors()[0]
        where = ".".join(map(str, issue["loc"])) or "the line"
        raise BadRequestError(f"{where}: {issue['msg']}") from error
    except (ValueError, RecursionError) as error:
        raise BadRequestError(f"expected one JSON object a line: {error}") from error


def request_id(line: bytes) -> Json:
    """The id of a line that is not a request, as far as it has one."""
    try:
        value = strict_json.loads(line)
    except (ValueError, RecursionError):
        return None
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, (int, str)) and not isinstance(found, bool) else None


def reply(found_id: Json, result: Json) -> str:
    """The line that answers a request."""
    return stringify({"id": found_id, "result": result})


def failure(found_id: Json, error: HeadlessTabError) -> str:
    """The line that refuses one."""
    return stringify({"id": found_id, "error": {"code": error.code, "message": str(error)}})
