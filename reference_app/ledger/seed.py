"""The ledger that the application starts with: invented clients, with dates relative to the day of seeding."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from reference_app.ledger.model import Client, InvoiceStatus, Segment
from reference_app.ledger.tables import CHASES, CLIENTS, COUNTERS, INVOICES, TEXTS

INVOICE_NUMBER = "invoice"
"""The counter that numbers invoices."""

CLIENT_ROWS = (
    Client(1, "Halden Shipworks", Segment.ENTERPRISE, 30, "payables@haldenshipworks.example"),
    Client(2, "Mirabeau Textiles", Segment.MID_MARKET, 45, "comptes@mirabeau.example"),
    Client(3, "Okafor Instruments", Segment.ENTERPRISE, 30, "ap@okaforinstruments.example"),
    Client(4, "Pinecrest School District", Segment.PUBLIC_SECTOR, 60, "treasury@pinecrestsd.example"),
    Client(5, "Tessaly Pharma", Segment.MID_MARKET, 45, "invoices@tessaly.example"),
)


@dataclass(frozen=True)
class _Seed:
    """One invoice; days are relative to the day of seeding."""

    id: int
    reference: str
    client_id: int
    euros: int
    status: InvoiceStatus
    issued_ago: int
    due_in: int
    paid_ago: int | None = None


_DRAFT, _SENT, _PAID = InvoiceStatus.DRAFT, InvoiceStatus.SENT, InvoiceStatus.PAID

_INVOICES = (
    _Seed(1, "HAL-0302", 1, 18_750, _SENT, 49, -19),
    _Seed(2, "HAL-0305", 1, 7_320, _SENT, 41, -11),
    _Seed(3, "HAL-0309", 1, 26_400, _SENT, 12, 18),
    _Seed(4, "HAL-0310", 1, 4_200, _DRAFT, 0, 30),
    _Seed(5, "HAL-0311", 1, 15_980, _DRAFT, 0, 30),
    _Seed(6, "HAL-0288", 1, 9_650, _PAID, 88, -58, 51),
    _Seed(7, "MIR-0117", 2, 3_480, _SENT, 63, -18),
    _Seed(8, "MIR-0121", 2, 11_900, _SENT, 20, 25),
    _Seed(9, "MIR-0123", 2, 2_750, _DRAFT, 0, 45),
    _Seed(10, "MIR-0109", 2, 6_300, _PAID, 79, -34, 40),
    _Seed(11, "OKA-0451", 3, 31_200, _SENT, 72, -42),
    _Seed(12, "OKA-0458", 3, 8_840, _SENT, 34, -4),
    _Seed(13, "OKA-0462", 3, 13_560, _SENT, 9, 21),
    _Seed(14, "OKA-0464", 3, 5_150, _DRAFT, 0, 30),
    _Seed(15, "OKA-0440", 3, 12_080, _PAID, 55, -25, 26),
    _Seed(16, "PIN-0076", 4, 44_600, _SENT, 160, -100),
    _Seed(17, "PIN-0079", 4, 22_300, _SENT, 131, -71),
    _Seed(18, "PIN-0083", 4, 17_450, _SENT, 30, 30),
    _Seed(19, "PIN-0085", 4, 38_900, _DRAFT, 0, 60),
    _Seed(20, "TES-0208", 5, 10_260, _SENT, 58, -13),
    _Seed(21, "TES-0213", 5, 6_990, _SENT, 27, 18),
    _Seed(22, "TES-0215", 5, 9_110, _DRAFT, 0, 45),
    _Seed(23, "TES-0199", 5, 4_730, _PAID, 70, -25, 30),
)

_CHASES = (
    (11, 9, 2, "Accounts department asked for a copy of the delivery note."),
    (16, 21, 3, "Waits for the board."),
)


async def plant(connection: AsyncConnection, today: date) -> None:
    """Empty the ledger and fill it again, within the caller's transaction."""
    for table in (CHASES, INVOICES, CLIENTS, COUNTERS, TEXTS):
        await connection.execute(delete(table))
    await connection.execute(
        insert(CLIENTS),
        [
            {
                "id": client.id,
                "name": client.name,
                "segment": client.segment.value,
                "payment_terms_days": client.payment_terms_days,
                "email": client.email,
            }
            for client in CLIENT_ROWS
        ],
    )
    await connection.execute(insert(INVOICES), [_invoice_values(seed, today) for seed in _INVOICES])
    await connection.execute(
        insert(CHASES),
        [
            {
                "invoice_id": invoice_id,
                "last_reminder_date": _day(today, -ago),
                "reminders_sent": sent,
                "expected_payment_date": None,
                "note": note,
            }
            for invoice_id, ago, sent, note in _CHASES
        ],
    )
    await connection.execute(insert(COUNTERS), [{"name": INVOICE_NUMBER, "value": len(_INVOICES)}])


def _invoice_values(seed: _Seed, today: date) -> dict[str, object]:
    return {
        "id": seed.id,
        "reference": seed.reference,
        "client_id": seed.client_id,
        "amount": seed.euros * 100,
        "status": seed.status.value,
        "issue_date": _day(today, -seed.issued_ago),
        "due_date": _day(today, seed.due_in),
        "paid_date": None if seed.paid_ago is None else _day(today, -seed.paid_ago),
        "notes": None,
        "version": 1,
    }


def _day(today: date, offset: int) -> str:
    return (today + timedelta(days=offset)).isoformat()
