"""What the server tells the tab: people, invoices, clients, chases and approvals, as they come over the wire."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class _Read(BaseModel):
    """Fields that the tab does not know are the server's business."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Person(_Read):
    """Who is signed in, as the server says; it shapes the page and is never asserted back."""

    email: str
    name: str
    role: str


class SessionAnswer(_Read):
    """The answer to the question who is signed in."""

    user: Person | None


class Chase(_Read):
    """How far chasing an invoice has come."""

    last_reminder_date: str | None = None
    reminders_sent: int = 0
    expected_payment_date: str | None = None
    note: str | None = None


class Invoice(_Read):
    """One row of the ledger; the amount is in cents."""

    id: int
    reference: str
    client_id: int
    client_name: str
    segment: str
    amount: int
    status: Literal["draft", "sent", "paid"]
    issue_date: str
    due_date: str
    days_overdue: int
    collection: Chase | None = None

    @property
    def reminders(self) -> int:
        """How many reminders went out."""
        return self.collection.reminders_sent if self.collection else 0


class Client(_Read):
    """One client with what it owes, in cents."""

    id: int
    name: str
    segment: str
    payment_terms_days: int
    email: str
    open_invoices: int
    outstanding: int
    overdue: int


class Approval(_Read):
    """One approval as its card shows it: exactly what would run."""

    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True)

    id: str
    capability_id: str
    status: str
    input: Any = None
    input_hash: str | None = None
    reasons: tuple[str, ...] = ()
    risk: str | None = None
    expires_at: str | None = None


class Receipt(_Read):
    """What the person is told after deciding."""

    text: str
    ok: bool


class DecisionAnswer(_Read):
    """The answer to a decision."""

    receipt: Receipt


class CardReply(_Read):
    """What the host said of an answer to a card."""

    accepted: bool
    reason: str | None = None


class CardRpcResult(_Read):
    """A reply of the connection RPC."""

    ok: bool
    value: CardReply | None = None


class CardRpcReply(_Read):
    """A reply of the connection RPC, in its envelope."""

    result: CardRpcResult


class CardLook(_Read):
    """A card as the host has it, and the step that presented it."""

    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True)

    status: str
    turn_id: str
    step_index: int
    result: Any = None


class RpcErrorBody(_Read):
    """The error of a procedure call."""

    code: str = "INTERNAL_SERVER_ERROR"
    message: str = "The request failed."
    data: dict[str, Any] | None = None


class ErrorDetail(_Read):
    """A code and a text."""

    code: str
    message: str


class ErrorAnswer(_Read):
    """A typed error outside /rpc: an object, or in some places a bare text."""

    error: ErrorDetail | str = Field(union_mode="left_to_right")
