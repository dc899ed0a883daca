"""Names on the wire: the published vectors, and the properties that every catalog relies on."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_app.surface.wire_names import NameKey, assign, decode, encode

SEGMENT = st.from_regex(r"[a-z][a-z0-9-]{0,12}", fullmatch=True)
NAME = st.from_regex(r"[a-z][A-Za-z0-9]{0,20}", fullmatch=True)
VIEW_ID = st.builds(
    lambda parts, name: f"view:{'.'.join(parts)}.{name}", st.lists(SEGMENT, min_size=1, max_size=6), NAME
)
DOMAIN_ID = st.builds(
    lambda path: f"domain:{path}", st.from_regex(r"[a-z][A-Za-z0-9._-]{0,60}", fullmatch=True)
)
KEY = st.builds(
    NameKey, VIEW_ID | DOMAIN_ID, st.none() | st.from_regex(r"[A-Za-z0-9_-]{1,20}", fullmatch=True)
)
DEEP = "view:aaaaaaaaaa.bbbbbbbbbb.cccccccccc.dddddddddd.eeeeeeeeee."


@pytest.mark.parametrize(
    ("canonical_id", "suffix", "name"),
    [
        ("view:devices.table.selectRows", None, "view_devices__table__selectRows"),
        ("view:devices.table.selectRows", "main", "view_devices__table__selectRows_at_main"),
        ("domain:devices.disable", None, "domain_devices__disable"),
        ("view:at.a.a", None, "view_at__a__a"),
        ("domain:list-invoices", None, "domain_list-invoices"),
        ("domain:readState__0", None, "domain_readState__0_0_1jekgk2"),
        ("domain:at_._x.a", None, "domain_at____x__a_0_1r09ein"),
        ("domain:orders.refund_now", None, "domain_orders__refund_now_0_1w0ud7j"),
        (
            "view:settings.organization.billing.invoices.history.table.readState",
            None,
            "view_settings__organization__billing__invoices__histor_0_162oil0",
        ),
        (
            "view:settings.organization.billing.history.table.readState",
            "left-pane",
            "view_settings__organization__billing__history__table___0_0pzxj4c",
        ),
    ],
)
def test_published_vectors(canonical_id: str, suffix: str | None, name: str) -> None:
    """Host and tab may be written in different languages and must mint the same names."""
    assert encode(NameKey(canonical_id, suffix)) == name


def test_a_known_collision_is_told_apart() -> None:
    """Two ids that share a shortened name are both named anew, each by a longer hash."""
    first, second = NameKey(f"{DEEP}cap8596"), NameKey(f"{DEEP}cap2709660")
    assert (
        encode(first) == encode(second) == "view_aaaaaaaaaa__bbbbbbbbbb__cccccccccc__dddddddddd__e_0_0kpsgck"
    )

    names = assign([first, second])

    assert names == {
        first: "view_aaaaaaaaaa__bbbbbbbbbb__cccccccccc__dddddddddd__0_0kzs21j0w",
        second: "view_aaaaaaaaaa__bbbbbbbbbb__cccccccccc__dddddddddd__0_0kzs21j11",
    }


@given(st.lists(KEY, unique=True, max_size=30))
def test_names_are_unique_and_acceptable_to_every_provider(keys: list[NameKey]) -> None:
    """Within a catalog a name stands for one thing, and is one to 64 letters, digits, hyphens and underscores."""
    names = assign(keys)

    assert len(set(names.values())) == len(keys)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in names.values())


@given(st.lists(KEY, unique=True, max_size=20), st.randoms())
def test_names_do_not_depend_on_the_order_of_the_catalog(keys: list[NameKey], random: object) -> None:
    """The same catalog has the same names, whoever composes it and in whatever order."""
    shuffled = list(keys)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis hands out a random.Random

    assert assign(shuffled) == assign(keys)


@given(VIEW_ID)
def test_a_faithful_name_leads_back(canonical_id: str) -> None:
    """A name that was neither shortened nor suffixed says what it stands for; any other says nothing."""
    name = encode(NameKey(canonical_id))

    assert decode(name) in (canonical_id, None)
    if len(canonical_id.replace(".", "__")) <= 64:
        assert decode(name) == canonical_id


@given(st.text(max_size=80))
def test_reading_a_foreign_name_never_fails(name: str) -> None:
    """Whatever a model sends, reading it back gives an id that encodes to exactly that name, or nothing."""
    decoded = decode(name)

    assert decoded is None or encode(NameKey(decoded)) == name


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            "_",
            "view",
            "view_",
            "_view_x",
            "tool_x",
            "domain_at____x__a",
            "domain_at__at__",
            "domain___at__",
        ),
        "view_devices__table__readState_at_main",
        "domain_readState__0_0_1jekgk2",
    ],
)
def test_ambiguous_names_are_not_read_back(name: str) -> None:
    """A suffixed or shortened name could stand for several ids; only the catalog's own table knows."""
    assert decode(name) is None


@pytest.mark.parametrize(
    ("name", "canonical_id"), [("view_at__a__a", "view:at.a.a"), ("domain_a__0__b", "domain:a.0.b")]
)
def test_segments_that_look_like_markers_are_read_back(name: str, canonical_id: str) -> None:
    """``at`` and ``0`` are ordinary segments where nothing is ambiguous."""
    assert decode(name) == canonical_id
