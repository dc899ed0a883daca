"""The process tabs of one worker, started when needed and used again: each case opens one as if nobody had used it yet."""

from collections.abc import Callable
from dataclasses import dataclass, field

from conformance.drivers.session import Session
from conformance.drivers.tabs.base import Place, Tab
from conformance.drivers.tabs.process import ProcessTab
from conformance.drivers.tabs.wiretap import Wiretap
from conformance.errors import Untested
from conformance.target import Target
from conformance.transcript import Transcript


@dataclass
class TabPool:
    """Idle tabs by place.

    Attributes:
        target: the target file, whose `[tab]` table says how a tab is started.
        faults: deliberate faults that every tab is started with.
    """

    target: Target
    faults: tuple[str, ...] = ()
    _idle: dict[Place, list[ProcessTab]] = field(default_factory=dict)

    def take(
        self,
        place: Place,
        url: Callable[[], str],
        session: Session,
        transcript: Transcript,
        beside: Tab | None = None,  # noqa: ARG002 - processes share nothing
    ) -> ProcessTab:
        """Hand out a tab, not opened yet.

        Args:
            place: which application it is at, in which mode and variant.
            url: the application's address, asked for when it is needed: it may move.
            session: the person's session.
            transcript: where it is noted what the tab does.
            beside: another tab of the same browser.

        Raises:
            Untested: the target brings no tab, or knows no such mode or variant.
            Departure: a new one does not start.
        """
        table = self.target.tab
        if table is None:
            raise Untested("tab", "to drive the target's view plane")
        if place.mode not in table.modes and place.mode != "direct":
            raise Untested(f"tab.modes.{place.mode}")
        if place.variant and place.variant not in table.variants:
            raise Untested(f"tab.variants.{place.variant}")
        waiting = self._idle.get(place, [])
        while waiting:
            tab = waiting.pop()
            if tab.idle:
                tab.hand_over(session, transcript)
                return tab
            tab.close()
        wire = None if self.target.launch is None else Wiretap(url).start()
        tab = ProcessTab(
            table,
            session,
            transcript,
            self.target.limits.step_deadline,
            place=place,
            folder=self.target.folder,
            wire=wire,
        )
        tab.launch(url() if wire is None else wire.url, faults=self.faults)
        return tab

    def become(self, faults: tuple[str, ...]) -> None:
        """Start tabs with these faults from now on; a process keeps those that it was started with."""
        if faults != self.faults:
            self.close()
            self.faults = faults

    def give_back(self, tab: Tab, *, keep_as: str = "") -> None:  # noqa: ARG002 - a process leaves nothing to see
        """Take a tab back; one that still owes a reply, or has ended, is not used again."""
        if not isinstance(tab, ProcessTab):
            return
        if tab.idle:
            self._idle.setdefault(tab.place, []).append(tab)
        else:
            tab.close()

    def close(self) -> None:
        """End all tabs."""
        for tabs in self._idle.values():
            for tab in tabs:
                tab.close()
        self._idle.clear()
