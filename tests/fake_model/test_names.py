"""Wire names: the standard encoding, and what a script's name means among the tools that were offered."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fake_model.names import (
    MAX_WIRE_NAME,
    Alias,
    CanonicalName,
    encode,
    read_canonical,
    resolve,
    wire_name_of,
)

SEGMENT = st.from_regex(r"[a-z][a-z0-9-]{0,20}", fullmatch=True)
VIEW_IDS = st.builds(
    lambda parts, name: f"view:{'.'.join(parts)}.{name}",
    st.lists(SEGMENT, min_size=1, max_size=6),
    st.from_regex(r"[a-z][A-Za-z0-9]{0,12}", fullmatch=True),
)


@pytest.mark.parametrize(
    ("name", "level", "wire_name"),
    [
        ("domain:list-invoices", 0, "domain_list-invoices"),
        ("domain:devices.disable", 0, "domain_devices__disable"),
        ("view:devices.table.selectRows", 0, "view_devices__table__selectRows"),
        ("view:devices.table.selectRows@main", 0, "view_devices__table__selectRows_at_main"),
        ("domain:readState__0", 0, "domain_readState__0_0_1jekgk2"),
        ("domain:at_._x.a", 0, "domain_at____x__a_0_1r09ein"),
        ("domain:orders.refund_now", 0, "domain_orders__refund_now_0_1w0ud7j"),
        (
            "view:settings.organization.billing.invoices.history.table.readState",
            0,
            "view_settings__organization__billing__invoices__histor_0_162oil0",
        ),
        (
            "view:settings.organization.billing.history.table.readState@left-pane",
            0,
            "view_settings__organization__billing__history__table___0_0pzxj4c",
        ),
        (
            "view:aaaaaaaaaa.bbbbbbbbbb.cccccccccc.dddddddddd.eeeeeeeeee.cap8596",
            1,
            "view_aaaaaaaaaa__bbbbbbbbbb__cccccccccc__dddddddddd__0_0kzs21j0w",
        ),
    ],
)
def test_the_standard_encoding_gives_the_known_names(name: str, level: int, wire_name: str) -> None:
    """These names are what other implementations of the stack emit; ours must be the same to the letter."""
    canonical = read_canonical(name)

    assert canonical is not None
    assert encode(canonical, level) == wire_name


@given(VIEW_IDS, st.integers(0, 3))
def test_no_wire_name_is_longer_than_providers_take(canonical_id: str, level: int) -> None:
    """Every provider takes 64 characters from a small alphabet, at every level of shortening."""
    wire_name = encode(CanonicalName(canonical_id), level)

    assert len(wire_name) <= MAX_WIRE_NAME
    assert all(c.isascii() and (c.isalnum() or c in "_-") for c in wire_name)


@settings(max_examples=40)
@given(st.lists(VIEW_IDS, unique=True, max_size=4))
def test_each_offered_tool_is_found_by_its_canonical_id(ids: list[str]) -> None:
    """What was offered under the standard encoding is found again, and nothing else in its place."""
    offered = {encode(CanonicalName(canonical_id)): canonical_id for canonical_id in ids}

    found = {resolve(canonical_id, offered) for canonical_id in ids}

    assert found == set(offered)


def test_an_exact_name_goes_before_everything() -> None:
    """A script may use wire names; then no encoding is in the way."""
    assert (
        resolve("anything_at_all", ["anything_at_all"], [Alias("anything_at_all", "other")])
        == "anything_at_all"
    )


def test_a_shortened_name_is_found_at_any_level() -> None:
    """A host that met a collision offers a longer hash; the script's canonical id still means that tool."""
    name = "view:aaaaaaaaaa.bbbbbbbbbb.cccccccccc.dddddddddd.eeeeeeeeee.cap8596"
    offered = ["view_aaaaaaaaaa__bbbbbbbbbb__cccccccccc__dddddddddd__0_0kzs21j0w"]

    assert resolve(name, offered) == offered[0]


def test_an_alias_stands_for_a_target_with_its_own_encoding() -> None:
    """The caller says the wire name where a target has its own; it counts only if it is offered."""
    aliases = [Alias("domain:list-invoices", "ListInvoices")]

    assert resolve("domain:list-invoices", ["ListInvoices"], aliases) == "ListInvoices"
    assert resolve("domain:list-invoices", ["other"], aliases) is None
    assert wire_name_of("domain:list-invoices", aliases) == "ListInvoices"


@pytest.mark.parametrize(
    "offered",
    [[], ["domain_list_invoices"], ["list-invoices"], ["domain_list-invoices2"], ["view_list-invoices"]],
)
def test_nothing_is_guessed(offered: list[str]) -> None:
    """A name that only looks alike is another tool."""
    assert resolve("domain:list-invoices", offered) is None


@pytest.mark.parametrize("name", ["", "list-invoices", "meta:surface.read", "domain:", ":x", "Domain:x"])
def test_what_begins_with_no_plane_is_no_canonical_id(name: str) -> None:
    """Only the two planes have canonical ids."""
    assert read_canonical(name) is None
