"""The loop: ask the model, run what it calls, ask again, until it is done or somebody else has to act."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias, TypeVar

from reference_app.clock import Clock, DeadlineError
from reference_app.runtime.conversation import (
    AssistantTurn,
    Message,
    SystemText,
    ToolAnswer,
    ToolCall,
    ToolDefinition,
)
from reference_app.runtime.model import (
    Model,
    ModelError,
    ModelEvent,
    ModelFinished,
    ModelRequest,
    Progress,
    ReasoningDelta,
    RequestedCall,
    TextDelta,
    Usage,
)
from reference_app.strict_json import JsonValue

T = TypeVar("T")


class Disposition(StrEnum):
    """What happens to a call."""

    EXECUTE = "execute"
    SUSPEND = "suspend"
    ANSWERED = "answered"


@dataclass(frozen=True)
class PlannedCall:
    """A call of which it is known what happens to it.

    Attributes:
        call: The call, under an id that nothing else in the conversation has.
        disposition: Run here, left to somebody else, or already answered.
        answer: The answer, when it is already known.
    """

    call: ToolCall
    disposition: Disposition
    answer: JsonValue = None


class Toolbox(Protocol):
    """The tools of one run."""

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """What the model is told about."""
        ...

    def plan(self, requested: RequestedCall) -> PlannedCall:
        """Say what happens to a call; called once for each, in the model's order."""
        ...

    async def execute(self, planned: PlannedCall) -> JsonValue:
        """Run a call; failures are values."""
        ...


@dataclass(frozen=True)
class RunLimits:
    """What bounds a run; times in seconds.

    Attributes:
        model_steps: The most model requests.
        silence: How long the model may produce nothing.
        deadline: How long everything may take.
        output: The most characters of one reply.
    """

    model_steps: int
    silence: float
    deadline: float
    output: int


@dataclass(frozen=True)
class CallsPlanned:
    """The model has ended a reply that calls tools."""

    calls: tuple[PlannedCall, ...]


@dataclass(frozen=True)
class CallAnswered:
    """One call has its result."""

    planned: PlannedCall
    value: JsonValue


@dataclass(frozen=True)
class ModelStepEnded:
    """One model request is over, whether or not it succeeded."""

    usage: Usage | None


class Ending(StrEnum):
    """Why a run is over."""

    FINISHED = "finished"
    SUSPENDED = "suspended"
    LIMIT = "limit"
    TIMEOUT = "timeout"
    FAILED = "failed"


@dataclass(frozen=True)
class RunEnded:
    """The last event of every run.

    Attributes:
        ending: Why it is over.
        reason: The last reason that the model gave for ending a reply.
        message: For people, when it did not end well.
    """

    ending: Ending
    reason: str
    message: str = ""


RunEvent: TypeAlias = TextDelta | ReasoningDelta | CallsPlanned | CallAnswered | ModelStepEnded | RunEnded


class _Reply:
    """One reply as far as it has come."""

    def __init__(self) -> None:
        self.text = ""
        self.characters = 0
        self.reason = ""
        self.calls: tuple[RequestedCall, ...] = ()
        self.usage: Usage | None = None
        self.failure: RunEnded | None = None

    def take(self, event: ModelEvent) -> None:
        match event:
            case TextDelta(text):
                self.text += text
                self.characters += len(text)
            case ReasoningDelta(text):
                self.characters += len(text)
            case Progress(characters):
                self.characters += characters
            case ModelFinished(reason, calls, usage):
                self.reason, self.calls, self.usage = reason, calls, usage


class Loop:
    """One run of one model with one set of tools.

    Args:
        model: The model.
        model_id: Which of the provider's models.
        clock: Bounds the waiting.
        limits: How far the run may go.
    """

    def __init__(self, model: Model, model_id: str, clock: Clock, limits: RunLimits) -> None:
        self._model = model
        self._model_id = model_id
        self._clock = clock
        self._limits = limits

    async def run(
        self, conversation: tuple[Message, ...], state: SystemText | None, toolbox: Toolbox
    ) -> AsyncIterator[RunEvent]:
        """Run until the model is done, a call is somebody else's to execute, or a limit is reached.

        Args:
            conversation: Instructions and everything said so far.
            state: The live state; it goes behind the conversation in every request, and never into the tools.
            toolbox: The tools.

        Yields:
            What happens, the last event being :class:`RunEnded`.
        """
        due = self._clock.elapsed() + self._limits.deadline
        reason = "unknown"
        for step in range(self._limits.model_steps):
            reply = _Reply()
            async for event in self._ask(_request(self._model_id, conversation, state, toolbox), reply, due):
                yield event
            yield ModelStepEnded(reply.usage)
            reason = reply.reason or reason
            if reply.failure is not None:
                yield reply.failure
                return
            planned = tuple(toolbox.plan(requested) for requested in reply.calls)
            if not planned:
                yield RunEnded(Ending.FINISHED, reason)
                return
            yield CallsPlanned(planned)
            suspends = any(p.disposition is Disposition.SUSPEND for p in planned)
            if step == self._limits.model_steps - 1 and not suspends:
                break
            conversation = (*conversation, AssistantTurn(reply.text, tuple(p.call for p in planned)))
            answers = []
            async for answered in self._answer(planned, toolbox):
                answers.append(
                    ToolAnswer(answered.planned.call.id, answered.planned.call.name, answered.value)
                )
                yield answered
            if suspends:
                yield RunEnded(Ending.SUSPENDED, reason)
                return
            conversation = (*conversation, *answers)
        message = f"The run stopped after {self._limits.model_steps} model steps."
        yield RunEnded(Ending.LIMIT, reason, message)

    async def _ask(
        self, request: ModelRequest, reply: _Reply, due: float
    ) -> AsyncIterator[TextDelta | ReasoningDelta]:
        try:
            async for event in self._events(request, due):
                reply.take(event)
                check_length(reply.characters, self._limits.output)
                if isinstance(event, TextDelta | ReasoningDelta):
                    yield event
        except DeadlineError:
            seconds = f"{self._limits.silence:g}"
            message = (
                f"The model produced no output for {seconds} s, or the run took too long; it was stopped."
            )
            reply.failure = RunEnded(Ending.TIMEOUT, reply.reason, message)
        except ModelError as problem:
            reply.usage = reply.usage or problem.usage
            reply.failure = RunEnded(Ending.FAILED, reply.reason, str(problem))

    async def _events(self, request: ModelRequest, due: float) -> AsyncIterator[ModelEvent]:
        context = self._model.stream(request)
        stream = await self._bounded(context.__aenter__(), due)
        try:
            iterator = aiter(stream)
            while (event := await self._bounded(anext(iterator, None), due)) is not None:
                yield event
                if isinstance(event, ModelFinished):
                    return
            raise ModelError("The model's stream ended before the reply was finished.")
        finally:
            await context.__aexit__(None, None, None)

    async def _bounded(self, work: Awaitable[T], due: float) -> T:
        seconds = min(self._limits.silence, due - self._clock.elapsed())
        return await self._clock.bounded(work, seconds)

    async def _answer(
        self, planned: tuple[PlannedCall, ...], toolbox: Toolbox
    ) -> AsyncIterator[CallAnswered]:
        for call in planned:
            if call.disposition is Disposition.ANSWERED:
                yield CallAnswered(call, call.answer)
            elif call.disposition is Disposition.EXECUTE:
                yield CallAnswered(call, await toolbox.execute(call))


def check_length(characters: int, limit: int) -> None:
    """Stop reading a reply that does not end.

    Raises:
        ModelError: It is longer than the limit.
    """
    if characters > limit:
        raise ModelError("The model's reply is longer than this application reads.")


def _request(
    model_id: str, conversation: tuple[Message, ...], state: SystemText | None, toolbox: Toolbox
) -> ModelRequest:
    return ModelRequest(model_id, with_state(conversation, state), toolbox.definitions)


def with_state(conversation: tuple[Message, ...], state: SystemText | None) -> tuple[Message, ...]:
    """The messages of one request: the live state is the last of them, so that the prefix stays the same."""
    return conversation if state is None else (*conversation, state)
