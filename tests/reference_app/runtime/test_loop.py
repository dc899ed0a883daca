"""The loop: it runs what the toolbox says, stops where it is told to, and never waits for ever."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from reference_app.clock import Clock
from reference_app.runtime.conversation import (
    AssistantTurn,
    SystemText,
    ToolAnswer,
    ToolCall,
    ToolDefinition,
    UserText,
)
from reference_app.runtime.loop import (
    CallAnswered,
    Disposition,
    Ending,
    Loop,
    PlannedCall,
    RunEnded,
    RunEvent,
    RunLimits,
)
from reference_app.runtime.model import (
    ModelError,
    ModelEvent,
    ModelFinished,
    ModelRequest,
    RequestedCall,
    TextDelta,
    Usage,
    add_usage,
)
from reference_app.strict_json import JsonValue

pytestmark = pytest.mark.anyio
LIMITS = RunLimits(model_steps=3, silence=10, deadline=60, output=100)
STATE = SystemText("state")


def calls(*names: str) -> ModelFinished:
    """A reply that calls tools."""
    return ModelFinished(
        "tool-calls", tuple(RequestedCall(name, name, "{}") for name in names), Usage(1, 1, 2)
    )


DONE = ModelFinished("stop", (), Usage(1, 1, 2))


class ScriptedModel:
    """A model that replies what it is told to; an exception is raised, None hangs."""

    def __init__(self, *replies: Sequence[Any]) -> None:
        self.replies = list(replies)
        self.requests: list[ModelRequest] = []
        self.closed = 0

    async def prepare(self) -> None:
        """Nothing to do."""

    @asynccontextmanager
    async def stream(self, request: ModelRequest) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        """Begin the next reply."""
        self.requests.append(request)
        try:
            yield self._events(self.replies.pop(0))
        finally:
            self.closed += 1

    async def _events(self, reply: Sequence[Any]) -> AsyncIterator[ModelEvent]:
        for event in reply:
            if event is None:
                await asyncio.Event().wait()
            if isinstance(event, Exception):
                raise event
            yield event


class Tools:
    """Server tools begin with s, the tab's with b, everything else is refused."""

    definitions = (ToolDefinition("s", "", {}),)

    def __init__(self) -> None:
        self.executed: list[str] = []

    def plan(self, requested: RequestedCall) -> PlannedCall:
        """Go by the first letter."""
        kinds = {"s": Disposition.EXECUTE, "b": Disposition.SUSPEND}
        disposition = kinds.get(requested.name[:1], Disposition.ANSWERED)
        return PlannedCall(ToolCall(requested.id, requested.name, {}), disposition, "refused")

    async def execute(self, planned: PlannedCall) -> JsonValue:
        """Note that it ran."""
        self.executed.append(planned.call.id)
        return f"result of {planned.call.id}"


async def run(
    model: ScriptedModel, tools: Tools, clock: Clock | None = None, limits: RunLimits = LIMITS
) -> list[RunEvent]:
    """Everything that happens in a run."""
    loop = Loop(model, "m", clock or Clock(), limits)
    return [event async for event in loop.run((UserText("hello"),), STATE, tools)]


def ended(events: list[RunEvent]) -> RunEnded:
    """The last event, which is always the end."""
    assert [isinstance(event, RunEnded) for event in events] == [False] * (len(events) - 1) + [True]
    last = events[-1]
    assert isinstance(last, RunEnded)
    return last


async def test_results_go_back_to_the_model_and_state_stays_last() -> None:
    """The next request has the same beginning, the turn, its result, and the live state behind everything."""
    model, tools = ScriptedModel([TextDelta("look"), calls("s1")], [TextDelta("done"), DONE]), Tools()
    events = await run(model, tools)

    assert Ending.FINISHED == ended(events).ending
    assert (
        UserText("hello"),
        AssistantTurn("look", (ToolCall("s1", "s1", {}),)),
        ToolAnswer("s1", "s1", "result of s1"),
        STATE,
    ) == model.requests[1].messages
    assert (UserText("hello"), STATE) == model.requests[0].messages
    assert model.closed == 2


async def test_a_mixed_message_runs_the_servers_calls_and_suspends() -> None:
    """The server's result is there before anybody waits for the browser, and the model is not asked again."""
    model, tools = ScriptedModel([calls("b1", "s1")]), Tools()
    events = await run(model, tools)

    assert Ending.SUSPENDED == ended(events).ending
    assert ["s1"] == tools.executed
    assert len(model.requests) == 1


async def test_refused_calls_are_answered_in_the_same_run() -> None:
    """The model sees the refusal in its next step, under the id of its call."""
    model, tools = ScriptedModel([calls("x1")], [DONE]), Tools()
    events = await run(model, tools)

    assert ToolAnswer("x1", "x1", "refused") == model.requests[1].messages[2]
    assert tools.executed == []
    assert ["refused"] == [event.value for event in events if isinstance(event, CallAnswered)]


async def test_the_last_allowed_step_runs_nothing_that_nobody_would_see() -> None:
    """Past the limit no further operation runs; the host answers what is open."""
    model, tools = ScriptedModel([calls("s1")], [calls("s2")], [calls("s3")]), Tools()
    events = await run(model, tools)

    assert Ending.LIMIT == ended(events).ending
    assert ["s1", "s2"] == tools.executed


async def test_a_suspension_in_the_last_allowed_step_is_no_limit() -> None:
    """The tab's turn to act is not a run that went too far."""
    model, tools = ScriptedModel([calls("s1")], [calls("s2")], [calls("b3")]), Tools()

    assert Ending.SUSPENDED == ended(await run(model, tools)).ending


@pytest.mark.parametrize("before", [[], [TextDelta("so far")]])
async def test_a_silent_model_is_stopped(before: list[ModelEvent]) -> None:
    """The bound holds before the first word and between words, and the connection is closed."""
    model, clock = ScriptedModel([*before, None]), Clock()
    running = asyncio.create_task(run(model, Tools(), clock))
    for _ in range(20):
        await asyncio.sleep(0)
    clock.advance(10)
    events = await running

    assert Ending.TIMEOUT == ended(events).ending
    assert before == [event for event in events if isinstance(event, TextDelta)]
    assert model.closed == 1


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ([ModelError("The model provider answered with status 500.")], "status 500"),
        ([TextDelta("half")], "ended before"),
        ([TextDelta("x" * 101), DONE], "longer than"),
    ],
)
async def test_a_reply_that_fails_ends_the_run_with_its_reason(reply: list[Any], message: str) -> None:
    """A cut, endless or refused reply is an error and never a success; its calls do not run."""
    tools = Tools()
    last = ended(await run(ScriptedModel(reply), tools))

    assert Ending.FAILED == last.ending
    assert message in last.message
    assert tools.executed == []


async def test_the_deadline_bounds_the_whole_run() -> None:
    """A model that is never silent for long still cannot go on for ever."""
    model, clock = ScriptedModel([calls("s1")], [None]), Clock()
    limits = RunLimits(model_steps=3, silence=100, deadline=5, output=100)
    running = asyncio.create_task(run(model, Tools(), clock, limits))
    for _ in range(40):
        await asyncio.sleep(0)
    clock.advance(5)

    assert Ending.TIMEOUT == ended(await running).ending


def test_usage_adds_up_and_absence_stays_absent() -> None:
    """A figure that no provider reported is not zero."""
    one, other = Usage(1, 2, 3, cached_input_tokens=1), Usage(4, 5, 9)

    assert Usage(5, 7, 12, 1, None, 2) == add_usage(one, other)
    assert add_usage(None, None) is None
    assert one == add_usage(one, None)
