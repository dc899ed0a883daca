"""The open page: an address, the screen that shows it, and the surface that the screen's components are on.

What is asked for and what is shown are two things, as in a browser: a change of address or data is shown at the next
commit, which mounts, unmounts and then tells the surface what became available.
"""

import asyncio
import itertools
from collections.abc import Callable, Mapping
from typing import Final

from reference_app.surface.core import Settings
from reference_app.surface.json_value import Json, JsonObject
from reference_app.surface.registry import Registry, Surroundings
from reference_app.tab.api import Api
from reference_app.tab.data import Data, Rows
from reference_app.tab.desk import Contracts, Desk, Preferences
from reference_app.tab.errors import ServerError, UnreachableError
from reference_app.tab.executor import RpcExecutor
from reference_app.tab.location import Location
from reference_app.tab.mounting import Mountable, Stage
from reference_app.tab.records import Person
from reference_app.tab.routes import LAB_PATH, ROUTES, ROUTES_WITH_LAB, RouteTable
from reference_app.tab.screen import Look, Screen
from reference_app.tab.screens.clients import ClientsScreen
from reference_app.tab.screens.lab import LabScreen
from reference_app.tab.screens.ledger import LedgerScreen
from reference_app.tab.screens.pending import PendingScreen
from reference_app.tab.screens.shell import AboutScreen, Navigation, Session
from reference_app.tab.settings import TabSettings

_mounts: Final = itertools.count(1)


def _about(_desk: Desk, _mount: str) -> Screen:
    return AboutScreen()


SCREENS: Final[Mapping[str, Callable[[Desk, str], Screen]]] = {
    "/receivables/pending": PendingScreen,
    "/receivables/all": LedgerScreen,
    "/receivables/clients": ClientsScreen,
    "/about": _about,
    LAB_PATH: LabScreen,
}


class Page:
    """One page of one person, from opening to closing."""

    def __init__(
        self,
        api: Api,
        contracts: Contracts,
        preferences: Preferences,
        settings: TabSettings,
        *,
        surroundings: Surroundings,
    ) -> None:
        self._api = api
        self._contracts = contracts
        self._preferences = preferences
        self._person: Person | None = None
        self._data = Data(api)
        self._notices: list[str] = []
        self._routes = ROUTES_WITH_LAB if settings.lab else ROUTES
        self._address = self._shown = Location(self._routes.home)
        self._screen: Screen = AboutScreen()
        self._screen_path = ""
        self._dirty = False
        self._committing: asyncio.Task[None] | None = None
        self.registry = Registry(
            contracts.authority,
            Settings(
                limits=settings.limits(),
                policies=settings.policies(),
                host=self.host_context,
                route=lambda: self._shown.text,
                executor=RpcExecutor(contracts.contextual, self.rpc),
            ),
            surroundings,
        )
        self._stage = Stage(self.registry)
        self._shell: tuple[Mountable, ...] = (Navigation(self), Session(self))

    # What a screen sees of the page

    @property
    def shown(self) -> Location:
        """The address whose view is on the screen."""
        return self._shown

    @property
    def address(self) -> Location:
        """The address that was asked for last."""
        return self._address

    @property
    def rows(self) -> Rows:
        """What was read from the server."""
        return self._data.rows

    @property
    def person(self) -> Person | None:
        """Who is signed in."""
        return self._person

    @property
    def contracts(self) -> Contracts:
        """The contracts."""
        return self._contracts

    @property
    def routes(self) -> RouteTable:
        """The screens that there are."""
        return self._routes

    @property
    def preferences(self) -> Preferences:
        """The person's own settings."""
        return self._preferences

    def go(self, location: Location) -> None:
        """Ask for another address; an unknown path leads to the first screen."""
        path = self._routes.find(location.path).path
        self._address = location if path == location.path else Location(path)
        self.touch()

    def touch(self) -> None:
        """Ask for a commit."""
        self._dirty = True
        if self._committing is None or self._committing.done():
            self._committing = asyncio.get_running_loop().create_task(self._commit())

    def refresh(self) -> None:
        """Read everything again: a button or the assistant may have changed anything."""
        self._data.invalidate()
        self.touch()

    async def rpc(self, path: str, given: Json, invocation_id: str | None = None) -> Json:
        """Call a procedure in the person's session, and read everything again after it."""
        value = await self.plain_rpc(path, given, invocation_id)
        self.refresh()
        return value

    async def plain_rpc(self, path: str, given: Json, invocation_id: str | None = None) -> Json:
        """Call a procedure in the person's session."""
        return await self._api.rpc(path, given, invocation_id)

    def host_context(self) -> JsonObject:
        """What policies may know of the page's surroundings."""
        if self._person is None:
            return {}
        return {"user": {"email": self._person.email, "name": self._person.name, "role": self._person.role}}

    # What the tab does with the page

    async def open(self, address: Location) -> None:
        """Learn who is signed in, then show an address."""
        try:
            self._person = await self._api.person()
        except (ServerError, UnreachableError) as error:
            self.notice(str(error))
        self.go(address)
        await self.until_shown()

    def notice(self, text: str) -> None:
        """Tell the person something."""
        self._notices.append(text)

    @property
    def notices(self) -> tuple[str, ...]:
        """What the person was told."""
        return tuple(self._notices)

    @property
    def path(self) -> str:
        """The path of the screen that is shown."""
        return self._shown.path

    @property
    def title(self) -> str:
        """The title of the screen."""
        return self._routes.find(self._shown.path).title

    @property
    def screen(self) -> Screen:
        """The screen that is shown."""
        return self._screen

    def look(self) -> Look:
        """What a person sees on the screen; without a person there is nothing to see."""
        return self._screen.look() if self._person is not None else Look()

    def is_caught_up(self) -> bool:
        """Whether what was asked for is what is shown."""
        return (
            not self._dirty
            and self._shown == self._address
            and (self._committing is None or self._committing.done())
        )

    async def until_shown(self) -> None:
        """Wait until what was asked for is shown."""
        while not self.is_caught_up() and not self.registry.disposed:
            if self._committing is None:
                return
            await asyncio.shield(self._committing)

    def remount(self) -> None:
        """Build the screen anew, as its reload button does: its components leave and others take their places."""
        self._screen_path = ""
        self.refresh()

    async def close(self) -> None:
        """Let go of everything that lived in the page."""
        self.registry.dispose()
        if self._committing is not None:
            self._committing.cancel()
            await asyncio.gather(self._committing, return_exceptions=True)
        await self._api.close()

    # Commits

    async def _commit(self) -> None:
        """Show what was asked for; what is asked for meanwhile is shown right after."""
        while self._dirty and not self.registry.disposed:
            self._dirty = False
            target = self._address
            screen = self._screen_for(target)
            await self._read(screen)
            if self._dirty and self._address.path != target.path:
                continue
            self._show(target, screen)

    def _screen_for(self, target: Location) -> Screen:
        if target.path == self._screen_path:
            return self._screen
        return SCREENS[target.path](self, f"#{next(_mounts)}")

    async def _read(self, screen: Screen) -> None:
        if self._person is None:
            return
        try:
            await self._data.load(screen.needs)
        except (ServerError, UnreachableError) as error:
            self.notice(str(error))

    def _show(self, target: Location, screen: Screen) -> None:
        if self.registry.disposed:
            return
        self._screen, self._screen_path, self._shown = screen, target.path, target
        self._stage.show((*self._shell, *screen.components()))
        self._stage.refresh()
