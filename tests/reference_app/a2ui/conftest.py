"""An application that offers cards, and its model."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fake_model import FakeModel
from reference_app.settings import Settings
from tests.reference_app.a2ui.presenting import Cards
from tests.reference_app.running import client, running, with_model


@pytest.fixture(scope="session")
def served() -> Iterator[Cards]:
    """One application for all tests."""
    with FakeModel() as model:
        settings = with_model(Settings(demo_controls=True, a2ui=True), model.url)
        with running(settings) as url, client(url) as nobody:
            yield Cards(url, model, nobody)


@pytest.fixture
def cards(served: Cards) -> Iterator[Cards]:
    """The same, as at the start."""
    served.nobody.post("/api/demo/reset", json={}).raise_for_status()
    served.nobody.cookies.clear()
    yield served
    served.leave()
