"""The screen of all invoices, where drafts are issued and deleted by the page's own buttons."""

from collections.abc import Mapping, Sequence

from reference_app.tab.data import Need
from reference_app.tab.desk import Desk
from reference_app.tab.mounting import Mountable
from reference_app.tab.records import Invoice
from reference_app.tab.screen import Act, Look, id_argument, refuse_unless
from reference_app.tab.screens.invoice_tables import LEDGER
from reference_app.tab.screens.table_component import TableComponent


class LedgerScreen:
    """All invoices for as long as they are open."""

    def __init__(self, desk: Desk, mount: str) -> None:
        self._desk = desk
        self._table: TableComponent[Invoice] = TableComponent(desk, LEDGER, f"table{mount}")

    @property
    def needs(self) -> Sequence[Need]:
        """Every invoice."""
        return (Need.ALL,)

    def components(self) -> Sequence[Mountable]:
        """The table."""
        return (self._table,)

    def look(self) -> Look:
        """The table."""
        return self._table.look()

    def acts(self) -> Mapping[str, Act]:
        """The controls of the table, and the buttons of a draft."""
        return {
            **self._table.acts(),
            "issue-invoice": lambda args: self._on_row("issue-invoice", id_argument(args, "key")),
            "delete-invoice": lambda args: self._on_row("delete-invoice", id_argument(args, "key")),
            "record-payment": lambda args: self._on_row("mark-invoice-paid", id_argument(args, "key")),
        }

    async def _on_row(self, operation: str, row_id: int) -> None:
        """Press a row's button: the person has expressed intent by doing so, and nothing asks again."""
        refuse_unless(self._table.find(row_id) is not None, f"No such row on this screen: {row_id}.")
        await self._desk.rpc(operation, {"id": row_id})
