"""An application in miniature: a few invoices, an approval, and a host that plays scripted steps.

It is no reference for anything: it answers in the shapes of the protocol so that the tab can be tested alone.
"""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

PEOPLE = {
    "ada": {"email": "ada@ledger.example", "name": "Ada", "role": "analyst"},
    "carla": {"email": "carla@ledger.example", "name": "Carla", "role": "controller"},
}


def invoice(row_id: int, status: str, cents: int, overdue: int, client: int = 1) -> dict[str, Any]:
    """One row of the ledger."""
    return {
        "id": row_id,
        "reference": f"TST-{row_id:03}",
        "client_id": client,
        "client_name": f"Client {client}",
        "segment": "Enterprise" if client == 1 else "Public sector",
        "amount": cents,
        "status": status,
        "issue_date": "2026-10-01",
        "due_date": f"2026-11-{row_id:02}",
        "paid_date": None,
        "notes": None,
        "days_overdue": overdue,
        "collection": None,
    }


@dataclass(frozen=True)
class Call:
    """A scripted model's call: ``executor`` browser, or server with its result."""

    wire_name: str
    canonical_id: str
    input: Any = field(default_factory=dict)
    result: Any = None
    executor: str = "browser"
    ok: bool = True


def browser(canonical_id: str, given: Any = None, *, suffix: str = "") -> Call:
    """A call that the host leaves to the tab."""
    wire = canonical_id.replace(":", "_", 1).replace(".", "__") + suffix
    return Call(wire, canonical_id, {} if given is None else given)


def at_server(canonical_id: str, given: Any, result: Any, *, ok: bool = True) -> Call:
    """A call that the host carries out itself."""
    wire = canonical_id.replace(":", "_", 1)
    return Call(wire, canonical_id, given, result, "server", ok)


@dataclass(frozen=True)
class Step:
    """What one step does: says something, calls something, and perhaps waits for an event or fails."""

    calls: tuple[Call, ...] = ()
    text: str = ""
    hold: asyncio.Event | None = None
    error: str = ""


@dataclass
class MiniServer:
    """The application. ``steps`` are played in order; what was posted and called is kept."""

    url: str = ""
    steps: list[Step] = field(default_factory=list)
    posted: list[dict[str, Any]] = field(default_factory=list)
    told: list[list[dict[str, Any]]] = field(default_factory=list)
    written: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    decided: list[dict[str, Any]] = field(default_factory=list)
    rows: dict[int, dict[str, Any]] = field(default_factory=dict)
    approvals: dict[str, dict[str, Any]] = field(default_factory=dict)
    threads: dict[str, list[Any]] = field(default_factory=dict)
    reply: Callable[[str], tuple[int, Any]] | None = None
    one_id: bool = False
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    @asynccontextmanager
    async def running(cls) -> AsyncIterator["MiniServer"]:
        """Serve on a free port until the block ends."""
        mini = cls()
        mini.restock()
        # With the protocol named, asyncio sends small pieces at once; otherwise each would wait for an acknowledgement.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.bind(("127.0.0.1", 0))
        mini.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        server = uvicorn.Server(uvicorn.Config(mini.app(), log_level="error", lifespan="off"))
        task = asyncio.create_task(server.serve([listener]))
        try:
            yield mini
        finally:
            task.cancel()  # its own way of stopping looks at a flag ten times a second only
            await asyncio.gather(task, return_exceptions=True)
            for listening in server.servers:
                listening.close()

    def start_over(self) -> None:
        """Forget everything that happened, and put the ledger as it is at the start."""
        fresh = MiniServer()
        for name in (
            "steps",
            "posted",
            "told",
            "written",
            "decided",
            "approvals",
            "threads",
            "reply",
            "arrived",
        ):
            setattr(self, name, getattr(fresh, name))
        self.one_id = False
        self.restock()

    def restock(self) -> None:
        """Put the ledger as it is at the start."""
        self.rows = {
            row["id"]: row
            for row in (
                invoice(1, "sent", 1_875_000, 19),
                invoice(2, "sent", 615_000, 3, client=2),
                invoice(3, "sent", 2_640_000, 0),
                invoice(4, "draft", 420_000, 0),
            )
        }

    def app(self) -> Starlette:
        """The routes."""
        return Starlette(
            routes=[
                Route("/rpc/{path}", self.rpc, methods=["POST"]),
                Route("/api/session", self.session, methods=["GET"]),
                Route("/api/session", self.sign_in, methods=["POST"]),
                Route("/api/approvals/{approval_id}", self.one_approval, methods=["GET"]),
                Route("/api/approvals/{approval_id}", self.decide, methods=["POST"]),
                Route("/api/threads/{thread_id}/model-messages", self.messages),
                Route("/agent/chat", self.chat, methods=["POST"]),
            ]
        )

    async def session(self, request: Request) -> Response:
        """Who is signed in: the cookie names the person."""
        user = PEOPLE.get(request.cookies.get("who", ""))
        return JSONResponse({"user": user, "models": [], "defaultModel": None})

    async def sign_in(self, request: Request) -> Response:
        """Hand out the cookie."""
        who = (await request.json())["user"]
        response = JSONResponse({"user": PEOPLE[who]})
        response.set_cookie("who", who)
        return response

    async def rpc(self, request: Request) -> Response:
        """Reads and a few writes."""
        path = request.path_params["path"]
        given = (await request.json())["json"]
        if self.reply is not None:
            status, body = self.reply(path)
            if status:
                return JSONResponse({"json": body}, status)
        if path == "list-invoices":
            rows = [row for row in self.rows.values() if given["kind"] == "all" or row["status"] == "sent"]
            return JSONResponse({"json": rows})
        if path == "list-clients":
            return JSONResponse({"json": [self.client(1), self.client(2)]})
        return self.write(path, given)

    def client(self, client_id: int) -> dict[str, Any]:
        """One client with what it owes."""
        owed = [
            row for row in self.rows.values() if row["client_id"] == client_id and row["status"] == "sent"
        ]
        return {
            "id": client_id,
            "name": f"Client {client_id}",
            "segment": "Enterprise",
            "payment_terms_days": 30,
            "email": f"ap{client_id}@example.test",
            "open_invoices": len(owed),
            "outstanding": sum(row["amount"] for row in owed),
            "overdue": sum(row["amount"] for row in owed if row["days_overdue"]),
        }

    def write(self, path: str, given: dict[str, Any]) -> Response:
        """Change a row."""
        self.written.append((path, given))
        row = self.rows.get(int(given.get("id") or given.get("invoiceId") or 0))
        if row is None:
            error = {"defined": False, "code": "NOT_FOUND", "status": 404, "message": "No such invoice."}
            return JSONResponse({"json": error}, 404)
        if path == "update-collection-status":
            chase = {
                "invoice_id": row["id"],
                "last_reminder_date": None,
                "reminders_sent": given.get("remindersSent", 0),
                "expected_payment_date": None,
                "note": given.get("note"),
            }
            row["collection"] = chase
            return JSONResponse({"json": chase})
        row["status"] = {"issue-invoice": "sent", "mark-invoice-paid": "paid"}[path]
        return JSONResponse({"json": row})

    async def one_approval(self, request: Request) -> Response:
        """One of them."""
        approval_id = request.path_params["approval_id"]
        if approval_id not in self.approvals:
            return JSONResponse({"error": "not found"}, 404)
        return JSONResponse(self.approvals[approval_id])

    async def decide(self, request: Request) -> Response:
        """Take a decision, once."""
        approval_id = request.path_params["approval_id"]
        body = await request.json()
        self.decided.append(body)
        approval = self.approvals[approval_id]
        if approval["status"] != "pending":
            return JSONResponse({"error": "already decided"}, 409)
        approval["status"] = "consumed" if body["approved"] else "rejected"
        if body["approved"]:
            self.write(approval["capabilityId"], approval["input"])
        word = "approved" if body["approved"] else "denied"
        return JSONResponse(
            {"receipt": {"text": f"You {word} it.", "ok": body["approved"]}, "resolution": {}}
        )

    def wants_approval(self, approval_id: str, capability_id: str, given: dict[str, Any]) -> None:
        """Let an approval wait."""
        self.approvals[approval_id] = {
            "id": approval_id,
            "capabilityId": capability_id,
            "status": "pending",
            "surface": "aiSdk",
            "reasons": ["a model asked for it"],
            "risk": "high",
            "input": given,
            "inputHash": "sha256:abc",
        }

    async def messages(self, request: Request) -> Response:
        """A stored thread."""
        thread_id = request.path_params["thread_id"]
        if thread_id not in self.threads:
            return JSONResponse({"error": "not found"}, 404)
        return JSONResponse(self.threads[thread_id])

    async def chat(self, request: Request) -> Response:
        """Play the next step."""
        body = await request.json()
        self.posted.append(body)
        self.arrived.set()
        if not self.steps:
            return JSONResponse({"error": {"code": "MODEL_NOT_CONFIGURED", "message": "no more steps"}}, 503)
        return StreamingResponse(self.play(self.steps.pop(0), body), media_type="application/x-ndjson")

    async def play(self, step: Step, body: dict[str, Any]) -> AsyncIterator[bytes]:
        """The frames of one step."""
        number = len(self.posted)
        yield line({"type": "step-start", "stepId": f"stp_{number}", "domainTools": DOMAIN_TOOLS})
        if step.hold is not None:
            await step.hold.wait()
        if step.text:
            yield line({"type": "text-delta", "text": step.text})
        parts: list[dict[str, Any]] = [{"type": "text", "text": step.text}] if step.text else []
        answers: list[dict[str, Any]] = []
        pending = []
        for index, call in enumerate(step.calls):
            call_id = f"call_{number}_{0 if self.one_id else index}"
            named = {"toolCallId": call_id, "wireName": call.wire_name, "canonicalId": call.canonical_id}
            yield line({"type": "tool-call", **named, "executor": call.executor, "input": call.input})
            parts.append(
                {"type": "tool-call", "toolCallId": call_id, "toolName": call.wire_name, "input": call.input}
            )
            if call.executor == "browser":
                pending.append({**named, "input": call.input})
            else:
                yield line({"type": "tool-result", **named, "ok": call.ok, "result": call.result})
                answers.append(answer(call_id, call.wire_name, call.result))
        if step.error:
            yield line({"type": "error", "error": {"code": step.error, "message": "It went wrong."}})
        messages = [{"role": "assistant", "content": parts}] if parts else []
        self.told.append(body["messages"] + messages + answers)
        finish = {
            "type": "step-finish",
            "stepId": f"stp_{number}",
            "finishReason": "tool-calls" if pending else "stop",
            "responseMessages": messages + answers,
            "pendingToolCalls": pending,
        }
        yield line(finish)

    def state(self, post: int = -1) -> dict[str, dict[str, Any]]:
        """The state of a post's tools by wire name."""
        return {entry["wireName"]: entry for entry in self.posted[post]["catalog"]["frontendState"]}

    def tools(self, post: int = -1) -> dict[str, dict[str, Any]]:
        """The tools of a post by wire name."""
        return {entry["wireName"]: entry for entry in self.posted[post]["catalog"]["frontendTools"]}

    def results(self, post: int = -1) -> list[Any]:
        """The results in a post's history, in order."""
        return [
            part["output"]["value"]
            for message in self.posted[post]["messages"]
            if message["role"] == "tool"
            for part in message["content"]
        ]


DOMAIN_TOOLS = [
    {"canonicalId": "domain:list-invoices", "wireName": "domain_list-invoices", "sideEffect": "read"},
    {
        "canonicalId": "domain:mark-invoice-paid",
        "wireName": "domain_mark-invoice-paid",
        "sideEffect": "write",
    },
    {"canonicalId": "domain:issue-invoice", "wireName": "domain_issue-invoice", "sideEffect": "destructive"},
]


def line(frame: dict[str, Any]) -> bytes:
    """One frame on its line."""
    return json.dumps(frame).encode() + b"\n"


def answer(call_id: str, wire_name: str, value: Any) -> dict[str, Any]:
    """The message that answers a call."""
    part = {
        "type": "tool-result",
        "toolCallId": call_id,
        "toolName": wire_name,
        "output": {"type": "json", "value": value},
    }
    return {"role": "tool", "content": [part]}


FILTER = browser("view:invoices.pending.setFilters", {"due": "overdue"})
READ = browser("view:invoices.pending.readState")
CHASE = browser("domain:update-collection-status", {"remindersSent": 3})
DONE = Step(text="Done.")
