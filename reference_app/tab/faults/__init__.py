"""Deliberate defects of the view plane, each switched on by name at start-up, to prove that a case can fail."""

from reference_app.tab.faults.catalogue import CATALOGUE

__all__ = ["CATALOGUE"]
