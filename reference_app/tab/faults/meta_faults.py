"""Faults in meta mode: what the three tools say of themselves, what they disclose, and what they let through."""

from dataclasses import replace as changed
from weakref import WeakKeyDictionary

from reference_app.surface import meta_envelope
from reference_app.surface.json_value import Json, JsonObject
from reference_app.surface.meta_toolset import MetaToolset
from reference_app.surface.registry import Registry
from reference_app.surface.scope import Admission
from reference_app.surface.snapshot import View
from reference_app.surface.tools import Tool
from reference_app.surface.validation import Issue
from reference_app.tab.faults.fault import Replace, fault
from reference_app.tab.tab import CONSUMER


@fault("meta-tools-tell-the-screen", "The descriptions of the meta tools list what is on the screen.")
def meta_tools_tell_the_screen(replace: Replace) -> None:
    """Let the tool block move with the screen."""
    tools = MetaToolset.tools

    def telling(toolset: MetaToolset) -> tuple[Tool, ...]:
        components = toolset.registry.snapshot(View(CONSUMER)).components
        listed = ", ".join(component.type for component in components)
        return tuple(
            changed(tool, description=f"{tool.description} Now: {listed}.") for tool in tools(toolset)
        )

    replace(MetaToolset, "tools", telling)


@fault("discovery-cached", "Discovery goes on listing what was on the screen when it was asked first.")
def discovery_cached(replace: Replace) -> None:
    """Look once."""
    discovered = MetaToolset.discovered
    seen: WeakKeyDictionary[Registry, dict[str, Json]] = WeakKeyDictionary()

    def once(toolset: MetaToolset, admission: Admission) -> dict[str, Json]:
        if toolset.registry not in seen:
            seen[toolset.registry] = discovered(toolset, admission)
        return seen[toolset.registry]

    replace(MetaToolset, "discovered", once)


@fault("read-runs-actions", "Reading by id carries an action out, with no input.")
def read_runs_actions(replace: Replace) -> None:
    """Take a reader for an actor."""

    def anything(_toolset: MetaToolset, _tool: Tool, _given: JsonObject) -> bool:
        return True

    replace(MetaToolset, "may_reach", anything)


@fault("envelope-unchecked", "Arguments that a meta tool does not know are passed over.")
def envelope_unchecked(replace: Replace) -> None:
    """Take what fits and drop the rest."""

    def nothing(_schema: JsonObject, _given: Json) -> tuple[Issue, ...]:
        return ()

    replace(meta_envelope, "check", nothing)


@fault("stringified-input-refused", "An input that arrives as the text of a JSON object is not read.")
def stringified_input_refused(replace: Replace) -> None:
    """Take a text for a text."""

    def as_it_is(value: Json, _target_schema: JsonObject | None) -> Json:
        return value

    replace(meta_envelope, "repaired_input", as_it_is)
