"""Threads: conversations that a person can come back to.

Each message is stored once, by one writer: the person's message when the turn begins, what a step adds when it ends, and what
the tab answered when the next step brings it. A conversation id means its owner's conversation, whoever else uses the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sqlalchemy import BigInteger, Column, RowMapping, String, Table, Text, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from reference_app.clock import Clock, from_milliseconds, iso, milliseconds
from reference_app.database import METADATA, Database
from reference_app.host.frames import usage_json
from reference_app.runtime.model import Usage, add_usage
from reference_app.strict_json import JsonObject, JsonValue, dumps_text, loads

THREADS = Table(
    "threads",
    METADATA,
    Column("owner", String(120), primary_key=True),
    Column("id", String(64), primary_key=True),
    Column("title", String(120), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("messages", Text, nullable=False),
    Column("usage", Text),
)

UNTITLED = "Untitled thread"
_LONGEST_TITLE = 80


@dataclass(frozen=True)
class Thread:
    """One conversation of one person.

    Attributes:
        id: The conversation's id.
        owner: Whose it is.
        title: The first line of the first message.
        created_at: Milliseconds since 1970.
        updated_at: Milliseconds since 1970.
        messages: As a browser would post them.
        usage: The tokens of all its steps, or None when none were reported.
    """

    id: str
    owner: str
    title: str
    created_at: int
    updated_at: int
    messages: tuple[JsonValue, ...]
    usage: Usage | None

    def as_json(self) -> JsonObject:
        """``{id, resourceId, title, createdAt, updatedAt, usage?}``."""
        written: dict[str, JsonValue] = {
            "id": self.id,
            "resourceId": self.owner,
            "title": self.title,
            "createdAt": iso(from_milliseconds(self.created_at)),
            "updatedAt": iso(from_milliseconds(self.updated_at)),
        }
        if self.usage is not None:
            written["usage"] = usage_json(self.usage)
        return written


class ThreadStore:
    """Keeps threads, each for its owner alone.

    Args:
        database: Where.
        clock: Dates them.
        kept: How many a person keeps; the oldest go first.
    """

    def __init__(self, database: Database, clock: Clock, kept: int) -> None:
        self._database = database
        self._clock = clock
        self._kept = kept

    async def of(self, owner: str) -> tuple[Thread, ...]:
        """A person's threads, the one that changed last first."""
        own = select(THREADS).where(THREADS.c.owner == owner)
        async with self._database.reading() as connection:
            rows = await connection.execute(own.order_by(THREADS.c.updated_at.desc(), THREADS.c.id))
            return tuple(_thread(row) for row in rows.mappings())

    async def find(self, owner: str, thread_id: str) -> Thread | None:
        """One thread of a person, or None."""
        async with self._database.reading() as connection:
            return await _fetch(connection, owner, thread_id)

    async def remove(self, owner: str, thread_id: str) -> bool:
        """Delete one thread of a person; False when there is none."""
        async with self._database.writing() as connection:
            removed = await connection.execute(
                delete(THREADS).where(THREADS.c.owner == owner, THREADS.c.id == thread_id)
            )
        return removed.rowcount > 0

    async def append(
        self,
        connection: AsyncConnection,
        owner: str,
        thread_id: str,
        messages: Iterable[JsonValue],
        usage: Usage | None = None,
    ) -> None:
        """Add messages and tokens to a thread, beginning one when there is none; nothing new changes nothing."""
        added = tuple(messages)
        if not added and usage is None:
            return
        now = milliseconds(self._clock.now())
        known = await _fetch(connection, owner, thread_id, lock=True)
        if known is None:
            thread = Thread(thread_id, owner, title_of(added), now, now, added, usage)
            await connection.execute(insert(THREADS).values(**_values(thread)))
            await self._drop_oldest(connection, owner)
            return
        longer = replace(
            known, messages=(*known.messages, *added), usage=add_usage(known.usage, usage), updated_at=now
        )
        await connection.execute(
            update(THREADS)
            .where(THREADS.c.owner == owner, THREADS.c.id == thread_id)
            .values(**_values(longer))
        )

    async def note(self, owner: str, thread_id: str, text: str) -> None:
        """Add a sentence of the application's to a thread of a person, if there is such a thread."""
        async with self._database.writing() as connection:
            if await _fetch(connection, owner, thread_id, lock=True) is not None:
                await self.append(connection, owner, thread_id, [{"role": "assistant", "content": text}])

    async def _drop_oldest(self, connection: AsyncConnection, owner: str) -> None:
        newest_first = select(THREADS.c.id).where(THREADS.c.owner == owner)
        ids = (
            (await connection.execute(newest_first.order_by(THREADS.c.created_at.desc(), THREADS.c.id)))
            .scalars()
            .all()
        )
        for thread_id in ids[self._kept :]:
            await connection.execute(
                delete(THREADS).where(THREADS.c.owner == owner, THREADS.c.id == thread_id)
            )


def title_of(messages: Iterable[JsonValue]) -> str:
    """The first line of the first user message, cut to 80 characters."""
    for message in messages:
        if isinstance(message, dict) and message.get("role") == "user":
            lines = _text(message.get("content")).strip().splitlines()
            if lines:
                return lines[0].replace("\x00", "")[:_LONGEST_TITLE] or UNTITLED
    return UNTITLED


def _text(content: JsonValue) -> str:
    if isinstance(content, str):
        return content
    texts = (
        [part.get("text") for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    )
    return "\n".join(text for text in texts if isinstance(text, str))


async def _fetch(
    connection: AsyncConnection, owner: str, thread_id: str, *, lock: bool = False
) -> Thread | None:
    query = select(THREADS).where(THREADS.c.owner == owner, THREADS.c.id == thread_id)
    row = (await connection.execute(query.with_for_update() if lock else query)).mappings().first()
    return None if row is None else _thread(row)


def _thread(columns: RowMapping) -> Thread:
    messages = loads(columns["messages"])
    return Thread(
        id=columns["id"],
        owner=columns["owner"],
        title=columns["title"],
        created_at=columns["created_at"],
        updated_at=columns["updated_at"],
        messages=tuple(messages) if isinstance(messages, list) else (),
        usage=_read_usage(columns["usage"]),
    )


def _values(thread: Thread) -> dict[str, object]:
    return {
        "owner": thread.owner,
        "id": thread.id,
        "title": thread.title,
        "created_at": thread.created_at,
        "updated_at": thread.updated_at,
        "messages": dumps_text(list(thread.messages)),
        "usage": None if thread.usage is None else _write_usage(thread.usage),
    }


def _write_usage(usage: Usage) -> str:
    return dumps_text(
        [
            usage.input_tokens,
            usage.output_tokens,
            usage.total_tokens,
            usage.cached_input_tokens,
            usage.reasoning_tokens,
            usage.reported_steps,
        ]
    )


def _read_usage(text: str | None) -> Usage | None:
    figures = None if text is None else loads(text)
    return Usage(*figures) if isinstance(figures, list) else None
