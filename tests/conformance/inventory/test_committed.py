"""The committed inventories of the reference app are what it offers now.

After a change that is meant: `pytest tests/conformance/inventory/test_committed.py --snapshot-update`, or
`dualplane inventory snapshot`, and review what it writes.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex

from conformance.inventory.snapshot import take
from conformance.target_file import load_target

INVENTORIES = Path(__file__).parents[3] / "inventories"


class Committed(SingleFileSnapshotExtension):
    """Keeps snapshots as the committed files themselves, and lays no claim to any other file beside them."""

    _write_mode = WriteMode.TEXT
    file_extension = "json"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        """The folder of the committed inventories."""
        return str(INVENTORIES)

    @classmethod
    def get_file_basename(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:
        """The name that the test gives."""
        return str(index)

    @classmethod
    def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
        """Every file here belongs to this test."""
        return True

    def discover_snapshots(
        self, *, test_location: PyTestLocation, ignore_extensions: list[str] | None = None
    ) -> SnapshotCollections:
        """None: what is not asked for is not a leftover, since other commands write here too."""
        return SnapshotCollections()


@pytest.fixture(scope="module")
def taken() -> Mapping[str, str]:
    """The reference app's inventories, taken once."""
    return take(load_target("reference"))


@pytest.mark.parametrize("name", ["domain", "offered"])
def test_the_committed_inventory_is_current(
    name: str, taken: Mapping[str, str], snapshot: SnapshotAssertion
) -> None:
    """A change of what an agent may do shows in the same commit, where a reviewer sees it."""
    assert taken[f"{name}.json"] == snapshot(name=name, extension_class=Committed)
