"""The body of one step as the browser posts it, in both versions of the protocol, read into one shape.

Nothing in it is an identity, a role or an authority; fields that nobody defined are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from pydantic.alias_generators import to_camel

from reference_app.host.protocol import MAX_FRONTEND_TOOLS, MAX_MESSAGES, SERVED_VERSIONS, HostError
from reference_app.strict_json import JsonError, digest_of, loads

_MALFORMED = "Malformed chat step request."
_TOOLS, _STATES = ("catalog", "frontendTools"), ("catalog", "frontendState")
_SIZES: Mapping[tuple[int | str, ...], tuple[str, Mapping[int, int]]] = {
    ("messages",): ("message", MAX_MESSAGES),
    ("frontendTools",): ("frontend tool", MAX_FRONTEND_TOOLS),
    _TOOLS: ("frontend tool", MAX_FRONTEND_TOOLS),
}


class _Shape(BaseModel):
    model_config = ConfigDict(
        strict=True, frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True
    )


def _text(longest: int, shortest: int = 1) -> Any:
    return Field(min_length=shortest, max_length=longest, pattern=r"^[^\x00]*$")


WireName = Annotated[str, _text(64)]


class PostedMessage(_Shape):
    """One message of the posted history; its parts are read later."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str | list[dict[str, JsonValue]]


class Declaration(_Shape):
    """One tool that the tab can execute."""

    wire_name: WireName
    canonical_id: Annotated[str, _text(128)]
    plane: Literal["view", "domain"]
    description: Annotated[str, _text(1000, 0)]
    input_schema: dict[str, JsonValue]
    effect: Annotated[str, _text(64, 0)]
    confirmation: Literal["never", "optional", "required"]


class ToolState(_Shape):
    """Whether a tool can be used at this moment."""

    wire_name: WireName
    available: bool
    unavailable_reason: Annotated[str, _text(300, 0)] | None = None
    note: Annotated[str, _text(300, 0)] | None = None


class Truncated(_Shape):
    """What the tab left out, and why."""

    dropped: Annotated[int, Field(ge=0)]
    reason: Literal["budget", "limit", "undecodable"]


class _FirstVersionDeclaration(Declaration):
    available: bool = True
    unavailable_reason: Annotated[str, _text(300, 0)] | None = None


class _Step(_Shape):
    conversation_id: Annotated[str, _text(64)]
    turn_id: Annotated[str, _text(64)]
    step_index: Annotated[int, Field(ge=0, le=64)]
    messages: Annotated[list[PostedMessage], Field(min_length=1)]


class FirstVersion(_Step):
    """A step in version 1."""

    protocol_version: Literal[1]
    messages: Annotated[list[PostedMessage], Field(min_length=1, max_length=MAX_MESSAGES[1])]
    frontend_tools: Annotated[list[_FirstVersionDeclaration], Field(max_length=MAX_FRONTEND_TOOLS[1])]


class _Catalog(_Shape):
    mode: Literal["direct", "meta"] = "direct"
    scope: Annotated[list[Annotated[str, _text(64, 0)]], Field(max_length=32)] | None = None
    frontend_tools: Annotated[list[Declaration], Field(max_length=MAX_FRONTEND_TOOLS[2])]
    frontend_state: Annotated[list[ToolState], Field(max_length=128)] = []
    truncated: Truncated | None = None


class SecondVersion(_Step):
    """A step in version 2."""

    protocol_version: Literal[2]
    pathname: Annotated[str, _text(512)]
    model_id: Annotated[str, _text(128, 0)] | None = None
    messages: Annotated[list[PostedMessage], Field(min_length=1, max_length=MAX_MESSAGES[2])]
    catalog: _Catalog


@dataclass(frozen=True)
class StepRequest:
    """One step, whatever version it was posted in.

    Attributes:
        version: 1 or 2.
        conversation_id: Names the conversation within its owner's.
        turn_id: Names the turn in it.
        step_index: Counts the steps of the turn.
        pathname: The page that the person sees; empty in version 1.
        model_id: The model that the person prefers.
        mode: How the tab's tools are declared.
        requested_scope: What the tab wants the catalog narrowed to.
        messages: The conversation so far.
        frontend_tools: What the tab can execute.
        frontend_state: What of that can be used now.
        truncated: What the tab left out.
        digest: The fingerprint of everything that was posted, however it was written.
    """

    version: int
    conversation_id: str
    turn_id: str
    step_index: int
    pathname: str
    model_id: str | None
    mode: str
    requested_scope: tuple[str, ...]
    messages: tuple[PostedMessage, ...]
    frontend_tools: tuple[Declaration, ...]
    frontend_state: tuple[ToolState, ...]
    truncated: Truncated | None
    digest: str


def decode(body: bytes) -> StepRequest:
    """Read the body of a step.

    Raises:
        HostError: 409 PROTOCOL_VERSION_MISMATCH for a version that is not served, 413 CATALOG_TOO_LARGE for too many tools
            or messages, 400 PROTOCOL_DECODE_ERROR for everything else that is wrong with it.
    """
    try:
        document = loads(body)
    except JsonError as problem:
        raise HostError(400, "PROTOCOL_DECODE_ERROR", _MALFORMED) from problem
    version = read_version(document)
    try:
        if version == 1:
            return _from_first(FirstVersion.model_validate(document), digest_of(document))
        return _from_second(SecondVersion.model_validate(document), digest_of(document))
    except ValidationError as problem:
        raise _refusal(problem, version) from problem


def read_version(document: object) -> int:
    """The version that a body claims.

    Raises:
        HostError: 409 when it claims one that is not served, 400 when it claims none.
    """
    if not isinstance(document, Mapping) or "protocolVersion" not in document:
        raise HostError(400, "PROTOCOL_DECODE_ERROR", _MALFORMED)
    version = document["protocolVersion"]
    if isinstance(version, bool) or not isinstance(version, int) or version not in SERVED_VERSIONS:
        served = " and ".join(map(str, SERVED_VERSIONS))
        raise HostError(409, "PROTOCOL_VERSION_MISMATCH", f"This host speaks protocol versions {served}.")
    return version


def _refusal(problem: ValidationError, version: int) -> HostError:
    """Size alone is its own refusal; together with anything else the body is simply malformed."""
    errors = problem.errors(include_input=False, include_url=False)
    found = {error["loc"]: error["ctx"]["actual_length"] for error in errors if error["type"] == "too_long"}
    # A tab sends the state of each of its tools: with too many tools there are too many states.
    allowed = _SIZES.keys() | ({_STATES} if _TOOLS in found else set())
    if len(found) < len(errors) or not found.keys() <= allowed:
        return HostError(400, "PROTOCOL_DECODE_ERROR", _MALFORMED)
    place = next(place for place in _SIZES if place in found)
    what, limits = _SIZES[place]
    return HostError(
        413,
        "CATALOG_TOO_LARGE",
        f"The request has {found[place]} {what}s; the limit is {limits[version]}.",
    )


def _from_first(step: FirstVersion, digest: str) -> StepRequest:
    return StepRequest(
        version=1,
        conversation_id=step.conversation_id,
        turn_id=step.turn_id,
        step_index=step.step_index,
        pathname="",
        model_id=None,
        mode="direct",
        requested_scope=(),
        messages=tuple(step.messages),
        frontend_tools=tuple(step.frontend_tools),
        frontend_state=tuple(
            ToolState(
                wire_name=tool.wire_name, available=tool.available, unavailable_reason=tool.unavailable_reason
            )
            for tool in step.frontend_tools
        ),
        truncated=None,
        digest=digest,
    )


def _from_second(step: SecondVersion, digest: str) -> StepRequest:
    return StepRequest(
        version=2,
        conversation_id=step.conversation_id,
        turn_id=step.turn_id,
        step_index=step.step_index,
        pathname=step.pathname,
        model_id=step.model_id,
        mode=step.catalog.mode,
        requested_scope=tuple(step.catalog.scope or ()),
        messages=tuple(step.messages),
        frontend_tools=tuple(step.catalog.frontend_tools),
        frontend_state=tuple(step.catalog.frontend_state),
        truncated=step.catalog.truncated,
        digest=digest,
    )
