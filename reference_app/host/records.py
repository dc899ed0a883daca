"""What the host remembers of steps: which have run, and which results it settled itself.

The protocol is stateless, and the messages are the state. These records take nothing from that: they keep a step that is
posted twice from running twice, and a result that the browser rewrote from being believed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    delete,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from reference_app.clock import Clock, milliseconds
from reference_app.database import METADATA, Database
from reference_app.strict_json import JsonValue, dumps_text, loads

STEPS = Table(
    "steps",
    METADATA,
    Column("owner", String(120), primary_key=True),
    Column("conversation", String(64), primary_key=True),
    Column("turn", String(64), primary_key=True),
    Column("step", Integer, primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("at", BigInteger, nullable=False, index=True),
    Column("stream", LargeBinary),
)

SETTLED = Table(
    "settled_calls",
    METADATA,
    Column("owner", String(120), primary_key=True),
    Column("conversation", String(64), primary_key=True),
    Column("call_key", String(64), primary_key=True),
    Column("call_id", Text, nullable=False),
    Column("result", Text, nullable=False),
)


@dataclass(frozen=True)
class StepKey:
    """Names one step."""

    owner: str
    conversation_id: str
    turn_id: str
    step_index: int


class Claim(StrEnum):
    """What may be done with a step."""

    RUN = "run"
    REFUSE = "refuse"


@dataclass(frozen=True)
class Replay:
    """The step has run; this is its stream."""

    stream: bytes


Claimed: TypeAlias = Claim | Replay


class StepRecords:
    """Keeps the records.

    Args:
        database: Where.
        clock: Dates them.
        memory: How many seconds a step is remembered.
    """

    def __init__(self, database: Database, clock: Clock, memory: float) -> None:
        self._database = database
        self._clock = clock
        self._memory = memory

    async def claim(self, key: StepKey, digest: str) -> Claimed:
        """Begin a step, unless it was begun before.

        Args:
            key: Which step.
            digest: The fingerprint of what was posted.

        Returns:
            RUN for a new step, the stream of one that has run, REFUSE for one that is still running, was interrupted, or was
            posted with something else in it.
        """
        values = {
            "owner": key.owner,
            "conversation": key.conversation_id,
            "turn": key.turn_id,
            "step": key.step_index,
        }
        try:
            async with self._database.writing() as connection:
                now = milliseconds(self._clock.now())
                await connection.execute(delete(STEPS).where(STEPS.c.at < now - round(self._memory * 1000)))
                await connection.execute(insert(STEPS).values(**values, digest=digest, at=now))
        except IntegrityError:
            return await self._earlier(key, digest)
        return Claim.RUN

    async def release(self, key: StepKey) -> None:
        """Forget a step that failed before it did anything, so that it can be posted again."""
        async with self._database.writing() as connection:
            await connection.execute(delete(STEPS).where(*_is(key)))

    async def settled(self, owner: str, conversation_id: str) -> dict[str, JsonValue]:
        """The results that this server settled in a conversation of its owner's, by call id."""
        query = select(SETTLED.c.call_id, SETTLED.c.result).where(
            SETTLED.c.owner == owner, SETTLED.c.conversation == conversation_id
        )
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return {str(loads(row.call_id)): loads(row.result) for row in rows}

    async def _earlier(self, key: StepKey, digest: str) -> Claimed:
        async with self._database.reading() as connection:
            row = (await connection.execute(select(STEPS).where(*_is(key)))).mappings().first()
        if row is None or row["digest"] != digest or row["stream"] is None:
            return Claim.REFUSE
        return Replay(row["stream"])


async def keep_stream(connection: AsyncConnection, key: StepKey, stream: bytes) -> None:
    """Keep the stream of a step that has run."""
    await connection.execute(update(STEPS).where(*_is(key)).values(stream=stream))


async def keep_settled(
    connection: AsyncConnection, key: StepKey, results: Iterable[tuple[str, JsonValue]]
) -> None:
    """Keep the results that a step settled; call ids are new to the conversation."""
    rows = [
        {
            "owner": key.owner,
            "conversation": key.conversation_id,
            "call_key": hashlib.sha256(call_id.encode("utf-8")).hexdigest(),
            "call_id": dumps_text(call_id),
            "result": dumps_text(result),
        }
        for call_id, result in results
    ]
    if rows:
        await connection.execute(insert(SETTLED), rows)


def _is(key: StepKey) -> tuple[ColumnElement[bool], ...]:
    return (
        STEPS.c.owner == key.owner,
        STEPS.c.conversation == key.conversation_id,
        STEPS.c.turn == key.turn_id,
        STEPS.c.step == key.step_index,
    )
