"""What a person must be able to see without looking for it: whole values, the open screen's entry, the frame's top."""

from typing import Literal

import pytest

from tests.browser.person import Person

TABLES = ("/receivables/pending", "/receivables/all", "/receivables/clients")
SCROLLS = "(() => { const it = document.querySelector('.table-scroll'); return it.scrollWidth > it.clientWidth; })()"
COVERED = """[...document.querySelectorAll("tbody tr")].filter((row) =>
  [...row.cells].some((cell, at) => {
    const next = row.cells[at + 1];
    return next && cell.getBoundingClientRect().right > next.getBoundingClientRect().left + 1;
  })).map((row) => row.textContent)"""
IN_THE_STRIP = """(() => {
  const strip = document.querySelector("console-nav").getBoundingClientRect();
  const entry = document.querySelector('console-nav [aria-current="page"]').getBoundingClientRect();
  return strip.left <= entry.left && entry.right <= strip.right;
})()"""
COMES_INTO_THE_STRIP = f"""new Promise((done) => {{
  let frames = 200;
  const look = () => ({IN_THE_STRIP} ? done(true) : frames-- === 0 ? done(false) : requestAnimationFrame(look));
  look();
}})"""


@pytest.mark.parametrize("width", [1280, 1440])
def test_a_table_fits_its_frame_on_a_laptop(carla: Person, width: int) -> None:
    """Nothing has to be scrolled for, beside the assistant."""
    carla.page.set_viewport_size({"width": width, "height": 800})
    for route in TABLES:
        carla.open(route)

        assert not carla.page.evaluate(SCROLLS), route


@pytest.mark.parametrize("width", [1280, 1024, 920])
def test_no_cell_lies_over_another(carla: Person, width: int) -> None:
    """Half an amount would read as another amount; so the buttons of a row scroll with it."""
    carla.page.set_viewport_size({"width": width, "height": 800})
    for route in TABLES:
        carla.open(route)

        assert [] == carla.page.evaluate(COVERED), route


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_open_screen_s_entry_is_in_sight(
    carla: Person, motion: Literal["reduce", "no-preference"]
) -> None:
    """However the screen was opened; where motion is not wanted it is there at once, and focus stays where it was."""
    carla.page.emulate_media(reduced_motion=motion)
    carla.page.set_viewport_size({"width": 320, "height": 700})
    carla.open("/about")
    opened = carla.page.evaluate(IN_THE_STRIP)
    carla.open("/receivables/pending")
    carla.click('[data-path="/about"]')
    carla.page.go_back()
    carla.wait('[data-table="invoices.pending"]')
    carla.settled()

    assert opened
    assert carla.page.evaluate(IN_THE_STRIP if motion == "reduce" else COMES_INTO_THE_STRIP)
    assert "/about" == carla.page.evaluate("document.activeElement.dataset.path")


@pytest.mark.parametrize("width", [320, 360, 390])
def test_the_top_fits_a_narrow_screen(carla: Person, width: int) -> None:
    """Who is signed in, and the way to change that, are whole and on the page."""
    carla.page.set_viewport_size({"width": width, "height": 700})
    carla.open("/about")

    for part in (".brand", ".name", '[data-act="switch-user"]'):
        box = carla.find(part).bounding_box()
        assert box is not None, part
        assert box["x"] + box["width"] <= width, part
