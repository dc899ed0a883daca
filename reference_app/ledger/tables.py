"""The ledger's tables."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Table, Text

from reference_app.database import METADATA

CLIENTS = Table(
    "clients",
    METADATA,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String(120), nullable=False),
    Column("segment", String(32), nullable=False),
    Column("payment_terms_days", Integer, nullable=False),
    Column("email", String(200), nullable=False),
)

INVOICES = Table(
    "invoices",
    METADATA,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("reference", String(40), nullable=False),
    Column("client_id", BigInteger, ForeignKey("clients.id"), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("status", String(16), nullable=False),
    Column("issue_date", String(10), nullable=False),
    Column("due_date", String(10), nullable=False),
    Column("paid_date", String(10)),
    Column("notes", Text),
    Column("version", Integer, nullable=False),
)

CHASES = Table(
    "chases",
    METADATA,
    Column("invoice_id", BigInteger, ForeignKey("invoices.id", ondelete="CASCADE"), primary_key=True),
    Column("last_reminder_date", String(10)),
    Column("reminders_sent", Integer, nullable=False),
    Column("expected_payment_date", String(10)),
    Column("note", Text),
)

COUNTERS = Table(
    "counters",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("value", BigInteger, nullable=False),
)
"""Numbers that only grow: the next invoice number, and what the lab operations count."""

TEXTS = Table(
    "texts",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("text", Text, nullable=False),
)
"""Texts that people set for the whole console."""
