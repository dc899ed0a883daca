"""A host of one page for tests of observing: it signs people in, asks its model with two tools, and streams frames.

Run as a program: `toy_host.py MODEL_URL`. What it offers depends on the person and the page, and leaks what must not be written
down: its own address and the person's token.
"""

import json
import sys
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any


def tools(person: str, page: str, address: str) -> list[tuple[str, str, bool]]:
    """Name, description and gate of each tool that a person is offered on a page."""
    found = [("list-notes", f"Read notes of {address} for {person}-token.", False)]
    if person == "carla":
        found.append(("wipe-notes", "Delete all notes. Requires approval.", True))
    if page == "/more":
        found.append(("test-probe", "There for tests only.", False))
    return found


class Handler(BaseHTTPRequestHandler):
    """Answers sign-in and chat steps."""

    def do_POST(self) -> None:
        """Serve one request."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/sign-in":
            self.respond(b"{}", "application/json", cookie=f"sid={body['user']}-token; Path=/")
        else:
            self.respond(self.step(body), "application/x-ndjson")

    def step(self, body: Any) -> bytes:
        """Run one chat step and return its frames."""
        person = str(self.headers["cookie"]).removeprefix("sid=").removesuffix("-token")
        offered = tools(person, body["pathname"], f"http://{self.headers['host']}")
        self.ask([name for name, _, _ in offered], [text for _, text, _ in offered], body["messages"])
        announced = [
            {
                "canonicalId": f"domain:{name}",
                "wireName": f"domain_{name}",
                "description": text,
                "requiresApproval": gated,
                "sideEffect": "destructive" if gated else "read",
            }
            for name, text, gated in offered
        ]
        ids = {"stepId": "s", "turnId": body["turnId"], "conversationId": body["conversationId"]}
        frames = [
            {"type": "step-start", **ids, "domainTools": announced},
            {
                "type": "step-finish",
                "stepId": "s",
                "finishReason": "stop",
                "responseMessages": [],
                "pendingToolCalls": [],
            },
        ]
        return b"".join(json.dumps(frame).encode() + b"\n" for frame in frames)

    def ask(self, names: list[str], texts: list[str], messages: Any) -> None:
        """Ask the model, and read its answer to the end."""
        functions = [
            {
                "type": "function",
                "function": {"name": f"domain_{name}", "description": text, "parameters": {"type": "object"}},
            }
            for name, text in zip(names, texts, strict=True)
        ]
        data = json.dumps({"model": "m", "stream": True, "messages": messages, "tools": functions}).encode()
        request = urllib.request.Request(
            f"{sys.argv[1]}/v1/chat/completions", data, {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            answer.read()

    def respond(self, body: bytes, media_type: str, cookie: str = "") -> None:
        """Send an answer."""
        self.send_response(200)
        self.send_header("content-type", media_type)
        if cookie:
            self.send_header("set-cookie", cookie)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the standard library's
        """Keep quiet."""


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", 0), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)  # noqa: T201 - the suite reads this line
    server.serve_forever()
