"""One step of a turn: post the history with a fresh catalog, and take in the frames as they come."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from reference_app.surface.json_value import Json
from reference_app.tab.api import Api
from reference_app.tab.catalog import Offer
from reference_app.tab.conversation import Conversation, approval_id_of
from reference_app.tab.errors import ChatRefusedError, UnreachableError
from reference_app.tab.frames import (
    DomainTool,
    ErrorFrame,
    Frame,
    FrameError,
    InspectorFrame,
    StepFinish,
    StepStart,
    TextDelta,
    ToolCallFrame,
    ToolResultFrame,
    decode,
)

PROTOCOL_VERSION = 2
REPORTED_EVENTS = frozenset(
    {"catalog.collision", "catalog.refused", "catalog.truncated", "catalog.undecodable"}
)
"""What the host took out of the catalog is told to the person: nothing is reduced silently."""


@dataclass(frozen=True, slots=True)
class StepAddress:
    """Which step this is, and on which screen."""

    conversation_id: str
    turn_id: str
    index: int
    pathname: str


@dataclass(slots=True)
class StepLog:
    """What a step came to."""

    finish: StepFinish | None = None
    error: FrameError | None = None
    results: list[ToolResultFrame] = field(default_factory=list)
    inputs: dict[str, Json] = field(default_factory=dict)
    domain_tools: tuple[DomainTool, ...] = ()


@dataclass(frozen=True, slots=True)
class Watchers:
    """Who is told while a step streams."""

    wrote: Callable[[], None]
    needs_approval: Callable[[str], Awaitable[None]]
    notice: Callable[[str], None]


def request_body(address: StepAddress, messages: Sequence[Json], offer: Offer) -> dict[str, Json]:
    """The request of a step, protocol version 2."""
    return {
        "protocolVersion": PROTOCOL_VERSION,
        "conversationId": address.conversation_id,
        "turnId": address.turn_id,
        "stepIndex": address.index,
        "pathname": address.pathname,
        "messages": list(messages),
        "catalog": offer.to_json(),
    }


async def run_step(
    api: Api, address: StepAddress, conversation: Conversation, offer: Offer, watchers: Watchers
) -> StepLog:
    """Run a step; every failure of the transport ends in the log as an error."""
    log = StepLog()
    try:
        async with api.chat(request_body(address, conversation.history, offer)) as pieces:
            async for frame in decode(pieces):
                await take_in(frame, log, conversation, watchers)
    except ChatRefusedError as error:
        log.error = FrameError(code=error.kind, message=str(error))
    except UnreachableError as error:
        log.error = FrameError(code="TRANSPORT_FAILED", message=str(error))
    if log.finish is None and log.error is None:
        log.error = FrameError(
            code="TRANSPORT_FAILED", message="The host's answer ended before the step was finished."
        )
    return log


async def take_in(frame: Frame, log: StepLog, conversation: Conversation, watchers: Watchers) -> None:
    """Take in one frame; of several errors the first is kept."""
    if isinstance(frame, StepStart):
        log.domain_tools = frame.domain_tools
    elif isinstance(frame, TextDelta):
        conversation.say(frame.text)
    elif isinstance(frame, ToolCallFrame):
        log.inputs[frame.tool_call_id] = frame.input
        conversation.called(frame)
    elif isinstance(frame, ToolResultFrame):
        await _take_result(frame, log, conversation, watchers)
    elif isinstance(frame, InspectorFrame) and frame.event_type in REPORTED_EVENTS:
        watchers.notice(f"{frame.event_type}: {frame.summary}")
    elif isinstance(frame, StepFinish):
        log.finish = log.finish or frame
    elif isinstance(frame, ErrorFrame):
        log.error = log.error or frame.error


async def _take_result(
    frame: ToolResultFrame, log: StepLog, conversation: Conversation, watchers: Watchers
) -> None:
    log.results.append(frame)
    conversation.answered(frame)
    approval_id = approval_id_of(frame.result)
    if approval_id is not None:
        await watchers.needs_approval(approval_id)
    elif reconciles(frame, log.domain_tools):
        watchers.wrote()


def reconciles(frame: ToolResultFrame, domain_tools: Sequence[DomainTool]) -> bool:
    """Whether a server result means that the screen's rows may be out of date: a write that was carried out."""
    tool = next((tool for tool in domain_tools if tool.wire_name == frame.wire_name), None)
    return (
        frame.ok and tool is not None and mutates(tool.side_effect) and approval_id_of(frame.result) is None
    )


def mutates(side_effect: str | None) -> bool:
    """Whether a side effect changes data; one that is not known counts as if it did."""
    return side_effect not in ("read", "none")
