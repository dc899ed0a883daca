"""What the lookalike takes for a chat step, in both versions of the protocol."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SCOPES: Mapping[str, Sequence[str]] = {
    "/receivables/pending": ("app", "invoices", "reporting", "collections"),
    "/receivables/all": ("app", "invoices", "reporting"),
    "/receivables/clients": ("app", "clients", "invoices"),
    "/architecture": ("app",),
}
WIRE_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
ROLES = ("user", "assistant", "tool", "system")
PLANES = ("view", "domain")
REASONS = ("limit", "budget")


class Unreadable(Exception):  # noqa: N818 - a refusal
    """A step is refused: status, code, message."""

    def __init__(self, status: int, code: str, message: str) -> None:
        self.status, self.code, self.message = status, code, message
        super().__init__(message)


@dataclass(frozen=True)
class StepBody:
    """A step that can be run."""

    version: int
    conversation: str
    turn: str
    index: int
    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Mapping[str, Any]]
    states: Mapping[str, Mapping[str, Any]]
    scope: Sequence[str]
    truncated: Mapping[str, Any] | None


def read_step(body: Any) -> StepBody:
    """Read a body.

    Raises:
        Unreadable: another version, or not as a step must be.
    """
    if not isinstance(body, dict) or "protocolVersion" not in body:
        raise Unreadable(400, "PROTOCOL_DECODE_ERROR", "Malformed chat step request.")
    version = body["protocolVersion"]
    if version not in (1, 2) or isinstance(version, bool | float):
        raise Unreadable(409, "PROTOCOL_VERSION_MISMATCH", f"Version {version!r} is not served.")
    if not all(_version_1(body) if version == 1 else _version_2(body)):
        raise Unreadable(400, "PROTOCOL_DECODE_ERROR", "Malformed chat step request.")
    return _of_version_1(body) if version == 1 else _of_version_2(body)


def _of_version_1(body: Mapping[str, Any]) -> StepBody:
    tools = body["frontendTools"]
    states = {tool["wireName"]: tool for tool in tools}
    return StepBody(
        1,
        body["conversationId"],
        body["turnId"],
        body["stepIndex"],
        body["messages"],
        tools,
        states,
        (),
        None,
    )


def _of_version_2(body: Mapping[str, Any]) -> StepBody:
    catalog = body["catalog"]
    floor = next(
        (scope for path, scope in SCOPES.items() if f"{body['pathname']}/".startswith(f"{path}/")), ()
    )
    narrowed = [token for token in floor if token in ("app", *catalog.get("scope", ()))]
    wanted = [token for token in catalog.get("scope", ()) if token in floor]
    return StepBody(
        2,
        body["conversationId"],
        body["turnId"],
        body["stepIndex"],
        body["messages"],
        catalog["frontendTools"],
        {state["wireName"]: state for state in catalog.get("frontendState", ())},
        narrowed if wanted else floor,
        catalog.get("truncated"),
    )


def _text(value: Any, most: int, least: int = 1) -> bool:
    return isinstance(value, str) and least <= len(value) <= most


def _envelope(body: Mapping[str, Any], most: int) -> Iterator[bool]:
    index, messages = body.get("stepIndex"), body.get("messages")
    yield _text(body.get("conversationId"), 64)
    yield _text(body.get("turnId"), 64)
    yield isinstance(index, int) and not isinstance(index, bool) and 0 <= index <= 64
    yield isinstance(messages, list) and 1 <= len(messages) <= most
    yield all(_message(message) for message in messages or ())


def _message(message: Any) -> bool:
    return (
        isinstance(message, dict)
        and message.get("role") in ROLES
        and isinstance(message.get("content"), str | list)
    )


def _version_1(body: Mapping[str, Any]) -> Iterator[bool]:
    yield from _envelope(body, 200)
    yield from _tools(body.get("frontendTools"), 64)


def _version_2(body: Mapping[str, Any]) -> Iterator[bool]:
    yield from _envelope(body, 400)
    yield _text(body.get("pathname"), 512)
    yield _text(body.get("modelId", "m"), 128)
    catalog = body.get("catalog")
    yield isinstance(catalog, dict)
    if isinstance(catalog, dict):
        yield from _catalog(catalog)


def _catalog(catalog: Mapping[str, Any]) -> Iterator[bool]:
    yield from _tools(catalog.get("frontendTools"), 128)
    states, scope = catalog.get("frontendState", []), catalog.get("scope", [])
    yield isinstance(states, list) and all(_state(state) for state in states)
    yield catalog.get("mode", "direct") in ("direct", "meta")
    yield isinstance(scope, list) and len(scope) <= 32 and all(_text(token, 64) for token in scope)
    truncated = catalog.get("truncated")
    if truncated is not None:
        yield isinstance(truncated, dict)
        yield isinstance(truncated.get("dropped"), int) and truncated["dropped"] >= 0
        yield truncated.get("reason") in REASONS


def _tools(tools: Any, most: int) -> Iterator[bool]:
    yield isinstance(tools, list) and len(tools) <= most
    yield isinstance(tools, list) and all(_tool(tool) for tool in tools)


def _tool(tool: Any) -> bool:
    return (
        isinstance(tool, dict)
        and isinstance(tool.get("wireName"), str)
        and WIRE_NAME.fullmatch(tool["wireName"]) is not None
        and _text(tool.get("canonicalId"), 128)
        and _text(tool.get("description"), 1000, 0)
        and tool.get("plane") in PLANES
        and isinstance(tool.get("inputSchema"), dict)
        and _text(tool.get("effect"), 64)
        and tool.get("confirmation") in ("never", "when-changed", "always", "optional", "required")
    )


def _state(state: Any) -> bool:
    return (
        isinstance(state, dict)
        and _text(state.get("wireName"), 64)
        and isinstance(state.get("available"), bool)
        and _text(state.get("unavailableReason", "r"), 300)
        and _text(state.get("note", "n"), 300)
    )
