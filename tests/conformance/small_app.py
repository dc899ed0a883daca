"""A small application for tests of what stands between a case and a target: sign-in, three procedures, a reset."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from conformance.data import Data
from conformance.drivers.http import Budget, open_connections
from conformance.drivers.tabs.pool import TabPool
from conformance.launch import Instance
from conformance.people import People
from conformance.roles import Roles
from conformance.stage import App, Stage, Worker
from conformance.target_file import parse_target
from fake_model import FakeModel
from tests.conformance.servers import Connection, Server

TARGET = """\
name = "Small"
profiles = ["host-v2"]
connect = { url = "http://127.0.0.1:9" }
reads = { invoices = { procedure = "list", input = { kind = "all" } } }
hidden_from = { ada = ["write"] }

[controls]
reset = { path = "/reset" }
advance_clock = { path = "/clock", body = { advance = "{seconds}" } }

[identities.carla]
rights = "full"
user = "u-1"
sign_in = { path = "/sign-in", body = { user = "carla" } }
token = { name = "sid" }

[identities.conrad]
rights = "full"
sign_in = { path = "/sign-in", body = { user = "conrad" } }
token = { name = "sid" }

[identities.ada]
rights = "restricted"
sign_in = { path = "/sign-in", body = { user = "ada" } }
token = { name = "sid" }

[roles.write]
capability = "domain:change"
prepare = { procedure = "create", input = { amount = 5 }, pick = "/invoice/id" }
input = { id = "{prepared}", note = "for {prepared}" }
effect = { read = "invoices", find = { id = "{prepared}" }, at = "/amount" }

[roles.broken]
capability = "domain:change"
prepare = { procedure = "list", pick = "/nothing/here" }

[roles.plain]
capability = "domain:list"
"""


@dataclass
class SmallApp:
    """The application's state and everything that it was asked."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    asked: list[tuple[str, str, Any]] = field(default_factory=list)

    def __call__(self, connection: Connection) -> None:
        """Serve one request."""
        path = connection.head.split()[1].decode()
        headers = dict(line.split(": ", 1) for line in connection.head.decode().lower().split("\r\n")[1:])
        value = json.loads(connection.body or b"null")
        self.asked.append((headers.get("cookie", ""), path, value))
        extra = f"set-cookie: sid={value['user']}-token; Path=/\r\n" if path == "/sign-in" else ""
        status, body = self.answer(path, value)
        connection.answer(json.dumps(body).encode(), status, extra=extra)

    def answer(self, path: str, value: Any) -> tuple[int, Any]:
        """What a request comes to."""
        if path == "/rpc/list":
            return 200, {"json": self.rows}
        if path == "/rpc/create":
            self.rows.append({"id": len(self.rows) + 1, "amount": value["json"]["amount"]})
            return 200, {"json": {"invoice": self.rows[-1]}}
        if path == "/reset":
            self.rows.clear()
        if path in ("/reset", "/sign-in"):
            return 200, {}
        return 409, {"json": {"code": "CONFLICT", "status": 409, "message": "Not now."}}


@dataclass(frozen=True)
class Set:
    """A stage with the application on it, and what cases see of it."""

    small: SmallApp
    stage: Stage
    people: People
    roles: Roles
    data: Data
    app: App


@contextlib.contextmanager
def on_stage(text: str = TARGET) -> Iterator[Set]:
    """The application behind a socket, and the stage of one case in front of it."""
    small, target = SmallApp(), parse_target(text, "small.toml")
    with Server(small) as server, open_connections() as client:
        worker = Worker(
            target, FakeModel(), Instance(server.url), client, Budget(target.limits), TabPool(target)
        )
        stage = Stage(worker, "test_things.py::test_thing")
        people = People(stage)
        yield Set(small, stage, people, Roles(stage, people), Data(stage, people), App(stage))
        stage.close()
