"""``issue-invoice``: send a draft to its client; a model's call waits for a person."""

from __future__ import annotations

from dataclasses import replace

from reference_app.capabilities.create_invoice import due_by_terms
from reference_app.capabilities.shapes import (
    ById,
    InvoiceOut,
    find_client,
    find_invoice,
    invoice_fields,
    invoice_subject,
    require_status,
)
from reference_app.domain.capability import AgentMeta, Call, Procedure, Risk, SideEffect, Surface
from reference_app.ledger.model import InvoiceStatus, euros
from reference_app.ledger.store import Ledger


class IssuedInvoice(InvoiceOut):
    """The invoice as sent, and one line about it."""

    summary: str


async def handle(value: ById, call: Call) -> IssuedInvoice:
    """Send the draft, dated today."""
    invoice = await find_invoice(call, value.id)
    require_status(invoice, InvoiceStatus.DRAFT, "issued")
    client = await find_client(call, invoice.client_id)
    today = call.clock.today()
    sent = replace(invoice, status=InvoiceStatus.SENT, issue_date=today, due_date=due_by_terms(client, today))
    changed = await Ledger(call.work).change_invoice(sent)
    summary = f"{changed.reference} · {euros(changed.amount)} · due {changed.due_date.isoformat()}"
    return IssuedInvoice.model_validate({**invoice_fields(changed), "summary": summary})


PROCEDURE = Procedure(
    id="issue-invoice",
    input=ById,
    output=IssuedInvoice,
    handler=handle,
    errors=frozenset({"NOT_FOUND", "CONFLICT"}),
    agent=AgentMeta(
        description="Send a draft invoice to its client, dated today. It cannot be taken back.",
        expose=frozenset({Surface.DIRECT, Surface.MODEL}),
        side_effect=SideEffect.DESTRUCTIVE,
        risk=Risk.HIGH,
        tags=("invoices",),
        subject=invoice_subject,
    ),
)
