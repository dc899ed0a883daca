"""What is on the page whichever screen is open: navigation, and who is signed in. The about page has nothing else."""

from collections.abc import Mapping, Sequence

from reference_app.surface.contract_binding import Doing, Handlers, Reading
from reference_app.surface.definition import Component, HandlerContext, PreconditionFailure
from reference_app.surface.json_value import Json, JsonObject
from reference_app.tab.data import Need
from reference_app.tab.desk import Desk
from reference_app.tab.location import Location
from reference_app.tab.mounting import Mountable
from reference_app.tab.screen import Act, Look


class Navigation:
    """The console's navigation."""

    key = "navigation"

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def definition(self) -> Component:
        """Bind the contract."""
        return self._desk.contracts.bind(
            "app.navigation",
            Handlers(
                readings={"readCurrentRoute": Reading(lambda _context: self.read())},
                doings={
                    "goTo": Doing(
                        lambda given, _context: self.go_to(str(given["path"])), precondition=self._may_go
                    )
                },
            ),
        )

    def read(self) -> dict[str, Json]:
        """Where the page is."""
        path = self._desk.shown.path
        return {
            "path": path,
            "title": self._desk.routes.find(path).title,
            "knownRoutes": list(self._desk.routes.paths),
        }

    def go_to(self, path: str) -> None:
        """Open a screen, with nothing set on it; the one that is open stays as it is."""
        if path != self._desk.address.path:
            self._desk.go(Location(path))

    def _may_go(self, given: JsonObject, _context: HandlerContext) -> PreconditionFailure | None:
        if given["path"] in self._desk.routes.paths:
            return None
        return PreconditionFailure("There is no such screen.", {"knownRoutes": list(self._desk.routes.paths)})


class Session:
    """Who is signed in, as the page shows it."""

    key = "session"

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def definition(self) -> Component:
        """Bind the contract."""
        return self._desk.contracts.bind(
            "app.session", Handlers(readings={"read": Reading(lambda _context: self.read())}, doings={})
        )

    def read(self) -> dict[str, Json]:
        """The person's name, address and role."""
        person = self._desk.person
        return {} if person is None else {"email": person.email, "name": person.name, "role": person.role}


class AboutScreen:
    """The page that explains the console; there is nothing to do on it."""

    needs: Sequence[Need] = ()

    def components(self) -> Sequence[Mountable]:
        """Nothing of its own."""
        return ()

    def look(self) -> Look:
        """No rows."""
        return Look()

    def acts(self) -> Mapping[str, Act]:
        """No controls of its own."""
        return {}
