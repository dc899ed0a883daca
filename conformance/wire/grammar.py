"""The order that the frames of one step keep, whatever happened in it."""

from collections.abc import Iterator, Sequence

from conformance.wire.frames import Frame, FrameLog, Inspector, StepFinish, StepStart, ToolCall, ToolResult


def grammar_problems(log: FrameLog) -> tuple[str, ...]:
    """Say what is wrong with the order of a complete step's frames; empty when nothing is.

    The rules: `step-start` first and once; `step-finish` last and once (a report of dropped inspector frames may follow);
    a result only after its call and only once; at the end each call is answered or pending, never both.
    """
    frames = log.frames
    return (*log.problems, *brackets(frames), *pairs(frames), *settled(frames))


def brackets(frames: Sequence[Frame]) -> Iterator[str]:
    """Say what is wrong with the first and the last frame."""
    if not frames:
        yield "the step has no frames at all"
        return
    if not isinstance(frames[0], StepStart):
        yield f"the first frame is {frames[0].type}, not step-start"
    tail = [
        frame
        for frame in frames
        if not (isinstance(frame, Inspector) and frame.event_type == "inspector.dropped")
    ]
    if not tail or not isinstance(tail[-1], StepFinish):
        yield f"the last frame is {frames[-1].type}, not step-finish"
    for kind, name in ((StepStart, "step-start"), (StepFinish, "step-finish")):
        count = sum(isinstance(frame, kind) for frame in frames)
        if count > 1:
            yield f"{name} was sent {count} times"
    start = next((frame for frame in frames if isinstance(frame, StepStart)), None)
    finish = next((frame for frame in frames if isinstance(frame, StepFinish)), None)
    if start and finish and start.step_id != finish.step_id:
        yield f"step-finish names the step {finish.step_id!r}, step-start {start.step_id!r}"


def pairs(frames: Sequence[Frame]) -> Iterator[str]:
    """Say which results do not follow a call of their own."""
    calls: dict[str, ToolCall] = {}
    answered: set[str] = set()
    for frame in frames:
        if isinstance(frame, ToolCall):
            if frame.tool_call_id in calls:
                yield f"two calls share the id {frame.tool_call_id!r}"
            calls[frame.tool_call_id] = frame
        elif isinstance(frame, ToolResult):
            call = calls.get(frame.tool_call_id)
            if call is None:
                yield f"a result for {frame.tool_call_id!r} came before any call of that id"
            elif call.canonical_id != frame.canonical_id:
                yield f"the result of {frame.tool_call_id!r} names {frame.canonical_id}, its call {call.canonical_id}"
            if frame.tool_call_id in answered:
                yield f"{frame.tool_call_id!r} was answered twice"
            answered.add(frame.tool_call_id)


def settled(frames: Sequence[Frame]) -> Iterator[str]:
    """Say which calls are not settled at the end."""
    finish = next((frame for frame in frames if isinstance(frame, StepFinish)), None)
    if finish is None:
        return
    pending = [call.tool_call_id for call in finish.pending_tool_calls]
    calls = {frame.tool_call_id: frame for frame in frames if isinstance(frame, ToolCall)}
    answered = {frame.tool_call_id for frame in frames if isinstance(frame, ToolResult)}
    for call_id, call in calls.items():
        if call_id in answered and call_id in pending:
            yield f"{call_id!r} is both answered and pending"
        if call_id not in answered and call_id not in pending:
            yield f"the {call.executor} call {call_id!r} is neither answered nor pending"
        if call_id in pending and call.executor == "server":
            yield f"the server call {call_id!r} is left to the browser"
    for call_id in pending:
        if call_id not in calls:
            yield f"{call_id!r} is pending, but no call of that id was sent"
    if len(set(pending)) != len(pending):
        yield "one call is pending twice"
