"""Faults in what is offered: who sees what, in which state, under which name."""

from dataclasses import replace as changed

from reference_app.surface import direct_toolset, policy, scope, snapshot
from reference_app.surface.availability import Availability
from reference_app.surface.compile import declarations
from reference_app.surface.core import Core
from reference_app.surface.identifiers import ViewId, plane_of
from reference_app.surface.json_value import stringify
from reference_app.surface.live import Candidate, Capability, Registration
from reference_app.surface.policy import Consumer, Policy, PolicyContext
from reference_app.surface.schema import EMPTY_OBJECT
from reference_app.surface.scope import Admission
from reference_app.surface.snapshot import CapabilityDescriptor, Snapshot, View
from reference_app.surface.tools import Tool, Toolset, ToolState
from reference_app.surface.wire_names import NameKey, encode
from reference_app.tab import turn
from reference_app.tab.catalog import Offer
from reference_app.tab.faults.fault import Replace, fault
from reference_app.tab.screens import chase
from reference_app.tab.turn import Turn


@fault("unmounted-offered", "Capabilities of components that are not on the page are offered too.")
def unmounted_offered(replace: Replace) -> None:
    """Offer everything that was ever compiled."""
    compose = turn.compose

    def everything(mode: str, floor: tuple[str, ...], toolset: Toolset) -> Offer:
        offer = compose(mode, floor, toolset)
        live = {tool.canonical_id for tool in offer.tools}
        absent = tuple(tool for tool in _compiled_actions() if tool.canonical_id not in live)
        return Offer(offer.mode, offer.scope, offer.tools + absent)

    replace(turn, "compose", everything)


def _compiled_actions() -> list[Tool]:
    tools = []
    for declaration in declarations():
        contract = declaration.contract
        for name in (*contract.observations, *contract.actions):
            capability_id = ViewId(contract.component, name).text
            tools.append(_tool(capability_id, "[view · local-state] A capability of another screen."))
    return tools


def _tool(capability_id: str, description: str) -> Tool:
    name = encode(NameKey(capability_id))
    return Tool(name, capability_id, plane_of(capability_id), description, EMPTY_OBJECT, "local-state")


@fault(
    "unavailable-hidden",
    "What is unavailable now is left out of the catalog instead of shown with its reason.",
)
def unavailable_hidden(replace: Replace) -> None:
    """List only what is available."""

    def only_available(state: Availability, _view: View) -> bool:
        return state.available

    replace(snapshot, "is_listed", only_available)


@fault("reason-missing", "What is unavailable now is shown without its reason.")
def reason_missing(replace: Replace) -> None:
    """Keep the reason back."""
    make_tool = direct_toolset.make_tool

    def silent(item: CapabilityDescriptor, name: str, surface_version: str) -> Tool:
        tool = make_tool(item, name, surface_version)
        return changed(tool, state=changed(tool.state, unavailable_reason=None))

    replace(direct_toolset, "make_tool", silent)


@fault("availability-cached", "The state that a tool was first offered in is what every later step is told.")
def availability_cached(replace: Replace) -> None:
    """Remember the first state of each tool."""
    compose = turn.compose
    first: dict[str, ToolState] = {}

    def remembering(mode: str, floor: tuple[str, ...], toolset: Toolset) -> Offer:
        offer = compose(mode, floor, toolset)
        tools = tuple(changed(tool, state=first.setdefault(tool.name, tool.state)) for tool in offer.tools)
        return Offer(offer.mode, offer.scope, tools)

    replace(turn, "compose", remembering)


@fault("state-in-description", "Availability and binding text are written into the tool's description.")
def state_in_description(replace: Replace) -> None:
    """Let the description move with the state."""
    describe = direct_toolset.describe

    def live(item: CapabilityDescriptor) -> str:
        state = item.unavailable_reason or item.contextual_note or "Available now"
        return f"{describe(item)} ({state})"

    replace(direct_toolset, "describe", live)


@fault("dom-verb-offered", "A tool that clicks an element by its selector is offered.")
def dom_verb_offered(replace: Replace) -> None:
    """Offer a way around every capability."""
    compose = turn.compose
    click = _tool(
        "view:app.page.clickElement", "[view · local-state] Click the element that a CSS selector names."
    )

    def with_click(mode: str, floor: tuple[str, ...], toolset: Toolset) -> Offer:
        offer = compose(mode, floor, toolset)
        return Offer(offer.mode, offer.scope, (*offer.tools, click))

    replace(turn, "compose", with_click)


@fault("catalog-frozen", "The first step of a message posts what the message before ended with.")
def catalog_frozen(replace: Replace) -> None:
    """Do not look at what the person has done in between."""
    prepare = Turn._prepare
    last: dict[str, Offer] = {}

    async def late(run: Turn) -> tuple[Toolset, Offer]:
        toolset, offer = await prepare(run)
        kept = last.get(run.conversation.id, offer)
        last[run.conversation.id] = offer
        return toolset, offer if run._steps else kept

    replace(Turn, "_prepare", late)


@fault("view-scope-ignored", "The view plane's catalog is not narrowed to the screen's scope.")
def view_scope_ignored(replace: Replace) -> None:
    """Take every component to be in scope."""

    def anywhere(_registration: Registration, _capability: Capability, _prefixes: object) -> bool:
        return True

    replace(snapshot, "is_in_scope", anywhere)


@fault("discover-widens-scope", "In meta mode a requested scope replaces the floor instead of narrowing it.")
def discover_widens_scope(replace: Replace) -> None:
    """Admit whatever is asked for."""

    def as_asked(requested: tuple[str, ...], floor: tuple[str, ...]) -> Admission:
        return Admission(tuple(requested or floor), ())

    replace(scope, "admit", as_asked)


@fault("instances-share-a-name", "Two instances of one component are offered under the same wire names.")
def instances_share_a_name(replace: Replace) -> None:
    """Leave the instance out of the name."""
    name_keys = direct_toolset.name_keys

    def without_suffix(taken: Snapshot) -> list[NameKey]:
        return [NameKey(key.canonical_id) for key in name_keys(taken)]

    replace(direct_toolset, "name_keys", without_suffix)


@fault("hidden-reference-offered", "An identity that may not write is offered the bound operation.")
def hidden_reference_offered(replace: Replace) -> None:
    """Take everybody for a controller."""

    def everybody(_host: object) -> bool:
        return True

    replace(chase, "may_write", everybody)


@fault("hidden-disclosed", "What an identity may not use is shown as unavailable, with the reason.")
def hidden_disclosed(replace: Replace) -> None:
    """Disclose what should not exist."""
    vote = policy.vote

    def disclosing(policies: tuple[Policy, ...], context: PolicyContext) -> policy.Vote:
        cast = vote(policies, context)
        return policy.Disable("You are not allowed to do this") if isinstance(cast, policy.Hide) else cast

    replace(policy, "vote", disclosing)


@fault("hidden-callable", "What an identity may not use is not listed, but a call by its id is carried out.")
def hidden_callable(replace: Replace) -> None:
    """Forget authority at invocation."""

    def everybody(_core: Core, _candidate: Candidate, _consumer: Consumer) -> bool:
        return True

    def no_recheck(_policies: tuple[Policy, ...], _context: PolicyContext) -> policy.Vote:
        return policy.Expose()

    replace(Core, "may_know_of", everybody)
    replace(policy, "recheck", no_recheck)


@fault("internal-in-description", "A description carries what only the application should know.")
def internal_in_description(replace: Replace) -> None:
    """Show the registration and the schema's raw text."""
    describe = direct_toolset.describe

    def leaking(item: CapabilityDescriptor) -> str:
        return f"{describe(item)} [{item.registration_id} {stringify(item.input_schema)}]"[:900]

    replace(direct_toolset, "describe", leaking)
