"""``update-collection-status``: note how the chase of one invoice goes.

Which invoice depends on what the person is looking at, so no model is offered this directly: the page binds it. (The
dual-plane model, Bind for context, gate for consequence.)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from reference_app.capabilities.shapes import CollectionOut, chase_fields, find_invoice, parse_day, withhold
from reference_app.domain.capability import AgentMeta, Call, Procedure, Risk, SideEffect, Surface
from reference_app.domain.shapes import CalendarDate, Identifier, Input, Note, Omissible
from reference_app.ledger.model import Chase
from reference_app.ledger.store import Ledger
from reference_app.strict_json import JsonValue


class UpdateCollectionStatus(Input):
    """What changes; what is left out stays, and null erases."""

    invoice_id: Identifier
    last_reminder_date: CalendarDate | None = Field(
        default=None, description="When the client was last reminded"
    )
    reminders_sent: Omissible[Annotated[int, Field(ge=0, le=99)]] = None
    expected_payment_date: CalendarDate | None = Field(
        default=None, description="When the client promised to pay"
    )
    note: Note | None = None


async def handle(value: UpdateCollectionStatus, call: Call) -> CollectionOut:
    """Change the chase, beginning one when there was none."""
    invoice = await find_invoice(call, value.invoice_id)
    ledger = Ledger(call.work)
    chase = await ledger.chase(invoice.id) or Chase(invoice.id, None, 0, None, None)
    given = value.model_fields_set
    changed = replace(
        chase,
        last_reminder_date=(
            parse_day(value.last_reminder_date) if "last_reminder_date" in given else chase.last_reminder_date
        ),
        reminders_sent=chase.reminders_sent if value.reminders_sent is None else value.reminders_sent,
        expected_payment_date=(
            parse_day(value.expected_payment_date)
            if "expected_payment_date" in given
            else chase.expected_payment_date
        ),
        note=value.note if "note" in given else chase.note,
    )
    await ledger.put_chase(changed)
    return CollectionOut.model_validate(chase_fields(changed))


def without_note(output: JsonValue) -> JsonValue:
    """The chase as a model may see it: without what people wrote about the client."""
    return withhold(output, "note")


PROCEDURE = Procedure(
    id="update-collection-status",
    input=UpdateCollectionStatus,
    output=CollectionOut,
    handler=handle,
    errors=frozenset({"NOT_FOUND"}),
    agent=AgentMeta(
        description="Note reminders, a promised payment date or a remark on the chase of one invoice.",
        expose=frozenset({Surface.DIRECT}),
        side_effect=SideEffect.WRITE,
        risk=Risk.LOW,
        tags=("invoices", "collections"),
        redact=without_note,
    ),
)
