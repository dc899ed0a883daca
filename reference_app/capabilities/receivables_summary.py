"""``receivables-summary``: the whole ledger in figures."""

from __future__ import annotations

from reference_app.domain.capability import AgentMeta, Call, Procedure, Risk, SideEffect, Surface
from reference_app.domain.shapes import NoInput, Output
from reference_app.ledger.model import summarize
from reference_app.ledger.store import Ledger


class SummaryOut(Output):
    """Sums in cents, counts, and the mean of days to pay."""

    outstanding: int
    overdue: int
    draft: int
    collected30d: int
    invoiceCount: int  # noqa: N815 - the wire writes these in camel case
    overdueCount: int  # noqa: N815
    averageDaysToPay: int | None  # noqa: N815


async def handle(value: NoInput, call: Call) -> SummaryOut:
    """Add the ledger up as of today."""
    del value
    figures = summarize(await Ledger(call.work).invoices(), call.clock.today())
    return SummaryOut(
        outstanding=figures.outstanding,
        overdue=figures.overdue,
        draft=figures.draft,
        collected30d=figures.collected_30d,
        invoiceCount=figures.invoice_count,
        overdueCount=figures.overdue_count,
        averageDaysToPay=figures.average_days_to_pay,
    )


PROCEDURE = Procedure(
    id="receivables-summary",
    input=NoInput,
    output=SummaryOut,
    handler=handle,
    agent=AgentMeta(
        description="Read what is outstanding, overdue and in draft, in cents, and how long clients take to pay.",
        expose=frozenset({Surface.DIRECT, Surface.MODEL}),
        side_effect=SideEffect.READ,
        risk=Risk.LOW,
        tags=("invoices", "reporting"),
    ),
)
