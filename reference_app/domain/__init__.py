"""The authoritative plane: governed operations that are valid with no page open at all.

Nothing here knows HTTP, a model provider or the ledger.
"""
