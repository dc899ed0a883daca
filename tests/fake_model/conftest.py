"""What the tests of the fake model share: a server, and the three providers' own clients."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from fake_model import FakeModel
from tests.fake_model.clients import AnthropicClient, ChatClient, Client, ResponsesClient


@pytest.fixture
def model() -> Iterator[FakeModel]:
    """A fake model that listens on a free port."""
    with FakeModel() as started:
        yield started


@pytest.fixture(params=[ChatClient, ResponsesClient, AnthropicClient], ids=["chat", "responses", "anthropic"])
def client(request: pytest.FixtureRequest, model: FakeModel) -> Client:
    """The official client of each provider in turn."""
    kind: type[Client] = request.param
    return kind(model.url)


@pytest.fixture
def http(model: FakeModel) -> Iterator[httpx.Client]:
    """A client for the fake model."""
    with httpx.Client(verify=False, base_url=model.url, timeout=10) as client:
        yield client


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Threads for requests that wait."""
    with ThreadPoolExecutor(8) as threads:
        yield threads
