"""Questions put to the person: each is bound to one exact input, good for one call, and only for a while.

What is shown is what will run: the record holds the effective input, bound values included, and evidence for it
allows nothing else (The dual-plane model, The invariants, 5).
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal, TypeAlias

from reference_app.surface import refusals
from reference_app.surface.audit import AuditEvent, AuditTrail, AuditType
from reference_app.surface.clock import Clock, iso
from reference_app.surface.definition import SpentConfirmation
from reference_app.surface.errors import CapabilityError, ErrorCode, Retry
from reference_app.surface.events import ConfirmationRequested, ConfirmationResolved, Emitter
from reference_app.surface.json_value import Json, canonical_json, copy_json, json_equal
from reference_app.surface.limits import Limits
from reference_app.surface.signal import Signal
from reference_app.surface.tokens import TokenSource

_log = logging.getLogger(__name__)

Outcome: TypeAlias = Literal["approved", "denied", "expired"]


class State(StrEnum):
    """Where a question is: pending, then answered or expired; an approval is then spent or expires."""

    PENDING = "pending"
    APPROVED = "approved"
    DENIED = "denied"
    EXPIRED = "expired"
    CONSUMED = "consumed"


@dataclass(frozen=True, slots=True)
class Question:
    """What exactly is asked: who would run what, where, with which input."""

    surface_id: str
    registration_id: str
    capability_id: str
    consumer_key: str
    effect: str
    effective_input: Json
    summary: str

    @property
    def digest(self) -> str:
        """The text that evidence is bound to; the surface's version and the call's id are not in it."""
        return canonical_json(
            {
                "surfaceId": self.surface_id,
                "registrationId": self.registration_id,
                "capabilityId": self.capability_id,
                "consumerKey": self.consumer_key,
                "effectiveInput": self.effective_input,
                "effect": self.effect,
            }
        )


@dataclass(frozen=True, slots=True)
class Record:
    """A question with its state."""

    id: str
    question: Question
    requested_at_ms: int
    expires_at_ms: int
    state: State = State.PENDING
    decided_at_ms: int | None = None

    @property
    def input(self) -> Json:
        """What would run."""
        return copy_json(self.question.effective_input)


def matches(record: Record, question: Question) -> bool:
    """Whether evidence is for exactly this call: digest and input, both."""
    return record.question.digest == question.digest and json_equal(
        record.question.effective_input, question.effective_input
    )


def is_expired(expires_at_ms: int, now_ms: int) -> bool:
    """Whether a moment has come; at the moment itself it has."""
    return now_ms >= expires_at_ms


def required(record: Record) -> CapabilityError:
    """The answer to a call that a person has yet to allow."""
    return refusals.refuse(
        ErrorCode.CONFIRMATION_REQUIRED,
        "A person has to confirm this call first.",
        Retry.WITH_CONFIRMATION,
        {
            "confirmationId": record.id,
            "summary": record.question.summary,
            "expiresAt": iso(record.expires_at_ms),
            "effect": record.question.effect,
            "origin": "client",
        },
    )


Listener: TypeAlias = Callable[[tuple[Record, ...]], None]


class ConfirmationBook:
    """All questions of one surface, and the controller through which a person answers them."""

    def __init__(
        self, clock: Clock, tokens: TokenSource, limits: Limits, emitter: Emitter, audit: AuditTrail
    ) -> None:
        self._clock = clock
        self._tokens = tokens
        self._limits = limits
        self._emitter = emitter
        self._audit = audit
        self._records: OrderedDict[str, Record] = OrderedDict()
        self._waiters: dict[str, list[asyncio.Future[Outcome]]] = {}
        self._listeners: list[Listener] = []

    def records(self) -> tuple[Record, ...]:
        """All questions that are remembered, oldest first."""
        return tuple(self._records.values())

    def pending(self) -> tuple[Record, ...]:
        """The open questions, oldest first."""
        return tuple(record for record in self._records.values() if record.state is State.PENDING)

    def request(self, question: Question) -> Record:
        """Ask, or find the open question that asks exactly this.

        Raises:
            CapabilityError: ``RATE_LIMITED``: too many questions are open.
        """
        for record in self.pending():
            if matches(record, question):
                return record
        if len(self.pending()) >= self._limits.max_pending_confirmations:
            raise refusals.rate_limited("queue-full", 1000)
        now = self._clock.now_ms()
        ttl = self._limits.confirmation_ttl_ms
        record = Record(self._tokens.confirmation(), question, now, now + ttl)
        self._records[record.id] = record
        self._clock.call_later(ttl, lambda: self.force_expire(record.id))
        self._record(AuditType.CONFIRMATION_REQUESTED, record)
        self._emitter.emit(ConfirmationRequested(record.id, question.capability_id, record.expires_at_ms))
        self._notify()
        return record

    def spend(self, confirmation_id: str, question: Question) -> SpentConfirmation:
        """Use an approval up for a call that is exactly the approved one.

        Raises:
            CapabilityError: ``CONFIRMATION_REQUIRED`` while it is pending, else ``CONFIRMATION_INVALID``.
        """
        record = self._records.get(confirmation_id)
        if record is None:
            raise refusals.confirmation_invalid("mismatch")
        if record.state is State.APPROVED and is_expired(record.expires_at_ms, self._clock.now_ms()):
            record = self._settle(record, State.EXPIRED)
        refuse_unless_approved(record, question)
        self.consume(record)
        return SpentConfirmation(record.id, iso(record.decided_at_ms or record.requested_at_ms))

    def consume(self, record: Record) -> None:
        """Mark an approval as used; there is no second call for it."""
        self._settle(record, State.CONSUMED)
        self._record(AuditType.CONFIRMATION_CONSUMED, record)

    def resolve(self, confirmation_id: str, *, approved: bool) -> bool:
        """Take the person's answer; False when there is nothing to answer any more."""
        self._expire_if_due(confirmation_id)
        record = self._records.get(confirmation_id)
        if record is None or record.state is not State.PENDING:
            return False
        self._close(record, State.APPROVED if approved else State.DENIED)
        return True

    def force_expire(self, confirmation_id: str) -> None:
        """Withdraw an open question."""
        record = self._records.get(confirmation_id)
        if record is not None and record.state is State.PENDING:
            self._close(replace(record, expires_at_ms=self._clock.now_ms()), State.EXPIRED)

    def expire_all(self) -> None:
        """Withdraw every open question: the page is going away."""
        for record in self.pending():
            self.force_expire(record.id)

    async def wait_for(self, confirmation_id: str, signal: Signal | None = None) -> Outcome:
        """Wait for an answer; when the signal is raised, this one waiter sees it as expired."""
        record = self._records.get(confirmation_id)
        if record is None:
            return "expired"
        if record.state is not State.PENDING:
            return _outcome_of(record.state)
        waiter: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiters.setdefault(confirmation_id, []).append(waiter)
        remove = signal.on_abort(lambda: _answer(waiter, "expired")) if signal else None
        try:
            return await waiter
        finally:
            if remove is not None:
                remove()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Be told the open questions whenever they change; returns what ends it."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe

    def _expire_if_due(self, confirmation_id: str) -> None:
        record = self._records.get(confirmation_id)
        if (
            record is not None
            and record.state is State.PENDING
            and is_expired(record.expires_at_ms, self._clock.now_ms())
        ):
            self.force_expire(confirmation_id)

    def _close(self, record: Record, state: State) -> None:
        record = self._settle(replace(record, decided_at_ms=self._clock.now_ms()), state)
        self._record(_AUDIT_OF[state], record)
        outcome = _outcome_of(state)
        self._emitter.emit(ConfirmationResolved(record.id, outcome))
        for waiter in self._waiters.pop(record.id, []):
            _answer(waiter, outcome)
        self._notify()

    def _settle(self, record: Record, state: State) -> Record:
        settled = replace(record, state=state)
        self._records[record.id] = settled
        resolved = [record for record in self._records.values() if record.state is not State.PENDING]
        for old in resolved[: max(0, len(resolved) - self._limits.max_resolved_confirmations)]:
            del self._records[old.id]
        return settled

    def _record(self, kind: AuditType, record: Record) -> None:
        self._audit.record(
            AuditEvent(
                at=iso(self._clock.now_ms()),
                type=kind,
                capability_id=record.question.capability_id,
                registration_id=record.question.registration_id,
                consumer=record.question.consumer_key,
            )
        )

    def _notify(self) -> None:
        for listener in tuple(self._listeners):
            try:
                listener(self.pending())
            except Exception:
                _log.exception("a confirmation listener failed")


def refuse_unless_approved(record: Record, question: Question) -> None:
    """Let only an approved record for exactly this call pass.

    Raises:
        CapabilityError: Why it does not.
    """
    if record.state in (State.DENIED, State.EXPIRED, State.CONSUMED):
        raise refusals.confirmation_invalid(record.state.value)
    if not matches(record, question):
        raise refusals.confirmation_invalid("mismatch")
    if record.state is State.PENDING:
        raise required(record)


_AUDIT_OF = {
    State.APPROVED: AuditType.CONFIRMATION_APPROVED,
    State.DENIED: AuditType.CONFIRMATION_DENIED,
    State.EXPIRED: AuditType.CONFIRMATION_EXPIRED,
}


def _outcome_of(state: State) -> Outcome:
    if state in (State.APPROVED, State.CONSUMED):
        return "approved"
    return "denied" if state is State.DENIED else "expired"


def _answer(waiter: "asyncio.Future[Outcome]", outcome: Outcome) -> None:
    if not waiter.done():
        waiter.set_result(outcome)
