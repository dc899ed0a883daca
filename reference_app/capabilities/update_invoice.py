"""``update-invoice``: change a draft."""

from __future__ import annotations

from dataclasses import replace

from reference_app.capabilities.shapes import InvoiceOut, find_invoice, invoice_out, parse_day, require_status
from reference_app.domain.capability import AgentMeta, Call, Procedure, Risk, SideEffect, Surface
from reference_app.domain.shapes import CalendarDate, Cents, Identifier, Input, Note, Omissible
from reference_app.ledger.model import InvoiceStatus
from reference_app.ledger.store import Ledger


class UpdateInvoice(Input):
    """What changes; what is left out stays, and notes given as null are erased."""

    id: Identifier
    amount: Omissible[Cents] = None
    due_date: Omissible[CalendarDate] = None
    notes: Note | None = None


async def handle(value: UpdateInvoice, call: Call) -> InvoiceOut:
    """Change the draft and return it."""
    invoice = await find_invoice(call, value.id)
    require_status(invoice, InvoiceStatus.DRAFT, "changed")
    changed = replace(
        invoice,
        amount=value.amount or invoice.amount,
        due_date=parse_day(value.due_date) or invoice.due_date,
        notes=value.notes if "notes" in value.model_fields_set else invoice.notes,
    )
    return invoice_out(await Ledger(call.work).change_invoice(changed))


PROCEDURE = Procedure(
    id="update-invoice",
    input=UpdateInvoice,
    output=InvoiceOut,
    handler=handle,
    errors=frozenset({"NOT_FOUND", "CONFLICT"}),
    agent=AgentMeta(
        description="Change amount, due date or notes of a draft invoice. Amounts are cents; notes given as null are erased.",
        expose=frozenset({Surface.DIRECT, Surface.MODEL}),
        side_effect=SideEffect.WRITE,
        risk=Risk.MEDIUM,
        tags=("invoices",),
    ),
)
