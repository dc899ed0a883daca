"""One row means one row."""

import pytest

from conformance.data import pick
from conformance.errors import Departure
from conformance.wire.pointer import MISSING

ROWS = [{"id": 1, "status": "draft"}, {"id": 2, "status": "draft"}]


def test_row_is_picked_by_its_values() -> None:
    """All of them have to fit."""
    assert ("draft", MISSING) == (pick(ROWS, {"id": 2}, "/status"), pick(ROWS, {"id": 3}, "/status"))


def test_several_rows_are_none() -> None:
    """Taking the first would look at whichever happens to come first."""
    with pytest.raises(Departure, match="2 rows of the read fit"):
        pick(ROWS, {"status": "draft"}, "/id")
