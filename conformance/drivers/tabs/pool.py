"""The process tabs of one worker, started when needed and used again: each case opens one as if nobody had used it yet."""

from dataclasses import dataclass, field

from conformance.drivers.session import Session
from conformance.drivers.tabs.process import ProcessTab
from conformance.errors import Untested
from conformance.target import Target
from conformance.transcript import Transcript

_Key = tuple[str, str]


@dataclass
class TabPool:
    """Idle tabs by address and mode.

    Attributes:
        target: the target file, whose `[tab]` table says how a tab is started.
        faults: deliberate faults that every tab is started with.
    """

    target: Target
    faults: tuple[str, ...] = ()
    _idle: dict[_Key, list[ProcessTab]] = field(default_factory=dict)

    def take(self, base_url: str, mode: str, session: Session, transcript: Transcript) -> ProcessTab:
        """Hand out a tab of the target at this address, in this mode, not opened yet.

        Raises:
            Untested: the target brings no tab, or knows no such mode.
            Departure: a new one does not start.
        """
        table = self.target.tab
        if table is None:
            raise Untested("tab", "to drive the target's view plane")
        if mode not in table.modes and mode != "direct":
            raise Untested(f"tab.modes.{mode}")
        waiting = self._idle.get((base_url, mode), [])
        while waiting:
            tab = waiting.pop()
            if tab.idle:
                tab.hand_over(session, transcript)
                return tab
            tab.close()
        tab = ProcessTab(table, session, transcript, self.target.limits.step_deadline)
        tab.launch(base_url, mode=mode, faults=self.faults)
        return tab

    def give_back(self, base_url: str, mode: str, tab: ProcessTab) -> None:
        """Take a tab back; one that still owes a reply, or has ended, is not used again."""
        if tab.idle:
            self._idle.setdefault((base_url, mode), []).append(tab)
        else:
            tab.close()

    def close(self) -> None:
        """End all tabs."""
        for tabs in self._idle.values():
            for tab in tabs:
                tab.close()
        self._idle.clear()
