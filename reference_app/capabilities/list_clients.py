"""``list-clients``: who owes money, and how much."""

from __future__ import annotations

from collections.abc import Iterable

from reference_app.capabilities.shapes import withhold
from reference_app.domain.capability import AgentMeta, Call, Procedure, Risk, SideEffect, Surface
from reference_app.domain.shapes import NoInput, Output
from reference_app.ledger.model import Client, Invoice, InvoiceStatus, days_overdue
from reference_app.ledger.store import Ledger
from reference_app.strict_json import JsonValue


class ClientOut(Output):
    """A client with its open invoices in figures; amounts in cents."""

    id: int
    name: str
    segment: str
    payment_terms_days: int
    email: str
    open_invoices: int
    outstanding: int
    overdue: int


async def handle(value: NoInput, call: Call) -> list[ClientOut]:
    """All clients by name."""
    del value
    ledger = Ledger(call.work)
    invoices = [i for i in await ledger.invoices() if i.status is InvoiceStatus.SENT]
    late = {i.id for i in invoices if days_overdue(i, call.clock.today()) > 0}
    return [_client_out(client, invoices, late) for client in await ledger.clients()]


def _client_out(client: Client, invoices: Iterable[Invoice], late: set[int]) -> ClientOut:
    own = [invoice for invoice in invoices if invoice.client_id == client.id]
    return ClientOut(
        id=client.id,
        name=client.name,
        segment=str(client.segment),
        payment_terms_days=client.payment_terms_days,
        email=client.email,
        open_invoices=len(own),
        outstanding=sum(invoice.amount for invoice in own),
        overdue=sum(invoice.amount for invoice in own if invoice.id in late),
    )


def without_contacts(output: JsonValue) -> JsonValue:
    """The clients as a model may see them: without their addresses."""
    return withhold(output, "email")


PROCEDURE = Procedure(
    id="list-clients",
    input=NoInput,
    output=list[ClientOut],
    handler=handle,
    agent=AgentMeta(
        description="Read the clients with payment terms, open invoices, outstanding and overdue amounts in cents.",
        expose=frozenset({Surface.DIRECT, Surface.MODEL}),
        side_effect=SideEffect.READ,
        risk=Risk.LOW,
        tags=("clients",),
        redact=without_contacts,
    ),
)
