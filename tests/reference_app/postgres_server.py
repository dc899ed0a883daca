"""A PostgreSQL server of the test's own, where the machine has the programs for one."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_USER = "ledger"
_DEADLINE_SECONDS = 30


@contextmanager
def postgres() -> Iterator[str]:
    """Run a server while the block runs; gives the URL of its database. Skips where there is no server to run."""
    # Not pytest's own folder: the account that the server runs as could not enter it.
    with tempfile.TemporaryDirectory(prefix="postgres-") as name, _server_in(Path(name)) as url:
        yield url


@contextmanager
def _server_in(folder: Path) -> Iterator[str]:
    initdb, server = program("initdb"), program("postgres")
    account = _account()
    port = _free_port()
    if account is not None:
        shutil.chown(folder, account)
    subprocess.run(
        [
            *_as(account),
            initdb,
            "-D",
            str(folder / "data"),
            "-A",
            "trust",
            "-U",
            _USER,
            "-E",
            "UTF8",
            "--no-sync",
        ],
        check=True,
        capture_output=True,
    )
    options = [
        "-c",
        "fsync=off",
        "-c",
        "max_connections=100",
        "-h",
        "127.0.0.1",
        "-p",
        str(port),
        "-k",
        str(folder),
    ]
    process = subprocess.Popen(
        [*_as(account), server, "-D", str(folder / "data"), *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(port, process)
        yield f"postgresql+asyncpg://{_USER}@127.0.0.1:{port}/postgres"
    finally:
        os.kill(int((folder / "data" / "postmaster.pid").read_text().split()[0]), signal.SIGINT)
        process.wait(_DEADLINE_SECONDS)


def program(name: str) -> str:
    """The path of one of PostgreSQL's programs; skips where it is not installed."""
    found = shutil.which(name) or next(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), None)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def _account() -> str | None:
    """An account that the server may run as; it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            pwd.getpwnam(name)
        except KeyError:
            continue
        if shutil.which("runuser") is not None:
            return name
    pytest.skip("running as root, and there is no other account to run the server as")


def _as(account: str | None) -> list[str]:
    return [] if account is None else ["runuser", "-u", account, "--"]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    due = time.monotonic() + _DEADLINE_SECONDS
    while time.monotonic() < due and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            continue
        return
    pytest.fail("the PostgreSQL server did not start")
