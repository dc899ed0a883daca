"""The answers that the host itself gives to calls: typed, with a hint whether to try again."""

from __future__ import annotations

from reference_app.domain.errors import CONCEALED, public_face
from reference_app.domain.pipeline import ApprovalRequired, Completed, Result
from reference_app.strict_json import JsonObject, JsonValue

TOOL_NOT_EXECUTED: JsonObject = {
    "error": {
        "code": "TOOL_NOT_EXECUTED",
        "message": "The run ended before this tool produced a result. Call it again.",
        "retry": "yes",
    }
}
"""For a call that was made and never ran."""

EXECUTION_FAILED: JsonObject = {"error": {"code": "EXECUTION_FAILED", "message": CONCEALED, "retry": "no"}}
"""For a call that broke in a way that nobody foresaw."""


def no_such_tool(name: str) -> JsonObject:
    """For a call to a name that is not offered; the same whether or not something of that name exists."""
    message = f"There is no tool {name[:64]!r}. The tools of this step are the complete set; do not call this name again."
    return {"error": {"code": "NO_SUCH_TOOL", "message": message, "retry": "no"}}


def malformed_for_domain(reason: str) -> JsonObject:
    """For a server tool whose arguments cannot be read: the domain plane's own code."""
    return {
        "status": "error",
        "error": {
            "code": "INPUT_INVALID",
            "message": "Input validation failed.",
            "retryable": False,
            "details": {"issues": [{"path": [], "message": reason}]},
        },
    }


def malformed_for_view(reason: str) -> JsonObject:
    """For a tab's tool whose arguments cannot be read: the view plane's own code."""
    return {
        "error": {
            "code": "INVALID_INPUT",
            "message": "The arguments are not a JSON object.",
            "retry": "with-changes",
            "details": {"issues": [{"path": "", "message": reason}]},
        }
    }


def envelope(result: Result) -> JsonValue:
    """What the model sees of a governed call: ok with data, an error with its public face, or waiting for a person."""
    match result:
        case Completed(_, output):
            return {"status": "ok", "data": output}
        case ApprovalRequired(_, approval):
            return {
                "status": "approval-required",
                "approvalId": approval.id,
                "message": awaiting(approval.reasons),
            }
        case _:
            return {"status": "error", "error": public_face(result.error)}


def awaiting(reasons: tuple[str, ...]) -> str:
    """The sentence that tells a model that a person has to agree."""
    return f"Awaiting approval: {'; '.join(reasons)}." if reasons else "Awaiting approval."
