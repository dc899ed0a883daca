"""What the model checks share."""

from collections.abc import Iterator

import pytest

from tests.model.world import World, open_world


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One application for all of them; each example begins with its data put back."""
    with open_world(tmp_path_factory.mktemp("model")) as opened:
        yield opened
