"""Faults in reading a posted step, in both versions of the protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from reference_app.api import chat
from reference_app.faults import Fault, Patches, constant, fault
from reference_app.faults.state import on_tools
from reference_app.host import host, request
from reference_app.host.catalog import BrowserTool
from reference_app.host.protocol import MAX_FRONTEND_TOOLS, MAX_MESSAGES, VERSION_HEADER, HostError
from reference_app.host.request import StepRequest, ToolState
from reference_app.strict_json import JsonError, JsonValue

FAULTS: list[Fault] = []

Document = dict[str, Any]
_KNOWN = {
    "protocolVersion",
    "conversationId",
    "turnId",
    "stepIndex",
    "pathname",
    "modelId",
    "messages",
    "catalog",
    "frontendTools",
}
_ROLES = {"system", "user", "assistant", "tool"}


@fault(FAULTS, "any-version-served", "a version of the protocol that nobody knows is served")
def _any_version_served(patches: Patches) -> None:
    def newest(document: Document) -> Document:
        is_whole = {"conversationId", "messages"} <= document.keys()
        is_other = document.get("protocolVersion") not in {1, 2}
        return {**document, "protocolVersion": 2} if is_other and is_whole else document

    on_documents(patches, newest)


@fault(FAULTS, "version-checked-last", "of a body in another version it is said that it is malformed")
def _version_checked_last(patches: Patches) -> None:
    def make(read_version: Callable[[Any], int]) -> Any:
        def last(document: Any) -> int:
            try:
                return read_version(document)
            except HostError as problem:
                if problem.status == 409 and "messages" not in document:
                    raise HostError(400, "PROTOCOL_DECODE_ERROR", "Malformed chat step request.") from problem
                raise

        return last

    patches.wrap(request, "read_version", make)


@fault(FAULTS, "missing-fields-defaulted", "what a step leaves out is made up")
def _missing_fields_defaulted(patches: Patches) -> None:
    def fill(document: Document) -> Document:
        return {**_made_up(), **document} if document.get("protocolVersion") == 2 else document

    on_documents(patches, fill)


@fault(FAULTS, "any-body-accepted", "a body that is no step is taken for one")
def _any_body_accepted(patches: Patches) -> None:
    def make(read: Callable[..., JsonValue]) -> Any:
        def accept(*arguments: Any) -> JsonValue:
            try:
                document = read(*arguments)
            except JsonError:
                document = None
            return document if isinstance(document, dict) else {"protocolVersion": 2, **_made_up()}

        return accept

    patches.wrap(request, "loads", make)


@fault(FAULTS, "limits-one-short", "a conversation's id may have 63 characters only")
def _limits_one_short(patches: Patches) -> None:
    def refuse(document: Document) -> Document:
        too_long = len(str(document.get("conversationId"))) == 64
        return {**document, "conversationId": "x" * 65} if too_long else document

    on_documents(patches, refuse)


@fault(FAULTS, "limits-one-long", "an id or a page that is too long is cut to fit")
def _limits_one_long(patches: Patches) -> None:
    def cut(document: Document) -> Document:
        longest = {"conversationId": 64, "turnId": 64, "pathname": 512}
        texts = {
            key: document[key][:most] for key, most in longest.items() if isinstance(document.get(key), str)
        }
        return {**document, **texts}

    on_documents(patches, cut)


@fault(FAULTS, "unknown-keys-refused", "a step with a key that nobody knows is refused")
def _unknown_keys_refused(patches: Patches) -> None:
    def refuse(document: Document) -> Document:
        return {**document, "stepIndex": -1} if "suiteKey" in document.keys() - _KNOWN else document

    on_documents(patches, refuse)


@fault(FAULTS, "types-coerced", "a text is taken for the number that it spells")
def _types_coerced(patches: Patches) -> None:
    def coerce(document: Document) -> Document:
        index = document.get("stepIndex")
        return (
            {**document, "stepIndex": int(index)} if isinstance(index, str) and index.isdigit() else document
        )

    on_documents(patches, coerce)


@fault(FAULTS, "too-many-tools-accepted", "of too many tools the first are taken")
def _too_many_tools_accepted(patches: Patches) -> None:
    def cut(document: Document) -> Document:
        declared = document.get("catalog")
        if not isinstance(declared, dict) or not isinstance(declared.get("frontendTools"), list):
            return document
        lists = {
            key: declared[key][: MAX_FRONTEND_TOOLS[2]]
            for key in ("frontendTools", "frontendState")
            if isinstance(declared.get(key), list)
        }
        return {**document, "catalog": {**declared, **lists}}

    on_documents(patches, cut)


@fault(FAULTS, "too-many-messages-accepted", "of too many messages the last are taken")
def _too_many_messages_accepted(patches: Patches) -> None:
    def cut(document: Document) -> Document:
        messages = document.get("messages")
        if document.get("protocolVersion") != 2 or not isinstance(messages, list):
            return document
        return {**document, "messages": messages[-MAX_MESSAGES[2] :]}

    on_documents(patches, cut)


@fault(FAULTS, "unknown-roles-accepted", "a message in a role that nobody knows is taken for the person's")
def _unknown_roles_accepted(patches: Patches) -> None:
    def rename(document: Document) -> Document:
        messages = document.get("messages")
        if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
            return document
        known = [m if m.get("role") in _ROLES else {**m, "role": "user"} for m in messages]
        return {**document, "messages": known}

    on_documents(patches, rename)


@fault(FAULTS, "version-1-refused", "an answer to version 1 names version 2")
def _version_1_refused(patches: Patches) -> None:
    def make(serve: Callable[..., Awaitable[Response]]) -> Any:
        async def rename(self: chat.Chat, posted: Request) -> Response:
            answer = await serve(self, posted)
            if VERSION_HEADER in answer.headers:
                answer.headers[VERSION_HEADER] = "2"
            return answer

        return rename

    patches.wrap(chat.Chat, "serve", make)


@fault(FAULTS, "version-1-scoped", "a step in version 1 gets the scope of a page that it never named")
def _version_1_scoped(patches: Patches) -> None:
    _on_first_version(patches, lambda step: replace(step, pathname="/receivables/pending"))


@fault(FAULTS, "version-1-collision-dropped", "a double claim in version 1 is dropped without a word")
def _version_1_collision_dropped(patches: Patches) -> None:
    patches.replace(host, "check_collisions", constant(None))


@fault(FAULTS, "version-1-reason-lost", "the reason that a version 1 declaration carries is lost")
def _version_1_reason_lost(patches: Patches) -> None:
    def forget(step: StepRequest) -> StepRequest:
        states = (state.model_copy(update={"unavailable_reason": None}) for state in step.frontend_state)
        return replace(step, frontend_state=tuple(states))

    _on_first_version(patches, forget)


@fault(FAULTS, "version-1-limits-of-2", "version 1 takes more than it may, and leaves the rest out")
def _version_1_limits_of_2(patches: Patches) -> None:
    def cut(document: Document) -> Document:
        if document.get("protocolVersion") != 1:
            return document
        most = {"messages": MAX_MESSAGES[1], "frontendTools": MAX_FRONTEND_TOOLS[1]}
        lists = {
            key: document[key][:limit] for key, limit in most.items() if isinstance(document.get(key), list)
        }
        return {**document, **lists}

    on_documents(patches, cut)


@fault(FAULTS, "version-1-state-in-tools", "in version 1 the reason stands in the tool's description")
def _version_1_state_in_tools(patches: Patches) -> None:
    def with_reason(tool: BrowserTool, state: ToolState) -> BrowserTool:
        return replace(tool, description=f"{tool.description} {state.unavailable_reason or ''}".strip())

    on_tools(patches, with_reason, version=1)


def on_documents(patches: Patches, change: Callable[[Document], Document]) -> None:
    """Change every posted step before it is read."""

    def make(read: Callable[..., JsonValue]) -> Any:
        def changed(*arguments: Any) -> JsonValue:
            document = read(*arguments)
            return change(document) if isinstance(document, dict) else document

        return changed

    patches.wrap(request, "loads", make)


def _on_first_version(patches: Patches, change: Callable[[StepRequest], StepRequest]) -> None:
    def make(decode: Callable[[bytes], StepRequest]) -> Any:
        def changed(body: bytes) -> StepRequest:
            step = decode(body)
            return change(step) if step.version == 1 else step

        return changed

    patches.wrap(chat, "decode", make)


def _made_up() -> Document:
    return {
        "conversationId": "made-up",
        "turnId": "made-up",
        "stepIndex": 0,
        "pathname": "/",
        "messages": [{"role": "user", "content": "Hello."}],
        "catalog": {"frontendTools": []},
    }
