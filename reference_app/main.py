"""The HTTP application over its assembled parts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from reference_app.api import a2ui, approvals, audit, chat, demo, openapi, rpc, session, threads
from reference_app.api.authority import AuthorityFence, authority_of
from reference_app.api.bodies import BodyTooLargeError, json_response
from reference_app.api.errors import refuse
from reference_app.api.fences import Fences
from reference_app.api.identity import Gate, UnauthenticatedError
from reference_app.assembly import Parts
from reference_app.web import serving

Endpoint = Callable[[Request], Awaitable[Response]]

_EVERY_METHOD = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]


def create_app(parts: Parts) -> FastAPI:
    """The application as an ASGI callable.

    Args:
        parts: What it is made of; whoever assembled them takes them apart.
    """
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    for path, methods, endpoint in _endpoints(parts):
        app.router.add_route(path, endpoint, methods=methods)
    app.add_middleware(Fences)
    if parts.cards is not None:
        app.add_middleware(AuthorityFence, authority=authority_of(parts.settings.tunables))
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(UnauthenticatedError, _unauthenticated)
    app.add_exception_handler(BodyTooLargeError, _too_large)
    app.add_exception_handler(ClientDisconnect, _gone)
    app.add_exception_handler(Exception, _broken)
    return app


def _endpoints(parts: Parts) -> Iterator[tuple[str, list[str], Endpoint]]:
    gate = Gate(parts.tokens, parts.directory)
    limit = parts.settings.tunables.body_limit
    people = session.Session(gate, parts.model_ids)
    cards = approvals.Approvals(gate, parts.decisions, parts.threads, parts.clock, parts.audit)
    conversations = threads.Threads(gate, parts.threads)
    yield "/api/health", ["GET"], _health
    yield "/api/session", ["GET"], people.show
    yield "/api/session", ["POST"], people.sign_in
    yield "/api/session", ["DELETE"], people.sign_out
    yield "/rpc/{procedure:path}", _EVERY_METHOD, rpc.Rpc(gate, parts.runtime, limit).serve
    yield "/agent/chat", ["POST"], chat.Chat(gate, parts.host, limit).serve
    yield "/api/approvals", ["GET"], cards.pending
    yield "/api/approvals/{approval}", ["GET"], cards.show
    yield "/api/approvals/{approval}", ["POST"], cards.decide
    yield "/api/threads", ["GET"], conversations.list
    yield "/api/threads/{thread}", ["GET"], conversations.show
    yield "/api/threads/{thread}", ["DELETE"], conversations.remove
    yield "/api/threads/{thread}/model-messages", ["GET"], conversations.messages
    yield "/api/audit", ["GET"], audit.Audit(gate, parts.audit).show
    yield "/openapi.json", ["GET"], openapi.Description(gate, parts.runtime).show
    if parts.cards is not None:
        answers = a2ui.CardRpc(gate, parts.cards, parts.settings.tunables.a2ui_payload_limit)
        yield "/a2ui/action", _EVERY_METHOD, answers.action
        yield "/a2ui/cancel", _EVERY_METHOD, answers.cancel
        yield "/a2ui/{endpoint:path}", _EVERY_METHOD, a2ui.no_endpoint
        yield "/api/a2ui/{conversation:path}/{call}", ["GET"], answers.show
    yield from serving.endpoints(demo_controls=parts.settings.demo_controls)
    if parts.settings.demo_controls:
        controls = demo.Demo(parts.clock, parts.directory, parts.policies, parts.reset)
        yield "/api/demo/reset", ["POST"], controls.reset
        yield "/api/demo/clock", ["POST"], controls.set_clock
        yield "/api/demo/role", ["POST"], controls.set_role
        yield "/api/demo/policy", ["POST"], controls.set_policy


async def _health(request: Request) -> Response:
    del request
    return json_response({"ok": True})


async def _http_error(request: Request, problem: Exception) -> Response:
    status = problem.status_code if isinstance(problem, HTTPException) else 500
    headers = dict(problem.headers or {}) if isinstance(problem, HTTPException) else {}
    message = {404: "Not Found", 405: "Method Not Allowed"}.get(status, "The request was refused.")
    return refuse(request.url.path, status, message, headers)


async def _unauthenticated(request: Request, problem: Exception) -> Response:
    return refuse(request.url.path, 401, str(problem))


async def _too_large(request: Request, problem: Exception) -> Response:
    return refuse(request.url.path, 413, str(problem))


async def _gone(request: Request, problem: Exception) -> Response:
    del problem
    return refuse(request.url.path, 400, "The request was cut off.")


async def _broken(request: Request, problem: Exception) -> Response:
    del problem
    return refuse(request.url.path, 500, "The operation failed.")
