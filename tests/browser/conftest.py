"""One browser and one application for all tests here; traces and screenshots of what fails are kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fake_model import FakeModel
from reference_app.settings import Settings
from tests.browser.person import Person
from tests.reference_app.running import running, with_model

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ARTIFACTS = Path(os.environ.get("BROWSER_ARTIFACTS", "browser-artifacts"))
PATIENCE_MS = 30_000
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Without a sandbox because tests run as root in containers; otherwise quiet on the network."""


def chromium() -> str:
    """Where the browser is."""
    named = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if named is None:
        pytest.fail("there is no Chromium: install Debian's package chromium, or name one in CHROMIUM")
    return named


def pytest_itemcollected(item: pytest.Item) -> None:
    """Everything here needs a browser."""
    item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Iterator[None]:  # the report is passed on as it is
    """Let fixtures know whether the test failed."""
    report: pytest.TestReport = yield  # type: ignore[assignment]  # what a wrapper receives
    if report.failed:
        item.stash[FAILED] = True
    return report  # type: ignore[return-value]  # see above


FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where there is a browser

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def model() -> Iterator[FakeModel]:
    """The model behind the application."""
    with FakeModel() as model:
        yield model


@pytest.fixture(scope="session")
def shared_url(model: FakeModel) -> Iterator[str]:
    """The application."""
    with running(with_model(Settings(demo_controls=True, a2ui=True), model.url)) as url:
        yield url


@pytest.fixture
def app_url(shared_url: str) -> str:
    """The application with its data as at the start."""
    import httpx  # noqa: PLC0415 - beside its only use

    httpx.post(f"{shared_url}/api/demo/reset", trust_env=False).raise_for_status()
    return shared_url


@pytest.fixture
def visitor(browser: Browser, app_url: str, request: pytest.FixtureRequest) -> Iterator[Callable[[], Person]]:
    """Make people, each with a browser profile of their own; a page must raise nothing."""
    people: list[Person] = []

    def make() -> Person:
        context = browser.new_context(viewport={"width": 1440, "height": 900}, timezone_id="UTC")
        context.set_default_timeout(PATIENCE_MS)
        context.tracing.start(snapshots=True)
        people.append(Person(context, app_url))
        return people[-1]

    yield make
    failed = request.node.stash.get(FAILED, False)
    for number, person in enumerate(people):
        _keep(person, request.node.name, number) if failed else person.context.tracing.stop()
        person.context.close()
    assert [] == [problem for person in people for problem in person.problems]


def _keep(person: Person, name: str, number: int) -> None:
    folder = ARTIFACTS / "".join(letter if letter.isalnum() else "-" for letter in name)
    folder.mkdir(parents=True, exist_ok=True)
    person.page.screenshot(path=folder / f"{number}.png")
    person.context.tracing.stop(path=folder / f"{number}.zip")


@pytest.fixture
def carla(visitor: Callable[[], Person]) -> Person:
    """A controller."""
    return visitor().sign_in("carla")
