"""One application and one model for all tests of the HTTP side, put back to the start before each test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import httpx
import pytest

from fake_model import FakeModel, Run, Script
from reference_app.settings import Settings, Tunables
from tests.reference_app.running import Person, Stepped, Tab, client, running, user, with_model

SETTINGS = Settings(demo_controls=True, tunables=Tunables(model_silence=5, tool_timeout=20))


@dataclass(frozen=True)
class World:
    """A running application and its model."""

    url: str
    model: FakeModel
    nobody: httpx.Client

    def control(self, name: str, /, **body: Any) -> Any:
        """Use a demonstration control."""
        answer = self.nobody.post(f"/api/demo/{name}", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def play(self, script: Script, text: str = "go", **tab: Any) -> tuple[Run, Tab]:
        """A script that the model will follow, and the tab that begins the turn."""
        run = self.model.play(script)
        tab = {"conversation": f"conversation-{run.token}", "messages": (user(run.prompt(text)),), **tab}
        return run, Tab(**tab)

    def turn(self, person: Person, script: Script, **tab: Any) -> tuple[Run, Stepped]:
        """One step of one turn."""
        run, posted = self.play(script, **tab)
        return run, person.step(posted.body())


@pytest.fixture(scope="session")
def served() -> Iterator[World]:
    """The application and its model."""
    with FakeModel() as model, running(with_model(SETTINGS, model.url)) as url, client(url) as nobody:
        yield World(url, model, nobody)


@pytest.fixture
def world(served: World) -> World:
    """The same, as at the start."""
    served.control("reset")
    served.nobody.cookies.clear()
    return served


@pytest.fixture
def carla(world: World) -> Iterator[Person]:
    """A controller."""
    yield from _signed_in(world, "carla")


@pytest.fixture
def conrad(world: World) -> Iterator[Person]:
    """Another controller."""
    yield from _signed_in(world, "conrad")


@pytest.fixture
def ada(world: World) -> Iterator[Person]:
    """An analyst."""
    yield from _signed_in(world, "ada")


def _signed_in(world: World, name: str) -> Iterator[Person]:
    person = Person(world.url, name)
    yield person
    person.close()


def other_settings(**tunables: Any) -> Settings:
    """The settings with other values."""
    return replace(SETTINGS, tunables=replace(SETTINGS.tunables, **tunables))
