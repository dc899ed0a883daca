"""Addresses and routes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_app.tab.location import Location
from reference_app.tab.routes import ROUTES

TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)


@given(st.dictionaries(TEXT, TEXT, max_size=4))
def test_an_address_reads_back(params: dict[str, str]) -> None:
    """What was set can be shared, whatever a person typed into a filter."""
    location = Location("/receivables/pending").with_params(params)

    assert Location.parse(location.text) == location


def test_empty_parameters_are_left_out() -> None:
    """A default needs no mention."""
    location = Location.parse("/a?x=1&y=2")

    assert (
        location.with_params({"x": "", "z": "3"}).text,
        location.with_params({"x": None, "y": None}).text,
    ) == (
        "/a?y=2&z=3",
        "/a",
    )


@pytest.mark.parametrize(
    ("path", "scope"),
    [
        ("/receivables/pending", ("app", "invoices", "reporting", "collections")),
        ("/receivables/pending/42", ("app", "invoices", "reporting", "collections")),
        ("/receivables/all", ("app", "invoices", "reporting")),
        ("/receivables/clients", ("app", "clients", "invoices")),
        ("/about", ("app",)),
        ("/receivables/pending-archive", ()),
        ("/", ()),
    ],
)
def test_scopes(path: str, scope: tuple[str, ...]) -> None:
    """A path has its screen's scope and a path under it too; one that only begins alike has none."""
    assert ROUTES.scope_for(path) == scope


def test_unknown_paths_lead_home() -> None:
    """There is always a screen."""
    assert ROUTES.find("/nowhere").path == "/receivables/pending"
