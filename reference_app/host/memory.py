"""What outlives a step: the results that the server settled, the step's stream, and the person's thread."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reference_app.database import Database
from reference_app.host import records
from reference_app.host.records import StepRecords
from reference_app.host.threads import ThreadStore
from reference_app.host.unsaved import unsaved_messages
from reference_app.runtime.model import Usage
from reference_app.strict_json import JsonObject, JsonValue

if TYPE_CHECKING:
    from reference_app.host.step import StepPlan

LOG = logging.getLogger(__name__)


class StepMemory:
    """Keeps what a step leaves behind; a database that refuses never costs the turn.

    Args:
        database: Where.
        steps: Remembers which steps have run.
        threads: Keeps conversations.
    """

    def __init__(self, database: Database, steps: StepRecords, threads: ThreadStore) -> None:
        self._database = database
        self._steps = steps
        self._threads = threads

    async def keep_step(
        self,
        plan: StepPlan,
        *,
        settled: Sequence[tuple[str, JsonValue]],
        stream: bytes,
        worth_keeping: bool,
        response: Sequence[JsonObject],
        usage: Usage | None,
    ) -> None:
        """Keep everything.

        Args:
            plan: The step.
            settled: The results that the server settled, by call id.
            stream: The whole stream, for whoever posts the same step again.
            worth_keeping: False when the step failed before it ran anything, and may be tried again.
            response: What the step adds to the conversation.
            usage: The tokens that it took.
        """
        try:
            await self._keep_record(plan, settled, stream, worth_keeping)
        except Exception:
            LOG.exception("the record of step %s was lost", plan.names.step_id)
        try:
            await self._keep_thread(plan, response, usage)
        except Exception:
            LOG.exception("the thread of step %s was not written", plan.names.step_id)

    async def _keep_record(
        self, plan: StepPlan, settled: Sequence[tuple[str, JsonValue]], stream: bytes, worth_keeping: bool
    ) -> None:
        if not worth_keeping:
            await self._steps.release(plan.key)
            return
        async with self._database.writing() as connection:
            await records.keep_settled(connection, plan.key, settled)
            await records.keep_stream(connection, plan.key, stream)

    async def _keep_thread(self, plan: StepPlan, response: Sequence[JsonObject], usage: Usage | None) -> None:
        recorded = await self._steps.settled(plan.owner.id, plan.names.conversation_id)
        posted = unsaved_messages(
            plan.request.messages, plan.request.step_index, recorded, plan.history.host_results
        )
        async with self._database.writing() as connection:
            await self._threads.append(
                connection, plan.owner.id, plan.names.conversation_id, (*posted, *response), usage
            )
