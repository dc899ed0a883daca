"""Time-outs, cancellation, unmounting in mid-flight, and who waits for whom."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from reference_app.surface.audit import AuditType
from reference_app.surface.contract_binding import Doing, Reading
from reference_app.surface.definition import Concurrency, HandlerContext
from reference_app.surface.json_value import Json, JsonObject
from reference_app.surface.limits import Limits
from reference_app.surface.policy import Consumer
from reference_app.surface.signal import Signal
from tests.reference_app.surface.world import World, code_of, make_world, turn_loop

pytestmark = pytest.mark.anyio


@dataclass
class Held:
    """A handler that waits until it is let go, and remembers what it was told."""

    started: list[Signal] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    error: Exception | None = None

    async def __call__(self, _given: JsonObject, context: HandlerContext) -> Json:
        """Wait at the gate."""
        self.started.append(context.signal)
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return "late or not"


async def _start(world: World, name: str, **more: Any) -> "asyncio.Task[Any]":
    task = asyncio.ensure_future(world.call(name, {}, **more))
    await turn_loop()
    return task


@pytest.mark.parametrize(("name", "retry"), [("refresh", "no"), ("readState", "yes")])
async def test_what_takes_too_long_is_given_up(name: str, retry: str) -> None:
    """The handler is told; calling again is safe only where it changes nothing."""
    held = Held()
    world = make_world(limits=Limits(observation_timeout_ms=100, action_timeout_ms=100))

    async def read(context: HandlerContext) -> Json:
        return await held({}, context)

    world.mount(doings={"refresh": Doing(held)}, readings={"readState": Reading(read)})
    task = await _start(world, name)

    world.clock.advance(100)
    result = await task

    assert result.error.to_json()["details"] == {"timeoutMs": 100, "idempotent": retry == "yes"}
    assert (code_of(result), result.error.retry.value, held.started[0].aborted) == ("TIMEOUT", retry, True)


async def test_the_callers_time_limit_wins() -> None:
    """The call's own limit, then the capability's, then that of its kind."""
    held = Held()
    world = make_world()
    world.mount(doings={"refresh": Doing(held)})
    task = await _start(world, "refresh", timeout_ms=5)

    world.clock.advance(5)

    assert code_of(await task) == "TIMEOUT"


async def test_what_comes_too_late_is_recorded_and_not_delivered() -> None:
    """The first outcome stands; the handler's own is noted as late."""
    held = Held()
    world = make_world()
    world.mount(doings={"refresh": Doing(held)})
    task = await _start(world, "refresh", timeout_ms=5, invocation_id="x")
    world.clock.advance(5)
    first = await task

    held.gate.set()
    await turn_loop()

    assert await world.call("refresh", {}, invocation_id="x") == first
    assert [event.type for event in world.sink.events].count(AuditType.LATE_SETTLEMENT) == 1


async def test_a_timer_that_rings_after_the_end_changes_nothing() -> None:
    """A call that ended has ended."""
    held = Held()
    world = make_world()
    world.mount(doings={"refresh": Doing(held)})
    task = await _start(world, "refresh")
    held.gate.set()
    result = await task

    world.clock.advance(60_000)

    assert (code_of(result), held.started[0].aborted) == ("ok", False)


async def test_the_caller_may_give_up() -> None:
    """The handler is told, and calling again is fine."""
    held, signal = Held(), Signal()
    world = make_world()
    world.mount(doings={"refresh": Doing(held)})
    task = await _start(world, "refresh", signal=signal)

    signal.abort()
    result = await task

    assert (code_of(result), result.error.retry.value, held.started[0].aborted) == ("CANCELLED", "yes", True)


async def test_what_was_given_up_before_it_began_never_runs() -> None:
    """The signal is looked at before the handler is."""
    held, signal = Held(), Signal()
    signal.abort()
    world = make_world()
    world.mount(doings={"refresh": Doing(held)})

    assert (code_of(await world.call("refresh", {}, signal=signal)), held.started) == ("CANCELLED", [])


async def test_a_call_whose_owner_leaves_ends() -> None:
    """There is nobody left whose state it could change."""
    held = Held()
    world = make_world()
    handle = world.mount(doings={"refresh": Doing(held)})
    task = await _start(world, "refresh")

    handle.unregister()
    result = await task

    assert result.error.to_json()["details"] == {"phase": "mid-flight"}
    assert held.started[0].aborted


async def test_a_handler_that_ends_at_once_ends_before_the_unmount_it_caused() -> None:
    """What a synchronous handler did was done while its component was there."""
    world = make_world()
    handles: list[Any] = []
    handles.append(world.mount(doings={"refresh": Doing(lambda _given, _context: handles[0].unregister())}))

    assert code_of(await world.call("refresh", {})) == "ok"


@pytest.mark.parametrize(("error", "code"), [(None, "ok"), (RuntimeError("gone"), "CANCELLED")])
async def test_a_navigation_survives_the_unmount_that_it_causes(error: Exception | None, code: str) -> None:
    """Leaving is what it does; it is told, and ends when it ends. Failing after that is a cancellation."""
    held = Held(error=error)
    world = make_world()
    handle = world.mount(doings={"leave": Doing(held)})
    task = await _start(world, "leave")

    handle.unregister()
    await turn_loop()
    assert (held.started[0].aborted, task.done()) == (True, False)
    held.gate.set()

    assert code_of(await task) == code


async def test_a_navigation_that_fails_on_its_own_has_failed() -> None:
    """Without an unmount it is an ordinary failure."""
    held = Held(error=RuntimeError("broken"))
    held.gate.set()
    world = make_world()
    world.mount(doings={"leave": Doing(held)})

    assert code_of(await world.call("leave", {})) == "EXECUTION_FAILED"


async def test_disposal_ends_every_call() -> None:
    """Running or waiting, each is cancelled for good, and handlers are stopped."""
    held = Held()
    world = make_world()
    world.mount(doings={"refresh": Doing(held)})
    tasks = [await _start(world, "refresh") for _ in range(2)]

    world.registry.dispose()
    results = await asyncio.gather(*tasks)

    assert [(code_of(result), result.error.retry.value) for result in results] == [("CANCELLED", "no")] * 2
    assert len(held.started) == 1


async def test_the_actions_of_one_component_take_turns() -> None:
    """One state is changed by one call at a time, in the order of arrival."""
    order: list[str] = []

    def doing(name: str) -> Doing:
        async def execute(_given: JsonObject, _context: HandlerContext) -> Json:
            order.append(name)
            await asyncio.sleep(0)
            order.append(f"/{name}")
            return None

        return Doing(execute)

    world = make_world()
    world.mount(doings={"refresh": doing("a"), "leave": doing("b")})

    await asyncio.gather(world.call("refresh", {}), world.call("leave", {}))

    assert order == ["a", "/a", "b", "/b"]


async def test_too_many_that_wait_are_turned_away() -> None:
    """One runs and two wait; who comes then is told when to come again, and takes no place."""
    held = Held()
    world = make_world()
    world.mount(doings={"refresh": Doing(held)})
    tasks = [await _start(world, "refresh") for _ in range(3)]

    refused = await world.call("refresh", {})
    held.gate.set()
    served = await asyncio.gather(*tasks)
    after = await world.call("refresh", {})

    assert refused.error is not None
    assert refused.error.details == {"reason": "queue-full", "retryAfterMs": 250}
    assert [code_of(result) for result in (*served, after)] == ["ok"] * 4


@pytest.mark.parametrize(
    ("concurrency", "at_once"),
    [
        (Concurrency("instance"), 1),
        (Concurrency("capability"), 1),
        (Concurrency("key", key="k"), 1),
        (Concurrency("parallel", max=2), 2),
        (Concurrency("parallel", max=5, queue_depth=0), 3),
    ],
)
async def test_how_many_run_at_once_is_the_capabilitys_to_say(concurrency: Concurrency, at_once: int) -> None:
    """By instance, capability, key, or in parallel up to a number."""
    held = Held()
    world = make_world()
    world.mount(doings={"refresh": Doing(held, concurrency=concurrency)})

    tasks = [await _start(world, "refresh") for _ in range(3)]
    running = len(held.started)
    held.gate.set()
    await asyncio.gather(*tasks)

    assert running == at_once


async def test_a_key_is_shared_by_all_who_use_it() -> None:
    """Two capabilities of two components wait for each other."""
    held, shared = Held(), Concurrency("key", key="ledger")
    world = make_world()
    world.mount(instance="a", doings={"refresh": Doing(held, concurrency=shared)})
    world.mount(instance="b", doings={"leave": Doing(held, concurrency=shared)})

    tasks = [await _start(world, "refresh", instance_id="a"), await _start(world, "leave", instance_id="b")]
    running = len(held.started)
    held.gate.set()
    await asyncio.gather(*tasks)

    assert running == 1


async def test_waiting_in_line_costs_no_time_of_ones_own() -> None:
    """The clock of a time-out starts when the handler does; the wait is recorded apart."""
    held = Held()
    world = make_world(limits=Limits(action_timeout_ms=100))
    world.mount(doings={"refresh": Doing(held), "leave": Doing(lambda _given, _context: None)})
    first = await _start(world, "refresh")
    second = await _start(world, "leave", invocation_id="second")

    world.clock.advance(100)
    codes = [code_of(await task) for task in (first, second)]

    settled = [event for event in world.sink.events if event.invocation_id == "second"][-1]
    assert (codes, settled.queue_wait_ms, settled.execution_ms) == (["TIMEOUT", "ok"], 100, 0)


async def test_who_waits_and_gives_up_never_runs() -> None:
    """It is settled when its turn comes."""
    held, signal = Held(), Signal()
    world = make_world()
    world.mount(doings={"refresh": Doing(held)})
    first = await _start(world, "refresh")
    second = await _start(world, "refresh", signal=signal)

    signal.abort()
    held.gate.set()

    assert [code_of(await first), code_of(await second), len(held.started)] == ["ok", "CANCELLED", 1]


async def test_who_waits_for_a_component_that_leaves_never_runs() -> None:
    """The owner was there when it was found, and is not when its turn comes."""
    held = Held()
    world = make_world()
    handle = world.mount(doings={"refresh": Doing(held)})
    tasks = [await _start(world, "refresh") for _ in range(2)]

    handle.unregister()

    assert [code_of(await task) for task in tasks] == ["COMPONENT_UNMOUNTED"] * 2
    assert len(held.started) == 1


async def test_reading_goes_on_while_an_action_runs() -> None:
    """Looking waits for nobody."""
    held = Held()
    world = make_world()
    world.mount(doings={"refresh": Doing(held)})
    task = await _start(world, "refresh")

    seen = await world.call("readState")
    held.gate.set()
    await task

    assert code_of(seen) == "ok"


def _reading(held: Held) -> dict[str, Reading]:
    async def read(context: HandlerContext) -> Json:
        return await held({}, context)

    return {"readState": Reading(read)}


async def test_one_consumer_reads_so_much_at_once() -> None:
    """Eight run and eight wait; the next is turned away, but another consumer is served."""
    held = Held()
    world = make_world()
    world.mount(readings=_reading(held))
    tasks = [await _start(world, "readState") for _ in range(16)]
    running = len(held.started)

    refused = await world.call("readState")
    other = await _start(world, "readState", consumer=Consumer("other", "test"))
    now_running = len(held.started)
    held.gate.set()
    served = await asyncio.gather(*tasks, other)

    assert (running, now_running, code_of(refused)) == (8, 9, "RATE_LIMITED")
    assert {code_of(result) for result in served} == {"ok"}


async def test_all_consumers_together_read_so_much_at_once() -> None:
    """A bound for all; who waits is admitted in the order of arrival."""
    held = Held()
    world = make_world(limits=Limits(max_observations_total=2))
    world.mount(readings=_reading(held))
    tasks = [await _start(world, "readState", consumer=Consumer(str(n), "test")) for n in range(3)]
    running = len(held.started)

    held.gate.set()
    served = await asyncio.gather(*tasks)

    assert (running, [code_of(result) for result in served]) == (2, ["ok"] * 3)


async def test_disposal_turns_readers_away() -> None:
    """Whoever waits is told that there is nothing to wait for."""
    held = Held()
    world = make_world(limits=Limits(max_observations_total=1))
    world.mount(readings=_reading(held))
    tasks = [await _start(world, "readState") for _ in range(2)]

    world.registry.dispose()

    assert [code_of(await task) for task in tasks] == ["CANCELLED"] * 2


@pytest.mark.parametrize("later", [False, True])
def test_a_signal_is_seen_by_all_who_ask(*, later: bool) -> None:
    """Before or after it was raised, and never twice."""
    signal = Signal()
    heard: list[str] = []
    listen: Callable[[], object] = lambda: signal.on_abort(lambda: heard.append("x"))  # noqa: E731 - used twice below
    if not later:
        listen()
    removed = signal.on_abort(lambda: heard.append("removed"))
    removed()

    signal.abort()
    signal.abort()
    if later:
        listen()

    assert heard == ["x"]
