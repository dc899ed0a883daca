"""Scope narrows what a page offers and never widens it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_app.host.scope import ROUTES, floor_for, resolve_scope

PENDING = ("app", "invoices", "reporting", "collections")


@pytest.mark.parametrize(
    ("path", "floor"),
    [
        ("/receivables/pending", PENDING),
        ("/receivables/pending/42", PENDING),
        ("/receivables/all", ("app", "invoices", "reporting")),
        ("/receivables/clients", ("app", "clients", "invoices")),
        ("/about", ("app",)),
        ("/receivables/pending-archive", ()),
        ("/receivables", ()),
        ("/", ()),
        ("", ()),
    ],
)
def test_pages_inherit_from_the_page_above(path: str, floor: tuple[str, ...]) -> None:
    """A page below another is about the same; one whose name only begins alike is not."""
    assert floor == floor_for(path, ROUTES)


@pytest.mark.parametrize(
    ("requested", "scope"),
    [
        ((), PENDING),
        (("invoices",), ("app", "invoices")),
        (("collections", "invoices"), ("app", "invoices", "collections")),
        (("app",), ("app",)),
        (("clients",), PENDING),
        (("clients", "reporting"), ("app", "reporting")),
    ],
)
def test_a_request_chooses_from_the_pages_own(requested: tuple[str, ...], scope: tuple[str, ...]) -> None:
    """What the page is not about cannot be requested, and asking for nothing else gets the page."""
    assert scope == resolve_scope(PENDING, requested)


@given(st.lists(st.sampled_from(["app", "invoices", "clients", "reporting", "collections", "lab", ""])))
def test_no_request_widens_a_scope(requested: list[str]) -> None:
    """Whatever is requested, nothing beyond the page's scope is offered."""
    resolved = resolve_scope(PENDING, requested)

    assert set(resolved) <= set(PENDING)
    assert resolved[0] == "app"


@given(st.lists(st.text(max_size=8)))
def test_an_unscoped_page_stays_unscoped(requested: list[str]) -> None:
    """Nothing narrows a page that has no scope."""
    assert resolve_scope((), requested) == ()
