"""One call under one id executes once: repeats join it or get its result, and another request may not reuse the id."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

from reference_app.surface import refusals
from reference_app.surface.errors import ErrorCode
from reference_app.surface.invocation_types import InvocationRequest, InvocationResult
from reference_app.surface.json_value import canonical_json, fnv1a_64
from reference_app.surface.limits import Limits

NOT_CACHED = frozenset({ErrorCode.CONFIRMATION_REQUIRED, ErrorCode.RATE_LIMITED})
"""Answers after which the same id is meant to be used again."""


def fingerprint(request: InvocationRequest) -> str:
    """What makes two requests the same: everything in them but the id."""
    return fnv1a_64(
        canonical_json(
            {
                "capabilityId": request.capability_id,
                "registrationId": request.registration_id,
                "instanceId": request.instance_id,
                "surfaceVersion": request.surface_version,
                "input": request.input,
                "confirmationId": request.confirmation_id,
            }
        )
    )


@dataclass(slots=True)
class _Entry:
    fingerprint: str
    future: "asyncio.Future[InvocationResult]"
    expires_at_ms: int | None = None


class DedupeCache:
    """The calls of one surface by consumer and id: those in flight, and for a while those that ended."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._entries: OrderedDict[str, _Entry] = OrderedDict()

    def find(self, key: str, print_of_request: str, now_ms: int) -> "asyncio.Future[InvocationResult] | None":
        """The call that a request repeats.

        Raises:
            CapabilityError: ``INVOCATION_CONFLICT``: the id is taken by another request.
        """
        entry = self._entries.get(key)
        if entry is None:
            return None
        if entry.expires_at_ms is not None and entry.expires_at_ms <= now_ms:
            del self._entries[key]
            return None
        if entry.fingerprint != print_of_request:
            raise refusals.conflict()
        return entry.future

    def begin(self, key: str, print_of_request: str, future: "asyncio.Future[InvocationResult]") -> None:
        """Remember a call that starts now."""
        self._entries[key] = _Entry(print_of_request, future)

    def end(self, key: str, result: InvocationResult, now_ms: int) -> None:
        """Keep a result that is final, forget the call otherwise."""
        entry = self._entries[key]
        if result.error is not None and result.error.code in NOT_CACHED:
            del self._entries[key]
            return
        entry.expires_at_ms = now_ms + self._limits.dedupe_ttl_ms
        self._evict()

    def _evict(self) -> None:
        """Drop the oldest beyond the bound, but never one that is in flight."""
        while len(self._entries) > self._limits.dedupe_size:
            oldest = next(iter(self._entries))
            if self._entries[oldest].expires_at_ms is None:
                return
            del self._entries[oldest]
