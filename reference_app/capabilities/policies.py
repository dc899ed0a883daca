"""The application's own policies: what a model may not do alone, and what an analyst never sees."""

from __future__ import annotations

from reference_app.domain.capability import MODEL_SURFACES, mutates
from reference_app.domain.policy import (
    Allow,
    Decision,
    Deny,
    Hide,
    Phase,
    Policy,
    PolicyRequest,
    RequireApproval,
)
from reference_app.identity import Role

GATED = frozenset({"issue-invoice", "delete-invoice"})
"""The operations that a model cannot run without a person's agreement."""

LAB_GATED = frozenset(
    {"lab-gated-bump", "lab-gated-fail", "lab-gated-wait", "lab-gated-opaque", "lab-gated-twice"}
)
"""The same in the lab."""


def is_gated(capability_id: str) -> bool:
    """Whether a model's call of an operation waits for a person."""
    return capability_id in GATED or capability_id in LAB_GATED


def gate_model_writes(request: PolicyRequest) -> Decision:
    """A model's call of a consequential operation waits for a person; a person's own call does not."""
    if request.surface in MODEL_SURFACES and is_gated(request.capability.id):
        return RequireApproval(
            f"{request.capability.id} was initiated from a model loop", "human-confirmation"
        )
    return Allow()


def analyst_hides_writes(request: PolicyRequest) -> Decision:
    """Whoever is not a controller never sees what changes anything."""
    if mutates(request.capability.meta.side_effect) and request.actor.role != Role.CONTROLLER:
        return Hide()
    return Allow()


def month_end_freeze(request: PolicyRequest) -> Decision:
    """While the month is being closed nothing changes, and everybody may know why."""
    if mutates(request.capability.meta.side_effect):
        return Deny("The ledger is frozen while the month is being closed.", "MONTH_END")
    return Allow()


_SEEN_AND_CALLED = frozenset({Phase.DISCOVERY, Phase.INVOCATION})

STANDING = (
    Policy("gate-model-writes", gate_model_writes, _SEEN_AND_CALLED),
    Policy("analyst-hides-writes", analyst_hides_writes, _SEEN_AND_CALLED),
)
"""In force unless a demonstration switches them off, in evaluation order."""

OPTIONAL = (Policy("month-end-freeze", month_end_freeze),)
"""In force only while a demonstration switches them on."""
