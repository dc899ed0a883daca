"""The target's real page in Chromium: the verbs of a tab as gestures of a person, by the hooks of the target file alone."""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from conformance.drivers.session import Session
from conformance.drivers.tabs import page_view
from conformance.drivers.tabs.base import Place, Told, TurnEnd, Visible
from conformance.drivers.tabs.wiretap import Wiretap
from conformance.errors import Departure, Untested
from conformance.target import expand
from conformance.target_page import Gesture
from conformance.target_page import Page as PageTable
from conformance.transcript import Transcript

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Response

_PLACEHOLDER = "{"


@dataclass
class BrowserTab:
    """One page, driven as a person would.

    Attributes:
        table: the `[page]` table of the target file.
        place: at which application, in which mode and variant.
        session: the person's session.
        transcript: where it is noted what is done.
        context: the browser profile that the page is in.
        page: the page.
        url: the application's address, as the page has it.
        deadline: seconds that a turn may take.
        faults: deliberate faults of the page.
        wire: the relay between it and the application, where there is one.
        policy: the page's Content-Security-Policy: for each directive its sources.
    """

    table: PageTable
    place: Place
    session: Session
    transcript: Transcript
    context: "BrowserContext"
    page: "Page"
    url: str
    deadline: float
    faults: tuple[str, ...] = ()
    wire: Wiretap | None = None
    kind: str = "browser"
    policy: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    _new: bool = True

    def open(self, route: str, conversation: str | None = None) -> Visible:
        """Open or reload the page at a route."""
        self.transcript.add("tab", f"open {route} {conversation or ''}".rstrip())
        if self._new:
            self._sign_in()
        address = self._address(route, conversation)
        self._new = False
        with self._within(self.table.within, f"open {route}"):
            response = self.page.goto(address)
            self._settle()
        self.policy = read_policy(self.page, response)
        return self.visible()

    def _sign_in(self) -> None:
        """Give the browser the person's session, as signing in would."""
        token = self.session.token
        if token.kind == "cookie":
            self.context.add_cookies([{"name": token.name, "value": self.session.value, "url": self.url}])
        else:
            self.context.set_extra_http_headers(dict(self.session.headers))

    def _address(self, route: str, conversation: str | None) -> str:
        """The address of a route with what the page is told by its query."""
        table, place = self.table, self.place
        query = {**table.query, **table.modes.get(place.mode, {}), **table.variants.get(place.variant, {})}
        if self.faults:
            query |= {
                key: expand(value, {"fault": ",".join(self.faults)}) for key, value in table.fault.items()
            }
        opened = table.fresh if conversation is None else table.stored
        query |= {key: expand(value, {"conversation": conversation}) for key, value in opened.items()}
        mark = "&" if urlsplit(route).query else "?"
        return f"{self.url}{route}{mark}{urlencode(query)}" if query else f"{self.url}{route}"

    def send(self, text: str) -> TurnEnd:
        """Type a message and wait until the turn is over."""
        return self.start(text).end()

    def start(self, text: str) -> "BrowserTurn":
        """Type a message and look on."""
        self.transcript.add("tab", f"send {text!r}")
        with self._within(self.table.within, "send a message"):
            self.page.fill(self.table.composer, text)
            self.page.click(self.table.send)
        return BrowserTurn(self)

    def end_turn(self) -> TurnEnd:
        """Wait until no turn runs, and say how the last one ended."""
        with self._within(self.deadline, "end the turn"):
            self.page.wait_for_selector(self.table.busy, state="detached", timeout=self.deadline * 1000)
            self._settle()
        return page_view.turn_end(self._look())

    def act(self, name: str, args: Mapping[str, Any] | None = None) -> Visible:
        """Do a named thing on the screen.

        Raises:
            Untested: the page's table does not say how.
        """
        gestures = self.table.acts.get(name)
        if gestures is None:
            raise Untested(f"page.acts.{name}")
        self.transcript.add("tab", f"act {name} {dict(args or {})}")
        with self._within(self.table.within, f"do {name}"):
            for gesture in gestures:
                self._make(gesture, {key: _shown(value) for key, value in (args or {}).items()})
            self._settle()
        return self.visible()

    def _make(self, gesture: Gesture, fills: Mapping[str, str]) -> None:
        """Make one gesture; one whose argument was not given is left out."""
        filled = {key: expand(value, fills) for key, value in gesture.model_dump(exclude_none=True).items()}
        if any(_PLACEHOLDER in value for value in filled.values()):
            return
        value = filled.pop("value")
        ((name, where),) = filled.items()
        match name:
            case "click":
                self.page.click(where)
            case "fill":
                self.page.fill(where, value)
            case "select":
                self.page.select_option(where, value)
            case "check":
                self.page.set_checked(where, value != "false")
            case "press":
                self.page.keyboard.press(where)
            case _:
                self.page.goto(self.url + where)

    def decide(self, kind: str, *, approved: bool, card: str | None = None) -> Told:
        """Answer a confirmation dialog or an approval card."""
        key = {
            ("confirmation", True): "confirm",
            ("confirmation", False): "decline",
            ("approval", True): "approve",
            ("approval", False): "deny",
        }[kind, approved]
        selector = getattr(self.table, key)
        if not selector or self.table.told is None:
            raise Untested(f"page.{key}" if not selector else "page.told")
        chosen = card or self._only(kind)
        self.transcript.add("tab", f"{key} {chosen}")
        with self._within(self.table.within, f"{key} {chosen}"):
            button = self.page.locator(expand(selector, {"id": chosen}))
            if not button.is_visible():
                return Told(id=chosen, ok=False, text="There is nothing to decide any more.")
            button.click()
            self._settle()
        return self._told(chosen)

    def _only(self, kind: str) -> str:
        """The id of the only open question of a kind."""
        seen = self.visible()
        waiting = seen.confirmations if kind == "confirmation" else seen.approvals
        if len(waiting) != 1:
            raise Departure(f"expected one open {kind}, saw {len(waiting)}")
        return waiting[0].id

    def _told(self, card: str) -> Told:
        told = page_view.told(self._look())
        self.transcript.add("tab", f"told {told.text!r}")
        return told if told.id == card else Told(id=card, ok=False, text="Nothing was said about it.")

    def visible(self) -> Visible:
        """Look."""
        return page_view.visible(self._look())

    def _look(self) -> Mapping[str, Any]:
        with self._within(self.table.within, "be looked at"):
            seen: Mapping[str, Any] = self.page.evaluate(page_view.SCRIPT, page_view.spots_of(self.table))
        return seen

    def _settle(self) -> None:
        self.page.wait_for_selector(self.table.ready, state="attached")

    def count(self, selector: str) -> int:
        """How many elements of a kind are on the page."""
        return self.page.locator(selector).count()

    def let_load(self) -> None:
        """Wait until the page has asked for all that it is going to ask for."""
        with self._within(self.table.within, "come to rest"):
            self.page.wait_for_load_state("networkidle")

    def approve_by_double_click(self, card: str) -> None:
        """Press the button of an approval card twice, as fast as one can."""
        if not self.table.approve:
            raise Untested("page.approve")
        self.transcript.add("tab", f"approve {card} by a double click")
        with self._within(self.table.within, f"approve {card}"):
            self.page.dblclick(expand(self.table.approve, {"id": card}))
            self._settle()

    def close(self) -> None:
        """Close the page, as a person closes a tab."""
        self.transcript.add("tab", "close")
        self.page.close()

    def keep(self, path: Path) -> None:
        """Keep a picture of the page, for a report."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=path)

    @contextlib.contextmanager
    def _within(self, seconds: float, what: str) -> Iterator[None]:
        """Take a page that does not do as wanted for a finding."""
        from playwright.sync_api import Error  # noqa: PLC0415 - an optional dependency

        self.page.set_default_timeout(seconds * 1000)
        try:
            yield
        except Error as error:
            first = error.message.splitlines()[0] if error.message else type(error).__name__
            raise Departure(f"the page did not {what} within {seconds:g} s: {first}") from None


def read_policy(page: "Page", response: "Response | None") -> Mapping[str, tuple[str, ...]]:
    """The policy of a page, from its header and from its document; a directive that both name has the header's sources."""
    header = response.header_value("content-security-policy") if response is not None else None
    written = page.locator('meta[http-equiv="Content-Security-Policy" i]')
    texts = [one.get_attribute("content") or "" for one in written.all()] + [header or ""]
    directives = [part.split() for text in texts for part in text.split(";") if part.strip()]
    return {name.lower(): tuple(sources) for name, *sources in directives}


def _shown(value: Any) -> str:
    """An argument as a person would type it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class BrowserTurn:
    """A turn that runs in a page."""

    tab: BrowserTab

    def end(self) -> TurnEnd:
        """Wait until the turn is over."""
        return self.tab.end_turn()
