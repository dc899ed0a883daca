"""The stages of a governed call, each a rule of its own: a call ends at the first that it does not pass.

Hiding comes before everything that looks at the input, so that for whoever may not use an operation every answer is the one
for a name that never existed. (The dual-plane model, The invariants, 4: authority hides.)
"""

from __future__ import annotations

from typing import Any

from reference_app.domain.actor import Actor
from reference_app.domain.approvals import demands
from reference_app.domain.capability import MODEL_SURFACES, AnyProcedure, Capability, Surface
from reference_app.domain.errors import BusinessError, CapabilityError, ErrorCode, Issue
from reference_app.domain.policy import RequireApproval, Verdict
from reference_app.domain.registry import Registry, is_exposed
from reference_app.domain.shapes import Input, OutputError, output_as_json, validate_input
from reference_app.strict_json import JsonValue


class DenialError(CapabilityError):
    """A call that authority refuses, with the true reason for the audit.

    Args:
        reason: unknown, not-exposed, hidden, policy-denied or policy-failed.
        code: What the caller is told.
        message: What the caller is told instead of the code's own sentence.
        verdict: What the policies answered, if they were asked.
    """

    def __init__(
        self, reason: str, code: ErrorCode, message: str | None = None, verdict: Verdict | None = None
    ) -> None:
        self.reason = reason
        self.verdict = verdict
        super().__init__(code, message)


def resolve(registry: Registry, capability_id: str) -> Capability:
    """Find a capability.

    Raises:
        DenialError: There is none of that id.
    """
    capability = registry.capability(capability_id)
    if capability is None:
        raise DenialError("unknown", ErrorCode.CAPABILITY_NOT_FOUND)
    return capability


def check_exposure(capability: Capability, surface: Surface) -> None:
    """Stop a call on a surface where the capability does not exist.

    Raises:
        DenialError: It is not exposed there.
    """
    if not is_exposed(capability, surface):
        raise DenialError("not-exposed", ErrorCode.CAPABILITY_NOT_FOUND)


def check_actor(actor: Actor) -> None:
    """Stop a call on nobody's behalf.

    Raises:
        CapabilityError: UNAUTHENTICATED.
    """
    if not actor.id:
        raise CapabilityError(ErrorCode.UNAUTHENTICATED)


def check_concealment(verdict: Verdict) -> None:
    """Stop a call that the discovery policies hide, before its input is looked at.

    Raises:
        DenialError: A policy hides the capability, or failed and may have wanted to.
    """
    if verdict.failed:
        raise DenialError("policy-failed", ErrorCode.CAPABILITY_NOT_FOUND, verdict=verdict)
    if verdict.hidden:
        raise DenialError("hidden", ErrorCode.CAPABILITY_NOT_FOUND, verdict=verdict)


def validate(procedure: AnyProcedure, raw: JsonValue) -> Input:
    """Validate the input.

    Raises:
        CapabilityError: INPUT_INVALID, with what is wrong and without the values.
    """
    checked: Input | tuple[Issue, ...] = validate_input(procedure.input, raw)
    if isinstance(checked, tuple):
        raise CapabilityError(ErrorCode.INPUT_INVALID, issues=checked)
    return checked


def judge(verdict: Verdict) -> None:
    """Apply the invocation policies: a failed one beats a denial, a denial beats hiding.

    Raises:
        DenialError: The verdict is not to allow, with or without an approval.
    """
    if verdict.failed:
        raise DenialError("policy-failed", ErrorCode.POLICY_FAILED, verdict=verdict)
    if verdict.denial is not None:
        raise DenialError("policy-denied", ErrorCode.POLICY_DENIED, verdict.denial.message, verdict)
    if verdict.hidden:
        raise DenialError("hidden", ErrorCode.CAPABILITY_NOT_FOUND, verdict=verdict)


def required_approvals(capability: Capability, verdict: Verdict) -> tuple[RequireApproval, ...]:
    """What demands a person's agreement before the call may run; empty when nothing does."""
    return demands(capability, verdict.approvals)


def checked_output(procedure: AnyProcedure, value: object) -> JsonValue:
    """Hold a result against what the procedure declares.

    Raises:
        CapabilityError: OUTPUT_INVALID; the result is withheld, although the operation has run.
    """
    try:
        return output_as_json(procedure.output_adapter, value)
    except OutputError as problem:
        raise CapabilityError(ErrorCode.OUTPUT_INVALID, executed=True) from problem


def for_surface(capability: Capability, surface: Surface, output: JsonValue) -> JsonValue:
    """What a caller on a surface may see of a result: a model sees the redacted one, a page everything."""
    if surface not in MODEL_SURFACES:
        return output
    return redacted(capability, output)


def redacted(capability: Capability, output: JsonValue) -> JsonValue:
    """A result as a model may see it.

    Raises:
        CapabilityError: EXECUTION_FAILED, concealed; what cannot be redacted is not shown.
    """
    if capability.meta.redact is None:
        return output
    try:
        return capability.meta.redact(output)
    except Exception as problem:
        raise CapabilityError(ErrorCode.EXECUTION_FAILED, executed=True) from problem


def failure_of(problem: BaseException) -> CapabilityError:
    """What a caller is told about whatever an operation raised: its own declared refusals, and nothing of anything else."""
    if isinstance(problem, CapabilityError):
        return problem
    if isinstance(problem, BusinessError):
        code = ErrorCode.FORBIDDEN if problem.code == "FORBIDDEN" else ErrorCode.EXECUTION_FAILED
        return CapabilityError(code, problem.public_message, business_code=problem.code)
    return CapabilityError(ErrorCode.EXECUTION_FAILED)


def denial_data(denial: DenialError) -> dict[str, Any]:
    """What the audit keeps about a denial."""
    data: dict[str, Any] = {"reason": denial.reason, "publicCode": str(denial.code)}
    if denial.verdict is not None:
        data["policyDecisions"] = [{"policy": r.policy, "type": r.type} for r in denial.verdict.records]
    return data
