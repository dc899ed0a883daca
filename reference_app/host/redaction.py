"""What a model may see of a result that comes back with the history, whichever plane ran the operation."""

from __future__ import annotations

from reference_app.domain import stages
from reference_app.domain.capability import Capability
from reference_app.domain.errors import CapabilityError
from reference_app.domain.registry import Registry
from reference_app.host.answers import EXECUTION_FAILED
from reference_app.host.catalog import DOMAIN, Catalog
from reference_app.host.toolbox import canonical_id_of
from reference_app.runtime.conversation import ToolCall
from reference_app.strict_json import JsonValue
from reference_app.surface.wire_names import NameKey, encode


class ResultRedactor:
    """Redacts results of domain operations, also of those that the page ran.

    Args:
        registry: The operations.
        catalog: What this step offers.
    """

    def __init__(self, registry: Registry, catalog: Catalog) -> None:
        self._registry = registry
        self._catalog = catalog
        self._names = {encode(NameKey(DOMAIN + c.id)): c.id for c in registry}

    def __call__(self, call: ToolCall, value: JsonValue) -> JsonValue:
        """What a model may see of the result of a call."""
        capability = self._capability_of(call)
        if capability is None or not isinstance(value, dict | list):
            return value
        if isinstance(value, dict) and ("error" in value or value.get("status") == "error"):
            return value
        try:
            if isinstance(value, dict) and value.get("status") == "ok" and "data" in value:
                return {**value, "data": stages.redacted(capability, value["data"])}
            return stages.redacted(capability, value)
        except CapabilityError:
            return EXECUTION_FAILED

    def _capability_of(self, call: ToolCall) -> Capability | None:
        canonical_id = canonical_id_of(self._catalog.find(call.name), call)
        if canonical_id.startswith(DOMAIN):
            return self._registry.capability(canonical_id.removeprefix(DOMAIN))
        # A tool of an earlier page: named by the rule, perhaps with the suffix of one of several instances.
        known = self._names.get(call.name) or self._names.get(call.name.partition("_at_")[0])
        return None if known is None else self._registry.capability(known)
