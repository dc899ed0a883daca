"""How each part of the HTTP side says no.

``/rpc`` speaks oRPC's error JSON, ``/agent`` and ``/a2ui`` ``{error: {code, message}}`` with codes of their own, and ``/api`` a flat
``{error, code}``; none of them carries internals.
"""

from __future__ import annotations

from starlette.responses import Response

from reference_app.api.bodies import json_response
from reference_app.strict_json import JsonObject

_CARD_CODES = {
    400: "bad-request",
    401: "unauthenticated",
    403: "forbidden",
    404: "not-found",
    413: "too-large",
    415: "unsupported-media-type",
    500: "internal",
}
_ORPC_CODES = {
    400: "BAD_REQUEST",
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "METHOD_NOT_SUPPORTED",
    408: "TIMEOUT",
    409: "CONFLICT",
    413: "PAYLOAD_TOO_LARGE",
    415: "UNSUPPORTED_MEDIA_TYPE",
    500: "INTERNAL_SERVER_ERROR",
}
_CODES = {**_ORPC_CODES, 401: "UNAUTHENTICATED", 413: "BODY_TOO_LARGE"}


def refuse(path: str, status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    """A refusal in the words of the part that a path belongs to."""
    if path == "/rpc" or path.startswith("/rpc/"):
        return orpc_error(status, message, headers=headers)
    if path.startswith("/a2ui/"):
        return host_error(status, _CARD_CODES.get(status, "bad-request"), message, headers)
    if path.startswith("/agent/"):
        return host_error(status, _CODES.get(status, "ERROR"), message, headers)
    return api_error(status, _CODES.get(status, "ERROR"), message, headers)


def orpc_error(
    status: int,
    message: str,
    *,
    defined: bool = False,
    data: JsonObject | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """An error as oRPC writes it.

    Args:
        status: The HTTP status, which names the code.
        message: For people.
        defined: Whether the procedure declares this error.
        data: Details.
        headers: More headers.
    """
    body: dict[str, object] = {
        "defined": defined,
        "code": _ORPC_CODES[status],
        "status": status,
        "message": message,
    }
    if data is not None:
        body["data"] = data
    return json_response({"json": body}, status, headers)  # type: ignore[dict-item]  # built in steps; all members are JSON


def host_error(status: int, code: str, message: str, headers: dict[str, str] | None = None) -> Response:
    """The host protocol's error body."""
    return json_response({"error": {"code": code, "message": message}}, status, headers)


def api_error(status: int, code: str, message: str, headers: dict[str, str] | None = None) -> Response:
    """The application's own error body."""
    return json_response({"error": message, "code": code}, status, headers)
