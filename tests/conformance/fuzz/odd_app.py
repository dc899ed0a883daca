"""A small application that keeps every promise but the one that it is told to break; run as a program.

`odd_app.py MODEL_URL [ODDITY]`. It keeps notes and threads; Carla may add notes, Ada may read them, nobody may.
"""

import json
import os
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

ERROR = {
    "type": "object",
    "properties": {"json": {"type": "object", "required": ["code"]}},
    "required": ["json"],
}
CANARY = "CANARY-HERON-1207"


def answered(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A declared answer."""
    return {"description": ".", "content": {"application/json": {"schema": schema}}}


def operation(input_schema: Mapping[str, Any], output: Mapping[str, Any]) -> dict[str, Any]:
    """A procedure as the description has it."""
    body = {"type": "object", "properties": {"json": input_schema}, "required": ["json"]}
    output = {"type": "object", "properties": {"json": output}, "required": ["json"]}
    return {
        "post": {
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": {"200": answered(output), **{str(s): answered(ERROR) for s in (400, 401, 404)}},
        }
    }


NOTES = {"type": "array", "items": {"type": "object", "properties": {"size": {"type": "integer"}}}}
LIST = operation({"type": "object"}, NOTES)
ADD = operation(
    {"type": "object", "properties": {"size": {"type": "integer", "minimum": 0}}, "required": ["size"]},
    {"type": "object"},
)


class App:
    """The state, and what each path answers."""

    def __init__(self, model: str, oddity: str) -> None:
        self.model = model
        self.oddity = oddity
        self.notes: list[Any] = []
        self.threads: dict[str, bool] = {}

    def is_odd(self, name: str) -> bool:
        """Whether a promise is broken."""
        return name == self.oddity

    def description(self, person: str) -> Any:
        """What is published for somebody."""
        paths = {"/rpc/list": LIST, **({"/rpc/add": ADD} if person == "carla" else {})} if person else {}
        return {"openapi": "3.1.0", "info": {"title": "Notes", "version": "1"}, "paths": paths}

    def procedure(self, person: str, name: str, body: bytes) -> tuple[int, Any]:
        """Call a procedure."""
        if not person and not (self.is_odd("nobody-writes") and name == "add"):
            return refused(401, "UNAUTHORIZED")
        if name == "add" and person == "ada" and not self.is_odd("ada-writes"):
            return refused(404, "NOT_FOUND")
        value = read(body)
        if value is None:
            return self.malformed(body)
        if name == "list":
            notes = [{"size": "1"}] if self.is_odd("bad-output") else self.notes
            return 200, {"json": notes}
        return self.add(value)

    def add(self, value: Any) -> tuple[int, Any]:
        """Add a note."""
        size = value.get("size")
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            return refused(400, "BAD_REQUEST")
        if size >= 10:
            if self.is_odd("crashes"):
                return refused(500, "INTERNAL_SERVER_ERROR")
            if self.is_odd("teapot"):
                return refused(418, "TEAPOT")
            if self.is_odd("hangs"):
                threading.Event().wait(60)
            if self.is_odd("dies"):
                os._exit(3)
        self.notes.append({"size": size})
        return 200, {"json": {}}

    def malformed(self, body: bytes) -> tuple[int, Any]:
        """Refuse what can't be read."""
        if self.is_odd("leaks"):
            return refused(400, 'Traceback (most recent call last): File "/srv/app/notes.py", line 3')
        return refused(400, CANARY if self.is_odd("sings") else "BAD_REQUEST")

    def step(self, person: str, body: bytes) -> tuple[int, Any]:
        """Run one chat step; a list is a stream."""
        if not person:
            return 401, {"error": {"code": "UNAUTHENTICATED", "message": "Sign in."}}
        value = read(body, whole=True)
        if value is None or not isinstance(value.get("messages"), list) or "turnId" not in value:
            return 400, {"error": "no"} if self.is_odd("bad-refusal") else {
                "error": {"code": "X", "message": "."}
            }
        self.ask(value["messages"])
        self.threads[str(value.get("conversationId"))] = True
        ids = {
            "stepId": "s",
            "turnId": str(value["turnId"]),
            "conversationId": str(value.get("conversationId")),
        }
        names = ["list", *(["add"] if person == "carla" or self.is_odd("tells-ada") else [])]
        announced = [{"canonicalId": f"domain:{name}", "wireName": f"domain_{name}"} for name in names]
        text: Any = 1 if self.is_odd("bad-frame") else "ok"
        finish = {"stepId": "s", "finishReason": "stop", "responseMessages": [], "pendingToolCalls": []}
        frames = [
            {"type": "step-start", **ids, "domainTools": announced},
            {"type": "text-delta", "text": text},
            {"type": "step-finish", **finish},
        ]
        return 200, frames[:-1] if self.is_odd("never-finishes") else frames

    def thread(self, method: str, name: str) -> tuple[int, Any]:
        """List threads, show one, or remove it; a removed one is remembered as such."""
        if not name:
            return 200, [{"id": thread} for thread, there in self.threads.items() if there]
        if not self.threads.get(name):
            return 500 if self.is_odd("stumbles") and name in self.threads else 404, {}
        if method == "DELETE":
            self.threads[name] = False
        return 200, {"id": name}

    def ask(self, posted: list[Any]) -> None:
        """Ask the model, with the texts of the conversation, or with everything that was posted."""
        texts = [m for m in posted if isinstance(m, dict) and isinstance(m.get("content"), str)]
        messages = [{"role": "user", "content": m["content"]} for m in texts if m.get("role") == "user"]
        if self.is_odd("believes-tabs"):
            calls = [
                {"id": "c", "type": "function", "function": {"name": "domain_add", "arguments": "{}"}}
                for m in posted
                if isinstance(m, dict) and m.get("role") == "assistant" and isinstance(m.get("content"), list)
            ]
            messages += [{"role": "assistant", "tool_calls": calls}] if calls else []
        parameters = {"type": "object", "properties": {"size": {"type": "integer"}}}
        tools = [
            {
                "type": "function",
                "function": {"name": f"domain_{n}", "description": ".", "parameters": parameters},
            }
            for n in ("list", "add")
        ]
        body = {"model": "m", "messages": messages or [{"role": "user", "content": "."}], "tools": tools}
        request = urllib.request.Request(
            f"{self.model}/v1/chat/completions",
            json.dumps(body).encode(),
            {"content-type": "application/json"},
        )
        try:
            urllib.request.urlopen(request, timeout=5).read()
        except (urllib.error.URLError, OSError):
            return  # a model that refuses is no failure of this application


def read(body: bytes, *, whole: bool = False) -> Any:
    """The object in a body, or in its envelope; None where there is none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    inner = value if whole or not isinstance(value, dict) else value.get("json")
    return inner if isinstance(inner, dict) else None


def refused(status: int, code: str) -> tuple[int, Any]:
    """An error as a procedure answers it."""
    return status, {"json": {"code": code, "status": status, "message": "."}}


class Handler(BaseHTTPRequestHandler):
    """Reads requests and writes answers."""

    app: App

    def do_GET(self) -> None:
        """Serve the description and threads."""
        if self.path == "/openapi.json":
            self.respond(200, self.app.description(self.person))
        elif self.path.startswith("/threads") and self.path.count("/") < 3:
            self.respond(
                *self.app.thread(self.command, unquote(self.path.removeprefix("/threads").strip("/")))
            )
        else:
            self.respond(404, {})

    def do_DELETE(self) -> None:
        """Remove a thread."""
        self.do_GET()

    def do_POST(self) -> None:
        """Serve everything else."""
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path == "/sign-in":
            self.respond(200, {}, cookie=json.loads(body)["user"])
        elif self.path == "/reset":
            self.app.notes.clear()
            self.app.threads.clear()
            self.respond(200, {})
        elif self.path == "/agent/chat":
            self.respond(*self.app.step(self.person, body))
        else:
            status, value = self.app.procedure(self.person, self.path.removeprefix("/rpc/"), body)
            html = self.app.is_odd("html") and status == 400
            self.respond(status, value, media_type="text/html" if html else "application/json")

    @property
    def person(self) -> str:
        """Who asks."""
        return str(self.headers.get("cookie", "")).removeprefix("sid=")

    def respond(
        self, status: int, value: Any, *, cookie: str = "", media_type: str = "application/json"
    ) -> None:
        """Send an answer; the frames of a step a line each."""
        body = json.dumps(value).encode()
        if isinstance(value, list) and self.path == "/agent/chat":
            body = b"".join(json.dumps(frame).encode() + b"\n" for frame in value)
            media_type = "application/x-ndjson"
        self.send_response(status)
        self.send_header("content-type", media_type)
        self.send_header("content-length", str(len(body)))
        if cookie:
            self.send_header("set-cookie", f"sid={cookie}; Path=/")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def main() -> None:
    """Serve on a free port, which is printed."""
    Handler.app = App(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    sys.stdout.write(f"listening on http://127.0.0.1:{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main()
