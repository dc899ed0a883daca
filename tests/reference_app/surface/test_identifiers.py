"""The grammar of capability ids."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_app.surface.identifiers import (
    DomainId,
    ViewId,
    is_capability_name,
    is_component_type,
    is_instance_id,
    parse_id,
)


@given(
    st.lists(st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True), min_size=1, max_size=5),
    st.from_regex(r"[a-z][A-Za-z0-9]{0,20}", fullmatch=True),
)
def test_view_ids_are_read_as_they_are_written(segments: list[str], name: str) -> None:
    """Writing an id and reading it back gives the same component type and name."""
    written = ViewId(".".join(segments), name)

    assert parse_id(written.text) == written


@given(st.text(max_size=140))
def test_reading_never_fails(text: str) -> None:
    """An id may come from a model: nonsense is no id, and no exception."""
    parsed = parse_id(text)

    assert parsed is None or parsed.text == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "view:",
        "domain:",
        "view:table",
        "view:.name",
        "view:a.",
        "view:A.b",
        "view:a..b",
        "view:a.B",
        "tool:a.b",
        "a.b",
        f"domain:{'x' * 122}",
        "view:a.b_c",
    ],
)
def test_what_is_not_an_id(text: str) -> None:
    """Planes are two, segments are lower case, names are camel case, and 128 characters are enough."""
    assert parse_id(text) is None


def test_a_domain_path_is_opaque() -> None:
    """Its grammar is the server's business."""
    assert parse_id("domain:orders.refund_now/ä") == DomainId("orders.refund_now/ä")


@pytest.mark.parametrize("text", ["a", "a-1.b-2", "invoices.pending"])
def test_component_types(text: str) -> None:
    """Lower-case segments joined by dots."""
    assert is_component_type(text)


@pytest.mark.parametrize("text", ["", ".", "a.", "A", "1a", "a_b", "a\n", "x" * 129])
def test_what_is_no_component_type(text: str) -> None:
    """No capitals, no underscores, no digit first, no end of line at the end."""
    assert not is_component_type(text)


def test_names_and_instances() -> None:
    """A name is camel case; an instance id may hold more, but no dot."""
    assert (
        is_capability_name("readState"),
        is_capability_name("read-state"),
        is_capability_name("read\n"),
    ) == (
        True,
        False,
        False,
    )
    assert (is_instance_id("left-pane_2"), is_instance_id("a.b"), is_instance_id("")) == (True, False, False)
