"""What the model is offered: deny by default, one path per operation, nothing dropped silently."""

import re

import pytest

from conformance.data import Data
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import answer, calling, calling_unoffered, last_word
from conformance.target import Target
from conformance.wire.chat import Catalog, Declaration, wire_name
from fake_model import call, script, step

PROVIDER_SAFE = re.compile(r"[A-Za-z0-9_-]{1,64}")
PANEL = Declaration("view:suite.panel.show")


@pytest.mark.requirement("CATALOG-01")
def test_unannotated_procedure_is_not_offered(people: People, target: Target) -> None:
    """Deny by default: an operation is for agents only once somebody said so, even to an identity that may call it."""
    unannotated = target.role("unannotated")
    chat = people.full.chat()

    chat.send(answer())

    assert not chat.asked.offers(unannotated.capability), f"the model was offered {unannotated.capability}"


@pytest.mark.requirement("CATALOG-02")
def test_model_cannot_run_unannotated_procedure(people: People, roles: Roles, data: Data) -> None:
    """A model that learned the name elsewhere still finds nothing behind it."""
    unannotated = roles("unannotated")
    before = data.look()

    people.full.chat().send(calling_unoffered(unannotated.capability, unannotated.input))

    assert data.look().differences(before) == (), f"the model ran {unannotated.capability}"


@pytest.mark.requirement("CATALOG-03")
def test_contextual_capability_is_not_a_server_tool(people: People, target: Target) -> None:
    """A contextual operation is reachable through the screen that binds it, and no other way: never both."""
    contextual = target.role("contextual")
    chat = people.full.chat()

    chat.send(answer())

    assert not chat.asked.offers(contextual.capability), (
        f"{contextual.capability} is offered without a screen"
    )


@pytest.mark.requirement("CATALOG-04")
def test_model_cannot_run_contextual_capability_without_screen(
    people: People, roles: Roles, data: Data
) -> None:
    """Without a component that binds it there is no target, so there is nothing to run."""
    contextual = roles("contextual")
    before = data.look()

    people.full.chat().send(calling_unoffered(contextual.capability, contextual.input))

    assert data.look().differences(before) == (), f"the model ran {contextual.capability} without a screen"


@pytest.mark.requirement("CATALOG-05")
def test_empty_tab_gives_no_view_capability(people: People) -> None:
    """A component that registers nothing has no capabilities; a host can't make some up."""
    chat = people.full.chat()

    step_ = chat.send(answer())

    known = {tool.wire_name for tool in step_.start.domain_tools}
    unknown = [name for name in chat.asked.tool_names if name not in known]
    assert [name for name in unknown if name.startswith("view")] == []


@pytest.mark.requirement("CATALOG-06")
def test_double_claim_is_offered_once(people: People, target: Target) -> None:
    """One operation, one path that the model sees: the second claim to it is dropped, whatever it looks like."""
    read = target.role("read")
    chat = people.full.chat(catalog=Catalog((Declaration(read.capability, wire_name="suite_second_way"),)))

    chat.send(answer())

    assert "suite_second_way" not in chat.asked.tool_names, f"{read.capability} is offered twice"


@pytest.mark.requirement("CATALOG-07")
def test_dropped_claim_is_reported(people: People, target: Target) -> None:
    """Reducing a catalog silently would hide a mistake of the tab from everybody who could mend it."""
    read = target.role("read")
    chat = people.full.chat(catalog=Catalog((Declaration(read.capability),)))

    step_ = chat.send(answer())

    reports = [frame for frame in step_.reports("catalog.collision") if read.capability in str(frame.data)]
    assert len(reports) == 1, (
        f"no report names {read.capability}; reported: {step_.reports('catalog.collision')}"
    )


@pytest.mark.requirement("CATALOG-08")
def test_double_claim_still_runs_on_the_server(people: People, roles: Roles) -> None:
    """Which plane a capability belongs to is not for a tab to choose: the governed server operation runs."""
    read = roles("read")
    chat = people.full.chat(catalog=Catalog((Declaration(read.capability),)))

    step_ = chat.send(calling(read))

    assert [frame.executor for frame in step_.calls if frame.canonical_id == read.capability] == ["server"]
    assert step_.pending == (), "the call was left to the tab"


@pytest.mark.requirement("CATALOG-09")
def test_declaration_cannot_take_a_server_tools_name(people: People, roles: Roles) -> None:
    """The browser is no boundary: a tab that names its own tool like a server tool must not receive that tool's calls."""
    read = roles("read")
    first = people.full.chat()
    names = {tool.canonical_id: tool.wire_name for tool in first.send(answer()).start.domain_tools}
    taken = names[read.capability]
    chat = people.full.chat(catalog=Catalog((Declaration("view:suite.panel.show", wire_name=taken),)))

    step_ = chat.send(script(step(call(taken, read.input)), last_word()))

    assert step_.pending == (), f"a call to {taken} was handed to the tab that took its name"
    assert [frame.executor for frame in step_.calls] == ["server"]


@pytest.mark.requirement("CATALOG-10")
def test_names_are_provider_safe(people: People) -> None:
    """A provider refuses the whole request for one bad name, and so would take every capability away."""
    chat = people.full.chat(catalog=Catalog((PANEL,)))

    chat.send(answer())

    assert chat.asked.tool_names, "the model was offered no tool at all"
    assert [name for name in chat.asked.tool_names if not PROVIDER_SAFE.fullmatch(name)] == []


@pytest.mark.requirement("CATALOG-11")
def test_step_start_announces_the_server_tools(people: People) -> None:
    """The page shows cards by what step-start says, so it must say what the model really has."""
    chat = people.full.chat(catalog=Catalog((PANEL,)))

    step_ = chat.send(answer())

    announced = sorted(tool.wire_name for tool in step_.start.domain_tools)
    assert announced == sorted(name for name in chat.asked.tool_names if name != PANEL.name)


@pytest.mark.requirement("CATALOG-12")
def test_allowed_capabilities_are_offered(people: People, target: Target) -> None:
    """If you may do it, it is there; without this, an empty catalog would pass every rule that hides something."""
    wanted = [target.role(name).capability for name in ("read", "write", "gated")]
    chat = people.full.chat()

    chat.send(answer())

    assert [capability for capability in wanted if not chat.asked.offers(capability)] == []


@pytest.mark.requirement("CATALOG-13")
def test_declared_view_capability_is_offered(people: People) -> None:
    """The tab says what its screens can do; the model is offered exactly that, with its schema."""
    schema = {"type": "object", "properties": {"due": {"type": "string"}}, "additionalProperties": False}
    panel = Declaration("view:suite.panel.filter", input_schema=schema)
    chat = people.full.chat(catalog=Catalog((panel,)))

    chat.send(answer())

    tool = chat.asked.tool(wire_name(panel.canonical_id))
    assert tool is not None, f"the model was not offered {panel.canonical_id}"
    assert tool.fields == {"due"}


@pytest.mark.requirement("CATALOG-14")
def test_route_scopes_the_catalog(people: People, target: Target) -> None:
    """Each step's catalog is scoped by the page; what belongs elsewhere is not offered here."""
    scoped = target.role("out_of_scope")
    there = people.full.chat(route="unscoped")
    here = people.full.chat(route="main")

    there.send(answer())
    here.send(answer())

    assert there.asked.offers(scoped.capability), f"{scoped.capability} is not offered even without a scope"
    assert not here.asked.offers(scoped.capability), f"{scoped.capability} is offered outside its scope"
