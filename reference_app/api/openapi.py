"""``/openapi.json``: the interface as far as its reader may know it.

A procedure that the caller may not use is not described; the document is made for each caller. Demonstration controls and the lab
are not part of the interface.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import Response

from reference_app.api import descriptions
from reference_app.api.approvals import DecisionBody
from reference_app.api.bodies import json_response
from reference_app.api.identity import Gate, actor_of
from reference_app.api.session import SignIn
from reference_app.capabilities import PROCEDURES
from reference_app.domain.capability import AnyProcedure, Surface
from reference_app.domain.discovery import may_discover
from reference_app.domain.pipeline import Runtime
from reference_app.domain.shapes import output_schema
from reference_app.host.protocol import VERSION_HEADER
from reference_app.host.request import FirstVersion, SecondVersion
from reference_app.identity import COOKIE, Person

_REFERENCES = "#/components/schemas/{model}"


class Description:
    """Serves the document.

    Args:
        gate: Finds out who is asking.
        runtime: Knows what they may use.
    """

    def __init__(self, gate: Gate, runtime: Runtime) -> None:
        self._gate = gate
        self._runtime = runtime

    async def show(self, request: Request) -> Response:
        """The document for the caller; without a session it describes no procedure."""
        person = await self._gate.person(request)
        procedures = [] if person is None else [p for p in PROCEDURES if await self._may_know(p, person)]
        return json_response(document(procedures))

    async def _may_know(self, procedure: AnyProcedure, person: Person) -> bool:
        capability = self._runtime.services.registry.capability(procedure.id)
        if capability is None:
            return True
        return await may_discover(self._runtime, capability, Surface.DIRECT, actor_of(person))


def document(procedures: list[AnyProcedure]) -> dict[str, Any]:
    """The OpenAPI document that describes some procedures and everything else."""
    shapes = _Shapes()
    paths: dict[str, Any] = {
        f"/rpc/{procedure.id}": {"post": _rpc(procedure, shapes)} for procedure in procedures
    }
    paths |= _agent(shapes) | _session(shapes) | _approvals(shapes) | _threads() | _rest()
    return {
        "openapi": "3.1.0",
        "info": {"title": "Receivables console", "version": "1"},
        "paths": paths,
        "components": {
            "schemas": {**descriptions.SCHEMAS, **shapes.schemas},
            "securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": COOKIE}},
        },
    }


class _Shapes:
    """Collects the shared shapes of the document."""

    def __init__(self) -> None:
        self.schemas: dict[str, Any] = {}

    def input(self, model: Any) -> dict[str, Any]:
        return self._take(TypeAdapter(model).json_schema(ref_template=_REFERENCES))

    def output(self, procedure: AnyProcedure) -> dict[str, Any]:
        return self._take(dict(output_schema(procedure.output_adapter, _REFERENCES)))

    def _take(self, schema: dict[str, Any]) -> dict[str, Any]:
        self.schemas |= schema.pop("$defs", {})
        return schema


def _rpc(procedure: AnyProcedure, shapes: _Shapes) -> dict[str, Any]:
    envelope: dict[str, Any] = {"type": "object", "properties": {"json": procedure.input_schema}}
    if "required" in procedure.input_schema:
        envelope["required"] = ["json"]
    described = (
        procedure.agent.description if procedure.agent is not None else (procedure.handler.__doc__ or "")
    )
    output = {"type": "object", "properties": {"json": shapes.output(procedure)}, "required": ["json"]}
    return _operation(
        f"rpc-{procedure.id}",
        described,
        body=envelope,
        responses={
            "200": _json("The output.", output),
            **_refusals("OrpcError", 400, 401, 403, 404, 408, 409, 413, 415, 500),
        },
    )


def _agent(shapes: _Shapes) -> dict[str, Any]:
    body = shapes.input(FirstVersion | SecondVersion)
    stream = {
        "description": "The frames of the step, one JSON object a line.",
        "headers": {VERSION_HEADER: {"schema": {"type": "string"}}},
        "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
    }
    refusals = _refusals("HostError", 400, 401, 403, 409, 413, 415, 500, 503)
    operation = _operation(
        "chat", "Run one step of a conversation.", body=body, responses={"200": stream, **refusals}
    )
    return {"/agent/chat": {"post": operation}}


def _session(shapes: _Shapes) -> dict[str, Any]:
    session = {"$ref": "#/components/schemas/Session"}
    signed_in = {"$ref": "#/components/schemas/SignedIn"}
    return {
        "/api/session": {
            "get": _operation(
                "session", "Who one is.", responses={"200": _json("The session.", session)}, open_to_all=True
            ),
            "post": _operation(
                "sign-in",
                "Sign in as one of the demonstration's people.",
                body=shapes.input(SignIn),
                responses={
                    "200": _json("Signed in.", signed_in),
                    **_refusals("ApiError", 400, 403, 413, 415),
                },
                open_to_all=True,
            ),
            "delete": _operation(
                "sign-out",
                "Sign out.",
                responses={"200": _json("Signed out.", signed_in), **_refusals("ApiError", 403, 415)},
                open_to_all=True,
            ),
        }
    }


def _approvals(shapes: _Shapes) -> dict[str, Any]:
    cards = {"type": "array", "items": {"$ref": "#/components/schemas/Card"}}
    card = {"$ref": "#/components/schemas/Card"}
    receipt = {"$ref": "#/components/schemas/DecisionTaken"}
    decided = {"200": _json("The decision was taken.", receipt)}
    return {
        "/api/approvals": {
            "get": _operation(
                "approvals",
                "What waits for the caller.",
                responses={"200": _json("Cards.", cards), **_refusals("ApiError", 401)},
            )
        },
        "/api/approvals/{approval}": {
            "parameters": [_path_parameter("approval")],
            "get": _operation(
                "approval",
                "One approval.",
                responses={"200": _json("The card.", card), **_refusals("ApiError", 401, 404)},
            ),
            "post": _operation(
                "decide",
                "Decide about an approval; yes runs what the card shows.",
                body=shapes.input(DecisionBody),
                responses={**decided, **_refusals("ApiError", 400, 401, 403, 404, 409, 413, 415)},
            ),
        },
    }


def _threads() -> dict[str, Any]:
    thread = {"$ref": "#/components/schemas/Thread"}
    found = _refusals("ApiError", 401, 404)
    messages = {"type": "array", "items": {"type": "object"}}
    threads = {"type": "array", "items": thread}
    gone = {"200": _json("Deleted.", descriptions.OK), **_refusals("ApiError", 401, 403, 404, 415)}
    return {
        "/api/threads": {
            "get": _operation(
                "threads",
                "The caller's threads.",
                responses={"200": _json("Threads.", threads), **_refusals("ApiError", 401)},
            )
        },
        "/api/threads/{thread}": {
            "parameters": [_path_parameter("thread")],
            "get": _operation(
                "thread", "One thread.", responses={"200": _json("The thread.", thread), **found}
            ),
            "delete": _operation("delete-thread", "Delete one thread.", responses=gone),
        },
        "/api/threads/{thread}/model-messages": {
            "parameters": [_path_parameter("thread")],
            "get": _operation(
                "thread-messages",
                "The messages of one thread.",
                responses={"200": _json("Messages.", messages), **found},
            ),
        },
    }


def _rest() -> dict[str, Any]:
    events = {"type": "array", "items": {"type": "object"}}
    return {
        "/api/health": {
            "get": _operation(
                "health",
                "Whether it runs.",
                responses={"200": _json("It runs.", descriptions.OK)},
                open_to_all=True,
            )
        },
        "/api/audit": {
            "get": _operation(
                "audit",
                "What was attempted in the caller's name.",
                responses={"200": _json("Events.", events), **_refusals("ApiError", 401)},
            )
        },
    }


def _operation(
    name: str,
    summary: str,
    *,
    responses: Mapping[str, Any],
    body: Mapping[str, Any] | None = None,
    open_to_all: bool = False,
) -> dict[str, Any]:
    operation: dict[str, Any] = {"operationId": name, "summary": summary, "responses": dict(responses)}
    if not open_to_all:
        operation["security"] = [{"session": []}]
    if body is not None:
        required = "required" in body or "anyOf" in body
        operation["requestBody"] = {"required": required, "content": {"application/json": {"schema": body}}}
    return operation


def _json(description: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _refusals(shape: str, *statuses: int) -> dict[str, Any]:
    return {
        str(status): _json(descriptions.REFUSALS[status], {"$ref": f"#/components/schemas/{shape}"})
        for status in statuses
    }


def _path_parameter(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
