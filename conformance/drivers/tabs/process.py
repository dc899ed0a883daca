"""The target's own headless tab: a process that speaks the tab protocol over its standard streams."""

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, TypeVar

from pydantic import ValidationError

from conformance.drivers.session import Session
from conformance.drivers.tabs.base import Place, Told, TurnEnd, Visible
from conformance.drivers.tabs.wiretap import Wiretap
from conformance.errors import Departure
from conformance.target import expand
from conformance.target_tables import Tab as TabTable
from conformance.transcript import Transcript
from conformance.wire import strict_json
from conformance.wire.frames import Wire

_W = TypeVar("_W", bound=Wire)
_LAST_LINES_WITHIN = 1.0


@dataclass
class ProcessTab:
    """One tab process, driven as a person would.

    Attributes:
        table: the `[tab]` table of the target file.
        session: the person's session.
        transcript: where verbs and replies are noted.
        deadline: how long a turn may take.
        place: where it is; a tab stays there for as long as it lives.
        folder: where it runs; None is the suite's own working folder.
        wire: the relay between it and the application, where there is one; it ends with the tab.
    """

    table: TabTable
    session: Session
    transcript: Transcript
    deadline: float
    place: Place = field(default_factory=Place)
    folder: Path | None = None
    wire: Wiretap | None = None
    kind: str = "process"
    _process: subprocess.Popen[bytes] | None = None
    _replies: dict[int, Future[Mapping[str, Any]]] = field(default_factory=dict)
    _ready: Future[Mapping[str, Any]] = field(default_factory=Future)
    _stderr: deque[str] = field(default_factory=lambda: deque(maxlen=50))
    _errors: threading.Thread | None = None
    _gone: Departure | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _count: int = 0
    _used: bool = False

    @property
    def idle(self) -> bool:
        """Whether somebody else may have it: it runs, and owes no reply."""
        with self._lock:
            settled = all(reply.done() for reply in self._replies.values())
        return settled and self._process is not None and self._process.poll() is None

    def hand_over(self, session: Session, transcript: Transcript) -> None:
        """Give the tab to somebody else, who opens it like a browser that nobody has used yet."""
        self.session, self.transcript, self._used = session, transcript, False
        if self.wire is not None:
            self.wire.forget()

    def launch(self, base_url: str, *, faults: tuple[str, ...] = ()) -> None:
        """Start the process and wait for its ready line.

        Raises:
            Departure: it can't be started, ends, or is late.
        """
        fills = {"python": sys.executable, "base_url": base_url}
        extra = [
            *self.table.modes.get(self.place.mode, ()),
            *(self.table.variants[self.place.variant] if self.place.variant else ()),
            *(a.replace("{fault}", f) for f in faults for a in self.table.fault),
        ]
        command = [expand(part, fills) for part in (*self.table.command, *extra)]
        try:
            self._process = subprocess.Popen(
                command,
                cwd=self.folder,
                env={**os.environ, "PYTHONUNBUFFERED": "1", **self.table.env},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            self._hang_up()
            raise Departure(f"the tab process can't be started: {error}") from None
        self._errors = threading.Thread(target=self._keep_stderr, name="tab-errors", daemon=True)
        self._errors.start()
        threading.Thread(target=self._read, name="tab-output", daemon=True).start()
        try:
            hello = self._await(self._ready, self.table.within, "say that it is ready")
        except Departure:
            self.kill()
            raise
        if hello.get("protocol") != 1:
            self.kill()
            raise Departure(f"the tab process speaks protocol {hello.get('protocol')!r}, the suite speaks 1")

    def open(self, route: str, conversation: str | None = None) -> Visible:
        """Open or reload the page at a route."""
        params: dict[str, Any] = {"route": route, "session": {"headers": dict(self.session.headers)}}
        if conversation is not None:
            params["conversation"] = conversation
        if not self._used:
            params["fresh"] = True
        self._used = True
        return self._ask("open", params, Visible)

    def send(self, text: str) -> TurnEnd:
        """Type a message and wait until the turn is over."""
        return self.start(text).end()

    def start(self, text: str) -> "ProcessTurn":
        """Type a message and look on."""
        return ProcessTurn(self, self._post("send", {"text": text}))

    def act(self, name: str, args: Mapping[str, Any] | None = None) -> Visible:
        """Do a named thing on the screen."""
        return self._ask("act", {"name": name, "args": dict(args or {})}, Visible)

    def decide(self, kind: str, *, approved: bool, card: str | None = None) -> Told:
        """Answer a confirmation dialog or an approval card."""
        params: dict[str, Any] = {"kind": kind, "approved": approved}
        if card is not None:
            params["id"] = card
        return self._ask("decide", params, Told)

    def visible(self) -> Visible:
        """Look."""
        return self._ask("visible", {}, Visible)

    def close(self) -> None:
        """Close the tab and end its process."""
        if self._process is None:
            return
        if self._process.poll() is None:
            with contextlib.suppress(Departure, OSError):
                self._await(self._post("close", {}), self.table.within, "close")
        self._hang_up()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(self.table.within)
        self.kill()

    def kill(self) -> None:
        """End the process at once, as a crashed or closed browser does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._hang_up()

    def _hang_up(self) -> None:
        if self.wire is not None:
            self.wire.close()
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def _ask(self, verb: str, params: Mapping[str, Any], shape: type[_W]) -> _W:
        return self.read(
            self._await(self._post(verb, params), self.deadline, f"answer `{verb}`"), verb, shape
        )

    def read(self, result: Mapping[str, Any], verb: str, shape: type[_W]) -> _W:
        """Read a reply's result; a wrong shape is a finding."""
        try:
            return shape.model_validate(result)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise Departure(f"the tab's reply to `{verb}` is not readable: {where}: {first['msg']}") from None

    def _post(self, verb: str, params: Mapping[str, Any]) -> Future[Mapping[str, Any]]:
        process = self._process
        if process is None or process.stdin is None:
            raise Departure("the tab process was not started")
        shown = {key: value for key, value in params.items() if key != "session"}
        self.transcript.add("tab", f"{verb} {json.dumps(shown, ensure_ascii=False)}")
        future: Future[Mapping[str, Any]] = Future()
        with self._lock:
            if self._gone is not None:
                raise self._gone
            self._count += 1
            number = self._count
            self._replies[number] = future
            line = json.dumps({"id": number, "verb": verb, "params": dict(params)}, ensure_ascii=False)
            try:
                process.stdin.write(line.encode() + b"\n")
                process.stdin.flush()
            except OSError:
                raise Departure(f"the tab process is gone{self._last_words()}") from None
        return future

    def _await(self, future: Future[Mapping[str, Any]], within: float, what: str) -> Mapping[str, Any]:
        try:
            return future.result(within)
        except FutureTimeout:
            raise Departure(f"the tab did not {what} within {within:g} s{self._last_words()}") from None

    def wait(self, future: Future[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Wait for a reply within the deadline of a turn."""
        return self._await(future, self.deadline, "end the turn")

    def _read(self) -> None:
        with self._output("stdout") as lines:
            for raw in lines:
                self._take(raw)
        if self._errors is not None:
            self._errors.join(_LAST_LINES_WITHIN)
        gone = Departure(f"the tab process ended{self._last_words()}")
        with self._lock:
            self._gone = gone
            waiting = [self._ready, *self._replies.values()]
        for future in waiting:
            if not future.done():
                future.set_exception(gone)

    def _take(self, raw: bytes) -> None:
        try:
            message = strict_json.loads(raw)
        except strict_json.NotJson as error:
            self.transcript.add("tab", f"a line that is not JSON ({error}): {raw[:120]!r}")
            return
        if not isinstance(message, dict):
            self.transcript.add("tab", f"a line that is not an object: {raw[:120]!r}")
        elif message.get("ready") is True and not self._ready.done():
            self._ready.set_result(message)
        else:
            self._settle(message)

    def _settle(self, message: Mapping[str, Any]) -> None:
        number = message.get("id")
        with self._lock:
            future = self._replies.get(number) if isinstance(number, int) else None
        if future is None or future.done():
            self.transcript.add("tab", f"a reply to nothing: {str(message)[:120]}")
            return
        self.transcript.add(
            "tab", f"reply {number}: {json.dumps(message, ensure_ascii=False)[:200]}", reply=dict(message)
        )
        if isinstance(error := message.get("error"), Mapping):
            future.set_exception(Departure(f"the tab answered {error.get('code')}: {error.get('message')}"))
        elif isinstance(result := message.get("result"), Mapping):
            future.set_result(result)
        else:
            future.set_exception(Departure(f"the tab's reply {number} has neither result nor error"))

    def _keep_stderr(self) -> None:
        with self._output("stderr") as lines:
            for raw in lines:
                self._stderr.append(raw.decode("utf-8", "replace").rstrip())

    def _output(self, name: str) -> contextlib.AbstractContextManager[Iterable[bytes]]:
        stream: IO[bytes] | None = getattr(self._process, name, None)
        return stream or contextlib.nullcontext(())

    def _last_words(self) -> str:
        printed = [line for line in self._stderr if line.strip()]
        return f"; it printed last: {printed[-1]}" if printed else ""


@dataclass(frozen=True)
class ProcessTurn:
    """A turn that runs in a tab process."""

    tab: ProcessTab
    reply: Future[Mapping[str, Any]]

    def end(self) -> TurnEnd:
        """Wait until the turn is over."""
        return self.tab.read(self.tab.wait(self.reply), "send", TurnEnd)
