"""The command line: what it prints, how it refuses, and that it starts and stops as a process should."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from fake_model import FakeModel, call, say, script
from reference_app.cli import main
from tests.reference_app.running import Person, Tab, client, user

ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith(("OPENAI_", "MODEL_"))}


@contextmanager
def started(*arguments: str, model: str = "") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The application in a process of its own, and its address."""
    environment = {**ENVIRONMENT, "OPENAI_BASE_URL": f"{model}/v1"} if model else ENVIRONMENT
    command = [sys.executable, "-m", "reference_app", *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            assert line.startswith("listening on http://127.0.0.1:"), line
            yield process, line.split()[-1]
        finally:
            process.kill()


def test_the_first_line_is_the_address_once_connections_are_accepted(tmp_path: Path) -> None:
    """Whoever starts it can use it as soon as the line is there, and a signal ends it cleanly."""
    with started("--data-dir", str(tmp_path / "data")) as (process, url):
        with client(url) as somebody:
            assert {"ok": True} == somebody.get("/api/health").json()
        process.send_signal(signal.SIGTERM)
        assert 0 == process.wait(10)
    assert (tmp_path / "data" / "ledger.sqlite3").exists()


def test_what_was_written_survives_a_kill(tmp_path: Path) -> None:
    """The ledger, the session and whatever waits are in the database, not in the process."""
    folder = ["--data-dir", str(tmp_path), "--demo-controls"]
    with started(*folder) as (process, url):
        person = Person(url, "carla")
        person.call("update-invoice", {"id": 4, "amount": 777})
        person.rpc("lab-always-gated")
        process.kill()
        process.wait(10)
        person.close()
    with started(*folder) as (_, url), client(url) as somebody:
        cookie = {"cookie": f"ledger_session={person.token}", "content-type": "application/json"}
        rows = somebody.post("/rpc/list-invoices", json={}, headers=cookie).json()["json"]
        (card,) = somebody.get("/api/approvals", headers=cookie).json()
        decided = somebody.post(f"/api/approvals/{card['id']}", json={"approved": True}, headers=cookie)
        again = somebody.post(f"/api/approvals/{card['id']}", json={"approved": True}, headers=cookie)

    assert 777 == next(row["amount"] for row in rows if row["id"] == 4)
    assert (200, 409) == (decided.status_code, again.status_code)


def test_a_kill_between_decision_and_effect_leaves_it_undecided(tmp_path: Path) -> None:
    """Either both are done or neither; the person decides again."""
    folder = ["--data-dir", str(tmp_path), "--demo-controls"]
    wait = script(call("domain:lab-gated-wait", {"seconds": 600}), say("Done."))
    with FakeModel() as model, started(*folder, model=model.url) as (process, url):
        person, run = Person(url, "carla"), model.play(wait)
        person.step(Tab("c", (user(run.prompt("go")),), pathname="/lab").body())
        (card,) = person.cards()
        decider = threading.Thread(target=_decide_until_cut, args=(url, person.token, card["id"]))
        decider.start()
        while "capability.started" not in [event["type"] for event in person.http.get("/api/audit").json()]:
            pass
        process.kill()
        decider.join()
        person.close()
    with started(*folder) as (_, url):
        person = Person(url, "carla")
        waiting, counted = person.cards(), person.call("lab-count")["value"]
        person.close()

    assert [(card["id"], "pending")] == [(again["id"], again["status"]) for again in waiting]
    assert 0 == counted


def _decide_until_cut(url: str, token: str, approval: str) -> None:
    with client(url) as somebody, contextlib.suppress(httpx.TransportError):
        somebody.post(
            f"/api/approvals/{approval}",
            json={"approved": True},
            headers={"cookie": f"ledger_session={token}"},
        )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fault", "expiry-ignord"], "nearest: expiry-ignored"),
        (["--setting", "tool_timeot=1"], "nearest: tool_timeout"),
        (["--database", "mysql://x"], "--database"),
        (["--database", "postgresql://nobody@127.0.0.1:9/none"], ""),
        (["--setting", "manifest=/nonexistent.json"], "manifest"),
    ],
)
def test_what_cannot_start_is_one_line_and_exit_2(
    arguments: list[str], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """No traceback, and the line says what to change."""
    assert 2 == main(arguments)
    error = capfd.readouterr().err

    assert error.startswith("reference_app: ")
    assert message in error
    assert 1 == len(error.strip().splitlines())


def test_the_inventory_is_printed_as_it_would_be_committed(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Two prints are the same bytes."""
    assert 0 == main(["--print-inventory"])
    first = capfdbinary.readouterr().out
    assert 0 == main(["--print-inventory", "--demo-controls"])

    assert first == capfdbinary.readouterr().out
    assert 2 == json.loads(first)["version"]


def test_faults_are_listed_one_a_line(capfd: pytest.CaptureFixture[str]) -> None:
    """A name and what is wrong, for people and for scripts."""
    assert 0 == main(["--list-faults"])
    names = [line.partition(": ")[0] for line in capfd.readouterr().out.splitlines()]

    assert names == sorted(names)
    assert "" not in names
