"""Faults in the browser's half of the loop: waiting, guarding, answering, following up."""

from collections.abc import Sequence

from reference_app.surface.clock import Clock
from reference_app.surface.json_value import Json, JsonObject
from reference_app.surface.signal import Signal
from reference_app.surface.tools import Toolset
from reference_app.tab import dispatch, settle, step, turn
from reference_app.tab.catalog import Offer
from reference_app.tab.conversation import Conversation
from reference_app.tab.dispatch import Answer
from reference_app.tab.faults.fault import Replace, fault
from reference_app.tab.frames import DomainTool, PendingCall, ToolResultFrame
from reference_app.tab.loop_guard import LoopGuard
from reference_app.tab.page import Page
from reference_app.tab.turn import Turn


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


@fault("no-reconcile", "After a write by the assistant the screen goes on showing the old rows.")
def no_reconcile(replace: Replace) -> None:
    """Read nothing again."""

    def never(_frame: ToolResultFrame, _tools: Sequence[DomainTool]) -> bool:
        return False

    async def without_refresh(page: Page, path: str, given: Json) -> Json:
        return await page.plain_rpc(path, given)

    replace(step, "reconciles", never)
    replace(Page, "rpc", without_refresh)


@fault(
    "navigation-not-followed",
    "After the model's own navigation the steps keep the scope of the first screen.",
)
def navigation_not_followed(replace: Replace) -> None:
    """Stay where the turn began."""
    follow = Turn._follow

    async def staying(running: Turn, call: PendingCall, answer: Answer) -> None:
        effect = "local-state" if answer.effect == "navigation" else answer.effect
        await follow(running, call, Answer(answer.ok, answer.value, effect))

    replace(Turn, "_follow", staying)


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
