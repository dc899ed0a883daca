"""The screen of clients: the table, and two cards side by side to compare two of them."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from reference_app.surface.contract_binding import Doing, Handlers, Placement, Reading
from reference_app.surface.definition import Component, ComponentLink, HandlerContext, PreconditionFailure
from reference_app.surface.json_value import Json, JsonObject
from reference_app.tab.data import Need
from reference_app.tab.desk import Desk
from reference_app.tab.errors import BadRequestError
from reference_app.tab.mounting import Mountable
from reference_app.tab.records import Client
from reference_app.tab.screen import Act, Look, ShownDialog, id_argument, refuse_unless, text_argument
from reference_app.tab.screens.invoice_tables import CLIENTS
from reference_app.tab.screens.table_component import TableComponent
from reference_app.tab.texts import euros

Side: TypeAlias = Literal["left", "right"]
SIDES: tuple[Side, ...] = ("left", "right")
EMPTY_REASON = "This card shows no client"


class ClientCard:
    """One of two cards; which client it shows is in the address."""

    def __init__(self, desk: Desk, side: Side, key: str) -> None:
        self._desk = desk
        self._side = side
        self._key = key

    @property
    def key(self) -> str:
        """What makes it the same card from one commit to the next."""
        return self._key

    def client(self) -> Client | None:
        """The client on the card."""
        named = self._desk.shown.get(self._side)
        return self._find(int(named)) if named.isascii() and named.isdecimal() else None

    def _find(self, client_id: int) -> Client | None:
        return next((client for client in self._desk.rows.clients if client.id == client_id), None)

    def show(self, client_id: int | None) -> None:
        """Put a client on the card, or take it off."""
        self._desk.go(
            self._desk.address.with_params({self._side: None if client_id is None else str(client_id)})
        )

    def knows(self, client_id: int) -> bool:
        """Whether there is such a client."""
        return self._find(client_id) is not None

    def definition(self) -> Component:
        """Bind the card's contract, as the instance of its side."""
        return self._desk.contracts.bind(
            "clients.card",
            Handlers(
                readings={"readCard": Reading(lambda _context: self.read())},
                doings={
                    "showClient": Doing(
                        lambda given, _context: self.show(id_argument(given, "clientId")),
                        precondition=self._may_show,
                    ),
                    "clearCard": Doing(
                        lambda _given, _context: self.show(None),
                        when=lambda: self.client() is not None,
                        unavailable_reason=EMPTY_REASON,
                    ),
                },
            ),
            Placement(instance_id=self._side, parent=ComponentLink("clients.list")),
        )

    def _may_show(self, given: JsonObject, _context: HandlerContext) -> PreconditionFailure | None:
        if self.knows(id_argument(given, "clientId")):
            return None
        known: list[Json] = [client.id for client in self._desk.rows.clients]
        return PreconditionFailure("There is no such client.", {"clientIds": known})

    def read(self) -> dict[str, Json]:
        """The client's figures."""
        client = self.client()
        if client is None:
            return {"client": None}
        return {
            "client": {
                "clientId": client.id,
                "name": client.name,
                "segment": client.segment,
                "email": client.email,
                "paymentTermsDays": client.payment_terms_days,
                "openInvoices": client.open_invoices,
                "outstanding": client.outstanding,
                "overdue": client.overdue,
            }
        }

    def dialog(self) -> ShownDialog:
        """The card as a person sees it."""
        client = self.client()
        if client is None:
            return ShownDialog("card", self._side, "No client", EMPTY_REASON)
        owed = f"{euros(client.outstanding)} outstanding, {euros(client.overdue)} overdue"
        return ShownDialog("card", self._side, client.name, owed, {"clientId": client.id})


class ClientsScreen:
    """Clients for as long as they are open."""

    def __init__(self, desk: Desk, mount: str) -> None:
        self._desk = desk
        self._mount = mount
        self._table: TableComponent[Client] = TableComponent(desk, CLIENTS, f"table{mount}")
        self._cards = {side: ClientCard(desk, side, f"{side}{mount}") for side in SIDES}
        self._openings = 0

    @property
    def needs(self) -> Sequence[Need]:
        """The clients."""
        return (Need.CLIENTS,)

    def components(self) -> Sequence[Mountable]:
        """The table and the open cards."""
        return (self._table, *self._cards.values())

    def look(self) -> Look:
        """The table and the open cards."""
        table = self._table.look()
        return Look(
            table.rows, table.total_rows, dialogs=tuple(card.dialog() for card in self._cards.values())
        )

    def acts(self) -> Mapping[str, Act]:
        """The controls of the table and of the cards."""
        return {
            **self._table.acts(),
            "show-client": lambda args: self._show(_side(args), id_argument(args, "key")),
            "clear-card": lambda args: self._card(_side(args)).show(None),
            "close-card": lambda args: self._close(_side(args)),
            "open-card": lambda args: self._open(_side(args)),
        }

    def _card(self, side: Side) -> ClientCard:
        refuse_unless(side in self._cards, f"The {side} card is closed.")
        return self._cards[side]

    def _show(self, side: Side, client_id: int) -> None:
        card = self._card(side)
        refuse_unless(card.knows(client_id), f"There is no client {client_id}.")
        card.show(client_id)

    def _close(self, side: Side) -> None:
        self._card(side)
        del self._cards[side]
        self._desk.touch()

    def _open(self, side: Side) -> None:
        """Open a closed card: a new component in the old one's place."""
        refuse_unless(side not in self._cards, f"The {side} card is open.")
        self._openings += 1
        card = ClientCard(self._desk, side, f"{side}{self._mount}.{self._openings}")
        self._cards = {
            name: card if name == side else self._cards[name]
            for name in SIDES
            if name == side or name in self._cards
        }
        self._desk.touch()


def _side(args: JsonObject) -> Side:
    side = text_argument(args, "side")
    if side == "left":
        return "left"
    if side == "right":
        return "right"
    raise BadRequestError(f"this act needs 'side', left or right; saw {side!r}")
