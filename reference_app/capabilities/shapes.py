"""Shapes that several capabilities share: rows as they are written, typed refusals, redaction."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated

from pydantic import Field

from reference_app.database import Work
from reference_app.domain.capability import Call, Subject
from reference_app.domain.errors import BusinessError
from reference_app.domain.shapes import Identifier, Input, Output
from reference_app.ledger.model import Chase, Client, Invoice, InvoiceStatus, LedgerRow, days_overdue, euros
from reference_app.ledger.store import Ledger
from reference_app.strict_json import JsonValue

MODEL_ROW_LIMIT = 50
"""The most rows of one list that reach a model."""

WITHHELD = "[withheld]"
"""What a model reads in the place of what is for people alone."""


class InvoiceOut(Output):
    """An invoice; amounts in cents, dates as ``YYYY-MM-DD``."""

    id: int
    reference: str
    client_id: int
    amount: int
    status: str
    issue_date: str
    due_date: str
    paid_date: str | None
    notes: str | None


class CollectionOut(Output):
    """The chase of one invoice."""

    invoice_id: int
    last_reminder_date: str | None
    reminders_sent: int
    expected_payment_date: str | None
    note: str | None


class InvoiceRowOut(InvoiceOut):
    """An invoice with what a person reads beside it."""

    client_name: str
    segment: str
    days_overdue: Annotated[int, Field(ge=0)]
    collection: CollectionOut | None


class ById(Input):
    """Names one invoice."""

    id: Identifier


def invoice_fields(invoice: Invoice) -> dict[str, object]:
    """The fields of an invoice as they are written."""
    return {
        "id": invoice.id,
        "reference": invoice.reference,
        "client_id": invoice.client_id,
        "amount": invoice.amount,
        "status": str(invoice.status),
        "issue_date": invoice.issue_date.isoformat(),
        "due_date": invoice.due_date.isoformat(),
        "paid_date": day_text(invoice.paid_date),
        "notes": invoice.notes,
    }


def invoice_out(invoice: Invoice) -> InvoiceOut:
    """An invoice as it is written."""
    return InvoiceOut.model_validate(invoice_fields(invoice))


def chase_fields(chase: Chase) -> dict[str, object]:
    """The fields of a chase as they are written."""
    return {
        "invoice_id": chase.invoice_id,
        "last_reminder_date": day_text(chase.last_reminder_date),
        "reminders_sent": chase.reminders_sent,
        "expected_payment_date": day_text(chase.expected_payment_date),
        "note": chase.note,
    }


def row_out(row: LedgerRow, today: date) -> InvoiceRowOut:
    """An invoice as a list shows it."""
    chase = None if row.chase is None else CollectionOut.model_validate(chase_fields(row.chase))
    return InvoiceRowOut.model_validate(
        {
            **invoice_fields(row.invoice),
            "client_name": row.client.name,
            "segment": str(row.client.segment),
            "days_overdue": days_overdue(row.invoice, today),
            "collection": chase,
        }
    )


async def find_invoice(call: Call, invoice_id: int) -> Invoice:
    """The invoice that a call names.

    Raises:
        BusinessError: NOT_FOUND.
    """
    invoice = await Ledger(call.work).invoice(invoice_id)
    if invoice is None:
        raise BusinessError("NOT_FOUND", f"No invoice with id {invoice_id}.")
    return invoice


async def find_client(call: Call, client_id: int) -> Client:
    """The client that a call names.

    Raises:
        BusinessError: NOT_FOUND.
    """
    client = await Ledger(call.work).client(client_id)
    if client is None:
        raise BusinessError("NOT_FOUND", f"No client with id {client_id}.")
    return client


def require_status(invoice: Invoice, wanted: InvoiceStatus, what: str) -> None:
    """Refuse what an invoice's status does not allow.

    Raises:
        BusinessError: CONFLICT, naming reference and status.
    """
    if invoice.status is not wanted:
        raise BusinessError(
            "CONFLICT",
            f"Invoice {invoice.reference} is already {invoice.status}; only a {wanted} invoice can be {what}.",
        )


async def invoice_subject(value: ById, work: Work) -> Subject:
    """The invoice that a call is about, as a card shows it."""
    ledger = Ledger(work)
    invoice = await ledger.invoice(value.id)
    if invoice is None:
        return Subject("invoice", str(value.id), None, {})
    client = await ledger.client(invoice.client_id)
    shown: dict[str, JsonValue] = {
        "reference": invoice.reference,
        "client": None if client is None else client.name,
        "amount": invoice.amount,
        "amountText": euros(invoice.amount),
        "status": str(invoice.status),
        "dueDate": invoice.due_date.isoformat(),
    }
    return Subject("invoice", str(invoice.id), invoice.version, shown)


def cap_rows(output: JsonValue) -> JsonValue:
    """Show a model the first rows of a long list, and say how many there are."""
    if not isinstance(output, list) or len(output) <= MODEL_ROW_LIMIT:
        return output
    return {"rows": output[:MODEL_ROW_LIMIT], "totalRows": len(output), "truncatedForModel": True}


def withhold(output: JsonValue, field: str) -> JsonValue:
    """Hide one field of a row, or of every row, from a model."""
    if isinstance(output, list):
        return [withhold(row, field) for row in output]
    if isinstance(output, Mapping) and output.get(field) is not None:
        return {**output, field: WITHHELD}
    return output


def day_text(day: date | None) -> str | None:
    """A date as it is written."""
    return None if day is None else day.isoformat()


def parse_day(text: str | None) -> date | None:
    """A date that was validated before."""
    return None if text is None else date.fromisoformat(text)
