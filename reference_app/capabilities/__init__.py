"""The operations of the receivables console, one a module, in the order in which models see them."""

from __future__ import annotations

from reference_app.capabilities import (
    collections_aging,
    create_invoice,
    delete_invoice,
    issue_invoice,
    lab,
    list_clients,
    list_invoices,
    mark_invoice_paid,
    receivables_summary,
    reminder_footer,
    update_collection_status,
    update_invoice,
)
from reference_app.domain.capability import AnyProcedure

PROCEDURES: tuple[AnyProcedure, ...] = (
    list_invoices.PROCEDURE,
    create_invoice.PROCEDURE,
    update_invoice.PROCEDURE,
    issue_invoice.PROCEDURE,
    delete_invoice.PROCEDURE,
    mark_invoice_paid.PROCEDURE,
    list_clients.PROCEDURE,
    receivables_summary.PROCEDURE,
    collections_aging.PROCEDURE,
    update_collection_status.PROCEDURE,
    reminder_footer.PROCEDURE,
)
"""Everything that the application offers."""

LAB: tuple[AnyProcedure, ...] = lab.PROCEDURES
"""What demonstrations add."""
