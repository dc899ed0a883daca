"""When a call needs a person's consent, and what exactly the person is asked."""

from reference_app.surface import confirmation, policy, refusals
from reference_app.surface.confirmation import Question
from reference_app.surface.core import Core
from reference_app.surface.definition import ConfirmationLevel, SpentConfirmation, highest
from reference_app.surface.json_value import Json, stringify
from reference_app.surface.live import Candidate, Capability
from reference_app.surface.policy import Consumer, Escalation


def question(core: Core, candidate: Candidate, consumer: Consumer, effective_input: Json) -> Question:
    """What would be asked for this call: with the input that will really be used, bound values included."""
    capability = candidate.capability
    active = policy.escalations(capability.policies, effective_input)
    return Question(
        surface_id=core.surface_id,
        registration_id=candidate.registration.id,
        capability_id=capability.id,
        consumer_key=consumer.key,
        effect=capability.effect,
        effective_input=effective_input,
        summary=summary(capability, active, effective_input),
    )


def summary(capability: Capability, active: tuple[Escalation, ...], effective_input: Json) -> str:
    """The sentence that a person reads: an escalation's own, else the description with the input."""
    try:
        for escalation in active:
            if escalation.summary is not None:
                return refusals.shorten(escalation.summary(effective_input))
        return refusals.shorten(f"{capability.description} — input: {stringify(effective_input)}")
    except Exception:
        return refusals.shorten(capability.description)


def level(capability: Capability, effective_input: Json) -> ConfirmationLevel:
    """How strictly a call is confirmed: as declared, and ``required`` where a policy escalates."""
    escalated = bool(policy.escalations(capability.policies, effective_input))
    return highest(
        capability.confirmation, ConfirmationLevel.REQUIRED if escalated else ConfirmationLevel.NEVER
    )


def gate(
    core: Core, capability: Capability, asked: Question, confirmation_id: str | None
) -> SpentConfirmation | None:
    """Let a call pass that needs no consent, or that brings it; it is used up by passing.

    Raises:
        CapabilityError: ``CONFIRMATION_REQUIRED``, ``CONFIRMATION_INVALID`` or ``RATE_LIMITED``.
    """
    if level(capability, asked.effective_input) is not ConfirmationLevel.REQUIRED:
        return None
    if confirmation_id is None:
        raise confirmation.required(core.confirmations.request(asked))
    return core.confirmations.spend(confirmation_id, asked)
