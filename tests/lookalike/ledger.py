"""The receivables of the lookalike: rows, and operations that check and change them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Check = Callable[[Any], str]
CLIENTS = (
    (1, "Arden Works", "Enterprise"),
    (2, "Bram Foods", "Mid-market"),
    (3, "Corin Freight", "Enterprise"),
    (4, "Duke Civic", "Public sector"),
)
TODAY = "2026-11-30"


class Refused(Exception):  # noqa: N818 - what the operation says, not a defect
    """The operation says no, in words."""


def whole(least: int) -> Check:
    """A whole number of at least so much."""

    def check(value: Any) -> str:
        if not isinstance(value, int) or isinstance(value, bool):
            return f"Invalid input: expected number, received {type(value).__name__}"
        return "" if value >= least else f"Too small: expected number to be >{least - 1}"

    return check


def one_of(*names: str) -> Check:
    """One of some words."""
    return lambda value: "" if value in names else f"Invalid option: expected one of {'|'.join(names)}"


def text(value: Any) -> str:
    """A text, or nothing."""
    return "" if value is None or isinstance(value, str) else "Invalid input: expected string"


@dataclass(frozen=True)
class Capability:
    """One operation: what it takes, and how agents get at it."""

    id: str
    fields: Mapping[str, Check] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    effect: str = "read"
    tag: str = "invoices"
    for_models: bool = True

    @property
    def writes(self) -> bool:
        """Whether it changes something."""
        return self.effect != "read"

    @property
    def gated(self) -> bool:
        """Whether a model's call waits for a decision."""
        return self.effect == "destructive"

    @property
    def schema(self) -> dict[str, Any]:
        """Its input as the model sees it: limits are words there, and unknown keys are welcome."""
        names = {name: {"description": name} for name in self.fields}
        return {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": names,
            "required": list(self.required),
            "additionalProperties": True,
        }

    def issues(self, value: Any) -> list[dict[str, Any]]:
        """What is wrong with an input."""
        if not isinstance(value, dict):
            return [{"path": [], "message": "Invalid input: expected object"}]
        found = [
            {"path": [name], "message": "Invalid input: expected value, received undefined"}
            for name in self.required
            if name not in value
        ]
        for name, check in self.fields.items():
            if name in value and (message := check(value[name])):
                found.append({"path": [name], "message": message})
        return found

    def known(self, value: Mapping[str, Any]) -> Row:
        """The input without keys that nobody knows."""
        return {name: value[name] for name in self.fields if name in value}


ID = {"id": whole(1)}
CAPABILITIES = (
    Capability("list-invoices", {"kind": one_of("pending", "draft", "all")}),
    Capability(
        "create-invoice",
        {"clientId": whole(1), "amount": whole(1), "notes": text},
        ("clientId", "amount"),
        "write",
    ),
    Capability("update-invoice", {**ID, "amount": whole(1), "notes": text}, ("id",), "write"),
    Capability("issue-invoice", ID, ("id",), "destructive"),
    Capability("delete-invoice", ID, ("id",), "destructive"),
    Capability("mark-invoice-paid", ID, ("id",), "write"),
    Capability("list-clients", tag="clients"),
    Capability("receivables-summary", tag="reporting"),
    Capability("collections-aging", tag="reporting"),
    Capability(
        "update-collection-status",
        {"invoiceId": whole(1), "remindersSent": whole(0), "note": text},
        ("invoiceId",),
        "write",
        "collections",
        for_models=False,
    ),
)
BY_ID = {capability.id: capability for capability in CAPABILITIES}


class Ledger:
    """The rows, kept in a file so that they survive a restart."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.rows: list[Row] = []
        if file.exists():
            self.rows = json.loads(file.read_text())
        else:
            self.reset()

    def reset(self) -> None:
        """Put everything back."""
        self.rows = [self._row(number, 1 + number % 4, 100_000 * number, "sent") for number in range(1, 7)]
        self.save()

    def save(self) -> None:
        """Write the rows down."""
        self.file.write_text(json.dumps(self.rows))

    @staticmethod
    def _row(number: int, client: int, amount: int, status: str) -> Row:
        return {
            "id": number,
            "reference": f"LOOK-{number:03}",
            "client_id": client,
            "amount": amount,
            "status": status,
            "issue_date": TODAY,
            "notes": None,
            "collection": None,
        }

    def run(self, capability: Capability, value: Mapping[str, Any]) -> Any:
        """Run an operation on a checked input.

        Raises:
            Refused: it says no.
        """
        handler: Callable[[Mapping[str, Any]], Any] = getattr(self, capability.id.replace("-", "_"))
        output = handler(value)
        if capability.writes:
            self.save()
        return output

    def _find(self, number: int) -> Row:
        for row in self.rows:
            if row["id"] == number:
                return row
        raise Refused(f"No invoice with id {number}.")

    def _draft(self, number: int, may: str) -> Row:
        row = self._find(number)
        if row["status"] != "draft":
            raise Refused(
                f"Invoice {row['reference']} is already {row['status']}; only a draft can be {may}."
            )
        return row

    def list_invoices(self, value: Mapping[str, Any]) -> list[Row]:
        """The invoices of a kind."""
        status = {"pending": ("sent",), "draft": ("draft",)}.get(value.get("kind", "all"))
        return [dict(row) for row in self.rows if status is None or row["status"] in status]

    def create_invoice(self, value: Mapping[str, Any]) -> Row:
        """A new draft."""
        if value["clientId"] not in {client[0] for client in CLIENTS}:
            raise Refused(f"No client with id {value['clientId']}.")
        number = max((row["id"] for row in self.rows), default=0) + 1
        row = self._row(number, value["clientId"], value["amount"], "draft") | {"notes": value.get("notes")}
        self.rows.append(row)
        return dict(row)

    def update_invoice(self, value: Mapping[str, Any]) -> Row:
        """Change a draft."""
        row = self._draft(value["id"], "edited")
        row |= {key: value[key] for key in ("amount", "notes") if key in value}
        return dict(row)

    def issue_invoice(self, value: Mapping[str, Any]) -> Row:
        """Send a draft."""
        row = self._draft(value["id"], "issued")
        row["status"] = "sent"
        return dict(row)

    def delete_invoice(self, value: Mapping[str, Any]) -> Row:
        """Take a draft away."""
        row = self._draft(value["id"], "deleted")
        self.rows.remove(row)
        return {"ok": True, "reference": row["reference"]}

    def mark_invoice_paid(self, value: Mapping[str, Any]) -> Row:
        """Settle an issued invoice."""
        row = self._find(value["id"])
        if row["status"] != "sent":
            raise Refused(f"{row['reference']} is {row['status']}; only an issued invoice can be settled.")
        row["status"] = "paid"
        return dict(row)

    def update_collection_status(self, value: Mapping[str, Any]) -> Row:
        """Note how an invoice is chased."""
        row = self._find(value["invoiceId"])
        row["collection"] = {"reminders_sent": value.get("remindersSent", 0), "note": value.get("note")}
        return {"invoice_id": row["id"], **row["collection"]}

    def list_clients(self, _: Mapping[str, Any]) -> list[Row]:
        """Who owes."""
        return [{"id": number, "name": name, "segment": segment} for number, name, segment in CLIENTS]

    def receivables_summary(self, _: Mapping[str, Any]) -> Row:
        """The figures."""
        owed = [row["amount"] for row in self.rows if row["status"] == "sent"]
        return {"outstanding": sum(owed), "invoiceCount": len(self.rows)}

    def collections_aging(self, _: Mapping[str, Any]) -> list[Row]:
        """The ladder."""
        count = sum(row["status"] == "sent" for row in self.rows)
        return [{"id": "current", "label": "Not yet due", "count": count}]
