"""A person in front of the page: what one can see and do there, by the page's documented hooks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

SETTLED = 'html[data-settled="true"]'
IDLE = f'{SETTLED} [data-hook="assistant"][data-busy="false"]'
LOOK = """() => {
  const text = (root, selector) => root.querySelector(selector)?.textContent ?? "";
  const all = (selector) => [...document.querySelectorAll(selector)];
  const shown = (element) => element.checkVisibility();
  const part = (element) => ({
    kind: element.dataset.dialog ?? element.dataset.card, id: element.dataset.id ?? "", state: element.dataset.state ?? "",
    capability: element.dataset.capability ?? "", title: text(element, "[data-part=title]"),
    text: text(element, "[data-part=text]"), input: text(element, "[data-part=input]"),
  });
  return {
    rows: all("[data-row]").map((row) => ({
      key: row.dataset.row,
      cells: Object.fromEntries([...row.querySelectorAll("[data-cell]")].map((cell) => [cell.dataset.cell, cell.textContent])),
    })),
    total: Number(document.querySelector("[data-total-rows]")?.dataset.totalRows ?? 0),
    selected: all("[data-row][data-selected]").map((row) => row.dataset.row),
    dialogs: all("[data-dialog]").filter(shown).map(part),
    cards: all("[data-card]").map(part),
    transcript: all("[data-said]").map((said) => [said.dataset.said, text(said, "[data-part=text]")]),
    notices: all("[data-notice]").filter(shown).map((notice) => notice.textContent),
  };
}"""


@dataclass(frozen=True)
class Part:
    """A dialog or a card as it stands on the page."""

    kind: str
    id: str
    state: str
    capability: str
    title: str
    text: str
    input: str

    @property
    def value(self) -> Any:
        """What the card says would run."""
        return json.loads(self.input)


@dataclass(frozen=True)
class Seen:
    """What a person sees."""

    rows: tuple[Mapping[str, Any], ...]
    total: int
    selected: tuple[str, ...]
    dialogs: tuple[Part, ...]
    cards: tuple[Part, ...]
    transcript: tuple[tuple[str, str], ...]
    notices: tuple[str, ...]

    @property
    def keys(self) -> list[str]:
        """The rows' keys in their order."""
        return [row["key"] for row in self.rows]

    def cell(self, key: str, column: str) -> str:
        """The text in one cell."""
        text: str = next(row["cells"][column] for row in self.rows if row["key"] == key)
        return text


class Person:
    """Somebody with one tab open.

    Args:
        context: The browser profile that the tab is in.
        base_url: Where the application is.
    """

    def __init__(self, context: BrowserContext, base_url: str) -> None:
        self.context = context
        self.base_url = base_url
        self.page: Page = context.new_page()
        self.problems: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._note)

    def _note(self, message: Any) -> None:
        if "Content Security Policy" in message.text or "Trusted Type" in message.text:
            self.problems.append(message.text)

    def open(self, route: str, **parameters: str) -> Seen:
        """Open or reload the page at a route, with page parameters."""
        mark = "&" if "?" in route else "?"
        query = "&".join(f"{name}={value}" for name, value in parameters.items())
        self.page.goto(f"{self.base_url}{route}{mark if query else ''}{query}")
        return self.settled()

    def sign_in(self, user: str) -> Person:
        """Take a session as the sign-in would; the page is opened afterwards."""
        answer = self.context.request.post(
            f"{self.base_url}/api/session", data={"user": user}, headers={"origin": self.base_url}
        )
        assert answer.ok, answer.text()
        return self

    def reset(self) -> None:
        """Put all data back to the start."""
        answer = self.context.request.post(
            f"{self.base_url}/api/demo/reset", headers={"origin": self.base_url}
        )
        assert answer.ok, answer.text()

    def settled(self) -> Seen:
        """Wait until the page shows what was asked of it."""
        self.page.wait_for_selector(SETTLED, state="attached")
        return self.see()

    def see(self) -> Seen:
        """Look."""
        seen = self.page.evaluate(LOOK)
        return Seen(
            rows=tuple(seen["rows"]),
            total=seen["total"],
            selected=tuple(seen["selected"]),
            dialogs=tuple(Part(**part) for part in seen["dialogs"]),
            cards=tuple(Part(**part) for part in seen["cards"]),
            transcript=tuple((role, text) for role, text in seen["transcript"]),
            notices=tuple(seen["notices"]),
        )

    @property
    def route(self) -> str:
        """The address without its origin."""
        return self.page.url.removeprefix(self.base_url)

    def find(self, selector: str, *, has_text: str | None = None) -> Locator:
        """Something on the page, with a text in it where that matters."""
        return self.page.locator(selector, has_text=has_text)

    def click(self, selector: str) -> Seen:
        """Press something and wait until the page shows what came of it."""
        self.find(selector).click()
        return self.settled()

    def act(self, name: str, key: str = "") -> Seen:
        """Press a named control."""
        return self.click(f'[data-act="{name}"]' + (f'[data-key="{key}"]' if key else ""))

    def choose(self, selector: str, value: str) -> Seen:
        """Choose from a list."""
        self.find(selector).select_option(value)
        return self.settled()

    def type(self, selector: str, text: str) -> Seen:
        """Write into a field."""
        self.find(selector).fill(text)
        return self.settled()

    def start(self, text: str) -> None:
        """Send a message to the assistant and do not wait."""
        self.find('[data-hook="composer"]').fill(text)
        self.find('[data-hook="send"]').click()

    def send(self, text: str) -> Seen:
        """Send a message to the assistant and wait until the turn is over."""
        self.start(text)
        return self.idle()

    def idle(self) -> Seen:
        """Wait until no turn runs."""
        self.page.wait_for_selector(IDLE, state="attached")
        return self.see()

    @property
    def turn(self) -> tuple[str | None, str | None]:
        """How the last turn ended, and its error code."""
        dock = self.find('[data-hook="assistant"]')
        return dock.get_attribute("data-turn-status"), dock.get_attribute("data-turn-error")

    def wait(self, selector: str) -> Seen:
        """Wait until something is there."""
        self.page.wait_for_selector(selector, state="attached")
        return self.see()
