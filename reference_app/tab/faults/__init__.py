"""Deliberate defects of the view plane, each switched on by name at start-up, to prove that a case can fail."""

from reference_app.tab.faults import (
    binding_faults,
    call_faults,
    card_faults,
    consent_faults,
    loop_faults,
    meta_faults,
    offer_faults,
    screen_faults,
)
from reference_app.tab.faults.fault import CATALOGUE, Fault

AREAS = (
    offer_faults,
    binding_faults,
    call_faults,
    screen_faults,
    consent_faults,
    loop_faults,
    meta_faults,
    card_faults,
)
"""The modules that enter faults into the catalogue."""

__all__ = ["AREAS", "CATALOGUE", "Fault"]
