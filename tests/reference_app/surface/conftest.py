"""The event loop that the surface's asynchronous tests run on."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """The surface is written for asyncio."""
    return "asyncio"
