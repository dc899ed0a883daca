"""The receivables data: clients, their invoices, and the work of chasing what is late."""
