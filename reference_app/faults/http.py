"""Faults."""

from __future__ import annotations

from reference_app.faults import Fault

FAULTS: list[Fault] = []
