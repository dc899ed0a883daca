"""Running a handler: the first of result, time-out, cancellation, unmount and disposal decides, and nothing after it.

A handler is told through its signal that nobody waits any more; what it still returns is recorded as late and
never delivered.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from reference_app.surface import refusals
from reference_app.surface.clock import Clock
from reference_app.surface.definition import Output
from reference_app.surface.errors import CapabilityError, Retry, TransportError
from reference_app.surface.json_value import Json
from reference_app.surface.live import Candidate, Status
from reference_app.surface.signal import Signal

Handler: TypeAlias = Callable[[Signal], Output]


@dataclass(slots=True, eq=False)
class InFlight:
    """One call that has begun: what may still stop it, and what stopped it."""

    candidate: Candidate
    signal: Signal = field(default_factory=Signal)
    verdict: CapabilityError | None = None
    decided: asyncio.Event = field(default_factory=asyncio.Event)
    task: "asyncio.Task[Json] | None" = None

    @property
    def survives_unmount(self) -> bool:
        """Whether the call goes on when its owner leaves: navigating away is what a navigation does."""
        return self.candidate.capability.effect == "navigation"

    def stop(self, error: CapabilityError) -> None:
        """End the call with an error, unless something ended it before: another error, or its handler."""
        finished = self.task is not None and self.task.done()
        if self.verdict is None and not finished:
            self.verdict = error
            self.decided.set()
        self.signal.abort()

    def owner_unmounted(self) -> None:
        """Take notice that the component left the page."""
        if self.survives_unmount:
            self.signal.abort()
        else:
            self.stop(refusals.unmounted("mid-flight"))


@dataclass(frozen=True, slots=True)
class Guard:
    """What a run needs from its surroundings."""

    clock: Clock
    timeout_ms: int
    caller: Signal | None
    keep: Callable[["asyncio.Task[Json]"], None]
    on_late: Callable[[], None]


def check_may_start(in_flight: InFlight, caller: Signal | None) -> None:
    """Refuse to start what was given up, or whose owner left, while it waited.

    Raises:
        CapabilityError: ``CANCELLED`` or ``COMPONENT_UNMOUNTED``; the handler never runs.
    """
    if in_flight.verdict is not None:
        raise in_flight.verdict
    if caller is not None and caller.aborted:
        raise refusals.cancelled()
    if in_flight.candidate.registration.status is not Status.ACTIVE:
        raise refusals.unmounted("mid-flight")


async def run(handler: Handler, in_flight: InFlight, guard: Guard) -> Json:
    """Run a handler under all guards and return what it returned.

    Raises:
        CapabilityError: What ended it instead.
    """
    check_may_start(in_flight, guard.caller)
    try:
        outcome = handler(in_flight.signal)
    except Exception as error:
        raise failure_of(error, in_flight) from error
    if not inspect.isawaitable(outcome):
        return outcome
    task = in_flight.task = asyncio.ensure_future(_awaited(outcome))
    guard.keep(task)
    timer = start_timer(in_flight, guard)
    remove = guard.caller.on_abort(lambda: in_flight.stop(refusals.cancelled())) if guard.caller else None
    try:
        return await _first(task, in_flight, guard)
    finally:
        timer.cancel()
        if remove is not None:
            remove()


def start_timer(in_flight: InFlight, guard: Guard) -> "_Timer":
    """Let the clock stop the call when its time is over; the time begins here, not in the queue."""
    idempotent = in_flight.candidate.capability.idempotent
    error = refusals.timed_out(guard.timeout_ms, idempotent=idempotent)
    return _Timer(guard.clock.call_later(guard.timeout_ms, lambda: in_flight.stop(error)).cancel)


@dataclass(frozen=True, slots=True)
class _Timer:
    cancel: Callable[[], None]


async def _awaited(outcome: Awaitable[Json]) -> Json:
    return await outcome


async def _first(task: "asyncio.Task[Json]", in_flight: InFlight, guard: Guard) -> Json:
    """Wait for the handler or for what ends it before that."""
    decided = asyncio.ensure_future(in_flight.decided.wait())
    try:
        await asyncio.wait({task, decided}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        decided.cancel()
    if in_flight.verdict is not None:
        task.add_done_callback(lambda late: _note_late(late, guard.on_late))
        raise in_flight.verdict
    try:
        return task.result()
    except asyncio.CancelledError as error:
        raise refusals.cancelled(Retry.NO) from error
    except Exception as error:
        raise failure_of(error, in_flight) from error


def _note_late(task: "asyncio.Task[Json]", on_late: Callable[[], None]) -> None:
    if not task.cancelled():
        task.exception()  # looked at, so that the loop does not report it as forgotten
        on_late()


def failure_of(error: Exception, in_flight: InFlight) -> CapabilityError:
    """What the caller learns about a handler's exception: its type where it is a typed one, and never its text."""
    if isinstance(error, CapabilityError):
        return error
    if in_flight.survives_unmount and in_flight.signal.aborted:
        return refusals.cancelled()
    if in_flight.candidate.capability.kind == "procedure":
        return refusals.transport_failed(transient=isinstance(error, TransportError) and error.transient)
    return refusals.execution_failed("handler-error")
