"""Ready-made policies: who is signed in, who may see what, how often, and when a person is asked."""

from collections import deque
from collections.abc import Callable

from reference_app.surface import refusals
from reference_app.surface.audit import AuditEvent, AuditLevel, AuditSink, AuditType
from reference_app.surface.clock import iso
from reference_app.surface.json_value import Json, JsonObject, Unset
from reference_app.surface.policy import (
    Escalation,
    Expose,
    Hide,
    InvokeContext,
    Next,
    Outcome,
    Policy,
    PolicyContext,
    Vote,
)


def _gate(
    name: str, allowed: Callable[[PolicyContext], bool], refuse: Callable[[PolicyContext], Exception]
) -> Policy:
    """A policy that hides at discovery and refuses, with its own error, at invocation."""

    def discover(context: PolicyContext) -> Vote:
        return Expose() if allowed(context) else Hide()

    async def authorize(context: PolicyContext, proceed: Next) -> Outcome:
        if not allowed(context):
            raise refuse(context)
        return await proceed()

    return Policy(name, on_discovery=discover, on_authorize=authorize)


def authenticated(key: str = "user") -> Policy:
    """Nothing exists until somebody is signed in; a call is refused with ``NOT_AUTHENTICATED``."""
    return _gate(
        "authenticated", lambda context: bool(context.host.get(key)), lambda _: refusals.not_authenticated()
    )


def has_permission(permission: str, check: Callable[[JsonObject], bool]) -> Policy:
    """Hidden without a permission; a call is refused with ``NOT_AUTHORIZED``, which does not name it."""
    return _gate(
        f"has-permission({permission})",
        lambda context: check(context.host),
        lambda _: refusals.not_authorized(),
    )


def exists_for(name: str, check: Callable[[JsonObject], bool]) -> Policy:
    """Hidden, at discovery and at invocation alike: without the right it answers as what never existed."""
    return Policy(name, on_discovery=lambda context: Expose() if check(context.host) else Hide())


def tenant_boundary(expected: Callable[[JsonObject], Json], current: Callable[[JsonObject], Json]) -> Policy:
    """Hidden outside the tenant that is expected; nothing expected means no boundary."""

    def inside(context: PolicyContext) -> bool:
        wanted = expected(context.host)
        return wanted is None or current(context.host) == wanted

    return _gate("tenant-boundary", inside, lambda _: refusals.not_authorized())


def environment(*allowed: str) -> Policy:
    """Exists in some environments only."""
    return _gate(
        "environment",
        lambda context: context.environment in allowed,
        lambda context: refusals.not_found(context.capability_id),
    )


def rate_limit(limit: int, window_ms: int) -> Policy:
    """At most so many calls of one capability by one consumer in a sliding window of milliseconds."""
    hits: dict[tuple[str, str], deque[int]] = {}

    async def authorize(context: PolicyContext, proceed: Next) -> Outcome:
        recent = hits.setdefault((context.consumer.key, context.capability_id), deque())
        while recent and recent[0] <= context.now_ms - window_ms:
            recent.popleft()
        if len(recent) >= limit:
            raise refusals.rate_limited("rate", max(0, recent[0] + window_ms - context.now_ms))
        recent.append(context.now_ms)
        return await proceed()

    return Policy(f"rate-limit({limit}/{window_ms}ms)", on_authorize=authorize)


def require_confirmation(
    when: Callable[[Json], bool] = lambda _input: True, summary: Callable[[Json], str] | None = None
) -> Policy:
    """A person is asked first, always or for some inputs."""
    return Policy("require-confirmation", escalation=Escalation(when, summary))


def audit_to(sink: AuditSink, level: AuditLevel = AuditLevel.METADATA) -> Policy:
    """Write each call that gets this far to a sink of its own; the full level adds input and output."""

    async def invoke(context: InvokeContext, proceed: Next) -> Outcome:
        sink.write(_event(context, AuditType.INVOCATION_STARTED, None))
        output = await proceed()
        payload: dict[str, Json] = {"input": context.effective_input}
        if not isinstance(output, Unset):
            payload["output"] = output
        sink.write(
            _event(context, AuditType.INVOCATION_SETTLED, payload if level is AuditLevel.FULL else None)
        )
        return output

    return Policy("audit", on_invoke=invoke)


def _event(context: InvokeContext, kind: AuditType, payload: JsonObject | None) -> AuditEvent:
    return AuditEvent(
        at=iso(context.base.now_ms),
        type=kind,
        capability_id=context.base.capability_id,
        registration_id=context.base.registration_id,
        invocation_id=context.invocation_id,
        consumer=context.base.consumer.key,
        payload=payload,
    )
