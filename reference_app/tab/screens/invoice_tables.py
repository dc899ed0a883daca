"""The two tables of invoices and the table of clients: their columns, filters and orders."""

from collections.abc import Mapping

from reference_app.surface.json_value import Json
from reference_app.tab.records import Client, Invoice
from reference_app.tab.screens.table_component import TableRole
from reference_app.tab.table import Column, Sort, TableSpec
from reference_app.tab.texts import days, euros


def _mentions(needle: str, *texts: str) -> bool:
    return any(needle.casefold() in text.casefold() for text in texts)


def _keeps_pending(row: Invoice, filters: Mapping[str, str]) -> bool:
    """Free text over reference and client; any ``due`` but overdue and current means all."""
    overdue = row.days_overdue > 0
    due = {"overdue": overdue, "current": not overdue}.get(filters["due"], True)
    return due and _mentions(filters["q"], row.reference, row.client_name)


_REFERENCE = Column[Invoice](
    "reference", "Reference", lambda row: row.reference, lambda row: row.reference, pinned=True
)
_CLIENT = Column[Invoice](
    "client_name", "Client", lambda row: row.client_name, lambda row: row.client_name, "select"
)
_SEGMENT = Column[Invoice](
    "segment", "Segment", lambda row: row.segment, lambda row: row.segment, "select", sortable=False
)
_AMOUNT = Column[Invoice](
    "amount", "Amount", lambda row: row.amount, lambda row: euros(row.amount), "number-range"
)
_DUE = Column[Invoice]("due_date", "Due", lambda row: row.due_date, lambda row: row.due_date)


def _pending_summary(row: Invoice) -> dict[str, Json]:
    return {
        "id": row.id,
        "reference": row.reference,
        "client": row.client_name,
        "amount": row.amount,
        "dueDate": row.due_date,
        "daysOverdue": row.days_overdue,
        "remindersSent": row.reminders,
    }


PENDING = TableRole[Invoice](
    component_type="invoices.pending",
    spec=TableSpec(
        columns=(
            _REFERENCE,
            _CLIENT,
            _SEGMENT,
            _AMOUNT,
            Column("due_date", "Due", lambda row: row.due_date, lambda row: row.due_date, "date-range"),
            Column(
                "days_overdue", "Overdue", lambda row: row.days_overdue, lambda row: days(row.days_overdue)
            ),
            Column("reminders", "Chased", lambda row: row.reminders, lambda row: str(row.reminders)),
        ),
        key=lambda row: row.id,
        filters={"q": "", "due": "all", "chase": ""},
        keeps=_keeps_pending,
        default_sort=Sort("days_overdue", "desc"),
    ),
    rows=lambda desk: desk.rows.pending,
    summary=_pending_summary,
)


def _ledger_summary(row: Invoice) -> dict[str, Json]:
    return {
        "id": row.id,
        "reference": row.reference,
        "client": row.client_name,
        "status": row.status,
        "amount": row.amount,
        "issueDate": row.issue_date,
        "dueDate": row.due_date,
    }


LEDGER = TableRole[Invoice](
    component_type="invoices.all",
    spec=TableSpec(
        columns=(
            _REFERENCE,
            _CLIENT,
            _SEGMENT,
            Column("status", "Status", lambda row: row.status, lambda row: row.status, "select"),
            _AMOUNT,
            Column(
                "issue_date", "Issued", lambda row: row.issue_date, lambda row: row.issue_date, "date-range"
            ),
            _DUE,
        ),
        key=lambda row: row.id,
        filters={"q": ""},
        keeps=lambda row, filters: _mentions(filters["q"], row.reference, row.client_name),
        default_sort=Sort("due_date", "desc"),
    ),
    rows=lambda desk: desk.rows.all,
    summary=_ledger_summary,
)


def _client_summary(row: Client) -> dict[str, Json]:
    return {
        "id": row.id,
        "name": row.name,
        "segment": row.segment,
        "paymentTermsDays": row.payment_terms_days,
        "openInvoices": row.open_invoices,
        "outstanding": row.outstanding,
        "overdue": row.overdue,
    }


CLIENTS = TableRole[Client](
    component_type="clients.list",
    spec=TableSpec(
        columns=(
            Column("name", "Client", lambda row: row.name, lambda row: row.name, pinned=True),
            Column("segment", "Segment", lambda row: row.segment, lambda row: row.segment, "select"),
            Column(
                "payment_terms_days",
                "Terms",
                lambda row: row.payment_terms_days,
                lambda row: days(row.payment_terms_days),
            ),
            Column(
                "open_invoices", "Open", lambda row: row.open_invoices, lambda row: str(row.open_invoices)
            ),
            Column(
                "outstanding", "Outstanding", lambda row: row.outstanding, lambda row: euros(row.outstanding)
            ),
            Column("overdue", "Overdue", lambda row: row.overdue, lambda row: euros(row.overdue)),
            Column("email", "Address", lambda row: row.email, lambda row: row.email, sortable=False),
        ),
        key=lambda row: row.id,
        filters={"q": ""},
        keeps=lambda row, filters: _mentions(filters["q"], row.name),
        default_sort=Sort("outstanding", "desc"),
    ),
    rows=lambda desk: desk.rows.clients,
    summary=_client_summary,
)
