"""Meta mode: three tools that never change, through which the whole surface is discovered, read and acted on."""

from collections.abc import Mapping

from reference_app.surface import meta_envelope, refusals, scope
from reference_app.surface.errors import CapabilityError
from reference_app.surface.identifiers import plane_of
from reference_app.surface.invocation_types import CallOptions, InvocationRequest, InvocationResult
from reference_app.surface.json_value import Json, JsonObject
from reference_app.surface.policy import Consumer
from reference_app.surface.registry import Registry
from reference_app.surface.scope import Admission
from reference_app.surface.signal import Signal
from reference_app.surface.snapshot import CapabilityDescriptor, View
from reference_app.surface.tools import Caller, ConfirmationMode, Tool, ToolCall, Topology, confirmation_mode
from reference_app.surface.validation import Issue

DISCOVER = Tool(
    "surface_discover",
    "meta:surface.discover",
    "view",
    "[meta] List what the open page offers now: components, their capabilities, and what is unavailable and why.",
    meta_envelope.DISCOVER_SCHEMA,
    "read",
)
READ = Tool(
    "surface_read",
    "meta:surface.read",
    "view",
    "[meta] Read one observation of the open page by its capability id.",
    meta_envelope.READ_SCHEMA,
    "read",
)
ACT = Tool(
    "surface_act",
    "meta:surface.act",
    "view",
    "[meta] Carry out one action or bound operation of the open page by its capability id.",
    meta_envelope.ACT_SCHEMA,
    "unknown",
)
META_TOOLS = (DISCOVER, READ, ACT)


class MetaToolset:
    """Offers the surface through discovery; the scope shapes what is discovered, not what may be called."""

    def __init__(
        self,
        registry: Registry,
        consumer: Consumer,
        *,
        scope: tuple[str, ...] = (),
        topology: Topology | None = None,
        confirmations: ConfirmationMode | None = None,
        max_components: int | None = None,
        max_size: int | None = None,
    ) -> None:
        self._registry = registry
        self._consumer = consumer
        self._floor = scope
        self._budget = (max_components, max_size)
        self._closed = Signal()
        self._caller = Caller(registry, confirmation_mode(topology, confirmations), self._closed)

    @property
    def registry(self) -> Registry:
        """The surface that is offered."""
        return self._registry

    def tools(self) -> tuple[Tool, ...]:
        """Always the same three."""
        return META_TOOLS

    def wire_name_map(self) -> dict[str, str]:
        """Empty: a meta tool's name stands for no capability."""
        return {}

    def canonical_id_of(self, tool: Tool, given: Json) -> str:
        """What a call is recorded under: the capability that it names, else the tool."""
        return target_id(given) or f"meta:{tool.name}"

    def effect_of(self, tool: Tool, given: Json) -> str:
        """What kind of change a call makes: that of the capability it names, where that is one."""
        if tool.effect == "read":
            return "read"
        targets = self._targets(target_id(given) or "", None)
        return targets[0].effect if targets else tool.effect

    async def execute(self, tool: Tool, call: ToolCall) -> InvocationResult:
        """Check the envelope, then discover, read or act."""
        given: Json = {} if call.input is None else call.input
        issues = meta_envelope.check(tool.input_schema, given)
        if issues or not isinstance(given, Mapping):
            return self._refused(tool, call, given, refusals.invalid_input(issues))
        if tool.name == DISCOVER.name:
            return self._discover(given)
        if not self.may_reach(tool, given):
            issue = Issue("capabilityId", "not an observation; surface_act carries actions out")
            return self._refused(tool, call, given, refusals.invalid_input((issue,)))
        request = self._request(tool, given, call)
        return await self._caller.invoke(request, CallOptions(self._consumer, call.signal))

    def may_reach(self, tool: Tool, given: JsonObject) -> bool:
        """Whether a tool may be aimed at what a call names: reading reaches observations, and nothing that could write."""
        if tool.name != READ.name:
            return True
        return all(target.kind == "observation" for target in self._targets(target_id(given) or "", None))

    def _refused(self, tool: Tool, call: ToolCall, given: Json, error: CapabilityError) -> InvocationResult:
        return InvocationResult(
            invocation_id=call.id or self._registry.tokens.invocation(),
            capability_id=target_id(given) or tool.canonical_id,
            surface_version=self._registry.version,
            error=error.payload,
        )

    def _discover(self, given: JsonObject) -> InvocationResult:
        requested = given.get("scope")
        wanted = [str(prefix) for prefix in requested] if isinstance(requested, (list, tuple)) else []
        admission = scope.admit(wanted, self._floor)
        return InvocationResult(
            invocation_id=self._registry.tokens.invocation(),
            capability_id=DISCOVER.canonical_id,
            surface_version=self._registry.version,
            output=self.discovered(admission),
        )

    def discovered(self, admission: Admission) -> dict[str, Json]:
        """What discovery answers within what was admitted of a requested scope."""
        max_components, max_size = self._budget
        view = View(self._consumer, admission.prefixes, max_components=max_components, max_size=max_size)
        body = self._registry.snapshot(view).to_json()
        if admission.is_empty:
            body["components"], body["procedures"] = [], []
            body.pop("truncated", None)
        if admission.rejected:
            body["scopeRejected"] = {"prefixes": list(admission.rejected)}
        return body

    def _targets(self, capability_id: str, instance_id: Json) -> list[CapabilityDescriptor]:
        return [
            item
            for item in self._registry.snapshot(View(self._consumer)).capabilities
            if item.capability_id == capability_id and instance_id in (None, item.instance_id)
        ]

    def _request(self, tool: Tool, given: JsonObject, call: ToolCall) -> InvocationRequest:
        """Aim at the one visible match; none or several leave it to the registry to say so."""
        capability_id = target_id(given) or ""
        targets = self._targets(capability_id, given.get("instanceId"))
        only = targets[0] if len(targets) == 1 else None
        acts = tool.name == ACT.name
        return InvocationRequest(
            capability_id=capability_id,
            input=self._input(given, only) if acts else None,
            invocation_id=_text(given, "invocationId") or call.id,
            instance_id=_text(given, "instanceId"),
            registration_id=only.registration_id if only else None,
            surface_version=_text(given, "surfaceVersion") or self._registry.version,
            confirmation_id=_text(given, "confirmationId"),
        )

    def _input(self, given: JsonObject, only: CapabilityDescriptor | None) -> Json:
        raw = given.get("input", {} if only is not None and plane_of(only.capability_id) == "view" else None)
        return meta_envelope.repaired_input(raw, only.input_schema if only else None)

    def dispose(self) -> None:
        """Stop waiting for the person; the questions stay open."""
        self._closed.abort()


def target_id(given: Json) -> str | None:
    """The capability that a meta call names."""
    named = given.get("capabilityId") if isinstance(given, Mapping) else None
    return named if isinstance(named, str) and named else None


def _text(given: JsonObject, key: str) -> str | None:
    value = given.get(key)
    return value if isinstance(value, str) else None
