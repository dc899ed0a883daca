"""A conversation as a tab has it: steps are posted with the whole history, and what comes back is appended to it."""

import contextlib
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from conformance.drivers.http import Http
from conformance.drivers.step import Refusal, Step, read_refusal
from conformance.errors import Departure
from conformance.target_tables import Paths, Route
from conformance.transcript import Transcript
from conformance.wire.answer import Answer
from conformance.wire.chat import Catalog, Message, StepRequest, tool_message, user_message
from conformance.wire.frames import Frame, FrameReader
from conformance.wire.grammar import grammar_problems
from fake_model import FakeModel, Run, Script
from fake_model.request import ModelRequest

MAX_LINE = 8 * 1024 * 1024
MAX_STEP_BYTES = 64 * 1024 * 1024
MAX_FRAMES = 50_000
NDJSON = "application/x-ndjson"


@dataclass
class Conversation:
    """One conversation of one person.

    Attributes:
        http: that person's client.
        paths: where `/agent/chat` is.
        model: the fake model that the target asks.
        id: the conversation's id.
        route: the page that the tab is on.
        catalog: what the tab declares; a case may change it between steps.
        messages: the history so far.
        run: the script that is being played.
    """

    http: Http
    paths: Paths
    model: FakeModel
    id: str
    route: Route
    catalog: Catalog = field(default_factory=Catalog)
    version: int = 2
    messages: list[Message] = field(default_factory=list)
    turn: int = 0
    step_index: int = 0
    _run: Run | None = None

    @property
    def run(self) -> Run:
        """The run of the script that was sent last: what the model was asked, and what it found wrong."""
        if self._run is None:
            raise RuntimeError("nothing has been sent yet")
        return self._run

    @property
    def requests(self) -> tuple[ModelRequest, ...]:
        """What the model was asked in this run, in order; empty when it was not asked."""
        return tuple(exchange.request for exchange in self.run.exchanges)

    @property
    def asked(self) -> ModelRequest:
        """What the model was asked last.

        Raises:
            Departure: it was not asked at all.
        """
        if not self.requests:
            raise Departure("the target did not ask the model at all")
        return self.requests[-1]

    @property
    def transcript(self) -> Transcript:
        """Where this conversation is noted."""
        return self.http.transcript

    def take_over(self, other: "Conversation") -> None:
        """Go on where another conversation stands, as a tab does that has its messages and nothing else."""
        self.id, self.messages, self._run = other.id, list(other.messages), other.run
        self.turn, self.step_index = other.turn, other.step_index

    def prepare(self, script: Script, text: str = "Please go on.") -> StepRequest:
        """Start a turn: hand the script to the model, append the person's message, and return the first step to post."""
        self._run = self.model.play(script)
        self.turn += 1
        self.step_index = 0
        self.messages.append(user_message(self._run.prompt(text)))
        return self.request()

    def request(self) -> StepRequest:
        """The step that a tab would post now."""
        return StepRequest(
            conversation_id=self.id,
            turn_id=f"{self.id}-{self.turn}",
            step_index=self.step_index,
            messages=tuple(self.messages),
            pathname=self.route.pathname,
            catalog=self.catalog,
            version=self.version,
        )

    def send(self, script: Script, text: str = "Please go on.") -> Step:
        """Type a message and read the first step of the turn.

        Raises:
            Departure: the step is refused, or looks well although the model was not asked: nothing could be seen in it.
        """
        step = self.accept(self.post(self.prepare(script, text)))
        if not self.requests and not grammar_problems(step.log):
            raise Departure("the target did not ask the model; is the fake one the model that it was given?")
        return step

    def resume(self, results: Mapping[str, Any]) -> Step:
        """Append the browser's results, by call id, in the order given, and post the next step.

        Raises:
            Departure: the step is refused.
        """
        names = {str(part["toolCallId"]): str(part["toolName"]) for part in self._calls()}
        for call_id, value in results.items():
            self.messages.append(tool_message(call_id, names.get(call_id, "unknown"), value))
        return self.next()

    def next(self) -> Step:
        """Post the next step of the turn with the history as it is."""
        self.step_index += 1
        return self.accept(self.post(self.request()))

    def accept(self, outcome: Step | Refusal) -> Step:
        """Take a step's messages into the history.

        Raises:
            Departure: it was refused.
        """
        if isinstance(outcome, Refusal):
            raise Departure(outcome.sentence)
        self.messages.extend(outcome.messages)
        return outcome

    def post(self, request: StepRequest | Mapping[str, Any], **http: Any) -> Step | Refusal:
        """Post a step, or any body, and read what comes of it, without touching the history."""
        body = request.body() if isinstance(request, StepRequest) else dict(request)
        with self.http.stream("POST", self.paths.chat, json=body, **http) as response:
            outcome = self._read(response)
        self._note(body, outcome)
        return outcome

    @contextlib.contextmanager
    def start(self, request: StepRequest) -> Iterator["LiveStep"]:
        """Post a step and look at it while it runs.

        Raises:
            Departure: the step is refused.
        """
        with self.http.stream("POST", self.paths.chat, json=request.body()) as response:
            if not _is_stream(response):
                self.accept(self._read(response))
            live = LiveStep(response, self.http.budget.limits.deadline)
            live.begin()
            try:
                yield live
            finally:
                live.disconnect()
                self._note(request.body(), live.so_far())

    def _calls(self) -> list[Mapping[str, Any]]:
        return [
            part
            for message in self.messages
            if isinstance(message.get("content"), list)
            for part in message["content"]
            if isinstance(part, Mapping) and part.get("type") == "tool-call"
        ]

    def _read(self, response: httpx.Response) -> Step | Refusal:
        if not _is_stream(response):
            answer = Answer(
                "POST", self.paths.chat, response.status_code, dict(response.headers), _bounded(response)
            )
            return read_refusal(answer)
        reader = FrameReader()
        total = 0
        limit = time.monotonic() + self.http.budget.limits.step_deadline
        for chunk in response.iter_raw():
            reader.feed(chunk)
            total += len(chunk)
            _check_bounds(reader, total)
            if time.monotonic() > limit:
                raise Departure(f"the step did not end within {self.http.budget.limits.step_deadline:g} s")
        return Step(dict(response.headers), reader.log())

    def _note(self, body: Mapping[str, Any], outcome: Step | Refusal) -> None:
        if isinstance(outcome, Refusal):
            line, frames = f"-> {outcome.status} {outcome.code} {outcome.message}", []
        else:
            line, frames = f"-> {_sketch(outcome.frames)}", [item.raw for item in outcome.log.lines]
        self.transcript.add(
            "step",
            f"POST {self.paths.chat} step {body.get('stepIndex')} {line}",
            request=dict(body),
            frames=frames,
        )


@dataclass
class LiveStep:
    """A step that is still running, read by a thread of its own."""

    response: httpx.Response
    deadline: float
    _reader: FrameReader = field(default_factory=FrameReader)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _ended: bool = False
    _failure: str = ""
    _thread: threading.Thread | None = None

    def begin(self) -> None:
        """Start reading."""
        self._thread = threading.Thread(target=self._pump, name="live-step", daemon=True)
        self._thread.start()

    def _pump(self) -> None:
        total = 0
        try:
            for chunk in self.response.iter_raw():
                total += len(chunk)
                with self._changed:
                    self._reader.feed(chunk)
                    self._changed.notify_all()
                _check_bounds(self._reader, total)
        except Departure as boundless:
            self._failure = f"; {boundless}"
        except httpx.TimeoutException:
            self._failure = f"; it was silent for {self.deadline:g} s"
        except (httpx.HTTPError, OSError) as error:
            self._failure = self._failure or f"; it broke off: {str(error) or type(error).__name__}"
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def so_far(self) -> Step:
        """The frames that have arrived; complete once the stream has ended in order."""
        with self._changed:
            complete = self._ended and not self._failure
            return Step(dict(self.response.headers), self._reader.log(), complete=complete)

    def wait_for(self, wanted: Callable[[Sequence[Frame]], bool], what: str) -> Step:
        """Wait until the frames so far are as wanted.

        Raises:
            Departure: the deadline passed, or the stream ended, without it.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: self._ended or wanted(self._reader.log().frames), timeout=self.deadline
            )
        step = self.so_far()
        if not wanted(step.frames):
            raise Departure(f"waited for {what}; the stream has {_sketch(step.frames)}{self._failure}")
        return step

    def end(self) -> Step:
        """Read the step to its end.

        Raises:
            Departure: the deadline passed, the stream fell silent, or it was cut.
        """
        with self._changed:
            ended = self._changed.wait_for(lambda: self._ended, timeout=self.deadline)
        step = self.so_far()
        if not ended or self._failure:
            late = f" within {self.deadline:g} s" if not ended else ""
            raise Departure(f"the step did not end{late}; it has {_sketch(step.frames)}{self._failure}")
        return step

    def disconnect(self, *, reset: bool = False) -> None:
        """Hang up, as a closed tab does; with `reset`, as a pulled cable does."""
        with self._changed:
            if not self._ended:
                self._failure = "; the suite hung up"
        stream = self.response.extensions.get("network_stream")
        sock = stream.get_extra_info("socket") if stream is not None else None
        if isinstance(sock, socket.socket):
            with contextlib.suppress(OSError):
                if reset:
                    # what is closed without lingering is reset; only the reader is woken, so that no FIN goes ahead of it
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                sock.shutdown(socket.SHUT_RD if reset else socket.SHUT_RDWR)
        if self._thread is not None:
            self._thread.join(self.deadline)


def _is_stream(response: httpx.Response) -> bool:
    media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return response.status_code == 200 and media_type == NDJSON


def _bounded(response: httpx.Response) -> bytes:
    body = bytearray()
    for chunk in response.iter_raw():
        body += chunk
        if len(body) > MAX_LINE:
            raise Departure(f"a refused step answered with more than {MAX_LINE} bytes")
    return bytes(body)


def _check_bounds(reader: FrameReader, total: int) -> None:
    if reader.pending_bytes > MAX_LINE:
        raise Departure(f"one line of the stream is longer than {MAX_LINE} bytes")
    if total > MAX_STEP_BYTES:
        raise Departure(f"the stream did not end after {MAX_STEP_BYTES} bytes")
    if reader.line_count > MAX_FRAMES:
        raise Departure(f"the stream did not end after {MAX_FRAMES} frames")


def _sketch(frames: Sequence[Frame]) -> str:
    """The types of the frames in order, with repeats counted: `step-start, 3 text-delta, step-finish`."""
    groups: list[tuple[str, int]] = []
    for frame in frames:
        if groups and groups[-1][0] == frame.type:
            groups[-1] = (frame.type, groups[-1][1] + 1)
        else:
            groups.append((frame.type, 1))
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in groups) or "no frames"
