"""The suite's own OpenAPI description of `/agent/chat`, approvals and threads, to generate requests and to check answers.

What a target publishes about these is not used: a description that is as wrong as the answers would hide them. The shapes
of what is read (frames, cards) are those of `conformance.wire` and of the drivers.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter

from conformance.drivers.approvals import Card
from conformance.target import Target
from conformance.wire.frames import KNOWN

JsonObject = dict[str, Any]
Schema = Mapping[str, Any]

SCRIPT_KEY = "x-script"
"""A property of a described chat body that never leaves the suite: the name of the script that the model plays."""

NDJSON = "application/x-ndjson"
_JSON = "application/json"
_COMPONENTS = "#/components/schemas/"
_TEXT: Schema = {"type": "string"}
_ANYTHING: Schema = {}


def describe(target: Target, scripts: Sequence[str]) -> JsonObject:
    """Describe what the target file gives an address for.

    Args:
        target: the target file.
        scripts: names of scripts of which a generated chat step chooses one.
    """
    paths = target.paths
    document = chat_paths(target, scripts)
    if paths.approvals is not None:
        document |= _approvals(paths.approvals)
    if paths.threads is not None:
        document |= _threads(paths.threads)
    return as_document(document, {**_frame_schemas(), "Card": _card_schema()})


def as_document(paths: Mapping[str, Any], schemas: Mapping[str, Any]) -> JsonObject:
    """Put paths and shared schemas together."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "as the suite reads it", "version": "1"},
        "paths": dict(paths),
        "components": {"schemas": dict(schemas)},
    }


def chat_paths(target: Target, scripts: Sequence[str]) -> JsonObject:
    """Describe the one endpoint of the host protocol."""
    stream = {"type": "array", "items": {"anyOf": [_ref(name) for name in _frame_names()]}}
    responses = {
        "200": _answer("The frames of the step, one a line.", stream, NDJSON),
        **_refusals(_HOST_ERROR, 400, 409, 413),
        **_refusals(_ANYTHING, 401, 403, 404, 415),
    }
    responses["200"]["links"] = {
        "sameThread": _link("thread", {"thread": "$request.body#/conversationId"}),
        "itsMessages": _link("threadMessages", {"thread": "$request.body#/conversationId"}),
        "whatWaits": _link("approvals"),
        "threads": _link("threads"),
    }
    return {
        target.paths.chat: {
            "post": {
                "operationId": "chat",
                "requestBody": {
                    "required": True,
                    "content": {_JSON: {"schema": {"anyOf": [_second(target, scripts), _first(scripts)]}}},
                },
                "responses": _known_links(responses, target),
            }
        }
    }


def _known_links(responses: JsonObject, target: Target) -> JsonObject:
    """Leave out links to what the target has no address for."""
    links = responses["200"]["links"]
    if target.paths.approvals is None:
        links.pop("whatWaits")
    if target.paths.threads is None:
        for name in ("sameThread", "itsMessages", "threads"):
            links.pop(name)
    return responses


# The body of a step ---------------------------------------------------------------------------------------------------


def _second(target: Target, scripts: Sequence[str]) -> JsonObject:
    pathnames = [route.pathname for route in target.routes.values()]
    scopes = sorted({tag for route in target.routes.values() for tag in route.scope})
    catalog = _object(
        {"frontendTools": {"type": "array", "items": _declaration(), "maxItems": 128}},
        {
            "frontendState": {"type": "array", "items": _state(), "maxItems": 128},
            "mode": {"enum": ["direct", "meta"]},
            "scope": {"type": "array", "maxItems": 32, "items": _either(scopes, _text(64, 0))},
            "truncated": _object(
                {
                    "dropped": {"type": "integer", "minimum": 0},
                    "reason": {"enum": ["budget", "limit", "undecodable"]},
                }
            ),
        },
    )
    return _step(
        2,
        400,
        scripts,
        required={"pathname": _either(pathnames, _text(512)), "catalog": catalog},
        optional={"modelId": _text(128, 0)},
    )


def _first(scripts: Sequence[str]) -> JsonObject:
    declaration = _declaration()
    declaration["properties"] |= {"available": {"type": "boolean"}, "unavailableReason": _text(300, 0)}
    tools = {"type": "array", "items": declaration, "maxItems": 64}
    return _step(1, 200, scripts, required={"frontendTools": tools}, optional={})


def _step(
    version: int,
    most: int,
    scripts: Sequence[str],
    *,
    required: Mapping[str, Any],
    optional: Mapping[str, Any],
) -> JsonObject:
    return _object(
        {
            "protocolVersion": {"const": version},
            "conversationId": _text(64),
            "turnId": _text(64),
            "stepIndex": {"type": "integer", "minimum": 0, "maximum": 64},
            "messages": {"type": "array", "items": _message(), "minItems": 1, "maxItems": most},
            **required,
        },
        {SCRIPT_KEY: {"enum": list(scripts)}, **optional},
    )


def _message() -> JsonObject:
    name, call_id = _text(64), _text(64)
    text = _object({"type": {"const": "text"}, "text": _TEXT})
    call = _object(
        {"type": {"const": "tool-call"}, "toolCallId": call_id, "toolName": name, "input": {"type": "object"}}
    )
    output = _object({"type": {"const": "json"}, "value": _ANYTHING})
    result = _object(
        {"type": {"const": "tool-result"}, "toolCallId": call_id, "toolName": name, "output": output}
    )
    plain = _object({"role": {"enum": ["user", "system"]}, "content": _TEXT})
    assistant = _object(
        {
            "role": {"const": "assistant"},
            "content": {"anyOf": [_TEXT, {"type": "array", "items": {"anyOf": [text, call]}}]},
        }
    )
    tool = _object({"role": {"const": "tool"}, "content": {"type": "array", "items": result}})
    return {"anyOf": [plain, assistant, tool]}


def _declaration() -> JsonObject:
    return _object(
        {
            "wireName": _text(64),
            "canonicalId": _text(128),
            "plane": {"enum": ["view", "domain"]},
            "description": _text(1000, 0),
            "inputSchema": {"type": "object"},
            "effect": _text(64),
            "confirmation": {"enum": ["never", "optional", "required"]},
        }
    )


def _state() -> JsonObject:
    return _object(
        {"wireName": _text(64), "available": {"type": "boolean"}},
        {"unavailableReason": _text(300, 0), "note": _text(300, 0)},
    )


# Approvals and threads ------------------------------------------------------------------------------------------------


def _approvals(path: str) -> JsonObject:
    first = {"approval": "$response.body#/0/id"}
    same = {"approval": "$request.path.approval"}
    cards = _answer("Cards.", {"type": "array", "items": _ref("Card")})
    cards["links"] = {
        "show": _link("approval", first),
        "decide": _link("decide", first),
        "goOn": _link("chat"),
    }
    card = _answer("One card.", _ref("Card"))
    card["links"] = {"decide": _link("decide", same)}
    decided = _answer("What the decision came to.", {"type": "object"})
    decided["links"] = {
        "show": _link("approval", same),
        "again": _link("decide", same),
        "goOn": _link("chat"),
    }
    decision = _object({"approved": {"type": "boolean"}}, {"inputHash": _text(128, 0)})
    return {
        path: {
            "get": {
                "operationId": "approvals",
                "responses": {"200": cards, **_refusals(_ANYTHING, 401, 403, 404)},
            }
        },
        path + "/{approval}": {
            "parameters": [_path_parameter("approval")],
            "get": {
                "operationId": "approval",
                "responses": {"200": card, **_refusals(_ANYTHING, 400, 401, 403, 404)},
            },
            "post": {
                "operationId": "decide",
                "requestBody": {"required": True, "content": {_JSON: {"schema": decision}}},
                "responses": {
                    "200": decided,
                    **_refusals(_ANYTHING, 400, 401, 403, 404, 409, 410, 413, 415, 422),
                },
            },
        },
    }


def _threads(path: str) -> JsonObject:
    first = {"thread": "$response.body#/0/id"}
    same = {"thread": "$request.path.thread"}
    listed = _answer("Threads.", {"type": "array", "items": _open({"id": _TEXT})})
    listed["links"] = {
        "show": _link("thread", first),
        "messages": _link("threadMessages", first),
        "remove": _link("removeThread", first),
        "goOn": _link("chat"),
    }
    thread = _answer("One thread.", _open({"id": _TEXT}))
    thread["links"] = {"remove": _link("removeThread", same)}
    removed = _answer("It is gone.", _ANYTHING)
    removed["links"] = {"show": _link("thread", same), "again": _link("removeThread", same)}
    messages = _answer("Its messages.", {"type": "array", "items": _open({"role": _TEXT})})
    unknown = _refusals(_ANYTHING, 400, 401, 403, 404)
    one = {"parameters": [_path_parameter("thread")]}
    return {
        path: {
            "get": {
                "operationId": "threads",
                "responses": {"200": listed, **_refusals(_ANYTHING, 401, 403, 404)},
            }
        },
        path + "/{thread}": {
            **one,
            "get": {"operationId": "thread", "responses": {"200": thread, **unknown}},
            "delete": {
                "operationId": "removeThread",
                "responses": {"200": removed, "204": {"description": "It is gone."}, **unknown},
            },
        },
        path + "/{thread}/model-messages": {
            **one,
            "get": {"operationId": "threadMessages", "responses": {"200": messages, **unknown}},
        },
    }


# Pieces ---------------------------------------------------------------------------------------------------------------

_HOST_ERROR: Schema = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {"code": {"type": "string", "minLength": 1}, "message": _TEXT},
            "required": ["code", "message"],
        }
    },
    "required": ["error"],
}


def _frame_names() -> list[str]:
    return ["OtherFrame", *(model.__name__ for model in KNOWN.values())]


def _frame_schemas() -> JsonObject:
    """The schemas of all frames; a frame of a type that is not known may hold anything."""
    schemas: JsonObject = {
        "OtherFrame": {
            "type": "object",
            "properties": {"type": {"type": "string", "not": {"enum": list(KNOWN)}}},
            "required": ["type"],
        }
    }
    for model in KNOWN.values():
        schema = TypeAdapter(model).json_schema(ref_template=_COMPONENTS + "{model}")
        schemas |= schema.pop("$defs", {})
        schemas[model.__name__] = schema
    return schemas


def _card_schema() -> JsonObject:
    return TypeAdapter(Card).json_schema(ref_template=_COMPONENTS + "{model}")


def _object(required: Mapping[str, Any], optional: Mapping[str, Any] | None = None) -> JsonObject:
    """An object that is generated without other keys."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def _open(required: Mapping[str, Any]) -> JsonObject:
    return {"type": "object", "properties": dict(required), "required": list(required)}


def _text(longest: int, shortest: int = 1) -> JsonObject:
    return {"type": "string", "minLength": shortest, "maxLength": longest}


def _either(known: Sequence[str], other: Mapping[str, Any]) -> JsonObject:
    return {"anyOf": [{"enum": list(known)}, dict(other)]} if known else dict(other)


def _ref(name: str) -> JsonObject:
    return {"$ref": _COMPONENTS + name}


def _answer(description: str, schema: Schema, media_type: str = _JSON) -> JsonObject:
    return {"description": description, "content": {media_type: {"schema": dict(schema)}}}


def _refusals(schema: Schema, *statuses: int) -> JsonObject:
    """Refusals in JSON of a schema; one without a schema may come in any form."""
    answer = _answer("Refused.", schema) if schema else {"description": "Refused."}
    return {str(status): answer for status in statuses}


def _link(operation: str, parameters: Mapping[str, str] | None = None) -> JsonObject:
    return {"operationId": operation, "parameters": dict(parameters or {})}


def _path_parameter(name: str) -> JsonObject:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
