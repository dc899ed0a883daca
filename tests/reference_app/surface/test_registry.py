"""Mounting, unmounting, updating: what is there, what is told, and what the version does."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference_app.surface.contract_binding import Doing
from reference_app.surface.errors import DefinitionError, DisposedError
from reference_app.surface.events import (
    AvailabilityChanged,
    CollisionSuspected,
    ComponentRegistered,
    ComponentRejected,
    ComponentUnregistered,
    SurfaceChanged,
    SurfaceEvent,
)
from reference_app.surface.live import Override
from reference_app.surface.policy import Consumer
from reference_app.surface.snapshot import View
from tests.reference_app.surface.world import (
    TABLE,
    Executor,
    StillClock,
    World,
    code_of,
    make_world,
    turn_loop,
)

pytestmark = pytest.mark.anyio


def _kinds(events: Sequence[SurfaceEvent]) -> list[type[SurfaceEvent]]:
    return [type(event) for event in events]


def _live(world: World) -> list[tuple[str, str]]:
    return [(item.type, item.instance_id) for item in world.registry.snapshot().components]


async def test_a_component_that_registers_nothing_has_no_capabilities() -> None:
    """Deny by default: an empty page offers nothing."""
    world = make_world()

    result = await world.call("readState")

    assert world.registry.snapshot().capabilities == ()
    assert code_of(result) == "CAPABILITY_NOT_FOUND"


async def test_a_mount_is_there_until_it_leaves() -> None:
    """What unmounts takes its capabilities with it, at once."""
    world = make_world()
    handle = world.mount()
    mounted = _live(world)

    handle.unregister()

    assert (mounted, _live(world)) == ([(TABLE, "default")], [])
    assert handle.status == "unregistered"


async def test_a_remount_is_another_registration() -> None:
    """Register, unregister, register: three events, one change announced, one live mount."""
    world = make_world()

    first = world.mount()
    first.unregister()
    second = world.mount()
    await turn_loop()

    assert _kinds(world.events) == [
        ComponentRegistered,
        ComponentUnregistered,
        ComponentRegistered,
        SurfaceChanged,
    ]
    assert world.events[-1] == SurfaceChanged("3")
    assert first.registration_id != second.registration_id


async def test_a_taken_place_is_refused() -> None:
    """The first keeps the place; the newcomer is dead and knows it."""
    world = make_world()
    first = world.mount()

    second = world.mount()
    second.update(enabled=False)
    second.unregister()

    assert (first.status, second.status) == ("active", "rejected")
    assert world.events_of(ComponentRejected) == [ComponentRejected(TABLE, "default", "duplicate")]
    assert world.registry.version == "1"


async def test_a_taken_place_may_be_taken_over() -> None:
    """Under ``replace`` the one before leaves completely first."""
    world = make_world(on_duplicate="replace")
    first = world.mount()

    second = world.mount()

    assert (first.status, second.status) == ("unregistered", "active")
    assert _kinds(world.events) == [ComponentRegistered, ComponentUnregistered, ComponentRegistered]


@pytest.mark.parametrize("guard", [lambda _component: False, lambda _component: 1 / 0])
async def test_a_guard_that_refuses_or_fails_keeps_a_component_off(guard: Any) -> None:
    """Fail closed: no answer is a no."""
    world = make_world(guard=guard)

    handle = world.mount()

    assert handle.status == "rejected"
    assert world.events_of(ComponentRejected) == [ComponentRejected(TABLE, "default", "guard")]


async def test_instances_of_one_type_coexist() -> None:
    """Two cards of one kind are two components."""
    world = make_world()
    world.mount(instance="left")
    world.mount(instance="right")

    assert _live(world) == [(TABLE, "left"), (TABLE, "right")]


async def test_a_view_capability_that_shadows_an_operation_is_noticed() -> None:
    """Two planes with one name are a misunderstanding waiting to happen."""

    class Shadowing(Executor):
        paths = frozenset({f"{TABLE}.readState", "devices.disable", "devices.wipe"})

    warned = make_world(executor=Shadowing())
    warned.mount()
    strict = make_world(executor=Shadowing(), suffix_collision="error")

    assert warned.events_of(CollisionSuspected) == [
        CollisionSuspected(f"view:{TABLE}.readState", f"domain:{TABLE}.readState")
    ]
    with pytest.raises(DefinitionError, match="PLANE_VIOLATION"):
        strict.mount()


async def test_an_update_that_changes_nothing_moves_nothing() -> None:
    """The version is what tools are recomputed by; it must not move without cause."""
    world = make_world()
    handle = world.mount()

    handle.update(enabled=True)
    handle.update(availability={"refresh": Override(available=False, reason="busy")})
    handle.update(availability={"refresh": Override(available=False, reason="busy")})

    assert world.registry.version == "2"
    assert len(world.events_of(AvailabilityChanged)) == 1


async def test_a_lazily_changed_condition_does_not_move_the_version() -> None:
    """A condition is asked when it matters; only what is pushed is announced."""
    world = make_world()
    open_now = False
    world.mount(doings={"refresh": Doing(lambda _given, _context: None, when=lambda: open_now)})

    open_now = True

    assert world.registry.version == "1"
    assert code_of(await world.call("refresh", {})) == "ok"


async def test_invalidate_moves_the_version() -> None:
    """A component may say that what it shows has changed."""
    world = make_world()

    world.mount().invalidate()

    assert world.registry.version == "2"


async def test_a_disposed_surface_is_over() -> None:
    """Nothing registers, nothing is seen, nothing is called; saying so twice changes nothing."""
    world = make_world()
    world.mount()

    world.registry.dispose()
    world.registry.dispose()

    with pytest.raises(DisposedError):
        world.registry.snapshot()
    with pytest.raises(DisposedError):
        world.mount(instance="other")
    with pytest.raises(DisposedError):
        await world.call("readState")


async def test_a_change_is_not_announced_after_disposal() -> None:
    """Who listened to a page that is gone hears nothing more."""
    world = make_world()
    world.mount()

    world.registry.dispose()
    await turn_loop()

    assert world.events_of(SurfaceChanged) == []


async def test_listeners_hear_events_in_order_and_cannot_harm_each_other() -> None:
    """An event raised inside a listener comes after the one being delivered; a failing listener stops no other."""
    world = make_world()
    heard: list[type[SurfaceEvent]] = []

    def chain(event: SurfaceEvent) -> None:
        if isinstance(event, ComponentRegistered) and event.instance_id == "first":
            world.mount(instance="second")
        raise RuntimeError("a listener's own business")

    world.registry.subscribe(chain)
    world.registry.subscribe(lambda event: heard.append(type(event)))

    world.mount(instance="first")

    assert heard == [ComponentRegistered, ComponentRegistered]


@settings(max_examples=30)  # each example is a page's whole life
@given(st.lists(st.sampled_from(["mount a", "leave a", "mount b", "leave b"]), max_size=30))
def test_the_version_rises_and_one_mount_holds_a_place(moves: list[str]) -> None:
    """Whatever comes and goes in whatever order: versions strictly increase, a place has one holder."""
    world = make_world(StillClock(), on_duplicate="replace")
    handles: dict[str, Any] = {}
    versions = [0]

    for move in moves:
        verb, instance = move.split()
        if verb == "mount":
            handles[instance] = world.mount(instance=instance)
        elif instance in handles:
            handles.pop(instance).unregister()
        versions.append(int(world.registry.version))
        assert sorted(_live(world)) == [(TABLE, name) for name in sorted(handles)]

    assert versions == sorted(versions)


async def test_a_snapshot_is_a_value_of_its_own() -> None:
    """Changing what was handed out changes nothing on the page, and reading runs no handler."""
    world = make_world()
    world.mount(readings={})
    taken = world.registry.snapshot()
    schema: Any = taken.capabilities[1].input_schema

    schema["properties"]["more"] = {}

    again: Any = world.registry.snapshot().capabilities[1].input_schema
    assert "more" not in again["properties"]


async def test_a_snapshot_is_ordered_by_importance_and_name() -> None:
    """Never by who was mounted first."""
    world = make_world()
    for instance, priority in (("b", 0), ("a", 0), ("c", 5)):
        table = replace(world.table(instance=instance), priority=priority)
        world.mount(table)

    assert [instance for _, instance in _live(world)] == ["c", "a", "b"]


async def test_a_budget_drops_the_least_important_and_says_so() -> None:
    """What does not fit is counted, never silently gone."""
    world = make_world()
    for instance in ("a", "b", "c"):
        world.mount(instance=instance)

    taken = world.registry.snapshot(View(max_components=2)).to_json()

    assert [item["instanceId"] for item in taken["components"]] == ["a", "b"]  # type: ignore[index, union-attr, call-overload]  # JSON
    assert taken["truncated"] == {"droppedComponents": 1}


async def test_scope_is_by_whole_segments() -> None:
    """``dev`` is no prefix of ``devices.table``; a bound operation follows its component."""
    world = make_world()
    world.mount()

    counts = [
        len(world.registry.snapshot(View(scope=(prefix,))).capabilities)
        for prefix in ("devices", TABLE, "dev", "x")
    ]

    assert counts == [7, 7, 0, 0]


async def test_nothing_internal_is_in_a_snapshot() -> None:
    """What is for policies only is for policies only."""
    world = make_world()
    world.mount(replace(world.table(), internal={"secret": "canary-7"}))

    assert "canary-7" not in str(world.registry.snapshot(View(Consumer("a", "test"))).to_json())


async def test_a_disabled_component_stays_visible() -> None:
    """State discloses: every capability is listed, unavailable, with the reason."""
    world = make_world()
    handle = world.mount()

    handle.update(enabled=False)

    reasons = {item.unavailable_reason for item in world.registry.snapshot().capabilities}
    assert reasons == {"component-disabled"}
