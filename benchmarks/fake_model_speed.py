"""How fast the fake model answers, beside the npm package `@copilotkit/aimock`, on the same machine in the same run.

    python benchmarks/fake_model_speed.py

Both serve the same unpaced stream of 20 events; `wrk` asks with 1, 16 and 64 connections, once with the same body each
time and once with another body each time. The journal is on, as it always is. Needs `wrk`, `node` and `npm`.
"""

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

AIMOCK = "@copilotkit/aimock@1.43.0"
CONNECTIONS = (1, 16, 64)
WORDS = 16
"""Deltas of text: with role, finish, usage and `[DONE]` they make 20 events; aimock sends no usage, so one more there."""

PROMPT = "What is overdue? [[dp:bench]]"

AIMOCK_SERVER = """
import { LLMock } from "@copilotkit/aimock";
const mock = new LLMock({ port: Number(process.argv[2]), logLevel: "silent" });
const content = Array.from({ length: %d }, (_, i) => `word${i} `.padEnd(8)).join("");
mock.on({ userMessage: "overdue" }, { content }, { chunkSize: 8, latency: 0 });
await mock.start();
"""

LUA = """
wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
local count = 0
function request()
  if %s then count = count + 1 end
  local text = string.format("%%08d %s", count)
  return wrk.format(nil, nil, nil, '{"model":"m","stream":true,"messages":[{"role":"user","content":"' .. text .. '"}]}')
end
"""


@dataclass(frozen=True)
class Measured:
    """What was measured: requests a second, the 99th percentile of latency in ms, CPU time in us a request."""

    rate: float
    p99: float
    cost: float


@dataclass(frozen=True)
class Server:
    """A server under measurement."""

    port: int
    pid: int


def main() -> None:
    """Measure both servers and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=int, default=5, help="how long each measurement takes (default: 5)")
    seconds = parser.parse_args().seconds
    missing = [tool for tool in ("wrk", "node", "npm") if shutil.which(tool) is None]
    if missing:
        sys.exit(f"expected wrk, node and npm on the path, missing {', '.join(missing)}")
    with tempfile.TemporaryDirectory() as folder:
        _run(Path(folder), seconds)


def _run(folder: Path, seconds: int) -> None:
    with _ours(folder) as here, _aimock(folder) as there:
        click.echo(f"events a stream: {_events(here.port)} here, {_events(there.port)} at aimock")
        click.echo(
            "a pair of figures is the fake model's and aimock's; CPU time counts the server's process only\n"
        )
        click.echo(
            f"{'bodies':<10}{'conn.':>6}{'requests/s':>20}{'ratio':>7}{'p99 ms':>18}{'CPU us/request':>18}{'ratio':>7}"
        )
        first = _resident(here.pid)
        for vary in (False, True):
            script = folder / f"post-{vary}.lua"
            script.write_text(LUA % (str(vary).lower(), PROMPT))
            for connections in CONNECTIONS:
                ours, theirs = (_measure(server, connections, seconds, script) for server in (here, there))
                click.echo(_row("different" if vary else "the same", connections, ours, theirs))
        count = json.loads(_get(here.port, "/__health"))["exchanges"]
        last = _resident(here.pid)
        click.echo(f"\nmemory of the fake model: {first} MiB at first, {last} MiB after {count:,} requests")


def _row(bodies: str, connections: int, ours: Measured, theirs: Measured) -> str:
    rates = f"{ours.rate:,.0f} {theirs.rate:,.0f}"
    p99s = f"{ours.p99:.2f} {theirs.p99:.2f}"
    costs = f"{ours.cost:.0f} {theirs.cost:.0f}"
    return (
        f"{bodies:<10}{connections:>6}{rates:>20}{ours.rate / theirs.rate:>7.1f}"
        f"{p99s:>18}{costs:>18}{theirs.cost / ours.cost:>7.1f}"
    )


@contextmanager
def _ours(folder: Path) -> Iterator[Server]:
    """Serve the script with the command that users have."""
    scripts = folder / "scripts"
    scripts.mkdir()
    words = json.dumps([f"word{number} " for number in range(WORDS)])
    (scripts / "bench.yaml").write_text(f"steps: [{{say: {words}, asked: null}}]\n")
    command = [sys.executable, "-c", "from fake_model.cli import model; model()"]
    arguments = ["serve", "--scripts", str(scripts), "--port", "0"]
    process = subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline() if process.stdout else ""
        yield Server(int(line.rsplit(":", 1)[1]), process.pid)
    finally:
        process.terminate()
        process.wait()


@contextmanager
def _aimock(folder: Path) -> Iterator[Server]:
    """Install and serve the npm package."""
    subprocess.run(["npm", "install", "--silent", "--prefix", str(folder), AIMOCK], check=True)
    program = folder / "server.mjs"
    program.write_text(AIMOCK_SERVER % (WORDS + 1))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(["node", str(program), str(port)])
    try:
        _wait_for(port)
        yield Server(port, process.pid)
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    sys.exit(f"expected a server on port {port} within 20 s")


def _measure(server: Server, connections: int, seconds: int, script: Path) -> Measured:
    command = [
        "wrk",
        "-t1",
        f"-c{connections}",
        f"-d{seconds}s",
        "--latency",
        "--timeout",
        "20s",
        "-s",
        str(script),
    ]
    url = f"http://127.0.0.1:{server.port}/v1/chat/completions"
    before = _cpu(server.pid)
    output = subprocess.run([*command, url], capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in output:
        sys.exit(f"expected answers only, got\n{output}")
    rate = re.search(r"Requests/sec:\s+([\d.]+)", output)
    p99 = re.search(r"99%\s+([\d.]+)(us|ms|s)", output)
    if rate is None or p99 is None:
        sys.exit(f"expected wrk's figures, got\n{output}")
    count = int(re.findall(r"(\d+) requests in", output)[0])
    cost = (_cpu(server.pid) - before) / count * 1e6
    return Measured(float(rate[1]), float(p99[1]) * {"us": 0.001, "ms": 1.0, "s": 1000.0}[p99[2]], cost)


def _events(port: int) -> int:
    body = json.dumps(
        {"model": "m", "stream": True, "messages": [{"role": "user", "content": PROMPT}]}
    ).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/chat/completions", body, method="POST")
    with urllib.request.urlopen(request) as response:
        return int(response.read().count(b"data: "))


def _get(port: int, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as response:
        return bytes(response.read())


def _cpu(pid: int) -> float:
    """Return the CPU time of a process so far in seconds, the kernel's part included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident(pid: int) -> int:
    """Return the resident memory of a process in MiB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096 // 2**20


if __name__ == "__main__":
    main()
