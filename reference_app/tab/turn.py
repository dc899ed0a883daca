"""One turn: step after step until the model is done, a limit is reached, something fails or the person stops it.

Whatever ends it, every call in the history has exactly one result afterwards.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from reference_app.surface.clock import Clock
from reference_app.surface.json_value import Json
from reference_app.surface.signal import Signal
from reference_app.surface.tools import Toolset
from reference_app.tab import catalog, dispatch, settle
from reference_app.tab.api import Api
from reference_app.tab.catalog import Offer
from reference_app.tab.conversation import Conversation
from reference_app.tab.dispatch import NOT_EXECUTED, Answer
from reference_app.tab.frames import FrameError, PendingCall
from reference_app.tab.interaction_card import CAPABILITY
from reference_app.tab.loop_guard import LoopGuard
from reference_app.tab.routes import RouteTable
from reference_app.tab.settings import TabSettings
from reference_app.tab.step import StepAddress, StepLog, Watchers, run_step

Status: TypeAlias = Literal["completed", "error", "cancelled"]


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """How a turn ended."""

    status: Status
    steps: int
    error: FrameError | None = None

    def to_json(self, conversation_id: str) -> dict[str, Json]:
        """The wire form."""
        body: dict[str, Json] = {"status": self.status, "conversation": conversation_id, "steps": self.steps}
        if self.error is not None:
            body["error"] = {"code": self.error.code, "message": self.error.message}
        return body


class TurnPage(settle.Settling, Protocol):
    """What a turn needs of the page."""

    @property
    def path(self) -> str:
        """The path of the screen that is shown."""

    @property
    def routes(self) -> RouteTable:
        """The screens that there are."""


class CardPlayer(Protocol):
    """What a turn needs of the interaction cards."""

    async def wait(self, call_id: str, stop: Signal) -> Answer:
        """Wait until a card is settled, or the turn is given up."""


@dataclass(frozen=True, slots=True)
class Workbench:
    """What a turn works with. ``toolset`` makes the toolset of a scope."""

    api: Api
    page: TurnPage
    clock: Clock
    settings: TabSettings
    mode: str
    toolset: Callable[[tuple[str, ...]], Toolset]
    watchers: Watchers
    cards: CardPlayer


class Turn:
    """A turn on its way."""

    def __init__(
        self, bench: Workbench, conversation: Conversation, turn_id: str, first_step: int = 0
    ) -> None:
        self._bench = bench
        self._conversation = conversation
        self._turn_id = turn_id
        self._path = bench.page.path
        self._guard = LoopGuard()
        self._stop = Signal()
        self._started_ms = bench.clock.now_ms()
        self._steps = 0
        self._first_step = first_step
        self._has_waited = first_step > 0
        self.over = asyncio.Event()

    @property
    def conversation(self) -> Conversation:
        """What it adds to."""
        return self._conversation

    @property
    def stop_signal(self) -> Signal:
        """Aborted when the turn is given up."""
        return self._stop

    def stop(self) -> None:
        """Give the turn up, as the person's stop button does."""
        self._stop.abort()

    async def run(self) -> TurnEnd:
        """Go through the steps; whatever happens, it is over afterwards."""
        try:
            return await self._run()
        finally:
            self.over.set()

    async def _run(self) -> TurnEnd:
        while True:
            end = self.limit()
            if end is not None:
                return end
            toolset, offer = await self._prepare()
            problem = catalog.excess(offer, self._conversation.history)
            if problem is not None:
                return self._failed("CATALOG_TOO_LARGE", problem)
            log = await self._step(offer)
            if log is None:
                return self._ended("cancelled")
            end = await self._after_step(log, toolset, offer)
            if end is not None:
                return end

    def limit(self) -> TurnEnd | None:
        """How the turn ends when it has gone on for long enough, or was stopped."""
        if self._stop.aborted:
            return self._ended("cancelled")
        settings = self._bench.settings
        if self._steps >= settings.turn_steps:
            return self._failed(
                "RUN_LIMIT_EXCEEDED", f"The turn took {settings.turn_steps} steps without an end."
            )
        if self._bench.clock.now_ms() - self._started_ms >= settings.turn_deadline_ms:
            return self._failed(
                "RUN_LIMIT_EXCEEDED", f"The turn took {settings.turn_deadline_ms} ms without an end."
            )
        return None

    def _ended(self, status: Status) -> TurnEnd:
        return TurnEnd(status, self._steps)

    def _failed(self, code: str, message: str) -> TurnEnd:
        return TurnEnd("error", self._steps, FrameError(code=code, message=message))

    async def _prepare(self) -> tuple[Toolset, Offer]:
        """Let the page catch up, then look at it: every step has a catalog of its own."""
        await self._settle()
        scope = self._bench.page.routes.scope_for(self._path)
        toolset = self._bench.toolset(scope)
        return toolset, compose(self._bench.mode, scope, toolset)

    async def _settle(self) -> None:
        await settle.settle(self._bench.page, self._bench.clock, self._bench.settings.settle_ms)

    async def _step(self, offer: Offer) -> StepLog | None:
        """Run one step; None when the person stopped it."""
        address = StepAddress(
            self._conversation.id, self._turn_id, self._first_step + self._steps, self._path
        )
        self._steps += 1
        task = asyncio.ensure_future(
            run_step(self._bench.api, address, self._conversation, offer, self._bench.watchers)
        )
        remove = self._stop.on_abort(lambda: _cancel(task))
        try:
            await asyncio.wait({task})
        finally:
            remove()
            task.cancel()
        return None if task.cancelled() else task.result()

    async def _after_step(self, log: StepLog, toolset: Toolset, offer: Offer) -> TurnEnd | None:
        """Take what a step came to; a step with an error adds nothing to the history."""
        if log.error is not None or log.finish is None:
            if self._is_taken(log):
                return self._ended("cancelled")
            error = log.error or FrameError(code="TRANSPORT_FAILED", message="The step was not finished.")
            return TurnEnd("error", self._steps, error)
        self._conversation.append_messages(log.finish.response_messages)
        pending = log.finish.pending_tool_calls
        problem = self._record_server_results(log)
        if problem is not None:
            self._leave(pending)
            return self._failed("RUN_LIMIT_EXCEEDED", problem)
        if not pending:
            return self._ended("completed")
        return await self.carry_out(pending, toolset, offer)

    def _record_server_results(self, log: StepLog) -> str | None:
        problem = None
        for frame in log.results:
            given = log.inputs.get(frame.tool_call_id)
            problem = self._guard.record(frame.canonical_id, given, frame.result, ok=frame.ok) or problem
        return problem

    async def carry_out(
        self, pending: Sequence[PendingCall], toolset: Toolset, offer: Offer
    ) -> TurnEnd | None:
        """Carry out the browser's calls one after the other."""
        for index, call in enumerate(pending):
            if self._stop.aborted:
                self._leave(pending[index:])
                return self._ended("cancelled")
            if call.canonical_id == CAPABILITY:
                await self._present(call)
                continue
            answer = await dispatch.dispatch(toolset, offer, call, self._stop)
            self._conversation.append_answer(call, answer)
            await self.follow(call, answer)
            problem = self._guard.record(call.canonical_id, call.input, answer.value, ok=answer.ok)
            if problem is not None:
                self._leave(pending[index + 1 :])
                return self._failed("RUN_LIMIT_EXCEEDED", problem)
        return None

    async def _present(self, call: PendingCall) -> None:
        """Leave a card to the person; the time that this takes is not the turn's."""
        before = self._bench.clock.now_ms()
        answer = await self._bench.cards.wait(call.tool_call_id, self._stop)
        self._conversation.append_answer(call, answer)
        self._started_ms += self._bench.clock.now_ms() - before
        self._has_waited = True

    def _is_taken(self, log: StepLog) -> bool:
        """Whether another tab of the conversation has gone on after a card that both of them showed."""
        taken = self._has_waited and log.error is not None and log.error.code == "STEP_CONFLICT"
        if taken:
            self._bench.watchers.notice("The conversation went on in another tab; open it again to see it.")
        return taken

    async def follow(self, call: PendingCall, answer: Answer) -> None:
        """Wait for the page after a call that may have changed it; follow a navigation with the scope."""
        if call.canonical_id.startswith("domain:"):
            return
        if answer.effect != "read":
            await self._settle()
        if answer.ok and answer.effect == "navigation":
            self._path = self._bench.page.path

    def _leave(self, calls: Sequence[PendingCall]) -> None:
        """Answer calls that are not carried out any more."""
        leave_unexecuted(self._conversation, calls)


def compose(mode: str, scope: tuple[str, ...], toolset: Toolset) -> Offer:
    """Look at the page and make the catalog of a step."""
    return Offer(mode, scope, toolset.tools())


def leave_unexecuted(conversation: Conversation, calls: Sequence[PendingCall]) -> None:
    """Give every call that was not carried out its one answer."""
    for call in calls:
        conversation.append_answer(call, NOT_EXECUTED)


def _cancel(task: "asyncio.Future[StepLog]") -> None:
    task.cancel()
