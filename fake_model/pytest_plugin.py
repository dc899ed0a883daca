"""A fixture for users' own tests: a scripted model that each test has for itself.

Load it with `pytest_plugins = ["fake_model.pytest_plugin"]` in the top `conftest.py`, or `-p fake_model.pytest_plugin`.
"""

from collections.abc import Generator, Iterator

import pytest

from fake_model.model import FakeModel

_FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def fake_model_server() -> Iterator[FakeModel]:
    """One server for all tests of a session."""
    with FakeModel() as model:
        yield model


@pytest.fixture
def fake_model(request: pytest.FixtureRequest, fake_model_server: FakeModel) -> Iterator[FakeModel]:
    """A scripted model with an empty journal; a test that passed must have played its scripts as written.

    Raises:
        IncompleteError: at the end of the test, with every finding.
    """
    yield fake_model_server
    try:
        if not request.node.stash.get(_FAILED, False):
            fake_model_server.assert_complete()
    finally:
        fake_model_server.reset()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note whether a test failed, so that its fixture does not add what follows from that."""
    report = yield
    if report.when == "call" and report.failed:
        item.stash[_FAILED] = True
    return report
