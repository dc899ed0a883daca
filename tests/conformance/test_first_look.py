"""A target file can be begun from what a running application shows."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.errors import LaunchError
from conformance.first_look import Seen, look, starting_file
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


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:3000",
        "http://127.0.0.1:3000/app",
        "ftp://x",
        "http://[bad",
        "http://127.0.0.1:99999",
        "http://",
        "",
    ],
)
def test_odd_address_is_refused(url: str) -> None:
    """The file would not be readable, or what is asked would not be what was meant."""
    with pytest.raises(LaunchError, match="expected one like"):
        look(url)


def test_silent_application_is_not_waited_for_long() -> None:
    """It takes connections and never answers: one line, within the deadline."""
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.MonkeyPatch.context() as patch:
        patch.setattr("conformance.first_look.DEADLINE", 0.3)
        with pytest.raises(LaunchError, match=r"nothing answers at .* within 0\.3 s"):
            look(f"http://127.0.0.1:{silent.getsockname()[1]}")


def test_late_addresses_are_named(url: str) -> None:
    """An application that answers some addresses and no others in time is described as far as it was seen."""
    ticks = iter([0.0, *(0.0,) * 12, *(1000.0,) * 200])

    seen = look(url, lambda: next(ticks))

    assert [] != [note for note in seen.notes if note.endswith("did not answer in time")]
    assert parse_target(starting_file(seen), "begun.toml").name


def test_endless_answer_is_read_no_longer_than_its_deadline() -> None:
    """A stream of events at a usual address must not hold the look for ever."""

    class Endless(Application):
        def answer(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            try:
                while not stopped.wait(0.01):
                    self.wfile.write(b": still here\n\n")
            except OSError:
                return

        do_GET = do_POST = answer  # noqa: N815 - the names that the library looks for

    stopped = threading.Event()
    with ThreadingHTTPServer(("127.0.0.1", 0), Endless) as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr("conformance.first_look.DEADLINE", 0.05)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        began = time.monotonic()
        seen = look(f"http://127.0.0.1:{server.server_port}")
        took = time.monotonic() - began
        stopped.set()
        server.shutdown()

    assert ({}, True) == (dict(seen.paths), took < 20)


def test_names_of_procedures_stay_in_their_comment() -> None:
    """They are the application's words; one with a line break must not become a line of the file."""
    text = starting_file(Seen("http://127.0.0.1:9", {}, ('x\nname = "other"\n[launch]',), ()))

    assert "127.0.0.1:9" == parse_target(text, "begun.toml").name
