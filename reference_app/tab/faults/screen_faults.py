"""Faults in what the screens show: to the assistant, to the person, and by their address."""

from collections.abc import Mapping
from dataclasses import replace as changed
from weakref import WeakKeyDictionary

from reference_app.surface.contract_binding import Doing
from reference_app.surface.definition import HandlerContext
from reference_app.surface.json_value import Json, JsonObject
from reference_app.tab.faults.fault import Replace, fault
from reference_app.tab.records import Invoice
from reference_app.tab.screens.pending import PendingScreen
from reference_app.tab.screens.table_component import TableComponent, texts
from reference_app.tab.table import TableView


@fault("observes-unfiltered", "An observation tells every row there is, not those on the screen.")
def observes_unfiltered(replace: Replace) -> None:
    """Tell what was read, whatever of it is shown."""
    read_state = TableComponent.read_state

    def everything(table: TableComponent[Invoice]) -> dict[str, Json]:
        rows = table.role.rows(table.desk)
        return {**read_state(table), "visibleRows": [table.role.summary(row) for row in rows]}

    replace(TableComponent, "read_state", everything)


@fault("address-not-moved", "The assistant's filters narrow what is on the screen, and are in no address.")
def address_not_moved(replace: Replace) -> None:
    """Keep the assistant's filters beside the address."""
    doings, view = TableComponent.doings, TableComponent.view
    kept: WeakKeyDictionary[TableComponent[Invoice], dict[str, str]] = WeakKeyDictionary()

    def beside(table: TableComponent[Invoice]) -> Mapping[str, Doing]:
        def keep(given: JsonObject, _context: HandlerContext) -> Json:
            asked = texts(given)
            kept.setdefault(table, {}).update(asked)
            table.set_filters({name: text for name, text in asked.items() if name == "chase"})
            table.desk.touch()
            return None

        return {**doings(table), "setFilters": Doing(keep)}

    def with_kept(table: TableComponent[Invoice]) -> TableView:
        seen = view(table)
        return changed(seen, filters={**seen.filters, **kept.get(table, {})})

    replace(TableComponent, "doings", beside)
    replace(TableComponent, "view", with_kept)


@fault("button-no-refresh", "A payment that the person records shows on the screen after a reload only.")
def button_no_refresh(replace: Replace) -> None:
    """Write, and read nothing again."""

    async def write_only(screen: PendingScreen, row_id: int) -> None:
        await screen.desk.plain_rpc("mark-invoice-paid", {"id": row_id})

    replace(PendingScreen, "record_payment", write_only)
