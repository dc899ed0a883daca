"""One exchange: what the model was asked, how it was answered, and what was not as scripted about it.

`Exchange` is the value that leaves the journal and never changes; `Entry` is what the journal keeps.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from fake_model.errors import JournalError, RequestError
from fake_model.findings import Finding
from fake_model.http import Headers, HttpRequest
from fake_model.ids import Position
from fake_model.names import Alias
from fake_model.plan import Plan
from fake_model.reply import Reply
from fake_model.request import ModelRequest

Clock = Callable[[], float]
"""Seconds, only ever growing."""

Reader = Callable[[bytes], ModelRequest]
"""Reads a body in a provider's format; raises RequestError."""


class Ending(StrEnum):
    """How an answer ended."""

    COMPLETE = "complete"
    CUT = "cut"
    RESET = "reset"
    READER_LEFT = "reader-left"


@dataclass(frozen=True, slots=True)
class Carried:
    """What went out: the body as far as it was written, how it ended, when it began, whether a loop ran to its end.

    `started_at` is the time of the first byte, None where none was sent.
    """

    body: bytes
    ending: Ending
    started_at: float | None
    ran_out: bool


@dataclass(frozen=True, slots=True)
class SentReply:
    """What went out: `body` is what was written of the body, without HTTP's own framing. Times are in seconds."""

    status: int
    body: bytes
    ending: Ending
    started_at: float
    ended_at: float
    reply: Reply | None = None


@dataclass(frozen=True)
class Exchange:
    """One request to the model, and its answer once that is over.

    `order` counts all exchanges of a journal from 0; `attempt` counts how often this step was asked, from 1. Token,
    turn and step are None for a request that belongs to no run; `side_call` names a side call's canned reply.
    """

    order: int
    generation: int
    provider: str
    method: str
    path: str
    headers: Headers
    body: bytes
    arrived_at: float
    reader: Reader = field(repr=False)
    aliases: tuple[Alias, ...] = ()
    token: str | None = None
    turn: int | None = None
    step: int | None = None
    attempt: int = 1
    side_call: str | None = None
    findings: tuple[Finding, ...] = ()
    sent: SentReply | None = None

    @cached_property
    def request(self) -> ModelRequest:
        """What was asked, in one shape for all providers.

        Raises:
            JournalError: the body could not be read; `body` has it as it came.
        """
        try:
            return self.reader(self.body).with_aliases(self.aliases)
        except RequestError as error:
            raise JournalError(
                f"exchange {self.order} on {self.path} has no readable request: {error}"
            ) from error

    @property
    def reply(self) -> Reply | None:
        """What was answered; None for a refused request, or before the answer is over."""
        return self.sent.reply if self.sent else None

    @property
    def status(self) -> int | None:
        """The HTTP status that was answered, None before the answer is over."""
        return self.sent.status if self.sent else None


class Entry:
    """An exchange as the journal keeps it, small, because a busy server makes many and few are looked at."""

    __slots__ = (
        "arrived_at", "attempt", "ended_at", "ending", "findings", "generation", "http", "order", "plan",
        "position", "provider", "reader", "side_call", "started_at", "written",
    )  # fmt: skip

    def __init__(self, http: HttpRequest, provider: str, reader: Reader, arrived_at: float) -> None:
        self.http = http
        self.provider = provider
        self.reader = reader
        self.arrived_at = arrived_at
        self.order = -1
        self.generation = 0
        self.position: Position | None = None
        self.attempt = 1
        self.side_call: str | None = None
        self.plan: Plan | None = None
        self.findings: tuple[Finding, ...] = ()
        self.ending: Ending | None = None
        self.written = b""
        self.started_at = arrived_at
        self.ended_at = arrived_at

    @property
    def size(self) -> int:
        """How many bytes of request and reply it holds."""
        return len(self.http.body) + len(self.written)

    def exchange(self, aliases: tuple[Alias, ...] = ()) -> Exchange:
        """Return the exchange as it stands now; `aliases` are the wire names that its run brings along."""
        position = self.position
        return Exchange(
            order=self.order,
            generation=self.generation,
            provider=self.provider,
            method=self.http.method,
            path=self.http.target,
            headers=self.http.headers,
            body=self.http.body,
            arrived_at=self.arrived_at,
            reader=self.reader,
            aliases=aliases,
            token=position.token if position else None,
            turn=position.turn if position else None,
            step=position.step if position else None,
            attempt=self.attempt,
            side_call=self.side_call,
            findings=self.findings,
            sent=self._sent(),
        )

    def _sent(self) -> SentReply | None:
        if self.ending is None or self.plan is None:
            return None
        plan = self.plan
        return SentReply(plan.status, self.written, self.ending, self.started_at, self.ended_at, plan.reply)
