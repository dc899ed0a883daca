"""The audit: what was attempted, by whom, and how it ended; never what was in it.

Every execution leaves exactly one terminal event. Events go to live listeners at once and to the database in batches.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from sqlalchemy import BigInteger, Column, Integer, String, Table, Text, insert, select

from reference_app.clock import Clock, iso, milliseconds
from reference_app.database import METADATA, Database
from reference_app.domain.actor import NO_CORRELATION, Actor, Correlation
from reference_app.strict_json import JsonObject, JsonValue, dumps_text, loads

LOG = logging.getLogger(__name__)

AUDIT = Table(
    "audit_events",
    METADATA,
    Column("sequence", Integer, primary_key=True, autoincrement=True),
    Column("at", BigInteger, nullable=False),
    Column("actor_id", String(120), nullable=False, index=True),
    Column("event", Text, nullable=False),
)


class Source(StrEnum):
    """Which part of the application speaks."""

    DOMAIN = "domain"
    RUNTIME = "orpc-agent"
    HOST = "host"


@dataclass(frozen=True)
class AuditEvent:
    """One thing that happened.

    Attributes:
        id: ``aud_<n>``.
        at: When.
        source: Which part of the application says so.
        type: What happened.
        actor: On whose behalf.
        capability_id: About which operation.
        execution_id: In which execution.
        surface: From where it was called.
        input_hash: The fingerprint of the validated input, when there is one.
        correlation: What the caller said about where it belongs.
        data: Details; never inputs or outputs.
    """

    id: str
    at: datetime
    source: Source
    type: str
    actor: Actor
    capability_id: str | None = None
    execution_id: str | None = None
    surface: str | None = None
    input_hash: str | None = None
    correlation: Correlation = NO_CORRELATION
    data: JsonObject = field(default_factory=dict)

    def as_json(self) -> JsonObject:
        """The event as it is stored and shown to its actor."""
        written: dict[str, JsonValue] = {
            "id": self.id,
            "at": iso(self.at),
            "source": str(self.source),
            "type": self.type,
            "actor": {"id": self.actor.id, "kind": str(self.actor.kind)},
        }
        further: dict[str, JsonValue] = {
            "surface": self.surface,
            "capabilityId": self.capability_id,
            "executionId": self.execution_id,
            "inputHash": self.input_hash,
            "correlation": correlation_json(self.correlation),
        }
        written |= {key: value for key, value in further.items() if value}
        written["data"] = self.data
        return written


Listener = Callable[[AuditEvent], None]
"""Takes each event as it happens; must not raise and must not wait."""


class AuditTrail:
    """Where events go.

    Args:
        database: Keeps them.
        clock: Dates them.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._numbers = itertools.count(1)
        self._listeners: list[Listener] = []
        self._unwritten: list[AuditEvent] = []
        self._writing: list[AuditEvent] = []
        self._flushing: asyncio.Task[None] | None = None
        self._generation = 0

    def record(
        self,
        source: Source,
        event_type: str,
        actor: Actor,
        *,
        capability_id: str | None = None,
        execution_id: str | None = None,
        surface: str | None = None,
        input_hash: str | None = None,
        correlation: Correlation = NO_CORRELATION,
        data: JsonObject | None = None,
    ) -> None:
        """Note one event and tell everybody who listens."""
        event = AuditEvent(
            id=f"aud_{next(self._numbers)}",
            at=self._clock.now(),
            source=source,
            type=event_type,
            actor=actor,
            capability_id=capability_id,
            execution_id=execution_id,
            surface=surface,
            input_hash=input_hash,
            correlation=correlation,
            data=data or {},
        )
        self._unwritten.append(event)
        for listener in tuple(self._listeners):
            listener(event)

    @contextmanager
    def listening(self, listener: Listener) -> Iterator[None]:
        """Hear every event while the block runs."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    def flush_soon(self) -> None:
        """Write what has not been written, without making anybody wait for it."""
        if self._unwritten and self._flushing is None:
            self._flushing = asyncio.create_task(self._flush_all())

    async def flush(self) -> None:
        """Write what has not been written, and wait for it."""
        self.flush_soon()
        if self._flushing is not None:
            await self._flushing

    def forget(self) -> None:
        """Drop what has not been written; the stored events are the caller's to delete."""
        self._generation += 1
        self._unwritten, self._writing = [], []

    async def of(self, actor: Actor, limit: int) -> tuple[JsonObject, ...]:
        """The latest events of one actor, oldest first, whether or not they are written yet."""
        waiting = [
            event.as_json() for event in (*self._writing, *self._unwritten) if event.actor.id == actor.id
        ]
        newest = select(AUDIT.c.event).where(AUDIT.c.actor_id == actor.id).order_by(AUDIT.c.sequence.desc())
        async with self._database.reading() as connection:
            texts = (await connection.execute(newest.limit(limit))).scalars().all()
        stored = [_object(text) for text in reversed(texts)]
        written_meanwhile = stored[-len(waiting) :] if waiting else []
        events = [*stored, *(event for event in waiting if event not in written_meanwhile)]
        return tuple(as_shown(event) for event in events[-limit:])

    async def _flush_all(self) -> None:
        try:
            while self._unwritten:
                self._writing, self._unwritten = self._unwritten, []
                await self._write(self._writing, self._generation)
        finally:
            self._writing, self._flushing = [], None

    async def _write(self, events: list[AuditEvent], generation: int) -> None:
        """Write one batch; a database that refuses costs the events, never the operation."""
        rows = [
            {"at": milliseconds(event.at), "actor_id": event.actor.id, "event": dumps_text(event.as_json())}
            for event in events
        ]
        try:
            async with self._database.writing() as connection:
                if generation == self._generation:
                    await connection.execute(insert(AUDIT), rows)
        except Exception:
            LOG.exception("%d audit events were lost", len(events))


def as_shown(event: JsonObject) -> JsonObject:
    """A stored event as its actor may see it; why something does not exist for them is for the audit alone."""
    return {**event, "data": data_shown(event.get("type"), event.get("data"))}


def data_shown(event_type: JsonValue, data: JsonValue) -> JsonValue:
    """The details of an event as its actor may see them: a denial that hides says no more than that nothing was found."""
    if event_type != "capability.denied" or not isinstance(data, dict):
        return data
    if data.get("publicCode") != "CAPABILITY_NOT_FOUND":
        return data
    return {"reason": "not-found", "publicCode": "CAPABILITY_NOT_FOUND"}


def correlation_json(correlation: Correlation) -> JsonObject:
    """What is known about where a call belongs, marked as the browser's word; empty when nothing is known."""
    known: dict[str, JsonValue] = {
        key: value
        for key, value in (
            ("conversationId", correlation.conversation_id),
            ("turnId", correlation.turn_id),
            ("stepId", correlation.step_id),
            ("invocationId", correlation.invocation_id),
        )
        if value is not None
    }
    return {**known, "trusted": False} if known else {}


def _object(text: str) -> JsonObject:
    value = loads(text)
    return value if isinstance(value, dict) else {}
