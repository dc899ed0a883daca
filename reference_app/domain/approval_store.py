"""Approvals in the database: each change is one conditional statement, so that only one of two decisions can win."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Column, RowMapping, String, Table, Text, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from reference_app.clock import from_milliseconds, milliseconds
from reference_app.database import METADATA, Database
from reference_app.domain.actor import Actor, ActorKind
from reference_app.domain.approvals import Approval, ApprovalStatus, DecisionRecord
from reference_app.domain.capability import Subject
from reference_app.strict_json import JsonValue, dumps_text, loads

APPROVALS = Table(
    "approvals",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("capability_id", String(128), nullable=False),
    Column("surface", String(16), nullable=False),
    Column("actor", Text, nullable=False),
    Column("actor_id", String(120), nullable=False, index=True),
    Column("input", Text, nullable=False),
    Column("input_hash", String(64), nullable=False),
    Column("reasons", Text, nullable=False),
    Column("types", Text, nullable=False),
    Column("risk", String(16), nullable=False),
    Column("side_effect", String(16), nullable=False),
    Column("requested_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("status", String(16), nullable=False),
    Column("subject", Text),
    Column("approved", String(8)),
    Column("approver_id", String(120)),
    Column("approver_name", String(120)),
    Column("decided_at", BigInteger),
    Column("consumed_by", String(64)),
    Column("failure", Text),
)


class ApprovalStore:
    """Keeps approvals."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, approval: Approval) -> None:
        """Keep a new approval."""
        async with self._database.writing() as connection:
            await connection.execute(insert(APPROVALS).values(**_values(approval)))

    async def get(self, approval_id: str) -> Approval | None:
        """One approval as stored, or None."""
        async with self._database.reading() as connection:
            return await _fetch(connection, select(APPROVALS).where(APPROVALS.c.id == approval_id))

    async def of(self, actor: Actor) -> tuple[Approval, ...]:
        """Every approval of one actor, oldest first."""
        own = select(APPROVALS).where(APPROVALS.c.actor_id == actor.id)
        async with self._database.reading() as connection:
            rows = await connection.execute(own.order_by(APPROVALS.c.requested_at, APPROVALS.c.id))
            return tuple(_approval(row) for row in rows.mappings())


async def locked(connection: AsyncConnection, approval_id: str) -> Approval | None:
    """One approval, which nobody else can change until the transaction ends."""
    return await _fetch(connection, select(APPROVALS).where(APPROVALS.c.id == approval_id).with_for_update())


async def settle(
    connection: AsyncConnection,
    approval_id: str,
    status: ApprovalStatus,
    decision: DecisionRecord,
    consumed_by: str | None,
) -> bool:
    """Move a pending approval to its final status.

    Returns:
        Whether this call did it; False when somebody else was first.
    """
    changed = await connection.execute(
        update(APPROVALS)
        .where(APPROVALS.c.id == approval_id, APPROVALS.c.status == ApprovalStatus.PENDING.value)
        .values(
            status=status.value,
            approved="yes" if decision.approved else "no",
            approver_id=decision.approver_id,
            approver_name=decision.approver_name,
            decided_at=milliseconds(decision.decided_at),
            consumed_by=consumed_by,
        )
    )
    return changed.rowcount == 1


async def withdraw(connection: AsyncConnection, approval_id: str) -> None:
    """Cancel a pending approval whose record has changed."""
    await connection.execute(
        update(APPROVALS)
        .where(APPROVALS.c.id == approval_id, APPROVALS.c.status == ApprovalStatus.PENDING.value)
        .values(status=ApprovalStatus.CANCELLED.value)
    )


async def note_failure(connection: AsyncConnection, approval_id: str, message: str) -> None:
    """Keep what an approved execution failed with."""
    await connection.execute(update(APPROVALS).where(APPROVALS.c.id == approval_id).values(failure=message))


async def _fetch(connection: AsyncConnection, statement: Any) -> Approval | None:
    row = (await connection.execute(statement)).mappings().first()
    return None if row is None else _approval(row)


def _values(approval: Approval) -> dict[str, object]:
    subject = approval.subject
    return {
        "id": approval.id,
        "capability_id": approval.capability_id,
        "surface": approval.surface,
        "actor": dumps_text(
            [approval.actor.id, approval.actor.kind, approval.actor.display_name, approval.actor.role]
        ),
        "actor_id": approval.actor.id,
        "input": dumps_text(approval.input),
        "input_hash": approval.input_hash,
        "reasons": dumps_text(list(approval.reasons)),
        "types": dumps_text(list(approval.types)),
        "risk": approval.risk,
        "side_effect": approval.side_effect,
        "requested_at": milliseconds(approval.requested_at),
        "expires_at": milliseconds(approval.expires_at),
        "status": approval.status.value,
        "subject": None
        if subject is None
        else dumps_text([subject.type, subject.id, subject.version, subject.shown]),
    }


def _approval(row: RowMapping) -> Approval:
    actor_id, kind, name, role = _list(row["actor"])
    return Approval(
        id=row["id"],
        capability_id=row["capability_id"],
        surface=row["surface"],
        actor=Actor(actor_id, ActorKind(kind), name, role),
        input=loads(row["input"]),
        input_hash=row["input_hash"],
        reasons=tuple(_list(row["reasons"])),
        types=tuple(_list(row["types"])),
        risk=row["risk"],
        side_effect=row["side_effect"],
        requested_at=from_milliseconds(row["requested_at"]),
        expires_at=from_milliseconds(row["expires_at"]),
        status=ApprovalStatus(row["status"]),
        subject=None if row["subject"] is None else Subject(*_list(row["subject"])),
        decision=_decision(row),
        consumed_by=row["consumed_by"],
        failure=row["failure"],
    )


def _decision(row: RowMapping) -> DecisionRecord | None:
    if row["decided_at"] is None:
        return None
    decided_at: datetime = from_milliseconds(row["decided_at"])
    return DecisionRecord(row["approved"] == "yes", row["approver_id"], row["approver_name"], decided_at)


def _list(text: str) -> list[Any]:
    value: JsonValue = loads(text)
    return list(value) if isinstance(value, list) else []
