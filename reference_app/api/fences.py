"""What is checked before a request reaches anything: where a changing request comes from, and that its body is JSON."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from reference_app.api.errors import refuse

_CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class Fences:
    """Refuses changing requests of other origins, and bodies that a plain form could send."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it here."""
        if scope["type"] == "http" and scope["method"] in _CHANGING:
            headers = Headers(scope=scope)
            refusal = None
            if is_foreign(headers):
                refusal = refuse(scope["path"], 403, "Requests of other origins are refused.")
            elif not is_json(headers):
                refusal = refuse(scope["path"], 415, "The body has to be application/json.")
            if refusal is not None:
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)


def is_foreign(headers: Headers) -> bool:
    """Whether a browser says that another site sent the request."""
    if headers.get("sec-fetch-site") == "cross-site":
        return True
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host")


def is_json(headers: Headers) -> bool:
    """Whether a body, if there is one, is declared as JSON."""
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    if not media_type:
        return not has_body
    return media_type == "application/json"
