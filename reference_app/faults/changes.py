"""Faults in noticing that rights or policies have changed, and in what a caller's own record tells."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

from reference_app.domain import audit
from reference_app.domain.policy import Policy
from reference_app.domain.policy_book import PolicyBook
from reference_app.faults import Fault, Patches, fault
from reference_app.host import frames
from reference_app.host.host import Host
from reference_app.strict_json import JsonValue

FAULTS: list[Fault] = []

_CAPTURED: ContextVar[tuple[Policy, ...] | None] = ContextVar("captured", default=None)


@fault(FAULTS, "policies-captured-at-offer", "a step goes by the policies that were in force when it began")
def _policies_captured_at_offer(patches: Patches) -> None:
    def make_begin(begin: Callable[..., Awaitable[Any]]) -> Any:
        async def capture(self: Host, *arguments: Any) -> Any:
            _CAPTURED.set(await self._runtime.services.policies.in_force())
            return await begin(self, *arguments)

        return capture

    def make_in_force(in_force: Callable[[PolicyBook], Awaitable[tuple[Policy, ...]]]) -> Any:
        async def captured(self: PolicyBook) -> tuple[Policy, ...]:
            return _CAPTURED.get() or await in_force(self)

        return captured

    patches.wrap(Host, "begin", make_begin)
    patches.wrap(PolicyBook, "in_force", make_in_force)


@fault(FAULTS, "audit-tells-hidden", "a caller's own record says why something does not exist for them")
def _audit_tells_hidden(patches: Patches) -> None:
    def everything(event_type: JsonValue, data: JsonValue) -> JsonValue:
        del event_type
        return data

    patches.replace(audit, "data_shown", everything)
    patches.replace(frames, "data_shown", everything)
