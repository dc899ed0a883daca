"""Faults in the governance of operations: redaction, audit, policies, bounds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from reference_app.domain import audit, policy
from reference_app.domain.actor import Correlation
from reference_app.domain.capability import Capability, Surface
from reference_app.domain.policy import Allow
from reference_app.faults import Fault, Patches, fault
from reference_app.host.redaction import ResultRedactor
from reference_app.runtime.conversation import ToolCall
from reference_app.strict_json import JsonObject, JsonValue

FAULTS: list[Fault] = []


@fault(FAULTS, "contextual-result-unredacted", "what the page ran for the model comes back without redaction")
def _contextual_result_unredacted(patches: Patches) -> None:
    def unchanged(self: ResultRedactor, call: ToolCall, value: JsonValue) -> JsonValue:
        del self, call
        return value

    patches.replace(ResultRedactor, "__call__", unchanged)


@fault(FAULTS, "policy-failure-allows", "a policy that fails does not refuse")
def _failed_policy_allows(patches: Patches) -> None:
    def make(ask: Callable[..., Awaitable[Any]]) -> Any:
        async def forgive(*arguments: Any) -> Any:
            answer = await ask(*arguments)
            return Allow() if isinstance(answer, policy.PolicyFailed) else answer

        return forgive

    patches.wrap(policy, "_ask", make)


@fault(
    FAULTS,
    "correlation-trusted",
    "what a browser says about where a call belongs is marked as the server's own word",
)
def _correlation_trusted(patches: Patches) -> None:
    def make(correlation_json: Callable[[Correlation], JsonObject]) -> Any:
        def believe(correlation: Correlation) -> JsonObject:
            known = correlation_json(correlation)
            return {**known, "trusted": True} if known else known

        return believe

    patches.wrap(audit, "correlation_json", make)


def _whole(capability: Capability, surface: Surface, output: JsonValue) -> JsonValue:
    del capability, surface
    return output
