"""Ready-made policies: who is signed in, who may see what, how often, and when a person is asked."""

from collections import deque
from collections.abc import Callable

from reference_app.surface import refusals
from reference_app.surface.json_value import Json, JsonObject
from reference_app.surface.policy import (
    Escalation,
    Expose,
    Hide,
    Next,
    Outcome,
    Policy,
    PolicyContext,
    Vote,
)


def authenticated(key: str = "user") -> Policy:
    """Nothing exists until somebody is signed in; a call is refused with ``NOT_AUTHENTICATED``."""

    def discover(context: PolicyContext) -> Vote:
        return Expose() if context.host.get(key) else Hide()

    async def authorize(context: PolicyContext, proceed: Next) -> Outcome:
        if not context.host.get(key):
            raise refusals.not_authenticated()
        return await proceed()

    return Policy("authenticated", on_discovery=discover, on_authorize=authorize)


def exists_for(name: str, check: Callable[[JsonObject], bool]) -> Policy:
    """Hidden, at discovery and at invocation alike: without the right it answers as what never existed."""
    return Policy(name, on_discovery=lambda context: Expose() if check(context.host) else Hide())


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
