"""A target file can be begun from what a running application shows."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.first_look import look, starting_file
from conformance.target_file import parse_target

ANSWERS = {
    ("GET", "/health"): (200, {"ok": True}),
    ("GET", "/api/session"): (200, {"user": None}),
    ("GET", "/api/approvals"): (401, {"error": "sign in"}),
    ("GET", "/openapi.json"): (200, {"paths": {"/rpc/list-things": {}, "/health": {}}}),
    ("POST", "/agent/chat"): (409, {"error": {"code": "PROTOCOL_VERSION_MISMATCH"}}),
    ("POST", "/rpc/no-such-procedure"): (404, {"json": {"code": "NOT_FOUND"}}),
}


class Application(BaseHTTPRequestHandler):
    """A few addresses, and a page everywhere else, as many applications have it."""

    def answer(self) -> None:
        """Answer from the table."""
        self.rfile.read(int(self.headers.get("content-length", 0)))
        status, body = ANSWERS.get((self.command, self.path), (200, "<!doctype html>"))
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "text/html" if isinstance(body, str) else "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = answer  # noqa: N815 - the names that the library looks for

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    """The application's address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Application) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_usual_addresses_are_found(url: str) -> None:
    """Those that answer with JSON, or ask for a token; a page that is served everywhere is none of them."""
    seen = look(url)

    assert {
        "health": "/health",
        "session": "/api/session",
        "approvals": "/api/approvals",
        "openapi": "/openapi.json",
        "chat": "/agent/chat",
        "rpc": "/rpc/{procedure}",
    } == seen.paths
    assert ("list-things",) == seen.procedures


def test_begun_file_can_be_read(url: str) -> None:
    """It is right as it stands, and only has to be completed."""
    target = parse_target(starting_file(look(url)), "begun.toml")

    assert target.connect is not None
    assert (url, ["host-v2", "domain", "approvals"]) == (target.connect.url, list(target.profiles))


def test_command_writes_the_file_and_its_schema(url: str, tmp_path: Path) -> None:
    """The schema lies beside it, where its first line says; what is there already is not written over."""
    arguments = ["target", "init", url, "-o", str(tmp_path / "my.toml")]

    first, second = (CliRunner().invoke(main, arguments) for _ in range(2))

    assert (0, 2) == (first.exit_code, second.exit_code)
    assert {"my.toml", "target.schema.json"} == {file.name for file in tmp_path.iterdir()}
    assert "is there already" in second.stderr


def test_nothing_there_is_one_line() -> None:
    """Not a traceback."""
    outcome = CliRunner().invoke(main, ["target", "init", "http://127.0.0.1:9"])

    assert 2 == outcome.exit_code
    assert outcome.stderr.startswith("dualplane: nothing answers at http://127.0.0.1:9: ")
