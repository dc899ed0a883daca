"""The console's screens by path, their titles, and what of both catalogs each has to do with."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Route:
    """One screen: its path, its title and the scope tokens that its catalog is narrowed to."""

    path: str
    title: str
    scope: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RouteTable:
    """The screens that a page has."""

    routes: tuple[Route, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """Their paths, in the order of the navigation."""
        return tuple(route.path for route in self.routes)

    @property
    def home(self) -> str:
        """Where a page that is asked for nothing known opens."""
        return self.routes[0].path

    def find(self, path: str) -> Route:
        """The screen for a path; an unknown path leads home."""
        return next((route for route in self.routes if route.path == path), self.routes[0])

    def scope_for(self, path: str) -> tuple[str, ...]:
        """The scope of a path or of one under it, ``app`` always among it; empty, which is unscoped, for an unknown one."""
        exact = [route for route in self.routes if route.path == path]
        under = [route for route in self.routes if path.startswith(f"{route.path}/")]
        for route in exact + under:
            return route.scope if "app" in route.scope else ("app", *route.scope)
        return ()


ROUTES: Final = RouteTable(
    (
        Route("/receivables/pending", "Pending invoices", ("invoices", "reporting", "collections")),
        Route("/receivables/all", "All invoices", ("invoices", "reporting")),
        Route("/receivables/clients", "Clients", ("clients", "invoices")),
        Route("/about", "How this works", ("app",)),
    )
)
LAB_PATH: Final = "/lab"
ROUTES_WITH_LAB: Final = RouteTable(
    (
        *ROUTES.routes,
        Route(LAB_PATH, "Lab", ("app", "lab", "invoices", "clients", "reporting", "collections")),
    )
)
