"""The shapes of answers as the OpenAPI document describes them."""

from __future__ import annotations

from typing import Any

REFUSALS = {
    400: "The body is not what is expected.",
    401: "There is no session.",
    403: "The request comes from elsewhere, or is not permitted.",
    404: "There is nothing of that name for the caller.",
    408: "The operation took too long.",
    409: "The state of the record does not allow it.",
    413: "The request is too large.",
    415: "The body is not JSON.",
    500: "The operation failed.",
    503: "There is no model, or no catalog in time.",
}
"""What a status means."""

_TEXT = {"type": "string"}
_WHOLE = {"type": "integer"}


def _closed(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


OK = _closed({"ok": {"const": True}})
"""``{"ok": true}``."""

_USER = _closed({"email": _TEXT, "name": _TEXT, "role": {"enum": ["analyst", "controller"]}})
_USER_OR_NULL = {"anyOf": [_USER, {"type": "null"}]}
_USAGE = _closed(
    {"inputTokens": _WHOLE, "outputTokens": _WHOLE, "totalTokens": _WHOLE, "reportedSteps": _WHOLE},
    {"cachedInputTokens": _WHOLE, "reasoningTokens": _WHOLE},
)

SCHEMAS: dict[str, Any] = {
    "OrpcError": _closed(
        {
            "json": _closed(
                {"defined": {"type": "boolean"}, "code": _TEXT, "status": _WHOLE, "message": _TEXT},
                {"data": {"type": "object"}},
            )
        }
    ),
    "HostError": _closed({"error": _closed({"code": _TEXT, "message": _TEXT})}),
    "ApiError": _closed({"error": _TEXT, "code": _TEXT}),
    "Session": _closed(
        {
            "user": _USER_OR_NULL,
            "models": {"type": "array", "items": _TEXT},
            "defaultModel": {"type": ["string", "null"]},
        }
    ),
    "SignedIn": _closed({"user": _USER_OR_NULL}),
    "Card": _closed(
        {
            "id": _TEXT,
            "capabilityId": _TEXT,
            "status": {"enum": ["pending", "rejected", "expired", "cancelled", "consumed"]},
            "surface": _TEXT,
            "reasons": {"type": "array", "items": _TEXT},
            "types": {"type": "array", "items": _TEXT},
            "risk": _TEXT,
            "input": {},
            "inputHash": _TEXT,
            "requestedAt": {"type": "string", "format": "date-time"},
            "expiresAt": {"type": "string", "format": "date-time"},
        },
        {
            "subject": _closed(
                {
                    "type": _TEXT,
                    "id": _TEXT,
                    "version": {"type": ["integer", "null"]},
                    "shown": {"type": "object"},
                }
            ),
            "decision": _closed(
                {
                    "status": {"enum": ["approved", "rejected"]},
                    "approver": _TEXT,
                    "decidedAt": {"type": "string", "format": "date-time"},
                }
            ),
            "failure": _TEXT,
        },
    ),
    "DecisionTaken": _closed(
        {
            "receipt": _closed({"text": _TEXT, "ok": {"type": "boolean"}}),
            "resolution": _closed(
                {"status": {"enum": ["completed", "rejected", "failed", "cancelled"]}},
                {"output": {}, "error": _closed({"code": _TEXT, "message": _TEXT})},
            ),
        }
    ),
    "Thread": _closed(
        {
            "id": _TEXT,
            "resourceId": _TEXT,
            "title": _TEXT,
            "createdAt": {"type": "string", "format": "date-time"},
            "updatedAt": {"type": "string", "format": "date-time"},
        },
        {"usage": _USAGE},
    ),
}
"""The answers that several operations share."""
