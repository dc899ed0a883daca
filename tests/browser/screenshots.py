"""Pictures of every screen, light and dark, wide and narrow: ``python -m tests.browser.screenshots FOLDER``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from fake_model import FakeModel, call, reason, say, script, step
from reference_app.settings import Settings
from tests.browser.conftest import ARGUMENTS, PATIENCE_MS, chromium
from tests.browser.person import Person
from tests.reference_app.running import running, with_model

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZES = {"wide": (1440, 900), "middle": (1024, 768), "narrow": (390, 844)}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@dataclass(frozen=True)
class Scene:
    """One picture: its name, and what leads to it."""

    name: str
    lead: Callable[[Person, FakeModel], None]


def _at(route: str) -> Callable[[Person, FakeModel], None]:
    def lead(person: Person, _model: FakeModel) -> None:
        person.open(route)

    return lead


def _filters(person: Person, _model: FakeModel) -> None:
    person.open("/receivables/all?q=a")
    for summary in person.find("details.more summary").all():
        summary.click()
    person.choose('[data-column-filter="status"]', "sent")


def _clients(person: Person, _model: FakeModel) -> None:
    keys = person.open("/receivables/clients").keys
    person.open(f"/receivables/clients?left={keys[0]}&right={keys[1]}")


def _chase(person: Person, _model: FakeModel) -> None:
    key = person.open("/receivables/pending?due=overdue").keys[2]
    person.act("select-row", key)
    person.act("open-chase", key)


def _thread(person: Person, model: FakeModel) -> None:
    """A turn on both planes that ends with an approval waiting."""
    ledger = person.open("/receivables/all")
    draft = next(row["key"] for row in ledger.rows if row["cells"]["status"] == "draft")
    run = model.play(
        script(
            step(
                reason("The overdue ones first."),
                say("I look at what is overdue."),
                call("view:invoices.all.setFilters", {"q": "PIN"}),
                call("domain:receivables-summary"),
            ),
            step(
                say("One draft could go out. I ask you for that."),
                call("domain:issue-invoice", {"id": int(draft)}),
            ),
            say("It waits for your approval."),
        )
    )
    _show_assistant(person)
    person.send(run.prompt("What about Pinecrest?"))


def _question(person: Person, model: FakeModel) -> None:
    """A question of the page's own, while the turn waits."""
    key = person.open("/receivables/pending").keys[0]
    person.act("open-chase", key)
    person.find('[data-act="ask-before-chasing"]').check()
    _show_assistant(person)
    run = model.play(
        script(
            step(
                call(
                    "domain:update-collection-status", {"remindersSent": 4, "note": "Reminded\u202eby phone."}
                )
            ),
            say("Noted."),
        )
    )
    person.start(run.prompt("Record a reminder."))
    person.wait('[data-dialog="confirmation"]')
    person.find('[data-dialog="confirmation"]').scroll_into_view_if_needed()


def _trouble(person: Person, model: FakeModel) -> None:
    """A turn that ends with an error, and a notice."""
    person.open("/receivables/pending", setting="colour:red")
    _show_assistant(person)
    wrong = step(call("view:invoices.pending.sort", {"key": "colour"}))
    person.send(model.play(script(wrong, wrong, wrong)).prompt("Sort by colour."))


def _show_assistant(person: Person) -> None:
    opener = person.find('[data-act="open-assistant"]')
    if opener.is_visible():
        opener.click()


SCENES = (
    Scene("pending", _at("/receivables/pending")),
    Scene("chase", _chase),
    Scene("all", _at("/receivables/all")),
    Scene("filters", _filters),
    Scene("clients", _clients),
    Scene("about", _at("/about")),
    Scene("thread", _thread),
    Scene("question", _question),
    Scene("trouble", _trouble),
)


def take(browser: Browser, url: str, model: FakeModel, folder: Path) -> int:
    """Take every picture.

    Returns:
        How many there are.
    """
    count = 0
    for scheme in SCHEMES:
        for size, (width, height) in SIZES.items():
            for scene in (Scene("door", _at("/")), *SCENES):
                context = browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme=scheme
                )
                context.set_default_timeout(PATIENCE_MS)
                person = Person(context, url)
                if scene.name != "door":
                    person.sign_in("carla")
                context.request.post(f"{url}/api/demo/reset", headers={"origin": url})
                scene.lead(person, model)
                person.page.screenshot(path=folder / f"{scene.name}-{size}-{scheme}.png")
                context.close()
                count += 1
    return count


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where there is a browser

    parser = argparse.ArgumentParser(prog="python -m tests.browser.screenshots", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    folder: Path = parser.parse_args(arguments).folder
    folder.mkdir(parents=True, exist_ok=True)
    with (
        FakeModel() as model,
        running(with_model(Settings(demo_controls=True), model.url)) as url,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        count = take(browser, url, model, folder)
        browser.close()
    sys.stdout.write(f"{count} pictures in {folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
