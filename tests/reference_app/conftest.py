"""What the tests of the reference app share."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """The application runs on asyncio, and so do its tests."""
    return "asyncio"
