"""The suite in front of hosts that are broken: it ends in time, names what it saw, keeps its memory, and never falls over itself."""

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.sources import ROOT

HOSTS = ROOT / "tests" / "hosts"
TARGET = """\
name = "Broken"
profiles = ["host-v2"]

[launch]
command = ["{{python}}", "-m", "tests.hosts.{host}"]
cwd = "{root}"
env = {{ ELSEWHERE = "{elsewhere}" }}
ready = {{ stdout = "listening on (?P<url>.+)", within = 20 }}

[limits]
deadline = 1
step_deadline = 60

[identities.somebody]
rights = "full"
sign_in = {{ path = "/sign-in" }}
token = {{ name = "sid" }}

[routes]
main = {{ pathname = "/" }}

[roles.read]
capability = "domain:nothing"
"""
ASKED = "FRAME-01,FRAME-02,FRAME-03,CATALOG-13"
FINDINGS = {
    "never_finishes": "the step has no step-finish frame; it has ['step-start', 'text-delta']",
    "out_of_order": "the first frame is step-finish, not step-start",
    "endless": "the stream did not end after 50000 frames",
    "one_line": "one line of the stream is longer than 8388608 bytes",
    "not_utf8": "is not UTF-8",
    "wrong_type": "the step was answered 200 as text/plain",
    "hangs": "POST /agent/chat was not answered within 1 s",
    "resets": "POST /agent/chat broke off",
    "html": "the step was answered 200 as text/html",
    "redirects": "the step was sent elsewhere: 307 to http://127.0.0.1:",
}
MEASURED = """\
import json, os, sys
child = os.spawnv(os.P_NOWAIT, sys.argv[2], sys.argv[2:])
_, status, usage = os.wait4(child, 0)
with open(sys.argv[1], "w") as file:
    json.dump([os.waitstatus_to_exitcode(status), usage.ru_maxrss], file)
"""
"""Runs a command and writes down its exit code and memory. A process is charged with what the one held that it was forked
from, so a small one has to fork it: the process of these tests holds more than the suite may."""
LONGEST = 200.0
"""Seconds; every case gives up after its own deadline of one or sixty, and a busy machine adds to that."""
MOST_MEMORY = 250 * 1024
"""KiB; the suite itself needs about 100 MiB of it."""


@dataclass(frozen=True)
class Outcome:
    """What became of one run.

    Attributes:
        code: the exit code.
        output: both streams.
        seconds: how long it took.
        memory: the most that the process held, in KiB.
    """

    code: int
    output: str
    seconds: float
    memory: int


def run_against(host: str, elsewhere: str, folder: Path) -> Outcome:
    """Grade a broken host in a process of its own."""
    target = folder / f"{host}.toml"
    target.write_text(TARGET.format(host=host, root=ROOT, elsewhere=elsewhere), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "conformance.cli",
        "run",
        "--target",
        str(target),
        "-n",
        "1",
        "--allow-writes",
    ]
    command += ["--filter", ASKED, "--report-dir", str(folder / host)]
    began = time.monotonic()
    measures = folder / f"{host}.json"
    done = subprocess.run(
        [sys.executable, "-S", "-c", MEASURED, str(measures), *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=ROOT,
        check=True,
        text=True,
    )
    code, memory = json.loads(measures.read_text(encoding="utf-8"))
    return Outcome(code, done.stdout, time.monotonic() - began, memory)


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[socket.socket]:
    """A listener that nobody has any business with."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield listener


@pytest.fixture(scope="module")
def outcomes(elsewhere: socket.socket, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """All hosts, several at a time."""
    folder = tmp_path_factory.mktemp("hosts")
    address = f"http://127.0.0.1:{elsewhere.getsockname()[1]}"
    with ThreadPoolExecutor(4) as threads:
        runs = threads.map(lambda host: run_against(host, address, folder), FINDINGS)
        return dict(zip(FINDINGS, runs, strict=True))


@pytest.mark.parametrize("host", FINDINGS)
def test_the_finding_names_what_was_seen(host: str, outcomes: dict[str, Outcome]) -> None:
    """Whoever reads it must be able to find the fault in their own host."""
    assert FINDINGS[host] in outcomes[host].output


@pytest.mark.parametrize("host", FINDINGS)
def test_the_run_ends_as_red(host: str, outcomes: dict[str, Outcome]) -> None:
    """A broken host is graded and fails; it is no error of the suite, and no traceback."""
    outcome = outcomes[host]

    assert outcome.code == 1, outcome.output
    assert "Traceback" not in outcome.output
    assert re.search(r"^\d+ passed, [1-9]\d* failed, ", outcome.output.splitlines()[-1])


@pytest.mark.parametrize("host", FINDINGS)
def test_the_run_ends_in_time(host: str, outcomes: dict[str, Outcome]) -> None:
    """Each case gives up at its deadline, so a host can't hold the suite."""
    assert outcomes[host].seconds < LONGEST


@pytest.mark.parametrize("host", FINDINGS)
def test_the_run_keeps_its_memory(host: str, outcomes: dict[str, Outcome]) -> None:
    """What a host sends is bounded before it is kept."""
    assert outcomes[host].memory < MOST_MEMORY


def test_nobody_is_led_elsewhere(outcomes: dict[str, Outcome], elsewhere: socket.socket) -> None:
    """A redirect is an answer; following it would send a person's token to whoever is named."""
    assert outcomes["redirects"].code == 1
    with pytest.raises(BlockingIOError):
        elsewhere.accept()


def test_every_host_is_run() -> None:
    """A host without its finding would prove nothing."""
    assert sorted(FINDINGS) == sorted(
        path.stem for path in HOSTS.glob("*.py") if path.stem not in ("__init__", "bare")
    )
