"""``mark-invoice-paid``: record a payment."""

from __future__ import annotations

from dataclasses import replace

from pydantic import Field

from reference_app.capabilities.shapes import (
    InvoiceOut,
    find_invoice,
    invoice_fields,
    parse_day,
    require_status,
)
from reference_app.domain.capability import AgentMeta, Call, Procedure, Risk, SideEffect, Surface
from reference_app.domain.shapes import CalendarDate, Identifier, Input, Omissible
from reference_app.ledger.model import InvoiceStatus
from reference_app.ledger.store import Ledger


class MarkInvoicePaid(Input):
    """Which invoice, and when the money came."""

    id: Identifier
    paid_date: Omissible[CalendarDate] = Field(
        default=None, description="When the money came; today when left out"
    )


class PaidInvoice(InvoiceOut):
    """The invoice as paid, and how long that took."""

    daysToPay: int  # noqa: N815 - the wire writes this one field in camel case


async def handle(value: MarkInvoicePaid, call: Call) -> PaidInvoice:
    """Record the payment."""
    invoice = await find_invoice(call, value.id)
    require_status(invoice, InvoiceStatus.SENT, "marked as paid")
    paid_on = parse_day(value.paid_date) or call.clock.today()
    changed = await Ledger(call.work).change_invoice(
        replace(invoice, status=InvoiceStatus.PAID, paid_date=paid_on)
    )
    days = (paid_on - changed.issue_date).days
    return PaidInvoice.model_validate({**invoice_fields(changed), "daysToPay": days})


PROCEDURE = Procedure(
    id="mark-invoice-paid",
    input=MarkInvoicePaid,
    output=PaidInvoice,
    handler=handle,
    errors=frozenset({"NOT_FOUND", "CONFLICT"}),
    agent=AgentMeta(
        description="Record that a sent invoice was paid, today or on a given date.",
        expose=frozenset({Surface.DIRECT, Surface.MODEL}),
        side_effect=SideEffect.WRITE,
        risk=Risk.MEDIUM,
        tags=("invoices",),
    ),
)
