"""From a reply to what happens on the socket: which bytes, which waits, and how it ends.

All of it is decided here, purely; `fake_model.server` only carries a plan out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from fake_model import http
from fake_model.faults import (
    BrokenEvent,
    ChunkPlan,
    Cut,
    ErrorEvent,
    Fault,
    HttpError,
    NotAStream,
    Reset,
    Silence,
)
from fake_model.http import Headers
from fake_model.providers.base import Event, Identity, Loop, Provider
from fake_model.reply import Reply
from fake_model.script import Gate, Pause


@dataclass(frozen=True, slots=True)
class Hangup:
    """The connection closes without ending the HTTP message."""


@dataclass(frozen=True, slots=True)
class Abort:
    """The connection is reset."""


Action = bytes | Gate | Pause | Loop | Hangup | Abort


@dataclass(frozen=True)
class Plan:
    """What happens on the socket for one reply.

    `length` is the announced body length in bytes; None is a chunked body. `hold` comes before the first byte.
    """

    status: int
    content_type: str
    actions: tuple[Action, ...]
    length: int | None = None
    retry_after: str | None = None
    hold: str | None = None
    reply: Reply | None = None

    @cached_property
    def head(self) -> bytes:
        """Status line and headers; a refusal says that trying again is no use."""
        more: Headers = (("cache-control", "no-cache"),)
        if self.retry_after is not None:
            more = (("retry-after", self.retry_after),)
        elif self.status == 400:
            more = (("x-should-retry", "false"),)
        return http.head(self.status, self.content_type, self.length, more)

    @cached_property
    def wire(self) -> bytes | None:
        """Everything that is sent, head and framing included, where nothing else happens than sending it."""
        body = self.at_once
        if body is None:
            return None
        return self.head + (body if self.length is not None else http.chunk(body) + http.LAST_CHUNK)

    @cached_property
    def at_once(self) -> bytes | None:
        """The whole body, where nothing else happens than sending it."""
        if self.hold is None and len(self.actions) <= 1:
            body = self.actions[0] if self.actions else b""
            return body if isinstance(body, bytes) else None
        return None


STREAM_TYPE = "text/event-stream; charset=utf-8"
JSON_TYPE = "application/json"


def of_error(provider: Provider, status: int, message: str, code: str | None) -> Plan:
    """Return the plan for an error in the provider's shape."""
    body = provider.error(status, message, code)
    return Plan(status, JSON_TYPE, (body,), len(body))


@lru_cache(maxsize=64)
def of_reply(reply: Reply, provider: Provider, identity: Identity, *, stream: bool) -> Plan:
    """Return the plan for a reply, with its faults applied in their order.

    The last plans are remembered: the same reply under the same identity is the same bytes.
    """
    whole = next((plan for fault in reply.faults if (plan := _in_place_of(fault, provider))), None)
    if whole is not None:
        return replace(whole, hold=whole.hold or reply.hold, reply=reply)
    if stream:
        events = _with_faults(provider.stream(reply, identity), reply.faults, provider)
        return Plan(
            200, STREAM_TYPE, tuple(_writes(events, reply.chunks)), None, hold=reply.hold, reply=reply
        )
    document = _whole_document(reply, provider, identity)
    waits = [part for part in reply.parts if isinstance(part, Gate | Pause)]
    faults = tuple(fault for fault in reply.faults if not isinstance(fault, ErrorEvent))
    actions = _with_faults((*waits, document), faults, provider)
    writes = tuple(_writes(actions, reply.chunks))
    return Plan(200, JSON_TYPE, writes, _length(document, actions), hold=reply.hold, reply=reply)


def _whole_document(reply: Reply, provider: Provider, identity: Identity) -> bytes:
    """Return the document of a reply that is not streamed; an error inside the 200 is then all of it."""
    error = next((fault for fault in reply.faults if isinstance(fault, ErrorEvent)), None)
    if error is not None:
        return provider.error(500, error.message, error.code)
    return provider.document(reply, identity)


def _length(document: bytes, actions: tuple[Action, ...]) -> int:
    """Return the announced length: that of the whole document where it is cut off, else of what is sent."""
    if actions and isinstance(actions[-1], Hangup | Abort):
        return len(document)
    return sum(len(action) for action in actions if isinstance(action, bytes))


def _in_place_of(fault: Fault, provider: Provider) -> Plan | None:
    """Return the plan of a fault that stands in place of the whole reply."""
    match fault:
        case HttpError():
            body = (
                provider.error(fault.status, fault.message, fault.code)
                if fault.body is None
                else fault.body.encode()
            )
            kind = JSON_TYPE if fault.body is None else "text/plain; charset=utf-8"
            return Plan(fault.status, kind, (body,), len(body), fault.retry_after)
        case NotAStream():
            body = fault.body.encode()
            return Plan(200, fault.content_type, (body,), len(body))
        case Silence():
            return Plan(200, STREAM_TYPE, (Hangup(),), hold=fault.gate)
        case Reset(after_events=0):
            return Plan(200, STREAM_TYPE, (Abort(),))
        case _:
            return None


def _with_faults(
    events: tuple[Event, ...], faults: Iterable[Fault], provider: Provider
) -> tuple[Action, ...]:
    actions: tuple[Action, ...] = events
    for fault in faults:
        match fault:
            case BrokenEvent():
                actions = tuple(_broken(actions, fault.at))
            case ErrorEvent():
                error = provider.error_event(fault.message, fault.code, fault.after_events)
                actions = (*_first_events(actions, fault.after_events), error)
            case Cut(after_events=int(count)):
                actions = (*_first_events(actions, count), *_ending(fault))
            case Cut(after_bytes=int(count)):
                actions = (*_first_bytes(actions, count), *_ending(fault))
            case Reset():
                actions = (*_first_events(actions, fault.after_events), Abort())
            case _:
                pass
    return actions


def _ending(fault: Cut) -> tuple[Action, ...]:
    return () if fault.clean else (b"", Hangup())


def _broken(actions: tuple[Action, ...], at: int) -> Iterator[Action]:
    seen = 0
    for action in actions:
        if isinstance(action, bytes):
            yield _half(action) if seen == at else action
            seen += 1
        else:
            yield action


def _half(event: bytes) -> bytes:
    """Cut the JSON of an event in its middle, and keep the lines around it."""
    start = event.find(b"{")
    end = event.rfind(b"}") + 1
    return event[: start + (end - start) // 2] + event[end:]


def _first_events(actions: tuple[Action, ...], count: int) -> Iterator[Action]:
    """Yield the first `count` events, and the waits up to the one after."""
    left = count
    for action in actions:
        if isinstance(action, Loop):
            yield replace(action, at_most=min(left, action.at_most))
            left -= action.at_most
        elif isinstance(action, bytes):
            if left <= 0:
                return
            yield action
            left -= 1
        else:
            yield action


def _first_bytes(actions: tuple[Action, ...], count: int) -> Iterator[Action]:
    left = count
    for action in actions:
        if not isinstance(action, bytes):
            yield action
        elif left > 0:
            yield action[:left]
            left -= len(action)
        else:
            return


def _writes(actions: Iterable[Action], chunks: ChunkPlan | None) -> Iterator[Action]:
    """Join what is sent without a wait between, or split it as the chunk plan says."""
    gathered: list[bytes] = []
    sent = 0
    for action in (*actions, None):
        if isinstance(action, bytes):
            gathered.append(action)
            continue
        if gathered:
            body = b"".join(gathered)
            yield from _split(body, sent, chunks)
            sent += len(body)
            gathered = []
        if action is not None:
            yield action


def _split(body: bytes, first: int, chunks: ChunkPlan | None) -> Iterator[bytes]:
    """Split `body`, which begins at offset `first` of the whole, where the chunk plan says."""
    if chunks is None:
        yield body
        return
    offsets = (
        *chunks.offsets,
        *(range(chunks.every, first + len(body), chunks.every) if chunks.every else ()),
    )
    inner = sorted({offset - first for offset in offsets if 0 < offset - first < len(body)})
    for start, end in zip((0, *inner), (*inner, len(body)), strict=True):
        yield body[start:end]
