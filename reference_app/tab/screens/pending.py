"""The screen of pending invoices: the table with its selection, and the chase dialog."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from reference_app.surface.contract_binding import Doing, Reading
from reference_app.surface.definition import HandlerContext, PreconditionFailure
from reference_app.surface.json_value import Json, JsonObject
from reference_app.tab.data import Need
from reference_app.tab.desk import Desk
from reference_app.tab.mounting import Mountable
from reference_app.tab.records import Invoice
from reference_app.tab.screen import Act, Look, id_argument, ids_argument, refuse_unless
from reference_app.tab.screens.chase import ChaseDialog
from reference_app.tab.screens.invoice_tables import PENDING
from reference_app.tab.screens.table_component import TableComponent

NOTHING_SELECTED: Final = "Select at least one invoice first"
MAX_MISSING: Final = 20


class PendingTable(TableComponent[Invoice]):
    """The table of pending invoices, with rows that can be selected."""

    def selected(self) -> list[int]:
        """The selected rows among those that are visible."""
        visible = {row.id for row in self.visible()}
        named = [
            part for part in self.desk.shown.get("selected").split(",") if part.isascii() and part.isdecimal()
        ]
        return [row_id for row_id in map(int, named) if row_id in visible]

    def select(self, ids: Sequence[int]) -> None:
        """Select exactly these rows."""
        text = ",".join(str(row_id) for row_id in dict.fromkeys(ids))
        self.desk.go(self.desk.address.with_params({"selected": text}))

    def missing(self, ids: Sequence[int]) -> list[int]:
        """Those of some ids that are not visible."""
        visible = {row.id for row in self.visible()}
        return [row_id for row_id in ids if row_id not in visible]

    def readings(self) -> dict[str, Reading]:
        """The table's observations and the selection's."""
        return {**super().readings(), "readSelection": Reading(lambda _context: self.read_selection())}

    def read_selection(self) -> dict[str, Json]:
        """The selected rows."""
        selected = self.selected()
        return {"selectedIds": list(selected), "count": len(selected)}

    def doings(self) -> dict[str, Doing]:
        """The table's actions and the selection's."""
        return {
            **super().doings(),
            "selectRows": Doing(
                lambda given, _context: self.select(_ids(given)), precondition=self._may_select
            ),
            "clearSelection": Doing(
                lambda _given, _context: self.select(()),
                when=lambda: bool(self.selected()),
                unavailable_reason=NOTHING_SELECTED,
            ),
        }

    def _may_select(self, given: JsonObject, _context: HandlerContext) -> PreconditionFailure | None:
        missing = self.missing(_ids(given))
        if not missing:
            return None
        return PreconditionFailure(
            "Some of these invoices are not visible.", {"missingIds": missing[:MAX_MISSING]}
        )

    def toggle(self, row_id: int) -> None:
        """Tick or untick one row."""
        self.person_selects([row_id])
        selected = self.selected()
        self.select(
            [kept for kept in selected if kept != row_id] if row_id in selected else [*selected, row_id]
        )

    def person_selects(self, ids: Sequence[int]) -> None:
        """Let a person select only what is on the screen."""
        refuse_unless(
            not self.missing(ids), f"No such row on this screen: {', '.join(map(str, self.missing(ids)))}."
        )


class PendingScreen:
    """Pending invoices for as long as they are open."""

    def __init__(self, desk: Desk, mount: str) -> None:
        self._desk = desk
        self._table = PendingTable(desk, PENDING, f"table{mount}")
        self._chase = ChaseDialog(desk, self._table.find, f"chase{mount}")

    @property
    def needs(self) -> Sequence[Need]:
        """The pending invoices."""
        return (Need.PENDING,)

    def components(self) -> Sequence[Mountable]:
        """The table and the dialog; the dialog's component is there while the screen is."""
        return (self._table, self._chase)

    def look(self) -> Look:
        """The table, what is selected in it, and the dialog if it is open."""
        selected = tuple(str(row_id) for row_id in self._table.selected())
        return replace(self._table.look(), selected=selected, dialogs=self._chase.dialogs())

    def acts(self) -> Mapping[str, Act]:
        """The controls of the table, of the selection and of the dialog."""
        return {
            **self._table.acts(),
            **self._chase.acts(),
            "open-chase": lambda args: self._open_chase(id_argument(args, "key")),
            "close-chase": lambda _args: self._table.set_filters({"chase": ""}),
            "select-row": lambda args: self._table.toggle(id_argument(args, "key")),
            "select-rows": lambda args: self._select(ids_argument(args, "keys")),
            "record-payment": lambda args: self.record_payment(id_argument(args, "key")),
        }

    def _open_chase(self, row_id: int) -> None:
        refuse_unless(self._table.find(row_id) is not None, f"No such row on this screen: {row_id}.")
        self._table.set_filters({"chase": str(row_id)})

    def _select(self, ids: Sequence[int]) -> None:
        self._table.person_selects(ids)
        self._table.select(ids)

    @property
    def desk(self) -> Desk:
        """The page it is on."""
        return self._desk

    async def record_payment(self, row_id: int) -> None:
        """Press the row's button."""
        refuse_unless(self._table.find(row_id) is not None, f"No such row on this screen: {row_id}.")
        await self._desk.rpc("mark-invoice-paid", {"id": row_id})


def _ids(given: JsonObject) -> list[int]:
    ids = given["ids"]
    return (
        [int(row_id) for row_id in ids if isinstance(row_id, (int, float))]
        if isinstance(ids, (list, tuple))
        else []
    )
