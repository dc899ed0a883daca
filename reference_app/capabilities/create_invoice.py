"""``create-invoice``: a new draft."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from reference_app.capabilities.shapes import InvoiceOut, find_client, invoice_out, parse_day
from reference_app.domain.capability import AgentMeta, Call, Procedure, Risk, SideEffect, Surface
from reference_app.domain.errors import BusinessError
from reference_app.domain.shapes import CalendarDate, Cents, Identifier, Input, Note, Omissible
from reference_app.ledger.model import Client, Invoice, InvoiceStatus, due_after, reference_for
from reference_app.ledger.store import Ledger


class CreateInvoice(Input):
    """What the draft says."""

    client_id: Identifier
    amount: Cents = Field(description="The amount in cents: 420000 is €4,200")
    issue_date: Omissible[CalendarDate] = Field(
        default=None, description="The planned date of issue; today when left out"
    )
    due_date: Omissible[CalendarDate] = Field(
        default=None, description="When it is to be paid; by the client's terms when left out"
    )
    notes: Note | None = None


async def handle(value: CreateInvoice, call: Call) -> InvoiceOut:
    """Enter the draft and return it."""
    client = await find_client(call, value.client_id)
    issued = parse_day(value.issue_date) or call.clock.today()
    ledger = Ledger(call.work)
    number = await ledger.next_invoice_number()
    invoice = Invoice(
        id=number,
        reference=reference_for(client.name, number),
        client_id=client.id,
        amount=value.amount,
        status=InvoiceStatus.DRAFT,
        issue_date=issued,
        due_date=parse_day(value.due_date) or due_by_terms(client, issued),
        paid_date=None,
        notes=value.notes,
        version=1,
    )
    await ledger.add_invoice(invoice)
    return invoice_out(invoice)


def due_by_terms(client: Client, issued: date) -> date:
    """The due date by the client's terms.

    Raises:
        BusinessError: CONFLICT; the calendar ends before it.
    """
    due = due_after(issued, client.payment_terms_days)
    if due is None:
        raise BusinessError(
            "CONFLICT", f"No due date is {client.payment_terms_days} days after {issued.isoformat()}."
        )
    return due


PROCEDURE = Procedure(
    id="create-invoice",
    input=CreateInvoice,
    output=InvoiceOut,
    handler=handle,
    errors=frozenset({"NOT_FOUND", "CONFLICT"}),
    agent=AgentMeta(
        description="Enter a draft invoice for a client. Amounts are cents. The draft is not sent; issuing is a step of its own.",
        expose=frozenset({Surface.DIRECT, Surface.MODEL}),
        side_effect=SideEffect.WRITE,
        risk=Risk.MEDIUM,
        tags=("invoices",),
    ),
)
