"""``collections-aging``: what is outstanding, by how late it is."""

from __future__ import annotations

from reference_app.domain.capability import AgentMeta, Call, Procedure, Risk, SideEffect, Surface
from reference_app.domain.shapes import NoInput, Output
from reference_app.ledger.model import aging
from reference_app.ledger.store import Ledger


class BucketOut(Output):
    """Invoices of one age: how many, and their sum in cents."""

    id: str
    label: str
    count: int
    amount: int


async def handle(value: NoInput, call: Call) -> list[BucketOut]:
    """Five buckets from current to oldest, as of today."""
    del value
    buckets = aging(await Ledger(call.work).invoices(), call.clock.today())
    return [BucketOut(id=b.id, label=b.label, count=b.count, amount=b.amount) for b in buckets]


PROCEDURE = Procedure(
    id="collections-aging",
    input=NoInput,
    output=list[BucketOut],
    handler=handle,
    agent=AgentMeta(
        description="Read sent invoices sorted into five ages, with count and sum in cents for each.",
        expose=frozenset({Surface.DIRECT, Surface.MODEL}),
        side_effect=SideEffect.READ,
        risk=Risk.LOW,
        tags=("invoices", "reporting"),
    ),
)
