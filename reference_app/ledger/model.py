"""The ledger's value objects, and what follows from them by arithmetic alone.

Money is whole cents everywhere. Dates are calendar dates written ``YYYY-MM-DD``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum


class InvoiceStatus(StrEnum):
    """Where an invoice stands in its life."""

    DRAFT = "draft"
    SENT = "sent"
    PAID = "paid"


class Segment(StrEnum):
    """What kind of client owes the money."""

    ENTERPRISE = "Enterprise"
    MID_MARKET = "Mid-market"
    PUBLIC_SECTOR = "Public sector"


@dataclass(frozen=True)
class Client:
    """Somebody who owes money.

    Attributes:
        id: The client's number.
        name: The company's name.
        segment: What kind of client it is.
        payment_terms_days: Days from issue to due date.
        email: Where reminders go.
    """

    id: int
    name: str
    segment: Segment
    payment_terms_days: int
    email: str


@dataclass(frozen=True)
class Invoice:
    """One invoice.

    Attributes:
        id: The invoice's number.
        reference: What people call it.
        client_id: Who owes it.
        amount: Cents, positive.
        status: Where it stands.
        issue_date: When it was issued, or is planned to be.
        due_date: When it is to be paid.
        paid_date: When it was paid.
        notes: What somebody wrote on it.
        version: Counts the changes, so that what a person was shown can be told from what is there now.
    """

    id: int
    reference: str
    client_id: int
    amount: int
    status: InvoiceStatus
    issue_date: date
    due_date: date
    paid_date: date | None
    notes: str | None
    version: int


@dataclass(frozen=True)
class Chase:
    """The work of getting one invoice paid.

    Attributes:
        invoice_id: Which invoice.
        last_reminder_date: When it was last asked for.
        reminders_sent: How often.
        expected_payment_date: When payment was promised.
        note: What somebody wrote about it.
    """

    invoice_id: int
    last_reminder_date: date | None
    reminders_sent: int
    expected_payment_date: date | None
    note: str | None


@dataclass(frozen=True)
class LedgerRow:
    """An invoice with everything that a person reads beside it."""

    invoice: Invoice
    client: Client
    chase: Chase | None


@dataclass(frozen=True)
class AgingBucket:
    """Sent invoices of one age.

    Attributes:
        id: ``current``, ``1-30``, ``31-60``, ``61-90`` or ``90+``.
        label: The same for people.
        count: How many.
        amount: Their sum in cents.
    """

    id: str
    label: str
    count: int
    amount: int


@dataclass(frozen=True)
class Summary:
    """The whole ledger in figures; amounts in cents."""

    outstanding: int
    overdue: int
    draft: int
    collected_30d: int
    invoice_count: int
    overdue_count: int
    average_days_to_pay: int | None


_BUCKETS = (
    ("current", "Not yet due", 0),
    ("1-30", "1–30 days", 30),
    ("31-60", "31–60 days", 60),
    ("61-90", "61–90 days", 90),
    ("90+", "Over 90 days", None),
)


def days_overdue(invoice: Invoice, today: date) -> int:
    """Days since the due date of an invoice that was sent and not paid, else 0."""
    if invoice.status is not InvoiceStatus.SENT:
        return 0
    return max(0, (today - invoice.due_date).days)


def due_after(issued: date, terms_days: int) -> date | None:
    """The due date by the client's terms, or None when the calendar ends before it."""
    try:
        return issued + timedelta(days=terms_days)
    except OverflowError:
        return None


def aging(invoices: Iterable[Invoice], today: date) -> tuple[AgingBucket, ...]:
    """Sort what is outstanding by how late it is, in five buckets from current to oldest."""
    late = [(days_overdue(invoice, today), invoice.amount) for invoice in invoices if _is_sent(invoice)]
    buckets = []
    floor = -1
    for bucket_id, label, ceiling in _BUCKETS:
        amounts = [amount for days, amount in late if floor < days and (ceiling is None or days <= ceiling)]
        buckets.append(AgingBucket(bucket_id, label, len(amounts), sum(amounts)))
        floor = ceiling if ceiling is not None else floor
    return tuple(buckets)


def summarize(invoices: Iterable[Invoice], today: date) -> Summary:
    """Add the ledger up."""
    ledger = tuple(invoices)
    sent = [invoice for invoice in ledger if _is_sent(invoice)]
    overdue = [invoice for invoice in sent if days_overdue(invoice, today) > 0]
    paid = [(invoice, invoice.paid_date) for invoice in ledger if invoice.paid_date is not None]
    days_to_pay = [(paid_on - invoice.issue_date).days for invoice, paid_on in paid]
    return Summary(
        outstanding=sum(invoice.amount for invoice in sent),
        overdue=sum(invoice.amount for invoice in overdue),
        draft=sum(invoice.amount for invoice in ledger if invoice.status is InvoiceStatus.DRAFT),
        collected_30d=sum(invoice.amount for invoice, paid_on in paid if 0 <= (today - paid_on).days <= 30),
        invoice_count=len(ledger),
        overdue_count=len(overdue),
        average_days_to_pay=_rounded_mean(days_to_pay),
    )


def euros(cents: int) -> str:
    """Cents as people read them: ``€4,200``, rounded half up to whole euros."""
    return f"€{(cents + 50) // 100:,}"


def reference_for(client_name: str, invoice_id: int) -> str:
    """The reference of a new invoice: three letters of the client and three digits of the number."""
    return f"{client_name[:3].upper()}-{(1000 + invoice_id) % 1000:03d}"


def _is_sent(invoice: Invoice) -> bool:
    return invoice.status is InvoiceStatus.SENT


def _rounded_mean(numbers: list[int]) -> int | None:
    if not numbers:
        return None
    return (2 * sum(numbers) + len(numbers)) // (2 * len(numbers))
