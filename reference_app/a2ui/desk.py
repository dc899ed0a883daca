"""Cards from being presented to being settled: every way in which one can begin and end."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum

from reference_app.a2ui.interactions import (
    CardKey,
    Interaction,
    Moment,
    Standing,
    Submission,
    result_of,
    standing_of,
)
from reference_app.a2ui.store import InteractionStore
from reference_app.a2ui.submission import PostedSubmission, fits
from reference_app.a2ui.template import actions_of, read_template
from reference_app.clock import Clock
from reference_app.strict_json import JsonObject


class Receipt(StrEnum):
    """What became of an attempt to settle a card."""

    ACCEPTED = "accepted"
    NOT_PENDING = "not-pending"
    BAD_RESPONSE = "bad-response"
    TOO_LARGE = "too-large"


class CardDesk:
    """Presents and settles cards.

    Args:
        store: Keeps them.
        clock: Says what has expired.
        boot_id: Names this process.
        deadline: How many seconds a card can be answered.
    """

    def __init__(self, store: InteractionStore, clock: Clock, boot_id: str, deadline: float) -> None:
        self._store = store
        self._clock = clock
        self._boot_id = boot_id
        self._deadline = timedelta(seconds=deadline)

    async def present(self, key: CardKey, turn_id: str, step_index: int, template: JsonObject) -> None:
        """Begin a card.

        Raises:
            TemplateError: The template is not valid.
            IntegrityError: The call was presented before.
        """
        read = read_template(template)
        interaction = Interaction(
            key=key,
            turn_id=turn_id,
            step_index=step_index,
            template=read,
            standing=Standing.PENDING if actions_of(read) else Standing.PRESENTED,
            boot_id=self._boot_id,
            deadline=self._clock.now() + self._deadline,
        )
        await self._store.add(interaction, template)

    async def find(self, key: CardKey) -> Interaction | None:
        """One card as recorded, or None."""
        return await self._store.get(key)

    def standing(self, interaction: Interaction) -> Standing:
        """What a card comes to now."""
        return standing_of(interaction, self.moment())

    def moment(self) -> Moment:
        """Now, in this process."""
        return Moment(self._clock.now(), self._boot_id)

    async def submit(self, owner: str, posted: PostedSubmission) -> Receipt:
        """Take an answer; the first valid one wins, and one that is refused changes nothing."""
        key = CardKey(owner, posted.session, posted.call)
        interaction = await self._store.get(key)
        if interaction is None or self.standing(interaction) is not Standing.PENDING:
            return Receipt.NOT_PENDING
        if not fits(interaction, posted.message, posted.data_model):
            return Receipt.BAD_RESPONSE
        submission = Submission(posted.message.action.name, posted.data_model)
        return _receipt(await self._store.settle(key, Standing.SUBMITTED, self.moment(), submission))

    async def withdraw(self, key: CardKey) -> Receipt:
        """Close a card without an answer."""
        return _receipt(await self._store.settle(key, Standing.CANCELLED, self.moment()))

    async def conclude(self, key: CardKey) -> JsonObject:
        """End a card that still waits, because the conversation has gone on, and say what became of it.

        A card that this application never presented is interrupted: nothing is guessed.
        """
        await self._store.settle(key, Standing.CANCELLED, self.moment())
        interaction = await self._store.get(key)
        if interaction is None:
            return result_of(Standing.INTERRUPTED, None)
        standing = self.standing(interaction)
        if interaction.standing is Standing.PENDING:
            await self._store.close(key, standing)
        return result_of(standing, interaction.submission)


def _receipt(settled: bool) -> Receipt:
    return Receipt.ACCEPTED if settled else Receipt.NOT_PENDING
