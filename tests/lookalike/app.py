"""The addresses of the lookalike, and its command: `python -m tests.lookalike.app --port 0 --data-dir FOLDER`."""

import argparse
import asyncio
import json
import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.lookalike.governance import Governance, User
from tests.lookalike.identity import COOKIE, USERS, token_of, user_of
from tests.lookalike.ledger import BY_ID, Ledger, Refused
from tests.lookalike.provider import SILENCE, Provider
from tests.lookalike.request import StepBody, Unreadable, read_step
from tests.lookalike.step import Step, line_of
from tests.lookalike.threads import Threads

PAGE = "<!doctype html><title>Receivables</title><div id=root></div>"
MALFORMED = "Malformed request. Ensure the request body is properly formatted."


class Lookalike:
    """One running application."""

    def __init__(self, folder: Path) -> None:
        self.governance = Governance(Ledger(folder / "ledger.json"))
        self.threads = Threads(folder / "threads.json")
        self.client = httpx.AsyncClient(timeout=SILENCE, trust_env=False)
        self.running: set[asyncio.Task[None]] = set()
        self.posted: set[tuple[str, str, str, int]] = set()
        self.inner = Starlette(routes=self.routes())

    def provider(self) -> Provider:
        """The model.

        Raises:
            Unreadable: none is configured.
        """
        for kind in ("anthropic", "openrouter"):
            url = os.environ.get(f"{kind.upper()}_BASE_URL")
            if url and os.environ.get(f"{kind.upper()}_API_KEY"):
                return Provider(kind, url, self.client)
        raise Unreadable(503, "MODEL_NOT_CONFIGURED", "No model is configured.")

    def routes(self) -> list[Route]:
        """Every address; a GET that nobody serves is the page."""
        every = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        return [
            Route("/api/health", self.health),
            Route("/api/session", self.session, methods=["GET", "POST"]),
            Route("/api/demo/reset", self.reset, methods=["POST"]),
            Route("/api/approvals", self.approvals),
            Route("/api/approvals/{id}", self.approval, methods=["GET", "POST"]),
            Route("/api/threads", self.thread_list),
            Route("/api/threads/{id}", self.thread, methods=["GET", "DELETE"]),
            Route("/api/threads/{id}/model-messages", self.thread_messages),
            Route("/agent/chat", self.chat, methods=["POST"]),
            Route("/rpc/{procedure}", self.rpc, methods=every),
            Route("/{rest:path}", self.unmatched, methods=every),
        ]

    async def health(self, _: Request) -> Response:
        """A sign of life."""
        return JSONResponse({"ok": True})

    async def unmatched(self, request: Request) -> Response:
        """The page, or a plain 404."""
        if request.method == "GET":
            return HTMLResponse(PAGE)
        return PlainTextResponse("404 Not Found", 404)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Refuse what another site sends, and hand on the rest."""
        headers = dict(scope.get("headers", ()))
        origin, host = headers.get(b"origin", b""), headers.get(b"host", b"")
        if origin and not origin.endswith(b"//" + host) and scope["method"] != "GET":
            await PlainTextResponse("403 Forbidden", 403)(scope, receive, send)
            return
        await self.inner(scope, receive, send)

    async def session(self, request: Request) -> Response:
        """Who somebody is, and signing in."""
        if request.method == "GET":
            return JSONResponse({"user": dict(user(request)), "models": ["anthropic/claude-sonnet-4-5"]})
        body = await body_of(request)
        role = str(body.get("role")) if isinstance(body, dict) else ""
        if role not in USERS:
            return JSONResponse({"error": "Unknown role."}, 400)
        answer = JSONResponse({"user": dict(USERS[role])})
        cookie = f"{COOKIE}={token_of(USERS[role])}; Path=/; SameSite=Lax; HttpOnly"
        answer.headers["set-cookie"] = cookie
        return answer

    async def reset(self, _: Request) -> Response:
        """Put the ledger back, for anybody; approvals and threads stay."""
        self.governance.ledger.reset()
        return JSONResponse({"ok": True})

    async def approvals(self, request: Request) -> Response:
        """What waits for somebody."""
        return JSONResponse(self.governance.pending(user(request)))

    async def approval(self, request: Request) -> Response:
        """One card, or a decision about it."""
        body = await body_of(request) if request.method == "POST" else None
        if request.method == "POST" and not (
            isinstance(body, dict) and isinstance(body.get("approved"), bool)
        ):
            return JSONResponse({"error": "Invalid decision body."}, 400)
        who = user(request)
        approval = self.governance.mine(who, request.path_params["id"])
        if approval is None:
            return JSONResponse({"error": "not found"}, 404)
        if not isinstance(body, dict):
            return JSONResponse(approval.card())
        if approval.status != "pending":
            message = f'Approval "{approval.id}" is not pending (status: {approval.status})'
            return JSONResponse({"error": message}, 409)
        outcome = self.governance.decide(who, approval, approved=body["approved"])
        if isinstance(thread := body.get("threadId"), str):
            receipt = {"role": "assistant", "content": outcome["receipt"]["text"]}
            self.threads.append(who["email"], thread, [receipt])
        return JSONResponse(outcome)

    async def thread_list(self, request: Request) -> Response:
        """Somebody's conversations."""
        return JSONResponse(self.threads.of(user(request)["email"]))

    async def thread(self, request: Request) -> Response:
        """One of them, or its end."""
        owner, name = user(request)["email"], request.path_params["id"]
        found = self.threads.find(owner, name)
        if found is None:
            return JSONResponse({"error": "not found"}, 404)
        if request.method == "DELETE":
            self.threads.delete(owner, name)
            return JSONResponse({"ok": True})
        return JSONResponse(found)

    async def thread_messages(self, request: Request) -> Response:
        """What was said in it."""
        messages = self.threads.messages(user(request)["email"], request.path_params["id"])
        return JSONResponse({"error": "not found"}, 404) if messages is None else JSONResponse(messages)

    async def rpc(self, request: Request) -> Response:
        """A person's own call; validated first, and hidden only then."""
        capability = BY_ID.get(request.path_params["procedure"])
        if request.method in ("HEAD", "OPTIONS"):
            return error(400, "BAD_REQUEST", MALFORMED)
        if capability is None:
            return await self.unmatched(request)
        if request.method == "GET":
            return error(405, "METHOD_NOT_SUPPORTED", "Method Not Supported")
        try:
            body = await sent(request)
        except ValueError:
            return error(400, "BAD_REQUEST", MALFORMED)
        value = body.get("json") if isinstance(body, dict) else None
        if value is None and capability.id == "collections-aging" and "json" not in (body or {}):
            value = {}
        if issues := capability.issues(value):
            return error(400, "BAD_REQUEST", "Input validation failed", {"issues": issues})
        if not self.governance.reaches(user(request), capability):
            return error(404, "NOT_FOUND", "Capability not found.")
        known = capability.known(value or {})
        try:
            return JSONResponse({"json": self.governance.ledger.run(capability, known)})
        except Refused as refused:
            return error(500, "INTERNAL_SERVER_ERROR", str(refused))

    async def chat(self, request: Request) -> Response:
        """A step."""
        try:
            step_body = read_step(await body_of(request))
            provider = self.provider()
            self._once(user(request), step_body)
            step = Step(step_body, user(request), self.governance, provider)
        except Unreadable as refusal:
            return JSONResponse({"error": {"code": refusal.code, "message": refusal.message}}, refusal.status)
        lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        running = asyncio.create_task(self._run(step, user(request), lines))
        self.running.add(running)
        running.add_done_callback(self.running.discard)
        return StreamingResponse(
            _until_the_end(lines),
            headers={
                "content-type": "application/x-ndjson; charset=utf-8",
                "cache-control": "no-store",
                "x-dpas-protocol-version": str(step_body.version),
            },
        )

    def _once(self, who: User, body: StepBody) -> None:
        """Refuse a step that was posted before."""
        key = (who["email"], body.conversation, body.turn, body.index)
        if key in self.posted:
            raise Unreadable(409, "STEP_REPEATED", "This step was posted before.")
        self.posted.add(key)

    async def _run(self, step: Step, who: User, lines: "asyncio.Queue[bytes | None]") -> None:
        """Run a step to its end, whether or not anybody still listens, and keep what was said."""
        try:
            async for frame in step.frames():
                lines.put_nowait(line_of(frame))
            self.threads.append(who["email"], step.body.conversation, [*spoken(step.body), *step.added])
        finally:
            lines.put_nowait(None)


def spoken(body: StepBody) -> list[Mapping[str, Any]]:
    """What this step adds before the model speaks: the person's message, or the results that the tab brought."""
    if body.index == 0:
        return [message for message in body.messages if message["role"] == "user"][-1:]
    brought: list[Mapping[str, Any]] = []
    for message in reversed(body.messages):
        if message["role"] != "tool":
            break
        brought.insert(0, message)
    return brought


async def _until_the_end(lines: "asyncio.Queue[bytes | None]") -> AsyncIterator[bytes]:
    while (line := await lines.get()) is not None:
        yield line


def user(request: Request) -> User:
    """Who sent a request: the first of its cookies counts."""
    for part in request.headers.get("cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return user_of(value)
    return user_of("")


async def body_of(request: Request) -> Any:
    """A body, whatever its media type says; None where it can't be read."""
    try:
        return json.loads(await request.body())
    except (ValueError, RecursionError):
        return None


async def sent(request: Request) -> Any:
    """The body of a procedure call: only JSON is read, and nothing at all is nothing."""
    media_type = request.headers.get("content-type", "application/json").partition(";")[0]
    body = await request.body()
    return json.loads(body) if body and media_type == "application/json" else None


def error(status: int, code: str, message: str, data: Mapping[str, Any] | None = None) -> Response:
    """A refusal of `/rpc`."""
    inner = {"defined": False, "code": code, "status": status, "message": message}
    return JSONResponse({"json": inner | ({"data": dict(data)} if data else {})}, status)


def main() -> None:
    """Serve until the end."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--data-dir", type=Path, required=True)
    options = parser.parse_args()
    app = Lookalike(options.data_dir)
    uvicorn.Server(uvicorn.Config(app, port=options.port, log_level="error", lifespan="off")).run()


if __name__ == "__main__":
    main()
