"""The browser of one worker: one Chromium, and for each tab a profile that nobody has used yet."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.drivers.session import Session
from conformance.drivers.tabs.base import Place, Tab
from conformance.drivers.tabs.browser import BrowserTab
from conformance.drivers.tabs.wiretap import Wiretap
from conformance.errors import Departure, Untested
from conformance.target import Target
from conformance.transcript import Transcript

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Playwright

PROGRAMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
"""The shell first: the same engine without the windows around it, for less than half of the processor's time."""
VARIABLE = "DUALPLANE_CHROMIUM"
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Without a sandbox because suites run as root in containers; otherwise quiet on the network."""


@dataclass
class BrowserPool:
    """The pages of one worker.

    Attributes:
        target: the target file, whose `[page]` table says how its page is used.
        faults: deliberate faults of the page.
        folder: where traces and pictures of what fails are kept; None keeps none.
    """

    target: Target
    faults: tuple[str, ...] = ()
    folder: Path | None = None
    _playwright: "Playwright | None" = None
    _browser: "Browser | None" = None
    _sharing: dict[int, int] = field(default_factory=dict)

    def take(
        self,
        place: Place,
        url: Callable[[], str],
        session: Session,
        transcript: Transcript,
        beside: Tab | None = None,
    ) -> BrowserTab:
        """Hand out a page, not opened yet; see `TabPool.take`.

        Raises:
            Untested: the target names no page, or no such mode or variant, or there is no browser.
        """
        table = self.target.page
        if table is None:
            raise Untested("page", "to drive the target's page")
        if place.mode not in table.modes and place.mode != "direct":
            raise Untested(f"page.modes.{place.mode}")
        if place.variant and place.variant not in table.variants:
            raise Untested(f"page.variants.{place.variant}")
        if isinstance(beside, BrowserTab):
            context, wire, address = beside.context, beside.wire, beside.url
        else:
            context = self._new_profile()
            wire = None if self.target.launch is None else Wiretap(url).start()
            address = url() if wire is None else wire.url
        self._sharing[id(context)] = self._sharing.get(id(context), 0) + 1
        return BrowserTab(
            table,
            place,
            session,
            transcript,
            context,
            context.new_page(),
            address,
            self.target.limits.step_deadline,
            faults=self.faults,
            wire=wire,
        )

    def _new_profile(self) -> "BrowserContext":
        context = self._started().new_context(viewport={"width": 1440, "height": 900}, timezone_id="UTC")
        if self.folder is not None:
            context.tracing.start(screenshots=False, snapshots=True)
        return context

    def _started(self) -> "Browser":
        if self._browser is None:
            try:
                from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 - an optional dependency
            except ImportError:
                raise Untested("playwright", "to drive the target's page") from None
            program = chromium(self.target.page.browser if self.target.page is not None else "")
            self._playwright = sync_playwright().start()
            try:
                self._browser = self._playwright.chromium.launch(
                    executable_path=program, args=list(ARGUMENTS)
                )
            except Error as error:
                raise Departure(f"{program} does not start: {error.message.splitlines()[0]}") from None
        return self._browser

    def become(self, faults: tuple[str, ...]) -> None:
        """Open pages with these faults from now on."""
        self.faults = faults

    def give_back(self, tab: Tab, *, keep_as: str = "") -> None:
        """End a page, and its profile with the last page in it; what failed is kept under a name."""
        if not isinstance(tab, BrowserTab):
            return
        kept = self.folder / keep_as if self.folder is not None and keep_as else None
        if kept is not None and not tab.page.is_closed():
            tab.keep(_free(kept, ".png"))
        tab.page.close()
        key = id(tab.context)
        self._sharing[key] -= 1
        if self._sharing[key]:
            return
        del self._sharing[key]
        if self.folder is not None:
            tab.context.tracing.stop(path=_free(kept, ".zip") if kept is not None else None)
        tab.context.close()
        if tab.wire is not None:
            tab.wire.close()

    def close(self) -> None:
        """End the browser."""
        if self._browser is not None:
            self._browser.close()
        if self._playwright is not None:
            self._playwright.stop()
        self._browser = self._playwright = None


def chromium(named: str = "") -> str:
    """Where the browser is.

    Args:
        named: what the target file names.

    Raises:
        Untested: there is none.
    """
    wanted = os.environ.get(VARIABLE) or named
    candidates = (wanted,) if wanted else PROGRAMS
    for name in candidates:
        if found := shutil.which(name):
            return found
    raise Untested("chromium", f"{wanted} is not there" if wanted else f"in the path, or named in {VARIABLE}")


def _free(path: Path, suffix: str) -> Path:
    """The first path of this name that is not taken: a case may have several tabs."""
    number, free = 1, path.with_name(path.name + suffix)
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}{suffix}")
    return free
