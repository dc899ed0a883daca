"""A table on a screen: the same setters for the person's controls and for the assistant's actions.

Filters, order and selection live in the address, so that the view that either made can be shared; what was asked
for is shown at the next commit.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from reference_app.surface.contract_binding import Doing, Handlers, Reading
from reference_app.surface.definition import Component, HandlerContext, PreconditionFailure
from reference_app.surface.json_value import Json, JsonObject
from reference_app.tab import table
from reference_app.tab.desk import Desk
from reference_app.tab.screen import Act, Look, ShownRow, refuse_unless, text_argument
from reference_app.tab.table import Column, Layout, Sort, TableSpec, TableView

Row = TypeVar("Row")

MAX_VISIBLE = 100


@dataclass(frozen=True)
class TableRole(Generic[Row]):
    """What one table is: its component type, its kind, where its rows are and how a row is told to the assistant."""

    component_type: str
    spec: TableSpec[Row]
    rows: Callable[[Desk], Sequence[Row]]
    summary: Callable[[Row], dict[str, Json]]


class TableComponent(Generic[Row]):
    """One mounted table."""

    def __init__(self, desk: Desk, role: TableRole[Row], key: str) -> None:
        self._desk = desk
        self._role = role
        self._key = key
        self._column_filters: dict[str, str] = {}

    @property
    def key(self) -> str:
        """What makes it the same table from one commit to the next."""
        return self._key

    @property
    def desk(self) -> Desk:
        """The page it is on."""
        return self._desk

    @property
    def role(self) -> TableRole[Row]:
        """Which table it is."""
        return self._role

    def definition(self) -> Component:
        """Bind the table's contract."""
        return self._desk.contracts.bind(self._role.component_type, Handlers(self.readings(), self.doings()))

    # What is shown

    def view(self) -> TableView:
        """How the table that is on the screen is looked at."""
        shown, spec = self._desk.shown, self._role.spec
        filters = {name: shown.get(name, default) for name, default in spec.filters.items()}
        return TableView(filters, table.sort_from_text(spec, shown.get("sort")), dict(self._column_filters))

    def visible(self) -> list[Row]:
        """The rows on the screen."""
        return table.visible_rows(self._role.spec, self._role.rows(self._desk), self.view())

    def find(self, row_id: int) -> Row | None:
        """A row on the screen by its id."""
        return next((row for row in self.visible() if self._role.spec.key(row) == row_id), None)

    def layout(self) -> Layout:
        """Which columns are shown; kept by the browser."""
        return self._desk.preferences.layouts.get(self._role.component_type, Layout(self._role.spec.movable))

    def shown_columns(self) -> list[Column[Row]]:
        """The columns on the screen, the pinned ones first."""
        spec, layout = self._role.spec, self.layout()
        moved = [spec.column(column_id) for column_id in layout.order if column_id not in layout.hidden]
        return [column for column in spec.columns if column.pinned] + [
            column for column in moved if column is not None
        ]

    def look(self) -> Look:
        """What a person sees of it."""
        columns = self.shown_columns()
        rows = tuple(
            ShownRow(str(self._role.spec.key(row)), {column.id: column.text(row) for column in columns})
            for row in self.visible()
        )
        return Look(rows, len(self._role.rows(self._desk)))

    # What can be done, by whomever

    def set_filters(self, changes: Mapping[str, str]) -> None:
        """Set some filters in the address; an empty text, and a default, leave it out."""
        defaults = self._role.spec.filters
        self._desk.go(
            self._desk.address.with_params(
                {name: None if value == defaults.get(name) else value for name, value in changes.items()}
            )
        )

    def clear_filters(self) -> None:
        """Reset every filter, those of the columns too."""
        self._column_filters = {}
        self.set_filters(dict.fromkeys(self._role.spec.filters, ""))

    def set_column_filters(self, changes: Mapping[str, str]) -> None:
        """Set some column filters; they are not in the address."""
        merged = {**self._column_filters, **changes}
        self._column_filters = {name: value for name, value in merged.items() if value}
        self._desk.touch()

    def sort_by(self, sort: Sort | None) -> None:
        """Order by a column, or by none."""
        self._desk.go(self._desk.address.with_params({"sort": table.sort_to_text(self._role.spec, sort)}))

    def arrange(self, layout: Layout) -> None:
        """Change which columns are shown."""
        if layout != self.layout():
            self._desk.preferences.layouts[self._role.component_type] = layout
            self._desk.touch()

    def acts(self) -> dict[str, Act]:
        """The person's controls."""
        return {
            "set-filter": lambda args: self.set_filters(self._known(args, self._role.spec.filters)),
            "clear-filters": lambda _args: self.clear_filters(),
            "set-column-filter": lambda args: self.set_column_filters(
                self._known(args, [column.id for column in self._role.spec.filterable])
            ),
            "sort": lambda args: self.sort_by(self._known_sort(args)),
        }

    def _known(self, args: JsonObject, names: Iterable[str]) -> dict[str, str]:
        known = set(names)
        for name in args:
            refuse_unless(
                name in known, f"This table has no filter {name!r}; it has {', '.join(sorted(known))}."
            )
        return {name: text_argument(args, name) for name in args}

    def _known_sort(self, args: JsonObject) -> Sort | None:
        sort = _sort_of(args)
        refuse_unless(
            sort is None or sort.key in self._role.spec.sortable, "This table can't be sorted by that column."
        )
        return sort

    # What the assistant is offered

    def readings(self) -> dict[str, Reading]:
        """The observations."""
        return {
            "readState": Reading(lambda _context: self.read_state()),
            "readFilters": Reading(lambda _context: dict(self.view().filters)),
            "readColumns": Reading(lambda _context: self.read_columns()),
            "readColumnFilters": Reading(lambda _context: self.read_column_filters()),
        }

    def doings(self) -> dict[str, Doing]:
        """The actions."""
        return {
            "setFilters": Doing(lambda given, _context: self.set_filters(texts(given))),
            "setColumnFilters": Doing(lambda given, _context: self.set_column_filters(texts(given))),
            "clearFilters": Doing(lambda _given, _context: self.clear_filters()),
            "sort": Doing(lambda given, _context: self.sort_by(_sort_of(given)), precondition=self._may_sort),
            "setColumnVisibility": Doing(
                lambda given, _context: self.arrange(
                    self.layout().with_visibility(str(given["id"]), hidden=given["hidden"] is True)
                ),
                precondition=self._may_arrange,
            ),
            "moveColumn": Doing(
                lambda given, _context: self.arrange(
                    self.layout().moved(str(given["id"]), str(given["direction"]))
                ),
                precondition=self._may_arrange,
            ),
        }

    def read_state(self) -> dict[str, Json]:
        """The visible rows and the order they are in."""
        visible = self.visible()
        sort = self.view().sort
        return {
            "visibleRows": [self._role.summary(row) for row in visible[:MAX_VISIBLE]],
            "rowCount": len(visible),
            "totalRows": len(self._role.rows(self._desk)),
            "truncated": len(visible) > MAX_VISIBLE,
            "sort": None if sort is None else {"key": sort.key, "direction": sort.direction},
        }

    def read_columns(self) -> list[Json]:
        """The movable columns in their order."""
        layout = self.layout()
        return [
            {"id": column.id, "label": column.label, "hidden": column.id in layout.hidden, "hideable": True}
            for column in map(self._role.spec.column, layout.order)
            if column is not None
        ]

    def read_column_filters(self) -> list[Json]:
        """The column filters with their values and choices."""
        entries: list[Json] = []
        for column in self._role.spec.filterable:
            entry: dict[str, Json] = {
                "id": column.id,
                "label": column.label,
                "kind": column.filter,
                "value": self._column_filters.get(column.id, ""),
            }
            if column.filter == "select":
                entry["options"] = list(table.options(column, self._role.rows(self._desk)))
            entries.append(entry)
        return entries

    def _may_sort(self, given: JsonObject, _context: HandlerContext) -> PreconditionFailure | None:
        sortable = self._role.spec.sortable
        if given["key"] is None or given["key"] in sortable:
            return None
        return PreconditionFailure(
            "This table can't be sorted by that column.", {"sortableIds": list(sortable)}
        )

    def _may_arrange(self, given: JsonObject, _context: HandlerContext) -> PreconditionFailure | None:
        movable = self._role.spec.movable
        if given["id"] in movable:
            return None
        return PreconditionFailure("There is no such column that can be moved.", {"columnIds": list(movable)})


def texts(given: JsonObject) -> dict[str, str]:
    """The members of an input whose schema allows texts only."""
    return {name: value for name, value in given.items() if isinstance(value, str)}


def _sort_of(given: JsonObject) -> Sort | None:
    key = given.get("key")
    if not isinstance(key, str):
        return None
    return Sort(key, "asc" if given.get("direction") == "asc" else "desc")
