"""Starting, waiting for, restarting and stopping a target, each instance in a private folder."""

import contextlib
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

import httpx

from conformance import leftovers
from conformance.errors import LaunchError
from conformance.target import Target, expand
from conformance.target_tables import Launch, ProviderName

_KEPT_LINES = 200
_STOP_WITHIN = 5.0
_ENDS_WITHIN = 2.0
"""Seconds that a process which answers nothing any more has to be gone."""
_LAST_LINES_WITHIN = 1.0


@dataclass(frozen=True)
class Plan:
    """How one instance is to be started.

    Attributes:
        target: the target file.
        model_url: the fake model's address.
        faults: deliberate faults to switch on.
        variant: the name of a launch variant of the target file; empty for the plain one.
        provider: the wire format between target and model; empty for the target file's own.
        ledger: a folder in which running processes are noted, for the case that this one does not live to end them.
    """

    target: Target
    model_url: str
    faults: tuple[str, ...] = ()
    variant: str = ""
    provider: ProviderName | None = None
    ledger: Path | None = None


@dataclass
class Instance:
    """One running instance: its address, its folder, and what it printed.

    A connected target is an instance without a process.
    """

    url: str
    folder: Path | None = None
    process: subprocess.Popen[str] | None = None
    output: deque[str] = field(default_factory=lambda: deque(maxlen=_KEPT_LINES))
    plan: Plan | None = None
    reader: threading.Thread | None = None

    @property
    def alive(self) -> bool:
        """Whether the process is still there; always true of a connected target."""
        return self.process is None or self.process.poll() is None

    def ends(self) -> bool:
        """Whether the process ends now: its connections break a moment before it can be seen to be gone."""
        if self.process is None:
            return False
        try:
            self.process.wait(_ENDS_WITHIN)
        except subprocess.TimeoutExpired:
            return False
        return True

    def last_words(self) -> str:
        """What the process printed last, as the end of a sentence."""
        if self.reader is not None and not self.alive:
            self.reader.join(_LAST_LINES_WITHIN)
        printed = [line for line in self.output if line.strip()]
        return f"; it printed last: {printed[-1]}" if printed else "; it printed nothing"

    def stop(self) -> None:
        """End the process and everything that it started; its folder stays."""
        if self.process is None:
            return
        _signal(self.process, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_STOP_WITHIN)
        self.kill()

    def kill(self) -> None:
        """End the process, and everything that it started, at once, as a crash would."""
        if self.process is not None:
            _signal(self.process, signal.SIGKILL)
            self.process.wait(_STOP_WITHIN)
            leftovers.strike(self.plan.ledger if self.plan else None, self.process.pid)

    def discard(self) -> None:
        """Stop, and remove the folder."""
        self.stop()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)

    def restart(self) -> "Instance":
        """Start again on the same folder, after `stop` or `kill`; returns the new instance.

        Raises:
            LaunchError: it does not start, or this instance was not started by the suite.
        """
        self.stop()
        return self.twin()

    def twin(self) -> "Instance":
        """Start a second process on the same folder, so that both share one database.

        Raises:
            LaunchError: see `restart`.
        """
        if self.plan is None or self.folder is None:
            raise LaunchError("a connected target can't be started by the suite")
        return start(self.plan, folder=self.folder)

    def sibling(self, variant: str = "") -> "Instance":
        """Start an instance of its own, with a folder of its own, plain or as a variant.

        Raises:
            LaunchError: see `restart`.
        """
        if self.plan is None:
            raise LaunchError("a connected target can't be started by the suite")
        return start(replace(self.plan, variant=variant))


def connect(target: Target) -> Instance:
    """Return the instance that runs already, once it answers.

    Raises:
        LaunchError: nothing answers there.
    """
    if target.connect is None:
        raise LaunchError(f"{target.name} has no [connect] table")
    url = target.connect.url.rstrip("/")
    try:
        httpx.get(url + (target.paths.health or "/"), timeout=target.limits.deadline, trust_env=False)
    except httpx.HTTPError as error:
        raise LaunchError(f"{target.name}: nothing answers at {url}: {error}") from None
    return Instance(url)


def start(plan: Plan, folder: Path | None = None) -> Instance:
    """Start an instance and wait until it is ready.

    Raises:
        LaunchError: the command can't be run, the process ends, or it is not ready in time; the message is one line and
            holds the last thing that the process printed.
    """
    if plan.target.launch is None:
        raise LaunchError(f"{plan.target.name} has no [launch] table")
    made = folder or Path(tempfile.mkdtemp(prefix="dualplane-"))
    try:
        return _start_in(made, plan, plan.target.launch)
    except LaunchError:
        if folder is None:
            shutil.rmtree(made, ignore_errors=True)
        raise


def _start_in(folder: Path, plan: Plan, launch: Launch) -> Instance:
    port = free_port()
    fills = {"python": sys.executable, "port": str(port), "folder": str(folder), "model_url": plan.model_url}
    try:
        process = _spawn(
            _command(plan, launch, fills), _environment(plan, launch, fills), _working_folder(plan)
        )
    except OSError as error:
        raise LaunchError(f"{plan.target.name} can't be started: {error}") from None
    leftovers.note(plan.ledger, process.pid, folder)
    instance = Instance(f"http://127.0.0.1:{port}", folder, process, plan=plan)
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    instance.reader = _follow(process, instance.output, lines)
    try:
        instance.url = _wait_until_ready(plan.target, launch, instance, lines)
    except LaunchError:
        instance.kill()
        raise
    return instance


def _working_folder(plan: Plan) -> Path | None:
    """The folder of the target file, or one that it names from there; the caller's for a file that ships with the suite."""
    folder, below = plan.target.folder, plan.target.launch.cwd if plan.target.launch else None
    return (folder or Path.cwd()) / below if below else folder


def _command(plan: Plan, launch: Launch, fills: Mapping[str, str]) -> list[str]:
    variant = launch.variants.get(plan.variant)
    if plan.variant and variant is None:
        raise LaunchError(f"{plan.target.name} has no launch variant {plan.variant!r}")
    faults = [expand(arg, {**fills, "fault": fault}) for fault in plan.faults for arg in launch.fault]
    return [*(expand(arg, fills) for arg in (*launch.command, *(variant.args if variant else ()))), *faults]


def _environment(plan: Plan, launch: Launch, fills: Mapping[str, str]) -> dict[str, str]:
    variant = launch.variants.get(plan.variant)
    model = plan.target.model
    provider = model.providers.get(plan.provider or model.provider, {})
    wanted = {**launch.env, **model.env, **provider, **(variant.env if variant else {})}
    return {
        **os.environ,
        "PYTHONUNBUFFERED": "1",
        **{name: expand(value, fills) for name, value in wanted.items()},
    }


def _spawn(command: Sequence[str], env: Mapping[str, str], cwd: Path | None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        env=dict(env),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )


def _follow(
    process: subprocess.Popen[str], kept: deque[str], lines: "queue.SimpleQueue[str | None]"
) -> threading.Thread:
    """Read what the process prints, so that it never blocks on a full pipe."""

    def pump(stream: IO[str] | None) -> None:
        with stream or contextlib.nullcontext(()) as printed:
            for line in printed:
                kept.append(line.rstrip())
                lines.put(line.rstrip())
        lines.put(None)

    reader = threading.Thread(target=pump, args=(process.stdout,), name="target-output", daemon=True)
    reader.start()
    return reader


def _wait_until_ready(
    target: Target, launch: Launch, instance: Instance, lines: "queue.SimpleQueue[str | None]"
) -> str:
    deadline = time.monotonic() + launch.ready.within
    url = instance.url
    if launch.ready.stdout is not None:
        url = _wait_for_line(target, launch, instance, lines, deadline)
    if launch.ready.path is not None:
        _wait_for_path(target, launch, instance, url + launch.ready.path, deadline)
    return url


def _wait_for_line(
    target: Target,
    launch: Launch,
    instance: Instance,
    lines: "queue.SimpleQueue[str | None]",
    deadline: float,
) -> str:
    """Wait for the line that says so; returns the address in its group `url`, or the one by the given port."""
    pattern = re.compile(launch.ready.stdout or "")
    while (left := deadline - time.monotonic()) > 0:
        try:
            line = lines.get(timeout=left)
        except queue.Empty:
            break
        if line is None:
            raise LaunchError(_ended(target, instance))
        if match := pattern.search(line):
            return (match.groupdict().get("url") or instance.url).rstrip("/")
    raise LaunchError(_late(target, launch, instance, f"print a line that matches {launch.ready.stdout!r}"))


def _wait_for_path(target: Target, launch: Launch, instance: Instance, url: str, deadline: float) -> None:
    """Ask until something answers; the pause between two questions is the process's own exit, or a moment."""
    while time.monotonic() < deadline:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(url, timeout=1, trust_env=False).status_code < 500:
                return
        if instance.process is None:
            continue
        with contextlib.suppress(subprocess.TimeoutExpired):
            instance.process.wait(0.02)
            raise LaunchError(_ended(target, instance))
    raise LaunchError(_late(target, launch, instance, f"answer at {url}"))


def _ended(target: Target, instance: Instance) -> str:
    code = instance.process.wait(_STOP_WITHIN) if instance.process else None
    return f"{target.name} ended with exit code {code} before it was ready{instance.last_words()}"


def _late(target: Target, launch: Launch, instance: Instance, what: str) -> str:
    return f"{target.name} did not {what} within {launch.ready.within:g} s{instance.last_words()}"


def _signal(process: subprocess.Popen[str], number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def free_port() -> int:
    """A port that was free a moment ago, for commands that must be told one."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port
