"""Scope: which part of the catalog a page is about. It narrows what is offered and never widens it (Host protocol)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

APP = "app"
"""The token that every scope has."""


@dataclass(frozen=True)
class Route:
    """A page and what it is about.

    Attributes:
        path: The page; pages below it inherit its scope.
        tokens: The scope without ``app``.
    """

    path: str
    tokens: tuple[str, ...]


ROUTES = (
    Route("/receivables/pending", ("invoices", "reporting", "collections")),
    Route("/receivables/all", ("invoices", "reporting")),
    Route("/receivables/clients", ("clients", "invoices")),
    Route("/about", (APP,)),
)
"""The pages of the console; a page that is not below any of them is unscoped."""

LAB_ROUTE = Route("/lab", ("lab", "invoices", "clients", "reporting", "collections"))
"""The page of the lab, in demonstrations."""


def floor_for(pathname: str, routes: Sequence[Route]) -> tuple[str, ...]:
    """The scope of a page, ``app`` first; empty when the page is unscoped."""
    exact = [route for route in routes if route.path == pathname]
    below = [route for route in routes if pathname.startswith(f"{route.path}/")]
    for route in (*exact, *below):
        return route.tokens if APP in route.tokens else (APP, *route.tokens)
    return ()


def resolve_scope(floor: Sequence[str], requested: Sequence[str]) -> tuple[str, ...]:
    """The scope of a step: what was requested of the page's own, in the page's order.

    A request outside the page's scope asks for nothing that the page has, and gets the page's scope.
    """
    if not floor or not requested:
        return tuple(floor)
    kept = [token for token in floor if token in requested]
    if not kept:
        return tuple(floor)
    return tuple(kept) if APP in kept else (APP, *kept)
