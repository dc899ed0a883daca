"""All faults by name."""

from reference_app.tab.faults.fault import Fault

CATALOGUE: dict[str, Fault] = {}
