"""The registry: nothing is exposed by accident, and contradictions are all found at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reference_app.assembly import build_registry
from reference_app.capabilities import PROCEDURES, list_invoices, reminder_footer
from reference_app.capabilities.policies import STANDING
from reference_app.domain.capability import Surface
from reference_app.domain.inventory import snapshot, snapshot_text
from reference_app.domain.registry import Registry, RegistryError, is_exposed

NAMES = [
    "list-invoices",
    "create-invoice",
    "update-invoice",
    "issue-invoice",
    "delete-invoice",
    "mark-invoice-paid",
    "list-clients",
    "receivables-summary",
    "collections-aging",
    "update-collection-status",
]


def test_a_procedure_without_metadata_is_no_capability() -> None:
    """Deny by default: what says nothing about agents does not exist for them."""
    registry = build_registry(demo_controls=False)

    assert NAMES == [capability.id for capability in registry]
    assert registry.capability("reminder-footer") is None
    assert registry.procedure("reminder-footer") is reminder_footer.PROCEDURE
    assert [("reminder-footer", "no-agent-meta")] == [(item.path, item.reason) for item in registry.excluded]


def test_only_what_is_named_is_exposed() -> None:
    """The operation that a page binds is not offered to models."""
    capability = build_registry(demo_controls=False).capability("update-collection-status")

    assert capability is not None
    assert {Surface.DIRECT} == {surface for surface in Surface if is_exposed(capability, surface)}


def test_every_contradiction_is_reported_at_once() -> None:
    """Somebody who adds several operations does not find their mistakes one start at a time."""
    clash = replace(list_invoices.PROCEDURE, id="a.b")
    other = replace(list_invoices.PROCEDURE, id="a_b")
    with pytest.raises(RegistryError) as caught:
        Registry([list_invoices.PROCEDURE, list_invoices.PROCEDURE, clash, other, replace(clash, id="x.")])

    assert str(caught.value).startswith("Capability registry validation failed (3 problem(s)):")
    assert "same tool name as a.b" in str(caught.value)


def test_the_snapshot_is_stable_and_leaves_the_lab_out() -> None:
    """Two snapshots of one code are the same bytes, and demonstrations do not show in them."""
    registry = build_registry(demo_controls=False)
    written = snapshot(registry, STANDING)

    assert sorted(NAMES) == [entry["id"] for entry in written["capabilities"]]
    assert snapshot_text(registry, STANDING) == snapshot_text(Registry(reversed(PROCEDURES)), STANDING)
    assert ["gate-model-writes", "analyst-hides-writes"] == [
        p["name"] for p in written["runtime"]["policies"]
    ]
    assert snapshot_text(registry, STANDING).endswith("}\n")
