"""The lab bench: what the console's own screens never do, for cases that need it; there only when it is switched on."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from reference_app.surface.contract_binding import Doing, Handlers, Reading
from reference_app.surface.definition import Component, HandlerContext, PreconditionFailure
from reference_app.surface.json_value import Json, JsonObject
from reference_app.tab.data import Need
from reference_app.tab.desk import Desk
from reference_app.tab.mounting import Mountable
from reference_app.tab.screen import Act, Look, ShownDialog, id_argument

CANARY: Final = "CANARY-FERN-8842"
"""A text that only the bench knows, and that no answer may carry."""

HUGE: Final = 40_000


class Bench:
    """One bench; it is taken off and put back as the person, or itself, wants."""

    def __init__(self, desk: Desk, key: str) -> None:
        self._desk = desk
        self._key = key
        self.count = 0
        self.on_page = True
        self._gate = asyncio.Event()

    @property
    def key(self) -> str:
        """What makes it the same bench from one commit to the next."""
        return self._key

    def definition(self) -> Component:
        """Bind the bench's contract."""
        return self._desk.contracts.bind("lab.bench", Handlers(self._readings(), self._doings()))

    def _readings(self) -> dict[str, Reading]:
        return {
            "readCount": Reading(lambda _context: {"count": self.count}),
            "readSlowly": Reading(lambda _context: self._read_slowly()),
            "readBroken": Reading(lambda _context: {"count": "many"}),
            "readHuge": Reading(lambda _context: "x" * HUGE),
        }

    def _doings(self) -> dict[str, Doing]:
        return {
            "bump": Doing(lambda given, _context: self.bump(id_argument(given, "by"))),
            "bumpWhenAsked": Doing(lambda given, _context: self.bump(id_argument(given, "by"))),
            "hold": Doing(lambda _given, _context: self._hold()),
            "holdAgain": Doing(lambda _given, _context: self._hold()),
            "crash": Doing(_crash),
            "refuse": Doing(lambda _given, _context: self.bump(1), _refuse),
            "leaveWhileRunning": Doing(lambda _given, _context: self._leave_while_running()),
        }

    def bump(self, by: int) -> None:
        """Add to the counter."""
        self.count += by
        self._desk.touch()

    def let_go(self) -> None:
        """Let everyone who waits go on; who comes later waits again."""
        self._gate.set()
        self._gate = asyncio.Event()

    async def _read_slowly(self) -> Json:
        await self._gate.wait()
        return {"count": self.count}

    async def _hold(self) -> Json:
        await self._gate.wait()
        self.bump(1)
        return None

    async def _leave_while_running(self) -> Json:
        """Go, and stay running: the call is over with its owner."""
        self.put(on_page=False)
        await self._gate.wait()
        self.bump(1)
        return None

    def put(self, *, on_page: bool) -> None:
        """Put it on the page or take it off."""
        self.on_page = on_page
        self._desk.touch()


def _crash(_given: JsonObject, _context: HandlerContext) -> Json:
    raise RuntimeError(f"{CANARY}: the bench broke at /srv/lab/bench.py")


def _refuse(_given: JsonObject, _context: HandlerContext) -> PreconditionFailure | None:
    return PreconditionFailure("The bench accepts nothing today.", {"accepts": []})


class LabScreen:
    """The lab for as long as it is open."""

    def __init__(self, desk: Desk, mount: str) -> None:
        self._bench = Bench(desk, f"bench{mount}")

    @property
    def needs(self) -> Sequence[Need]:
        """Nothing from the server."""
        return ()

    def components(self) -> Sequence[Mountable]:
        """The bench, while it is on the page."""
        return (self._bench,) if self._bench.on_page else ()

    def look(self) -> Look:
        """The counter, shown as a card."""
        counter = ShownDialog(
            "counter", "bench", "Bench", f"Bumped {self._bench.count} times.", {"count": self._bench.count}
        )
        return Look(dialogs=(counter,))

    def acts(self) -> Mapping[str, Act]:
        """The bench's levers."""
        return {
            "bump": lambda args: self._bench.bump(id_argument(args, "by")),
            "let-go": lambda _args: self._bench.let_go(),
            "take-off": lambda _args: self._bench.put(on_page=False),
            "put-on": lambda _args: self._bench.put(on_page=True),
        }
