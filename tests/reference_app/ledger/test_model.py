"""Figures follow from the invoices by arithmetic, and whole cents stay whole."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_app.ledger.model import (
    Invoice,
    InvoiceStatus,
    aging,
    days_overdue,
    due_after,
    euros,
    reference_for,
    summarize,
)

TODAY = date(2026, 3, 2)
SENT = Invoice(
    1, "HAL-0001", 1, 100_000, InvoiceStatus.SENT, date(2026, 1, 1), date(2026, 3, 1), None, None, 1
)


@pytest.mark.parametrize(
    ("due", "status", "days"),
    [
        (date(2026, 3, 1), InvoiceStatus.SENT, 1),
        (TODAY, InvoiceStatus.SENT, 0),
        (date(2026, 3, 5), InvoiceStatus.SENT, 0),
        (date(2026, 1, 1), InvoiceStatus.DRAFT, 0),
        (date(2026, 1, 1), InvoiceStatus.PAID, 0),
    ],
)
def test_only_sent_invoices_past_their_due_date_are_overdue(
    due: date, status: InvoiceStatus, days: int
) -> None:
    """On the due date itself nothing is late yet."""
    assert days == days_overdue(replace(SENT, due_date=due, status=status), TODAY)


@given(st.lists(st.integers(-200, 200), max_size=20))
def test_every_sent_invoice_is_in_exactly_one_age(offsets: list[int]) -> None:
    """The ages leave no gap and overlap nowhere, so that their sums are what is outstanding."""
    ledger = [
        replace(SENT, id=n, due_date=date.fromordinal(TODAY.toordinal() + days))
        for n, days in enumerate(offsets)
    ]

    assert len(ledger) == sum(bucket.count for bucket in aging(ledger, TODAY))
    assert summarize(ledger, TODAY).outstanding == sum(bucket.amount for bucket in aging(ledger, TODAY))


@pytest.mark.parametrize(
    ("late", "bucket"), [(0, 0), (1, 1), (30, 1), (31, 2), (60, 2), (61, 3), (90, 3), (91, 4), (4000, 4)]
)
def test_ages_change_on_the_day_that_their_names_say(late: int, bucket: int) -> None:
    """Thirty days late is in the age that ends with 30."""
    due = date.fromordinal(TODAY.toordinal() - late)

    assert [1 if index == bucket else 0 for index in range(5)] == [
        b.count for b in aging([replace(SENT, due_date=due)], TODAY)
    ]


def test_the_mean_of_days_to_pay_is_rounded_and_absent_when_nothing_was_paid() -> None:
    """A figure that nobody can compute is not zero."""
    paid = replace(SENT, status=InvoiceStatus.PAID, paid_date=date(2026, 1, 31))
    later = replace(paid, paid_date=date(2026, 2, 1))

    assert summarize([SENT], TODAY).average_days_to_pay is None
    assert summarize([paid, later], TODAY).average_days_to_pay == 31
    assert summarize([paid], TODAY).collected_30d == paid.amount


@pytest.mark.parametrize(
    ("cents", "text"), [(420_000, "€4,200"), (50, "€1"), (49, "€0"), (0, "€0"), (123_456_789, "€1,234,568")]
)
def test_cents_are_shown_as_whole_euros(cents: int, text: str) -> None:
    """Half a euro rounds up."""
    assert text == euros(cents)


def test_the_calendar_ends() -> None:
    """A due date beyond the last day that a date can be is said to be impossible, not an exception."""
    assert due_after(date(9999, 12, 31), 1) is None


def test_references_are_three_letters_and_three_digits() -> None:
    """People find a new invoice by its client."""
    assert reference_for("Halden Shipworks", 24) == "HAL-024"
