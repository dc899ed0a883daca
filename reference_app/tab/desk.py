"""What a screen may ask of the page that it is on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from reference_app.surface.authority import Authority
from reference_app.surface.contract_binding import Handlers, Placement, bind_contract
from reference_app.surface.contract_files import ContextualManifest
from reference_app.surface.definition import Component
from reference_app.surface.json_value import Json
from reference_app.surface.manifest import Declaration
from reference_app.tab.data import Rows
from reference_app.tab.location import Location
from reference_app.tab.records import Person
from reference_app.tab.routes import RouteTable
from reference_app.tab.table import Layout


@dataclass(frozen=True, slots=True)
class Contracts:
    """The compiled contracts that a page binds its components to."""

    authority: Authority
    declarations: Mapping[str, Declaration]
    contextual: ContextualManifest

    def bind(self, component_type: str, handlers: Handlers, placement: Placement | None = None) -> Component:
        """Join a component's contract with its handlers."""
        return bind_contract(self.authority, self.declarations[component_type], handlers, placement)


@dataclass(slots=True)
class Preferences:
    """What the person has set for this browser, apart from what is in the address."""

    layouts: dict[str, Layout] = field(default_factory=dict)
    ask_before_chasing: bool = False


class Desk(Protocol):
    """The page, as a screen sees it.

    ``shown`` is the address whose view is on the screen, ``address`` the one that was asked for last; a change asks
    for a new one and is shown at the next commit.
    """

    @property
    def shown(self) -> Location:
        """The address whose view is on the screen."""

    @property
    def address(self) -> Location:
        """The address that was asked for last."""

    @property
    def rows(self) -> Rows:
        """What was read from the server."""

    @property
    def person(self) -> Person | None:
        """Who is signed in."""

    @property
    def contracts(self) -> Contracts:
        """The contracts."""

    @property
    def routes(self) -> RouteTable:
        """The screens that there are."""

    @property
    def preferences(self) -> Preferences:
        """The person's own settings."""

    def go(self, location: Location) -> None:
        """Ask for another address."""

    def touch(self) -> None:
        """Ask for a commit without another address: something that is shown has changed."""

    async def rpc(self, path: str, given: Json) -> Json:
        """Call a procedure in the person's session, and read everything again after it."""

    async def plain_rpc(self, path: str, given: Json) -> Json:
        """Call a procedure in the person's session, and read nothing after it."""
