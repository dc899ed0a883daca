"""``delete-invoice``: throw a draft away; a model's call waits for a person."""

from __future__ import annotations

from typing import Literal

from reference_app.capabilities.shapes import ById, find_invoice, invoice_subject, require_status
from reference_app.domain.capability import AgentMeta, Call, Procedure, Risk, SideEffect, Surface
from reference_app.domain.shapes import Output
from reference_app.ledger.model import InvoiceStatus
from reference_app.ledger.store import Ledger


class Deleted(Output):
    """What was thrown away."""

    ok: Literal[True]
    reference: str


async def handle(value: ById, call: Call) -> Deleted:
    """Take the draft and its chase out of the ledger."""
    invoice = await find_invoice(call, value.id)
    require_status(invoice, InvoiceStatus.DRAFT, "deleted")
    await Ledger(call.work).remove_invoice(invoice.id)
    return Deleted(ok=True, reference=invoice.reference)


PROCEDURE = Procedure(
    id="delete-invoice",
    input=ById,
    output=Deleted,
    handler=handle,
    errors=frozenset({"NOT_FOUND", "CONFLICT"}),
    agent=AgentMeta(
        description="Throw a draft invoice away for good, with its chase. What was sent stays in the ledger.",
        expose=frozenset({Surface.DIRECT, Surface.MODEL}),
        side_effect=SideEffect.DESTRUCTIVE,
        risk=Risk.HIGH,
        tags=("invoices",),
        subject=invoice_subject,
    ),
)
