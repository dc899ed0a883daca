"""What concerns the whole test run."""

import pytest
from hypothesis import settings

# The same examples in every run, and no verdict that depends on how busy the machine is.
settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")

SLOW = ("tests/test_wheel.py",)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the slow files, so that with several workers nobody waits for them at the end."""
    items.sort(key=lambda item: not item.nodeid.startswith(SLOW))
