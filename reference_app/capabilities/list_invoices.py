"""``list-invoices``: the invoices and what a person reads beside them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from reference_app.capabilities.shapes import InvoiceRowOut, cap_rows, row_out
from reference_app.domain.capability import AgentMeta, Call, Procedure, Risk, SideEffect, Surface
from reference_app.domain.shapes import Identifier, Input, Omissible
from reference_app.ledger.model import InvoiceStatus
from reference_app.ledger.store import Ledger


class ListInvoices(Input):
    """Which invoices."""

    kind: Literal["pending", "all", "draft"] = Field(
        default="all", description="pending = sent and unpaid, draft = not issued yet, all = every invoice"
    )
    client_id: Omissible[Identifier] = Field(default=None, description="Only the invoices of this client")
    overdue_only: Omissible[bool] = Field(default=None, description="Only what is past its due date")


_STATUS = {"pending": InvoiceStatus.SENT, "draft": InvoiceStatus.DRAFT}


async def handle(value: ListInvoices, call: Call) -> list[InvoiceRowOut]:
    """The matching invoices, those due last first."""
    today = call.clock.today()
    rows = [row_out(row, today) for row in await Ledger(call.work).rows()]
    status = _STATUS.get(value.kind)
    return [
        row
        for row in rows
        if (status is None or row.status == status)
        and (value.client_id is None or row.client_id == value.client_id)
        and (not value.overdue_only or row.days_overdue > 0)
    ]


PROCEDURE = Procedure(
    id="list-invoices",
    input=ListInvoices,
    output=list[InvoiceRowOut],
    handler=handle,
    agent=AgentMeta(
        description="Read invoices with client, amount in cents, status, due date, days overdue and chase. Changes nothing.",
        expose=frozenset({Surface.DIRECT, Surface.MODEL}),
        side_effect=SideEffect.READ,
        risk=Risk.LOW,
        tags=("invoices",),
        redact=cap_rows,
    ),
)
