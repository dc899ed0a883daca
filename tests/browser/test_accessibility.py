"""Nothing serious for axe on any screen, in both colour schemes and on wide and narrow screens."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from fake_model import FakeModel, call, reason, say, script, step
from tests.browser.person import Person

if TYPE_CHECKING:
    from playwright.sync_api import Page

NARROW = {"width": 390, "height": 844}
WIDE = {"width": 1440, "height": 900}


def violations(page: "Page") -> list[str]:
    """What axe finds, moderate and worse."""
    from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # noqa: PLC0415 - see above

    found = Axe().run(page).response["violations"]
    return [
        f"{item['id']} ({item['impact']}): {node['html'][:120]}"
        for item in found
        if item["impact"] in ("moderate", "serious", "critical")
        for node in item["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_axe_finds_nothing(carla: Person, model: FakeModel, scheme: str, size: dict[str, int]) -> None:
    """Every screen, with dialog, thread, cards and question open."""
    carla.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    found: dict[str, list[str]] = {}
    key = carla.open("/receivables/pending").keys[0]
    carla.act("open-chase", key)
    carla.type('[data-field="note"]', "A note.")
    carla.act("select-row", key)
    run = model.play(
        script(
            step(reason("Hm."), say("I ask."), call("domain:issue-invoice", {"id": 9})),
            step(call("view:collections.chase.discardDraft")),
            say("Done."),
        )
    )
    carla.start(run.prompt("Do it."))
    carla.wait('[data-dialog="confirmation"]')
    carla.page.set_viewport_size(size)  # type: ignore[arg-type]  # a dictionary of the same keys
    found["screen"] = violations(carla.page)
    if size is NARROW:
        carla.find('[data-act="open-assistant"]').click()
        found["assistant"] = violations(carla.page)
    carla.find('[data-hook="confirm"]').click()
    carla.idle()
    for route in ("/receivables/all", "/receivables/clients", "/about", "/lab"):
        carla.open(route, setting="lab:on")
        for more in carla.find("details.more summary").all():
            more.click()
        found[route] = violations(carla.page)

    assert {} == {name: problems for name, problems in found.items() if problems}


def test_axe_finds_nothing_at_the_door(visitor: Callable[[], Person]) -> None:
    """The sign-in too."""
    guest = visitor()
    guest.open("/")

    assert [] == violations(guest.page)


def test_nothing_is_wider_than_a_narrow_screen(carla: Person) -> None:
    """Tables scroll in their own frame; the page never sideways."""
    carla.page.set_viewport_size({"width": 360, "height": 740})
    for route in ("/receivables/pending", "/receivables/all", "/receivables/clients", "/about"):
        carla.open(route)

        assert carla.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), route
        assert carla.page.evaluate(
            "[...document.querySelectorAll('main')].every((main) => main.scrollWidth <= main.clientWidth)"
        ), route
