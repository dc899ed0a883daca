"""``list-invoices``: the invoices and what a person reads beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from reference_app.capabilities.shapes import InvoiceRowOut, cap_rows, row_out, withhold
from reference_app.domain.capability import AgentMeta, Call, Procedure, Risk, SideEffect, Surface
from reference_app.domain.shapes import Identifier, Input, Omissible
from reference_app.ledger.model import InvoiceStatus
from reference_app.ledger.store import Ledger
from reference_app.strict_json import JsonValue


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


def for_model(output: JsonValue) -> JsonValue:
    """The rows as a model may see them: not more than it can use, and without what people wrote about clients."""
    if isinstance(output, list):
        output = [_without_chase_note(row) for row in output]
    return cap_rows(output)


def _without_chase_note(row: JsonValue) -> JsonValue:
    if not isinstance(row, Mapping):
        return row
    return {**row, "collection": withhold(row.get("collection"), "note")}


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
        redact=for_model,
    ),
)
