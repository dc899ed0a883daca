"""Reading and changing the ledger within one operation's work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from sqlalchemy import RowMapping, Select, delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from reference_app.database import Work
from reference_app.ledger.model import Chase, Client, Invoice, InvoiceStatus, LedgerRow, Segment
from reference_app.ledger.seed import INVOICE_NUMBER
from reference_app.ledger.tables import CHASES, CLIENTS, COUNTERS, INVOICES, TEXTS


class Ledger:
    """The ledger as one operation sees it.

    Every read of a single record locks it until the operation's transaction ends, so that a decision based on it holds.
    """

    def __init__(self, work: Work) -> None:
        self._work = work

    async def clients(self) -> tuple[Client, ...]:
        """All clients by name."""
        return tuple(
            _client(row) for row in await self._rows(select(CLIENTS).order_by(CLIENTS.c.name, CLIENTS.c.id))
        )

    async def client(self, client_id: int) -> Client | None:
        """One client, or None."""
        rows = await self._rows(select(CLIENTS).where(CLIENTS.c.id == client_id))
        return _client(rows[0]) if rows else None

    async def invoices(self) -> tuple[Invoice, ...]:
        """All invoices, those due last first."""
        order = (INVOICES.c.due_date.desc(), INVOICES.c.id)
        return tuple(_invoice(row) for row in await self._rows(select(INVOICES).order_by(*order)))

    async def invoice(self, invoice_id: int) -> Invoice | None:
        """One invoice, or None."""
        rows = await self._rows(select(INVOICES).where(INVOICES.c.id == invoice_id).with_for_update())
        return _invoice(rows[0]) if rows else None

    async def rows(self) -> tuple[LedgerRow, ...]:
        """All invoices with client and chase, those due last first."""
        clients = {client.id: client for client in await self.clients()}
        chases = {row["invoice_id"]: _chase(row) for row in await self._rows(select(CHASES))}
        return tuple(
            LedgerRow(invoice, clients[invoice.client_id], chases.get(invoice.id))
            for invoice in await self.invoices()
        )

    async def chase(self, invoice_id: int) -> Chase | None:
        """The chase of one invoice, or None."""
        rows = await self._rows(select(CHASES).where(CHASES.c.invoice_id == invoice_id).with_for_update())
        return _chase(rows[0]) if rows else None

    async def next_invoice_number(self) -> int:
        """Take the next number; numbers are never used again."""
        return await self.count_up(INVOICE_NUMBER)

    async def add_invoice(self, invoice: Invoice) -> None:
        """Enter a new invoice."""
        connection = await self._work.connection()
        await connection.execute(insert(INVOICES).values(**_invoice_values(invoice)))

    async def change_invoice(self, invoice: Invoice) -> Invoice:
        """Write an invoice back and return it with its next version."""
        changed = replace(invoice, version=invoice.version + 1)
        connection = await self._work.connection()
        await connection.execute(
            update(INVOICES).where(INVOICES.c.id == invoice.id).values(**_invoice_values(changed))
        )
        return changed

    async def remove_invoice(self, invoice_id: int) -> None:
        """Take an invoice and its chase out of the ledger."""
        connection = await self._work.connection()
        await connection.execute(delete(CHASES).where(CHASES.c.invoice_id == invoice_id))
        await connection.execute(delete(INVOICES).where(INVOICES.c.id == invoice_id))

    async def put_chase(self, chase: Chase) -> None:
        """Write the chase of an invoice, whether or not there was one."""
        values = {
            "invoice_id": chase.invoice_id,
            "last_reminder_date": _text(chase.last_reminder_date),
            "reminders_sent": chase.reminders_sent,
            "expected_payment_date": _text(chase.expected_payment_date),
            "note": chase.note,
        }
        await self._put(CHASES, "invoice_id", values)

    async def count(self, name: str) -> int:
        """What a counter shows; 0 when nothing was counted."""
        rows = await self._rows(select(COUNTERS).where(COUNTERS.c.name == name))
        return int(rows[0]["value"]) if rows else 0

    async def count_up(self, name: str) -> int:
        """Add one to a counter and return what it shows now."""
        insert_ = await self._dialect_insert()
        statement = (
            insert_(COUNTERS)
            .values(name=name, value=1)
            .on_conflict_do_update(index_elements=["name"], set_={"value": COUNTERS.c.value + 1})
            .returning(COUNTERS.c.value)
        )
        connection = await self._work.connection()
        return int((await connection.execute(statement)).scalar_one())

    async def text(self, name: str) -> str | None:
        """A text of the console, or None when nobody has set it."""
        rows = await self._rows(select(TEXTS).where(TEXTS.c.name == name))
        return str(rows[0]["text"]) if rows else None

    async def set_text(self, name: str, text: str) -> None:
        """Set a text of the console."""
        await self._put(TEXTS, "name", {"name": name, "text": text})

    async def _rows(self, statement: Select[Any]) -> list[RowMapping]:
        connection = await self._work.connection()
        return list((await connection.execute(statement)).mappings())

    async def _put(self, table: Any, key: str, values: Mapping[str, object]) -> None:
        insert_ = await self._dialect_insert()
        others = {name: value for name, value in values.items() if name != key}
        statement = insert_(table).values(**values).on_conflict_do_update(index_elements=[key], set_=others)
        connection = await self._work.connection()
        await connection.execute(statement)

    async def _dialect_insert(self) -> Any:
        connection = await self._work.connection()
        return postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert


def _client(row: RowMapping) -> Client:
    return Client(row["id"], row["name"], Segment(row["segment"]), row["payment_terms_days"], row["email"])


def _invoice(row: RowMapping) -> Invoice:
    return Invoice(
        id=row["id"],
        reference=row["reference"],
        client_id=row["client_id"],
        amount=row["amount"],
        status=InvoiceStatus(row["status"]),
        issue_date=date.fromisoformat(row["issue_date"]),
        due_date=date.fromisoformat(row["due_date"]),
        paid_date=_date(row["paid_date"]),
        notes=row["notes"],
        version=row["version"],
    )


def _invoice_values(invoice: Invoice) -> dict[str, object]:
    return {
        "id": invoice.id,
        "reference": invoice.reference,
        "client_id": invoice.client_id,
        "amount": invoice.amount,
        "status": invoice.status.value,
        "issue_date": invoice.issue_date.isoformat(),
        "due_date": invoice.due_date.isoformat(),
        "paid_date": _text(invoice.paid_date),
        "notes": invoice.notes,
        "version": invoice.version,
    }


def _chase(row: RowMapping) -> Chase:
    return Chase(
        invoice_id=row["invoice_id"],
        last_reminder_date=_date(row["last_reminder_date"]),
        reminders_sent=row["reminders_sent"],
        expected_payment_date=_date(row["expected_payment_date"]),
        note=row["note"],
    )


def _date(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def _text(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
