"""The agent errors, each with its retry hint and details, made in one place so that no two spellings exist.

Messages are addressed to the caller, at most 300 characters, and name nothing that only the implementation knows.
"""

from collections.abc import Sequence

from reference_app.surface.errors import CapabilityError, ErrorCode, ErrorPayload, Retry
from reference_app.surface.json_value import Json, JsonObject, js_length
from reference_app.surface.validation import Issue

MAX_MESSAGE = 300


def shorten(text: str, limit: int = MAX_MESSAGE) -> str:
    """Cut a text to a number of UTF-16 code units, the last of them an ellipsis when something was cut."""
    if js_length(text) <= limit:
        return text
    kept = text[: limit - 1]
    while js_length(kept) > limit - 1:
        kept = kept[:-1]
    return kept + "…"


def refuse(code: ErrorCode, message: str, retry: Retry, details: JsonObject | None = None) -> CapabilityError:
    """Make the error that ends a call with this code."""
    return CapabilityError(ErrorPayload(code, shorten(message), retry, details))


def not_found(capability_id: str) -> CapabilityError:
    """The id names nothing that this caller may know of."""
    return refuse(
        ErrorCode.CAPABILITY_NOT_FOUND,
        f"There is no capability {capability_id} on this surface. Use one that the current catalog lists.",
        Retry.AFTER_REFRESH,
    )


def not_available(reason: str) -> CapabilityError:
    """The capability is there and the page is not in the state that it needs."""
    return refuse(
        ErrorCode.CAPABILITY_NOT_AVAILABLE,
        f"Not available now: {reason}",
        Retry.AFTER_REFRESH,
        {"reason": reason},
    )


def ambiguous(instances: Sequence[JsonObject]) -> CapabilityError:
    """Several live components offer the id."""
    return refuse(
        ErrorCode.AMBIGUOUS_INSTANCE,
        "Several components offer this capability. Name one of the listed instances.",
        Retry.WITH_CHANGES,
        {"instances": list(instances)},
    )


def unmounted(phase: str) -> CapabilityError:
    """The component that owned the capability left the page (phase ``resolve`` or ``mid-flight``)."""
    return refuse(
        ErrorCode.COMPONENT_UNMOUNTED,
        "The component that offered this capability is no longer on the page. Look at the current catalog.",
        Retry.AFTER_REFRESH,
        {"phase": phase},
    )


def stale(reason: str, live_registration_id: str | None = None) -> CapabilityError:
    """The call was made against an earlier page."""
    details: dict[str, Json] = {"reason": reason}
    if live_registration_id is not None:
        details["liveRegistrationId"] = live_registration_id
    return refuse(
        ErrorCode.STALE_CAPABILITY,
        "The page has changed since this capability was offered. Look at the current catalog and call again.",
        Retry.AFTER_REFRESH,
        details,
    )


def conflict() -> CapabilityError:
    """The invocation id was used for another request; nothing about that one is disclosed."""
    return refuse(
        ErrorCode.INVOCATION_CONFLICT,
        "This invocation id belongs to a different request. Use a new id.",
        Retry.WITH_CHANGES,
        {"reason": "id-reused-with-different-request"},
    )


def invalid_input(issues: Sequence[Issue]) -> CapabilityError:
    """The input does not match the schema that was offered."""
    return refuse(
        ErrorCode.INVALID_INPUT,
        "The input does not match the schema. Correct the listed issues.",
        Retry.WITH_CHANGES,
        {"issues": [issue.to_json() for issue in issues]},
    )


def locked_fields(keys: Sequence[str]) -> CapabilityError:
    """The input names fields that only the page may fill."""
    return refuse(
        ErrorCode.INVALID_INPUT,
        "The page fills these fields itself. Leave them out.",
        Retry.WITH_CHANGES,
        {"lockedFields": list(keys)},
    )


def not_authenticated() -> CapabilityError:
    """Nobody is signed in."""
    return refuse(ErrorCode.NOT_AUTHENTICATED, "Nobody is signed in on this page.", Retry.NO)


def not_authorized(origin: str = "client") -> CapabilityError:
    """The person may not do this, as the page (``client``) or the ``server`` says."""
    return refuse(
        ErrorCode.NOT_AUTHORIZED, "The signed-in person may not do this.", Retry.NO, {"origin": origin}
    )


def precondition(message: str, details: JsonObject | None = None) -> CapabilityError:
    """The component refuses this input in its present state."""
    return refuse(ErrorCode.PRECONDITION_FAILED, message, Retry.WITH_CHANGES, details)


def binding_failed() -> CapabilityError:
    """The page could not supply what the binding promises."""
    return refuse(
        ErrorCode.PRECONDITION_FAILED,
        "The page cannot supply the bound fields now. Look at the current state and try again.",
        Retry.AFTER_REFRESH,
        {"reason": "binding-failed"},
    )


def confirmation_invalid(reason: str) -> CapabilityError:
    """The evidence does not allow this call: ``denied``, ``expired``, ``consumed`` or ``mismatch``."""
    retry = Retry.WITH_CONFIRMATION if reason == "expired" else Retry.NO
    return refuse(
        ErrorCode.CONFIRMATION_INVALID,
        f"The confirmation does not allow this call ({reason}). Nothing was done.",
        retry,
        {"reason": reason},
    )


def rate_limited(reason: str, retry_after_ms: int) -> CapabilityError:
    """Too much at once: ``rate`` or ``queue-full``."""
    return refuse(
        ErrorCode.RATE_LIMITED,
        f"Too many calls at once. Wait {retry_after_ms} ms.",
        Retry.AFTER_DELAY,
        {"reason": reason, "retryAfterMs": retry_after_ms},
    )


def timed_out(timeout_ms: int, *, idempotent: bool) -> CapabilityError:
    """The handler did not finish in time; only an idempotent call may simply be repeated."""
    return refuse(
        ErrorCode.TIMEOUT,
        f"No result within {timeout_ms} ms."
        + ("" if idempotent else " It may still have taken effect; read before calling again."),
        Retry.YES if idempotent else Retry.NO,
        {"timeoutMs": timeout_ms, "idempotent": idempotent},
    )


def cancelled(retry: Retry = Retry.YES) -> CapabilityError:
    """The caller gave up, or the page went away."""
    return refuse(ErrorCode.CANCELLED, "The call was cancelled before it finished.", retry)


def execution_failed(reason: str) -> CapabilityError:
    """It ran and failed: ``handler-error``, ``output-invalid``, ``output-too-large`` or ``transport``."""
    return refuse(
        ErrorCode.EXECUTION_FAILED, "The capability failed to execute.", Retry.NO, {"reason": reason}
    )


def transport_failed(*, transient: bool) -> CapabilityError:
    """The server could not be asked, or answered with something unexpected."""
    if not transient:
        return execution_failed("transport")
    return refuse(
        ErrorCode.EXECUTION_FAILED,
        "The server could not be reached. Try again shortly.",
        Retry.AFTER_DELAY,
        {"reason": "transport", "transient": True, "retryAfterMs": 1000},
    )
