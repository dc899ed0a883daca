"""Tables as pure functions."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_app.tab.table import (
    Column,
    Layout,
    Sort,
    TableSpec,
    TableView,
    in_date_range,
    in_euro_range,
    options,
    sort_from_text,
    sort_to_text,
    visible_rows,
)
from reference_app.tab.texts import days, euros


@dataclass(frozen=True)
class Row:
    """A row of the test's own."""

    id: int
    name: str
    cents: int
    day: str


SPEC = TableSpec[Row](
    columns=(
        Column("name", "Name", lambda row: row.name, lambda row: row.name, "select", pinned=True),
        Column("amount", "Amount", lambda row: row.cents, lambda row: euros(row.cents), "number-range"),
        Column("day", "Day", lambda row: row.day, lambda row: row.day, "date-range", sortable=False),
    ),
    key=lambda row: row.id,
    filters={"q": ""},
    keeps=lambda row, filters: filters["q"] in row.name,
    default_sort=Sort("amount", "desc"),
)
ROWS = (Row(1, "b", 90_000, "2026-01-02"), Row(2, "a", 1_000_000, "2026-01-01"), Row(3, "ab", 5_000, ""))


def _ids(**view: object) -> list[int]:
    given_view = TableView(**{"filters": {"q": ""}, "sort": SPEC.default_sort, **view})  # type: ignore[arg-type]  # test
    return [row.id for row in visible_rows(SPEC, ROWS, given_view)]


def test_amounts_sort_as_numbers() -> None:
    """A text would put €900 before €10,000 the wrong way round."""
    assert (_ids(), _ids(sort=Sort("amount", "asc")), _ids(sort=None)) == ([2, 1, 3], [3, 1, 2], [1, 2, 3])


def test_filters_add_up() -> None:
    """A row has to pass every one."""
    assert _ids(filters={"q": "a"}, column_filters={"amount": "60,"}) == [2]


@pytest.mark.parametrize(
    ("column_filters", "ids"),
    [
        ({"name": "ab"}, [3]),
        ({"amount": "50,900"}, [1, 3]),
        ({"amount": ",50"}, [3]),
        ({"amount": "x,y"}, [2, 1, 3]),
        ({"day": "2026-01-01,2026-01-01"}, [2]),
        ({"day": ",2026-01-02"}, [2, 1]),
        ({"day": ","}, [2, 1, 3]),
    ],
)
def test_column_filters(column_filters: dict[str, str], ids: list[int]) -> None:
    """Euros and days include both ends; what can't be read does not count; a missing day fails any bound."""
    assert _ids(column_filters=column_filters) == ids


def test_ranges() -> None:
    """Amounts are held in cents and bounded in euros."""
    assert (in_euro_range(5_000, "50", "50"), in_euro_range(5_001, "", "50"), in_date_range("", "", "")) == (
        True,
        False,
        True,
    )


@pytest.mark.parametrize("sort", [None, Sort("amount", "asc"), Sort("name", "desc"), SPEC.default_sort])
def test_an_order_survives_the_address(sort: Sort | None) -> None:
    """A shared link shows the same order; the default needs no mention."""
    assert sort_from_text(SPEC, sort_to_text(SPEC, sort) or "") == sort


@given(st.text(max_size=12))
def test_an_order_that_cannot_be_read_is_the_default(text: str) -> None:
    """An address may be typed by hand."""
    sort = sort_from_text(SPEC, text)

    assert sort is None or sort.key in SPEC.sortable


def test_columns_move_and_hide() -> None:
    """At the edge nothing moves."""
    layout = Layout(("amount", "day"))

    assert layout.moved("day", "left").order == ("day", "amount")
    assert layout.moved("day", "right") == layout
    assert layout.with_visibility("day", hidden=True).with_visibility("day", hidden=False) == layout
    assert (SPEC.movable, options(SPEC.columns[0], ROWS)) == (("amount", "day"), ["a", "ab", "b"])


def test_texts() -> None:
    """Whole euros, rounded half up, and days with their plural."""
    assert (euros(1_840_000), euros(50), euros(49), days(1), days(2)) == (
        "€18,400",
        "€1",
        "€0",
        "1 day",
        "2 days",
    )
