"""What waits for the person: confirmation dialogs of the page, approval cards of the server."""

from collections.abc import Callable
from dataclasses import dataclass

from reference_app.surface.confirmation import Record
from reference_app.surface.json_value import Json
from reference_app.tab.api import Api
from reference_app.tab.conversation import Conversation
from reference_app.tab.errors import NothingToDecideError, ServerError, UnreachableError
from reference_app.tab.page import Page
from reference_app.tab.protocol import DecideParams
from reference_app.tab.records import Approval
from reference_app.tab.screen import ShownDialog

PENDING = "pending"


@dataclass(frozen=True, slots=True)
class Told:
    """What the person is told after deciding."""

    id: str
    ok: bool
    text: str

    def to_json(self) -> dict[str, Json]:
        """The wire form."""
        return {"id": self.id, "ok": self.ok, "text": self.text}


class Decisions:
    """The open questions of one conversation."""

    def __init__(self, api: Api, page: Page, conversation: Conversation, in_turn: Callable[[], bool]) -> None:
        self._api = api
        self._page = page
        self._conversation = conversation
        self._in_turn = in_turn

    async def show(self, approval_id: str) -> None:
        """Show the card of an approval, as the server has it."""
        try:
            self._conversation.show_approval(await self._api.approval(approval_id))
        except (ServerError, UnreachableError) as error:
            self._page.notice(str(error))

    async def restore(self) -> None:
        """Show the cards of everything that this thread waited for, as it stands now."""
        for approval_id in self._conversation.awaited:
            await self.show(approval_id)

    async def after_turn(self) -> None:
        """Look again at the cards that wait: they may have been decided elsewhere, or have expired."""
        for approval in self._conversation.approvals:
            if approval.status == PENDING:
                await self.show(approval.id)

    def is_waiting(self, approval_id: str) -> bool:
        """Whether an approval that has a card still waits."""
        return any(
            approval.id == approval_id and approval.status == PENDING
            for approval in self._conversation.approvals
        )

    def dialogs(self) -> tuple[ShownDialog, ...]:
        """The confirmation dialogs, each with exactly what would run."""
        return tuple(dialog_of(record) for record in self._page.registry.confirmations.pending())

    async def decide(self, params: DecideParams) -> Told:
        """Take a decision.

        Raises:
            NothingToDecideError: There is no open question that it could be meant for.
        """
        if params.kind == "confirmation":
            return self._confirm(params)
        return await self._decide_approval(params)

    def _confirm(self, params: DecideParams) -> Told:
        pending = [record.id for record in self._page.registry.confirmations.pending()]
        chosen = _choose(params.id, pending, "confirmation")
        taken = self._page.registry.confirmations.resolve(chosen, approved=params.approved)
        if not taken:
            return Told(chosen, ok=False, text="This question is no longer open.")
        text = "You allowed it." if params.approved else "You declined it. Nothing was changed."
        return Told(chosen, ok=True, text=text)

    async def _decide_approval(self, params: DecideParams) -> Told:
        by_id = {approval.id: approval for approval in self._conversation.approvals}
        waiting = [approval.id for approval in by_id.values() if approval.status == PENDING]
        chosen = (
            params.id
            if params.id is not None and params.id in by_id
            else _choose(params.id, waiting, "approval")
        )
        try:
            told = await self.send(by_id[chosen], approved=params.approved)
        except (ServerError, UnreachableError) as error:
            told = Told(chosen, ok=False, text=str(error))
        await self.show(chosen)
        await self._page.until_shown()
        return told

    async def send(self, approval: Approval, *, approved: bool) -> Told:
        """Decide at the server, about the input that the card shows; what was executed may have changed any row."""
        answer = await self._api.decide(
            approval.id, approved=approved, thread_id=self._conversation.id, input_hash=approval.input_hash
        )
        self._conversation.add_receipt(answer.receipt.text, in_turn=self._in_turn())
        if approved:
            self._page.refresh()
        return Told(approval.id, answer.receipt.ok, answer.receipt.text)


def _choose(wanted: str | None, waiting: list[str], kind: str) -> str:
    if wanted is None and len(waiting) == 1:
        return waiting[0]
    if wanted is not None and wanted in waiting:
        return wanted
    open_ones = ", ".join(waiting) or "none"
    raise NothingToDecideError(f"expected one open {kind}, or the id of one; open are: {open_ones}")


def dialog_of(record: Record) -> ShownDialog:
    """A confirmation as the person reads it: the question, and the input that would really be used."""
    return ShownDialog(
        "confirmation", record.id, record.question.capability_id, record.question.summary, record.input
    )
