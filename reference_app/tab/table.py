"""A table as pure functions: which rows are visible, in which order, in which columns.

Amounts are compared as numbers and shown as texts; a filter that can't be read filters nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeAlias, TypeVar

Row = TypeVar("Row")
Cell: TypeAlias = str | int
Direction: TypeAlias = Literal["asc", "desc"]
FilterKind: TypeAlias = Literal["select", "number-range", "date-range"]


@dataclass(frozen=True)
class Column(Generic[Row]):
    """One column: what it holds, how that is shown, and what can be done with it."""

    id: str
    label: str
    value: Callable[[Row], Cell]
    text: Callable[[Row], str]
    filter: FilterKind | None = None
    pinned: bool = False
    sortable: bool = True


@dataclass(frozen=True, slots=True)
class Sort:
    """An order by one column."""

    key: str
    direction: Direction

    @property
    def text(self) -> str:
        """How it stands in the address."""
        return f"{self.key}.{self.direction}"


@dataclass(frozen=True)
class TableSpec(Generic[Row]):
    """One kind of table. ``keeps`` says whether a row passes the filters in the address."""

    columns: tuple[Column[Row], ...]
    key: Callable[[Row], int]
    filters: Mapping[str, str]
    keeps: Callable[[Row, Mapping[str, str]], bool]
    default_sort: Sort

    def column(self, column_id: str) -> Column[Row] | None:
        """The column of an id."""
        return next((column for column in self.columns if column.id == column_id), None)

    @property
    def sortable(self) -> tuple[str, ...]:
        """The ids one can sort by."""
        return tuple(column.id for column in self.columns if column.sortable)

    @property
    def movable(self) -> tuple[str, ...]:
        """The ids of the columns that can be moved and hidden."""
        return tuple(column.id for column in self.columns if not column.pinned)

    @property
    def filterable(self) -> tuple[Column[Row], ...]:
        """The columns that have a filter."""
        return tuple(column for column in self.columns if column.filter is not None)


@dataclass(frozen=True, slots=True)
class Layout:
    """Which movable columns are shown, in which order; it belongs to the browser, not to the address."""

    order: tuple[str, ...]
    hidden: frozenset[str] = frozenset()

    def moved(self, column_id: str, direction: str) -> "Layout":
        """One place to the left or right; at the edge nothing moves."""
        at = self.order.index(column_id)
        to = at + (-1 if direction == "left" else 1)
        if not 0 <= to < len(self.order):
            return self
        order = list(self.order)
        order[at], order[to] = order[to], order[at]
        return Layout(tuple(order), self.hidden)

    def with_visibility(self, column_id: str, *, hidden: bool) -> "Layout":
        """Show or hide one."""
        return Layout(self.order, self.hidden | {column_id} if hidden else self.hidden - {column_id})


@dataclass(frozen=True, slots=True)
class TableView:
    """How a table is looked at now."""

    filters: Mapping[str, str]
    sort: Sort | None
    column_filters: Mapping[str, str] = field(default_factory=dict)


def visible_rows(spec: TableSpec[Row], rows: Sequence[Row], view: TableView) -> list[Row]:
    """The rows that pass all filters, in order."""
    kept = [
        row
        for row in rows
        if spec.keeps(row, view.filters) and _passes_columns(spec, row, view.column_filters)
    ]
    column = spec.column(view.sort.key) if view.sort else None
    if column is None or view.sort is None:
        return kept
    return sorted(kept, key=column.value, reverse=view.sort.direction == "desc")


def _passes_columns(spec: TableSpec[Row], row: Row, filters: Mapping[str, str]) -> bool:
    for column in spec.filterable:
        wanted = filters.get(column.id, "")
        if wanted and not _passes(column, row, wanted):
            return False
    return True


def _passes(column: Column[Row], row: Row, wanted: str) -> bool:
    value = column.value(row)
    if column.filter == "select":
        return value == wanted
    low, _, high = wanted.partition(",")
    if isinstance(value, int):
        return in_euro_range(value, low, high)
    return in_date_range(value, low.strip(), high.strip())


def in_euro_range(cents: int, low: str, high: str) -> bool:
    """Whether an amount in cents lies between two euro texts; a side that is no number does not count."""
    lower, upper = _euros(low), _euros(high)
    return (lower is None or cents >= lower) and (upper is None or cents <= upper)


def _euros(text: str) -> float | None:
    try:
        return float(text) * 100
    except ValueError:
        return None


def in_date_range(day: str, first: str, last: str) -> bool:
    """Whether a day lies between two days, both included; a missing day does not, once there is a bound."""
    if not first and not last:
        return True
    return bool(day) and (not first or day >= first) and (not last or day <= last)


def sort_from_text(spec: TableSpec[Row], text: str) -> Sort | None:
    """Read an order from the address: ``none`` is no order, what can't be read is the default."""
    if text == "none":
        return None
    key, _, direction = text.rpartition(".")
    if key in spec.sortable and direction in ("asc", "desc"):
        return Sort(key, "asc" if direction == "asc" else "desc")
    return spec.default_sort


def sort_to_text(spec: TableSpec[Row], sort: Sort | None) -> str | None:
    """Write an order into the address; the default is left out."""
    if sort is None:
        return "none"
    return None if sort == spec.default_sort else sort.text


def options(column: Column[Row], rows: Sequence[Row]) -> list[str]:
    """The choices of a select filter, from all rows."""
    return sorted({str(column.value(row)) for row in rows})
