"""The numbers, names and refusals of the host protocol (Host protocol)."""

from __future__ import annotations

from typing import Literal

from reference_app.errors import ReferenceAppError

SERVED_VERSIONS = (1, 2)
"""The protocol versions that are understood."""

VERSION_HEADER = "x-dpas-protocol-version"
"""Echoes the version of the request."""

MAX_FRONTEND_TOOLS = {1: 64, 2: 128}
"""The most frontend tools in one request, by version."""

MAX_MESSAGES = {1: 200, 2: 400}
"""The most messages in one request, by version."""

MAX_DOMAIN_TOOLS = 128
"""The most domain tools in one catalog."""

MAX_TOTAL_TOOLS = 192
"""The most tools in one catalog altogether."""

HostCode = Literal[
    "PROTOCOL_VERSION_MISMATCH",
    "PROTOCOL_DECODE_ERROR",
    "CATALOG_TOO_LARGE",
    "CATALOG_COLLISION",
    "CATALOG_UNAVAILABLE",
    "MODEL_NOT_CONFIGURED",
    "MODEL_TIMEOUT",
    "MODEL_ERROR",
    "RUN_LIMIT_EXCEEDED",
    "STEP_CONFLICT",
    "UNAUTHENTICATED",
]


class HostError(ReferenceAppError):
    """A step is refused before it begins.

    Args:
        status: The HTTP status.
        code: Why, for programs.
        message: Why, for people.
    """

    def __init__(self, status: int, code: HostCode, message: str) -> None:
        self.status = status
        self.code: HostCode = code
        super().__init__(message)
