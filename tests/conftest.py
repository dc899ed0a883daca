"""What concerns the whole test run."""

import pytest

SLOW = ("tests/test_wheel.py",)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the slow files, so that with several workers nobody waits for them at the end."""
    items.sort(key=lambda item: not item.nodeid.startswith(SLOW))
