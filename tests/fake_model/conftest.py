"""What the tests of the fake model share: a server, and the three providers' own clients."""

from collections.abc import Iterator

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
