"""Cards in the database: each change is one conditional statement, so that only one of two submissions can win."""

from __future__ import annotations

import hashlib

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Integer,
    RowMapping,
    String,
    Table,
    Text,
    insert,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from reference_app.a2ui.interactions import CardKey, Interaction, Moment, Standing, Submission
from reference_app.a2ui.template import read_template
from reference_app.clock import from_milliseconds, milliseconds
from reference_app.database import METADATA, Database
from reference_app.strict_json import JsonObject, dumps_text, loads

INTERACTIONS = Table(
    "a2ui_interactions",
    METADATA,
    Column("owner", String(120), primary_key=True),
    Column("conversation", String(64), primary_key=True),
    Column("call_key", String(64), primary_key=True),
    Column("call_id", Text, nullable=False),
    Column("turn", String(64), nullable=False),
    Column("step", Integer, nullable=False),
    Column("template", Text, nullable=False),
    Column("standing", String(16), nullable=False),
    Column("boot_id", String(64), nullable=False),
    Column("deadline", BigInteger, nullable=False),
    Column("action", String(32)),
    Column("values", Text),
)


class InteractionStore:
    """Keeps cards, each for its owner alone."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, interaction: Interaction, template: JsonObject) -> None:
        """Keep a new card; its template is kept as the model wrote it.

        Raises:
            IntegrityError: There is one of this key.
        """
        async with self._database.writing() as connection:
            await connection.execute(insert(INTERACTIONS).values(**_values(interaction, template)))

    async def get(self, key: CardKey) -> Interaction | None:
        """One card as recorded, or None."""
        async with self._database.reading() as connection:
            row = (await connection.execute(select(INTERACTIONS).where(*_is(key)))).mappings().first()
        return None if row is None else _interaction(key, row)

    async def settle(
        self, key: CardKey, standing: Standing, moment: Moment, submission: Submission | None = None
    ) -> bool:
        """Settle a card that can be answered at this moment.

        Returns:
            Whether this call did it; False when somebody else was first, it is too late, or another process presented it.
        """
        async with self._database.writing() as connection:
            return await compare_and_set(connection, key, standing, moment, submission)

    async def close(self, key: CardKey, standing: Standing) -> None:
        """Record what became of a card that waits, whoever presented it."""
        async with self._database.writing() as connection:
            await connection.execute(
                update(INTERACTIONS).where(*_is(key), _waits()).values(standing=standing.value)
            )


async def compare_and_set(
    connection: AsyncConnection,
    key: CardKey,
    standing: Standing,
    moment: Moment,
    submission: Submission | None,
) -> bool:
    """Settle a card in one statement that finds it only while it can be answered; whether it was found."""
    changed = await connection.execute(
        update(INTERACTIONS)
        .where(
            *_is(key),
            _waits(),
            INTERACTIONS.c.boot_id == moment.boot_id,
            INTERACTIONS.c.deadline > milliseconds(moment.now),
        )
        .values(
            standing=standing.value,
            action=None if submission is None else submission.action,
            values=None if submission is None else dumps_text(submission.values),
        )
    )
    return changed.rowcount == 1


def _is(key: CardKey) -> tuple[ColumnElement[bool], ...]:
    return (
        INTERACTIONS.c.owner == key.owner,
        INTERACTIONS.c.conversation == key.conversation_id,
        INTERACTIONS.c.call_key == _call_key(key.call_id),
    )


def _waits() -> ColumnElement[bool]:
    return INTERACTIONS.c.standing == Standing.PENDING.value


def _call_key(call_id: str) -> str:
    return hashlib.sha256(call_id.encode("utf-8")).hexdigest()


def _values(interaction: Interaction, template: JsonObject) -> dict[str, object]:
    key = interaction.key
    return {
        "owner": key.owner,
        "conversation": key.conversation_id,
        "call_key": _call_key(key.call_id),
        "call_id": dumps_text(key.call_id),
        "turn": interaction.turn_id,
        "step": interaction.step_index,
        "template": dumps_text(template),
        "standing": interaction.standing.value,
        "boot_id": interaction.boot_id,
        "deadline": milliseconds(interaction.deadline),
    }


def _interaction(key: CardKey, row: RowMapping) -> Interaction:
    template = loads(row["template"])
    return Interaction(
        key=key,
        turn_id=row["turn"],
        step_index=row["step"],
        template=read_template(template),
        standing=Standing(row["standing"]),
        boot_id=row["boot_id"],
        deadline=from_milliseconds(row["deadline"]),
        submission=_submission(row),
    )


def _submission(row: RowMapping) -> Submission | None:
    if row["action"] is None or row["values"] is None:
        return None
    found = loads(row["values"])
    return Submission(row["action"], found) if isinstance(found, dict) else None
