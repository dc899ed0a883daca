"""The tab as a process: lines in, lines out, and a command line that says what is wrong."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from reference_app.tab import __main__ as command
from reference_app.tab.faults import CATALOGUE
from reference_app.tab.protocol import read_request
from reference_app.tab.settings import TabSettings, parse_settings
from tests.reference_app.tab.mini_server import MiniServer, Step

pytestmark = pytest.mark.anyio


class Process:
    """A running tab."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def read(self) -> Any:
        """The next line."""
        assert self._process.stdout is not None
        return json.loads(await asyncio.wait_for(self._process.stdout.readline(), 20))

    def write(self, line: str) -> None:
        """One line."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")

    def ask(self, number: int, verb: str, **params: Any) -> None:
        """A request."""
        self.write(json.dumps({"id": number, "verb": verb, "params": params}))

    def end_input(self) -> None:
        """Close its input."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    async def ended(self) -> int:
        """Wait for its end."""
        return await asyncio.wait_for(self._process.wait(), 20)


@asynccontextmanager
async def _running(url: str, *more: str) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "reference_app.tab", "--base-url", url, *more),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )
    try:
        yield Process(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_a_whole_session_over_lines(server: MiniServer) -> None:
    """Greeting, errors under their ids, looking while a turn runs, and a clean end."""
    hold = asyncio.Event()
    server.steps = [Step(text="Good day.", hold=hold)]
    async with _running(server.url) as tab:
        greeting = await tab.read()
        tab.write("nonsense")
        tab.ask(1, "visible")
        tab.ask(2, "open", route="/about", session={"headers": {"cookie": "who=carla"}})
        early = [await tab.read() for _ in range(3)]
        tab.ask(3, "send", text="Hello")
        await asyncio.wait_for(server.arrived.wait(), 20)
        tab.ask(4, "visible")
        meanwhile = await tab.read()
        hold.set()
        sent = await tab.read()
        tab.ask(5, "close")
        closed = await tab.read()
        status = await tab.ended()

    assert greeting == {"ready": True, "protocol": 1}
    assert [(reply["id"], reply.get("error", {}).get("code")) for reply in early] == [
        (None, "BAD_REQUEST"),
        (1, "NOT_OPEN"),
        (2, None),
    ]
    assert (meanwhile["id"], meanwhile["result"]["busy"]) == (4, True)
    assert (sent["id"], sent["result"]["status"]) == (3, "completed")
    assert (closed, status) == ({"id": 5, "result": {}}, 0)


async def test_the_end_of_input_closes_the_tab(server: MiniServer) -> None:
    """Also in mid-step: the running request is still answered."""
    server.steps = [Step(hold=asyncio.Event())]
    async with _running(server.url, "--mode", "meta") as tab:
        await tab.read()
        tab.ask(1, "open", route="/about", session={"headers": {"cookie": "who=carla"}})
        await tab.read()
        tab.ask(2, "send", text="Hello")
        await asyncio.wait_for(server.arrived.wait(), 20)

        tab.end_input()
        sent = await tab.read()
        status = await tab.ended()

    assert (sent["id"], sent["result"]["status"], status) == (2, "cancelled", 0)


@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b'{"id":1}',
        b'{"id":1,"verb":"jump"}',
        b'{"id":1,"verb":"send","params":{}}',
        b'{"id":1,"verb":"open","params":{"route":"/","colour":"red"}}',
        b'{"id":1,"id":2,"verb":"visible"}',
    ],
)
def test_what_is_no_request_is_said(line: bytes) -> None:
    """The message names the place."""
    with pytest.raises(Exception, match=r"line|verb|params|object|input"):
        read_request(line)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--base-url is needed"),
        (["--base-url", "x", "--fault", "no-setle"], "nearest are no-settle"),
        (["--base-url", "x", "--setting", "turn_stepz=1"], "nearest are turn_steps"),
        (["--base-url", "x", "--setting", "turn_steps=0"], "greater than or equal to 1"),
        (["--base-url", "x", "--setting", "turn_steps"], "expected name=value"),
    ],
)
def test_a_wrong_command_line_is_explained(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2, and what would have been right."""
    with pytest.raises(SystemExit) as ended:
        command.main(arguments)

    assert (ended.value.code, message in capsys.readouterr().err) == (2, True)


def test_faults_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """One a line, with what is wrong."""
    assert command.main(["--list-faults"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[0] for line in lines] == list(CATALOGUE)


def test_settings_are_read() -> None:
    """Each from its text."""
    assert parse_settings(["turn_steps=3", "confirmations=two-phase", "lab=on"]) == TabSettings(
        turn_steps=3, confirmations="two-phase", lab=True
    )
