"""The catalog: one path for each operation, and every reduction is accounted for."""

from __future__ import annotations

from typing import Any

import pytest

from reference_app.domain.discovery import Descriptor
from reference_app.host.catalog import Admission, Catalog, admit, check_limits, server_tools
from reference_app.host.protocol import HostError
from reference_app.host.request import Declaration
from reference_app.surface.wire_names import NameKey, encode
from tests.reference_app.running import view_tool


def descriptor(name: str, *, gated: bool = False) -> Descriptor:
    """An operation as the domain plane offers it."""
    return Descriptor(name, f"Do {name}.", {"type": "object"}, "write", "low", (), gated)


def declare(*changes: dict[str, Any]) -> list[Declaration]:
    """Declarations as they come over the wire."""
    return [Declaration.model_validate(view_tool(**change)) for change in changes]


SERVER = server_tools([descriptor("issue-invoice", gated=True), descriptor("list-invoices")])
CONTEXTUAL = frozenset({"domain:update-collection-status"})
BOUND = {"name": "domain_update-collection-status", "plane": "domain", "effect": "server-mutation"}


def names_of(admission: Admission) -> list[str]:
    """What is offered of the tab's."""
    return [tool.wire_name for tool in admission.accepted]


def test_gated_operations_say_so() -> None:
    """The model and the page learn of the approval before the call."""
    assert [True, False] == [tool.requires_approval for tool in SERVER]
    assert ["Do issue-invoice. Requires approval.", "Do list-invoices."] == [
        tool.description for tool in SERVER
    ]
    assert ["domain_issue-invoice", "domain_list-invoices"] == [tool.wire_name for tool in SERVER]


def test_views_and_bindable_operations_are_admitted() -> None:
    """A tab adds its own screen, and what its page may bind."""
    admission = admit(declare({}, BOUND), SERVER, CONTEXTUAL, "direct")

    assert ["view_invoices__pending__setFilters", "domain_update-collection-status"] == names_of(admission)


@pytest.mark.parametrize("capability", ["issue-invoice", "list-invoices"])
def test_an_operation_that_the_server_offers_is_a_collision(capability: str) -> None:
    """There would be two paths to one operation, one of them past the gate."""
    twice = {"name": f"domain_{capability}", "plane": "domain"}
    admission = admit(declare(twice), SERVER, CONTEXTUAL, "direct")

    assert (f"domain:{capability}",) == admission.collisions
    assert names_of(admission) == []


@pytest.mark.parametrize(
    ("name", "plane"),
    [
        ("domain_delete-invoice", "domain"),
        ("domain_invented", "domain"),
        ("domain_update-collection-status", "domain"),
        ("domain_update-collection-status", "view"),
        ("view_invoices__pending__setFilters", "domain"),
    ],
)
def test_everything_else_on_the_domain_plane_is_refused_alike(name: str, plane: str) -> None:
    """Hidden, unexposed, invented and mislabelled declarations get the same answer, so that it tells nothing."""
    admission = admit(declare({"name": name, "plane": plane}), SERVER, frozenset(), "direct")

    assert (1, (), ()) == (len(admission.refused), admission.collisions, admission.accepted)


@pytest.mark.parametrize(
    "canonical", ["click", "view:Bad.name", "view:x", "dom:click", "meta:surface_act", ""]
)
def test_what_is_no_capability_id_is_refused_in_direct_mode(canonical: str) -> None:
    """There is no third plane."""
    declaration = Declaration.model_construct(
        **declare({})[0].model_copy(update={"canonical_id": canonical}).__dict__
    )

    assert admit([declaration], SERVER, CONTEXTUAL, "direct").accepted == ()


def test_meta_tools_exist_in_meta_mode_only() -> None:
    """A tab that declares itself through three tools says so."""
    meta = declare({"name": "surface_act", "canonicalId": "meta:surface_act", "plane": "view"})

    assert ["surface_act"] == names_of(admit(meta, SERVER, CONTEXTUAL, "meta"))
    assert names_of(admit(meta, SERVER, CONTEXTUAL, "direct")) == []


def test_no_declaration_takes_the_name_of_another_tool() -> None:
    """A call must never reach another executor than its name says; the first keeps the name."""
    shadow = {"name": "domain_issue-invoice", "canonicalId": "view:invoices.pending.pay", "plane": "view"}
    again = {"canonicalId": "view:invoices.all.setFilters"}
    admission = admit(declare(shadow, {}, again), SERVER, CONTEXTUAL, "direct")

    assert ("view:invoices.pending.pay", "view:invoices.all.setFilters") == admission.refused
    assert ["view_invoices__pending__setFilters"] == names_of(admission)


def test_a_capability_that_is_declared_twice_is_offered_once() -> None:
    """One operation has one path that a model can see; the second declaration is reported like any refused one."""
    again = {"wireName": "view_again"}
    admission = admit(declare({}, again), SERVER, CONTEXTUAL, "direct")

    assert ["view_invoices__pending__setFilters"] == names_of(admission)
    assert (admission.accepted[0].canonical_id,) == admission.refused


@pytest.mark.parametrize(
    "canonical_id",
    ["view:clients.card.show", "view:a.component.type.that.goes.on.for.longer.than.a.name.may.show"],
    ids=["suffix", "shortened"],
)
def test_two_components_of_a_kind_are_two_capabilities(canonical_id: str) -> None:
    """Each is a place on the screen of its own, and is called by a name of its own."""
    names = [encode(NameKey(canonical_id, instance)) for instance in ("left", "right")]
    twins = declare(*({"canonicalId": canonical_id, "wireName": name} for name in names))
    admission = admit(twins, SERVER, CONTEXTUAL, "direct")

    assert names == names_of(admission)


@pytest.mark.parametrize("wire_name", ["view a", "view.a", "view_ä", "view/a", "view_a\n"])
def test_names_that_no_provider_accepts_are_withheld_by_name(wire_name: str) -> None:
    """One bad name would make the provider refuse the whole request."""
    assert (wire_name,) == admit(declare({"wireName": wire_name}), SERVER, CONTEXTUAL, "direct").undecodable


def test_long_ids_get_unique_names_of_64_characters() -> None:
    """Two ids that are alike in their first 64 characters keep apart, and each name leads back to its id."""
    long = "archive.statements-of-account-for-the-financial-quarter-ending-in"
    tools = server_tools([descriptor(f"{long}-march"), descriptor(f"{long}-june"), descriptor("a_b")])
    catalog = Catalog(tools, Admission(), (), (), "direct")

    assert len({tool.wire_name for tool in tools}) == 3
    assert all(len(tool.wire_name) <= 64 for tool in tools)
    assert [tool.canonical_id for tool in tools] == [catalog.canonical_ids[tool.wire_name] for tool in tools]


def test_the_tool_block_has_server_tools_first_in_their_order() -> None:
    """The block stays the same as long as the tools do, so that a provider's cache of it holds."""
    catalog = Catalog(SERVER, admit(declare({}), SERVER, CONTEXTUAL, "direct"), (), (), "direct")

    assert ["domain_issue-invoice", "domain_list-invoices", "view_invoices__pending__setFilters"] == [
        definition.name for definition in catalog.definitions
    ]


@pytest.mark.parametrize(
    ("domain", "frontend", "message"),
    [
        (129, 0, "domain catalog has 129 tools; the limit is 128"),
        (100, 100, "total catalog has 200 tools; the limit is 192"),
    ],
)
def test_a_catalog_that_is_too_large_is_refused_by_plane_count_and_limit(
    domain: int, frontend: int, message: str
) -> None:
    """Two halves within their limits can still be too many together."""
    server = server_tools(descriptor(f"op-{number}") for number in range(domain))
    tab = admit(
        declare(*({"name": f"view_a__b__act{n}"} for n in range(frontend))), server, CONTEXTUAL, "direct"
    )
    with pytest.raises(HostError, match=message) as caught:
        check_limits(Catalog(server, tab, (), (), "direct"))

    assert caught.value.status == 413
