"""The chase dialog: one pending invoice at a time, and the operation that is bound to it.

The reference is present while the screen is, and available while the dialog is open; whom it is about is the dialog's
to say and nobody else's (The dual-plane model, Bind for context, gate for consequence).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from reference_app.surface import binding, policies
from reference_app.surface.contract_binding import Doing, Handlers, Placement, Reading
from reference_app.surface.definition import (
    Component,
    ComponentLink,
    HandlerContext,
    PreconditionFailure,
    ProcedureBinding,
)
from reference_app.surface.json_value import UNSET, Json, JsonObject, Unset
from reference_app.surface.policy import Policy
from reference_app.tab.desk import Desk
from reference_app.tab.records import Invoice
from reference_app.tab.screen import Act, ShownDialog, refuse_unless, text_argument
from reference_app.tab.texts import days, euros

OPERATION = "update-collection-status"
CLOSED_REASON = "Open an invoice's chase dialog first"
OVERRIDABLE = frozenset({"note"})


class ChaseDialog:
    """The dialog of one screen, open or not."""

    def __init__(self, desk: Desk, find: Callable[[int], Invoice | None], key: str) -> None:
        self._desk = desk
        self._find = find
        self._key = key
        self._drafts: dict[int, str] = {}

    @property
    def key(self) -> str:
        """What makes it the same dialog from one commit to the next."""
        return self._key

    @property
    def desk(self) -> Desk:
        """The page it is on."""
        return self._desk

    def open_invoice(self) -> Invoice | None:
        """The invoice that the dialog on the screen is about: one that is named in the address and visible."""
        named = self._desk.shown.get("chase")
        return self._find(int(named)) if named.isascii() and named.isdecimal() else None

    def draft(self) -> str | None:
        """The note that the person has typed and not saved."""
        invoice = self.open_invoice()
        return None if invoice is None else self._drafts.get(invoice.id)

    def definition(self) -> Component:
        """Bind the dialog's contract, and the operation to the dialog."""
        return self._desk.contracts.bind(
            "collections.chase",
            Handlers(
                readings={
                    "readDraft": Reading(lambda _context: self.read_draft(), self.is_open, CLOSED_REASON)
                },
                doings={
                    "discardDraft": Doing(
                        lambda _given, _context: self.discard_draft(),
                        self._has_draft,
                        self.is_open,
                        CLOSED_REASON,
                    )
                },
                procedures=(self._bound_operation(),),
            ),
            Placement(parent=ComponentLink("invoices.pending")),
        )

    def _bound_operation(self) -> ProcedureBinding:
        ref = self._desk.contracts.contextual.ref(OPERATION)
        bound = binding.bind_procedure(ref, self.bind, overridable=OVERRIDABLE)
        return replace(
            bound,
            when=self.is_open,
            unavailable_reason=CLOSED_REASON,
            describe=self.describe,
            policies=(for_controllers(), self._asks_when_wanted()),
            context=ComponentLink("invoices.pending"),
        )

    def bind(self) -> Mapping[str, Json | Unset]:
        """What the dialog fills in, as it stands: its invoice, and the note if one is typed."""
        invoice, draft = self.open_invoice(), self.draft()
        return {
            "invoiceId": UNSET if invoice is None else invoice.id,
            "note": UNSET if draft is None else draft,
        }

    def is_open(self) -> bool:
        """Whether the dialog is open."""
        return self.open_invoice() is not None

    def describe(self) -> str | None:
        """What it is bound to now."""
        invoice = self.open_invoice()
        return None if invoice is None else f"Bound to {_about(invoice)}."

    def _asks_when_wanted(self) -> Policy:
        """The person may want to be asked before the assistant writes anything about chasing."""
        return policies.require_confirmation(
            lambda _input: self._desk.preferences.ask_before_chasing, self._question
        )

    def _question(self, given: Json) -> str:
        """What the person is asked: about the invoice that the call would really write to."""
        fields = given if isinstance(given, Mapping) else {}
        invoice_id = fields.get("invoiceId")
        invoice = self._find(invoice_id) if isinstance(invoice_id, int) else None
        about = f"invoice {invoice_id}" if invoice is None else _about(invoice)
        return f"Record this chase for {about}?"

    def read_draft(self) -> dict[str, Json]:
        """The invoice of the dialog and the unsaved note."""
        invoice = self.open_invoice()
        if invoice is None:
            return {}
        return {
            "invoiceId": invoice.id,
            "reference": invoice.reference,
            "client": invoice.client_name,
            "note": self.draft(),
        }

    def discard_draft(self) -> None:
        """Throw the unsaved note away."""
        invoice = self.open_invoice()
        if invoice is not None and self._drafts.pop(invoice.id, None) is not None:
            self._desk.touch()

    def _has_draft(self, _given: JsonObject, _context: HandlerContext) -> PreconditionFailure | None:
        return (
            None if self.draft() is not None else PreconditionFailure("There is no unsaved note to discard.")
        )

    def type_note(self, text: str) -> None:
        """Type into the dialog."""
        invoice = self.open_invoice()
        refuse_unless(invoice is not None, CLOSED_REASON)
        assert invoice is not None  # refused above
        self._drafts[invoice.id] = text
        self._desk.touch()

    async def save(self, fields: JsonObject) -> None:
        """Save what the person entered, by the operation that the assistant is bound to."""
        invoice = self.open_invoice()
        refuse_unless(invoice is not None, CLOSED_REASON)
        assert invoice is not None  # refused above
        draft = self.draft()
        entered: dict[str, Json] = {**fields, "invoiceId": invoice.id}
        if draft is not None:
            entered.setdefault("note", draft)
        await self._desk.rpc(OPERATION, entered)
        self._drafts.pop(invoice.id, None)

    def acts(self) -> dict[str, Act]:
        """The person's controls in the dialog."""
        return {
            "type-note": lambda args: self.type_note(text_argument(args, "text")),
            "save-chase": self.save,
        }

    def dialogs(self) -> tuple[ShownDialog, ...]:
        """The dialog as a person sees it."""
        invoice = self.open_invoice()
        if invoice is None:
            return ()
        chase = invoice.collection
        shown: dict[str, Json] = {
            "remindersSent": invoice.reminders,
            "lastReminderDate": chase.last_reminder_date if chase else None,
            "expectedPaymentDate": chase.expected_payment_date if chase else None,
            "savedNote": chase.note if chase else None,
            "note": self.draft(),
        }
        return (ShownDialog("chase", str(invoice.id), f"Chase {invoice.reference}", _about(invoice), shown),)


def for_controllers() -> Policy:
    """The bound operation exists for those who may write; the server decides it again for every call."""
    return policies.exists_for("collections-for-controllers", may_write)


def may_write(host: JsonObject) -> bool:
    """Whether the signed-in person may write, as far as the page knows."""
    user = host.get("user")
    return isinstance(user, Mapping) and user.get("role") == "controller"


def _about(invoice: Invoice) -> str:
    return f"{invoice.reference} ({invoice.client_name}, {euros(invoice.amount)}, {days(invoice.days_overdue)} overdue)"
