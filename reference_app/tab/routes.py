"""The console's screens by path, their titles, and what of both catalogs each has to do with."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Route:
    """One screen: its path, its title and the scope tokens that its catalog is narrowed to."""

    path: str
    title: str
    scope: tuple[str, ...]


ROUTES: Final = (
    Route("/receivables/pending", "Pending invoices", ("invoices", "reporting", "collections")),
    Route("/receivables/all", "All invoices", ("invoices", "reporting")),
    Route("/receivables/clients", "Clients", ("clients", "invoices")),
    Route("/about", "How this works", ("app",)),
)
KNOWN_PATHS: Final = tuple(route.path for route in ROUTES)


def route_of(path: str) -> Route:
    """The screen for a path; an unknown path leads to the first one."""
    return next((route for route in ROUTES if route.path == path), ROUTES[0])


def scope_for(path: str) -> tuple[str, ...]:
    """The scope of a path or of one under it, ``app`` always among it; empty, which is unscoped, for a path unknown."""
    exact = [route for route in ROUTES if route.path == path]
    under = [route for route in ROUTES if path.startswith(f"{route.path}/")]
    for route in exact + under:
        return route.scope if "app" in route.scope else ("app", *route.scope)
    return ()
