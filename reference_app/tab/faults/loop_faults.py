"""Faults in the browser's half of the loop: waiting, guarding, answering, following up."""

import asyncio
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from reference_app.surface.clock import Clock
from reference_app.surface.json_value import Json, JsonObject
from reference_app.surface.signal import Signal
from reference_app.surface.tools import Toolset
from reference_app.surface.wire_names import NameKey, encode
from reference_app.tab import dispatch, frames, settle, step, turn
from reference_app.tab.api import Api
from reference_app.tab.catalog import Offer
from reference_app.tab.conversation import Conversation, ToolCard
from reference_app.tab.dispatch import Answer
from reference_app.tab.faults.fault import Replace, fault
from reference_app.tab.frames import DomainTool, ErrorFrame, Frame, PendingCall, StepFinish, ToolResultFrame
from reference_app.tab.loop_guard import LoopGuard
from reference_app.tab.page import Page
from reference_app.tab.step import StepAddress, StepLog, Watchers
from reference_app.tab.tab import OpenTab, Tab
from reference_app.tab.turn import Turn, TurnEnd


@fault("no-settle", "The loop takes its next snapshot before the page shows what the last call did.")
def no_settle(replace: Replace) -> None:
    """Do not wait."""

    async def at_once(_page: settle.Settling, _clock: Clock, _budget_ms: int) -> None:
        return

    replace(settle, "settle", at_once)


@fault("loop-guard-off", "A model that repeats a failing call is let go on to the end of the turn.")
def loop_guard_off(replace: Replace) -> None:
    """Notice nothing."""

    def unnoticed(_guard: LoopGuard, _canonical_id: str, _given: Json, _result: Json, *, ok: bool) -> None:
        del ok

    replace(LoopGuard, "record", unnoticed)


@fault("pending-left-open", "Calls that are not carried out any more are left without an answer.")
def pending_left_open(replace: Replace) -> None:
    """Leave a history that no provider accepts."""

    def nothing(_conversation: Conversation, _calls: Sequence[PendingCall]) -> None:
        return

    replace(turn, "leave_unexecuted", nothing)


@fault("calls-side-by-side", "The calls of one message are carried out all at once.")
def calls_side_by_side(replace: Replace) -> None:
    """Wait for none before the next."""

    async def at_once(
        running: Turn, pending: Sequence[PendingCall], toolset: Toolset, offer: Offer
    ) -> TurnEnd | None:
        answers = await asyncio.gather(
            *(dispatch.dispatch(toolset, offer, call, running.stop_signal) for call in pending)
        )
        for call, answer in zip(pending, answers, strict=True):
            running.conversation.append_answer(call, answer)
            await running.follow(call, answer)
        return None

    replace(Turn, "carry_out", at_once)


@fault("turn-limit-off", "A turn goes on for as long as the model does.")
def turn_limit_off(replace: Replace) -> None:
    """Count nothing."""
    limit = Turn.limit

    def only_when_stopped(running: Turn) -> TurnEnd | None:
        end = limit(running)
        return end if end is not None and end.status == "cancelled" else None

    replace(Turn, "limit", only_when_stopped)


@fault("error-frame-ignored", "A step that fails counts as one that had nothing to say.")
def error_frame_ignored(replace: Replace) -> None:
    """Pass over the error."""
    take_in = step.take_in

    async def without_errors(
        frame: Frame, log: StepLog, conversation: Conversation, watchers: Watchers
    ) -> None:
        if not isinstance(frame, ErrorFrame):
            await take_in(frame, log, conversation, watchers)

    replace(step, "take_in", without_errors)


@fault("unknown-frame-fatal", "A frame of a type that the tab does not know fails the step.")
def unknown_frame_fatal(replace: Replace) -> None:
    """Take what is new for what is broken."""

    def unknown(_value: object) -> bool:
        return False

    replace(frames, "is_of_another_type", unknown)


@fault("broken-step-carried-out", "The calls of a step whose stream breaks off are carried out.")
def broken_step_carried_out(replace: Replace) -> None:
    """Take what has come for all there is."""
    run = step.run_step

    async def to_the_end(
        api: Api, address: StepAddress, conversation: Conversation, offer: Offer, watchers: Watchers
    ) -> StepLog:
        log = await run(api, address, conversation, offer, watchers)
        started = [
            card for card in conversation.cards if isinstance(card, ToolCard) and card.id in log.inputs
        ]
        if log.finish is None and started:
            log.error, log.finish = None, _made_up_finish(started)
        return log

    replace(turn, "run_step", to_the_end)


def _made_up_finish(started: Sequence[ToolCard]) -> StepFinish:
    calls = tuple(
        PendingCall(
            tool_call_id=card.id,
            wire_name=encode(NameKey(card.capability)),
            canonical_id=card.capability,
            input=card.input,
        )
        for card in started
        if card.state == "running"
    )
    return StepFinish(type="step-finish", step_id="", finish_reason="tool-calls", pending_tool_calls=calls)


@fault("stays-broken", "A tab that once could not reach the application never tries again.")
def stays_broken(replace: Replace) -> None:
    """Remember the failure for as long as the page is open."""
    run = step.run_step
    lost: WeakKeyDictionary[Api, StepLog] = WeakKeyDictionary()

    async def resigned(
        api: Api, address: StepAddress, conversation: Conversation, offer: Offer, watchers: Watchers
    ) -> StepLog:
        if api in lost:
            return lost[api]
        log = await run(api, address, conversation, offer, watchers)
        if log.error is not None and log.error.code == "TRANSPORT_FAILED":
            lost[api] = log
        return log

    replace(turn, "run_step", resigned)


@fault("thread-not-restored", "A conversation that is opened again begins anew.")
def thread_not_restored(replace: Replace) -> None:
    """Bring nothing back."""

    async def nothing(_tab: Tab, _opened: OpenTab) -> None:
        return

    replace(Tab, "restore", nothing)


@fault(
    "replay-on-reload",
    "The calls that were open when a tab was closed are carried out when it is opened again.",
)
def replay_on_reload(replace: Replace) -> None:
    """Finish what another page began."""
    restore = Conversation.restore, Tab.restore
    left: WeakKeyDictionary[Conversation, list[PendingCall]] = WeakKeyDictionary()

    def noticing(conversation: Conversation, messages: Sequence[Json]) -> None:
        restore[0](conversation, messages)
        left[conversation] = [
            PendingCall(
                tool_call_id=card.id,
                wire_name=encode(NameKey(card.capability)),
                canonical_id=card.capability,
                input=card.input,
            )
            for card in conversation.cards
            if isinstance(card, ToolCard) and card.state == "failed"
        ]

    async def and_finishing(tab: Tab, opened: OpenTab) -> None:
        await restore[1](tab, opened)
        scope = opened.page.routes.scope_for(opened.page.path)
        toolset = tab.toolset(opened.page, scope)
        offer = turn.compose("direct", scope, toolset)
        for call in left.get(opened.conversation, []):
            task = asyncio.ensure_future(dispatch.dispatch(toolset, offer, call, Signal()))
            await asyncio.wait({task}, timeout=0.05)

    replace(Conversation, "restore", noticing)
    replace(Tab, "restore", and_finishing)


@fault("no-reconcile", "After a write by the assistant the screen goes on showing the old rows.")
def no_reconcile(replace: Replace) -> None:
    """Read nothing again."""

    def never(_frame: ToolResultFrame, _tools: Sequence[DomainTool]) -> bool:
        return False

    async def without_refresh(page: Page, path: str, given: Json, invocation_id: str | None = None) -> Json:
        return await page.plain_rpc(path, given, invocation_id)

    replace(step, "reconciles", never)
    replace(Page, "rpc", without_refresh)


@fault(
    "navigation-not-followed",
    "After the model's own navigation the steps still say that they are of the first screen.",
)
def navigation_not_followed(replace: Replace) -> None:
    """Stay where the turn began."""
    carry_on = Turn._step
    first: dict[str, str] = {}

    async def staying(running: Turn, offer: Offer) -> StepLog | None:
        here = running._path
        running._path = first.setdefault(running._turn_id, here)
        try:
            return await carry_on(running, offer)
        finally:
            running._path = here

    replace(Turn, "_step", staying)


@fault("call-id-not-used", "A browser call is carried out under a new id, so that a repeat runs again.")
def call_id_not_used(replace: Replace) -> None:
    """Let every call be the first."""
    carry_out = dispatch.dispatch

    async def anonymous(toolset: Toolset, offer: Offer, call: PendingCall, signal: Signal) -> Answer:
        nameless = call.model_copy(update={"tool_call_id": ""})
        return await carry_out(toolset, offer, nameless, signal)

    replace(dispatch, "dispatch", anonymous)


@fault("error-as-success", "A call of the browser's that failed is reported as done.")
def error_as_success(replace: Replace) -> None:
    """Report good news only."""
    carry_out = dispatch.dispatch

    async def cheerful(toolset: Toolset, offer: Offer, call: PendingCall, signal: Signal) -> Answer:
        answer = await carry_out(toolset, offer, call, signal)
        return answer if answer.ok else Answer(ok=True, value={"done": True}, effect=answer.effect)

    replace(dispatch, "dispatch", cheerful)


@fault(
    "identity-from-page",
    "The tab tells the host in the request who the person is and what the person may do.",
)
def identity_from_page(replace: Replace) -> None:
    """Assert what only the cookie may say."""
    request_body = step.request_body

    def asserting(address: step.StepAddress, messages: Sequence[Json], offer: Offer) -> JsonObject:
        return {
            **request_body(address, messages, offer),
            "actor": {"role": "controller"},
            "role": "controller",
        }

    replace(step, "request_body", asserting)
