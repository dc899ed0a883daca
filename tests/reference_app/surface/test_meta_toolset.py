"""Meta mode: three tools that never change, and the surface behind them."""

import asyncio
from typing import Any

import pytest

from reference_app.surface.contract_binding import Doing
from reference_app.surface.json_value import Json
from reference_app.surface.meta_toolset import ACT, DISCOVER, READ, MetaToolset
from reference_app.surface.scope import admit
from reference_app.surface.tools import Tool, ToolCall
from tests.reference_app.surface.world import CALLER, TABLE, World, code_of, make_world, turn_loop

pytestmark = pytest.mark.anyio


def _toolset(world: World, **more: Any) -> MetaToolset:
    return MetaToolset(world.registry, CALLER, **{"topology": "embedded", **more})


async def _discover(world: World, given: Json = None, **more: Any) -> dict[str, Any]:
    result = await _toolset(world, **more).execute(DISCOVER, ToolCall(given))
    assert result.error is None
    return result.output  # type: ignore[return-value]  # a snapshot is an object


async def test_the_three_tools_never_change() -> None:
    """Whatever is mounted, their bytes are the same; their names stand for no capability."""
    world = make_world()
    before = _toolset(world).tools()
    world.mount()

    assert _toolset(world).tools() == before == (DISCOVER, READ, ACT)
    assert all(tool.description.startswith("[meta] ") for tool in before)
    assert _toolset(world).wire_name_map() == {}


async def test_discovery_lists_what_is_there() -> None:
    """Components with their capabilities, operations with what is bound, and the version that it holds for."""
    world = make_world()
    world.mount()

    found = await _discover(world)

    assert [component["type"] for component in found["components"]] == [TABLE]
    assert found["procedures"][0]["boundFields"] == [
        {"path": "deviceId", "locked": True, "source": "ui-state"}
    ]
    assert (found["surfaceVersion"], "scopeRejected" in found) == ("1", False)


@pytest.mark.parametrize(
    ("tool", "given", "path"),
    [
        (READ, {}, "capabilityId"),
        (READ, {"capabilityId": ""}, "capabilityId"),
        (READ, {"capabilityId": "view:a.b", "input": {}}, "input"),
        (ACT, {"capabilityId": "view:a.b", "ids": [1]}, "ids"),
        (ACT, {"capabilityId": 5}, "capabilityId"),
        (DISCOVER, {"scope": "devices"}, "scope"),
        (DISCOVER, {"scope": [1]}, "scope"),
        (ACT, "text", ""),
        (ACT, [1], ""),
    ],
)
async def test_a_wrong_envelope_is_answered_before_anything_is_touched(
    tool: Tool, given: Json, path: str
) -> None:
    """The caller learns which key; the surface hears nothing of it."""
    world = make_world()
    world.mount()
    before = len(world.events)

    result = await _toolset(world).execute(tool, ToolCall(given, "call-1"))

    assert result.error is not None
    assert result.error.details is not None
    issues: Any = result.error.details["issues"]
    assert (code_of(result), issues[0]["path"], result.invocation_id) == ("INVALID_INPUT", path, "call-1")
    assert len(world.events) == before


async def test_a_misplaced_key_is_pointed_to_its_place() -> None:
    """What the capability takes belongs inside ``input``."""
    result = await _toolset(make_world()).execute(ACT, ToolCall({"capabilityId": "view:a.b", "ids": [1]}))

    assert result.error is not None
    assert "belongs inside `input`" in str(result.error.details)


async def test_reading_and_acting_reach_the_one_target() -> None:
    """By capability id; the outcome is that of the capability."""
    world = make_world()
    world.mount(doings={"selectRows": Doing(lambda given, _context: given["ids"])})
    toolset = _toolset(world)

    read = await toolset.execute(READ, ToolCall({"capabilityId": f"view:{TABLE}.readState"}))
    acted = await toolset.execute(
        ACT, ToolCall({"capabilityId": f"view:{TABLE}.selectRows", "input": {"ids": [1]}})
    )
    bound = await toolset.execute(
        ACT, ToolCall({"capabilityId": "domain:devices.disable", "input": {"reason": "x", "deviceId": 7}})
    )

    assert (read.output, acted.output, code_of(bound)) == ({"rows": 3}, [1], "INVALID_INPUT")
    assert bound.error is not None
    assert bound.error.details == {"lockedFields": ["deviceId"]}


@pytest.mark.parametrize("instances", [(), ("left", "right")])
async def test_an_unclear_target_is_left_to_the_surface(instances: tuple[str, ...]) -> None:
    """Nothing is guessed: none and several are told apart by their codes."""
    world = make_world()
    for instance in instances:
        world.mount(instance=instance)
    toolset = _toolset(world)

    result = await toolset.execute(ACT, ToolCall({"capabilityId": f"view:{TABLE}.refresh"}))

    assert code_of(result) == ("AMBIGUOUS_INSTANCE" if instances else "CAPABILITY_NOT_FOUND")


async def test_an_instance_may_be_named() -> None:
    """That is what the list of instances is for."""
    world = make_world()
    for instance in ("left", "right"):
        world.mount(instance=instance)

    call = ToolCall({"capabilityId": f"view:{TABLE}.refresh", "instanceId": "right"})

    assert code_of(await _toolset(world).execute(ACT, call)) == "ok"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ('{"ids": [1]}', "ok"),
        ("not json", "INVALID_INPUT"),
        ("[1]", "INVALID_INPUT"),
        ('{"ids": NaN}', "INVALID_INPUT"),
        pytest.param('{"a":' * 100_000 + "1" + "}" * 100_000, "INVALID_INPUT", id="too deep"),
    ],
)
async def test_an_object_sent_as_text_is_read(given: str, code: str) -> None:
    """Models do that; only a text that is an object is taken for one."""
    world = make_world()
    world.mount()

    call = ToolCall({"capabilityId": f"view:{TABLE}.selectRows", "input": given})

    assert code_of(await _toolset(world).execute(ACT, call)) == code


async def test_the_callers_version_stops_the_irreversible() -> None:
    """A page that moved since the caller looked is another page."""
    world = make_world()
    handle = world.mount()
    handle.invalidate()
    call: Json = {"capabilityId": "domain:devices.wipe", "input": {"reason": "x"}, "surfaceVersion": "1"}

    result = await _toolset(world).execute(ACT, ToolCall(call))

    assert result.error is not None
    assert result.error.details == {"reason": "surface-version-mismatch"}


async def test_consent_goes_round_in_two_phases() -> None:
    """Asked, answered by the person, and called again with the evidence."""
    world = make_world()
    world.mount()
    toolset = _toolset(world, topology="remote")
    call: dict[str, Json] = {"capabilityId": f"view:{TABLE}.forget", "input": {"ids": [1]}}
    asked = await toolset.execute(ACT, ToolCall(call))
    assert asked.error is not None
    assert asked.error.details is not None
    confirmation_id = str(asked.error.details["confirmationId"])

    world.registry.confirmations.resolve(confirmation_id, approved=True)
    done = await toolset.execute(ACT, ToolCall({**call, "confirmationId": confirmation_id}))

    assert (code_of(asked), code_of(done)) == ("CONFIRMATION_REQUIRED", "ok")


async def test_waiting_works_as_in_direct_mode() -> None:
    """The model sees one final answer."""
    world = make_world()
    world.mount()
    call = ToolCall({"capabilityId": f"view:{TABLE}.forget", "input": {"ids": [1]}}, "call-1")
    task = asyncio.ensure_future(_toolset(world).execute(ACT, call))
    await turn_loop()

    world.registry.confirmations.resolve(world.registry.confirmations.pending()[0].id, approved=False)

    assert code_of(await task) == "CONFIRMATION_INVALID"


async def test_a_call_is_recorded_under_its_target() -> None:
    """What counts is what was called, not through what."""
    toolset = _toolset(make_world())

    ids = [toolset.canonical_id_of(ACT, given) for given in ({"capabilityId": "view:a.b"}, {}, None)]

    assert ids == ["view:a.b", "meta:surface_act", "meta:surface_act"]


async def test_the_effect_of_a_call_is_its_targets() -> None:
    """The loop has to know whether to wait for the page."""
    world = make_world()
    world.mount()
    toolset = _toolset(world)

    effects = [
        toolset.effect_of(tool, {"capabilityId": f"view:{TABLE}.{name}"})
        for tool, name in ((ACT, "leave"), (ACT, "nothing"), (READ, "readState"))
    ]

    assert effects == ["navigation", "unknown", "read"]


@pytest.mark.parametrize(
    ("requested", "prefixes", "rejected"),
    [
        ([], ("devices", "app"), ()),
        (["devices.table"], ("devices.table",), ()),
        (["devices"], ("devices",), ()),
        (["app.navigation", "clients"], ("app.navigation",), ("clients",)),
        (["clients", "clients", "x"], (), ("clients", "x")),
        (["dev"], (), ("dev",)),
    ],
)
def test_a_request_narrows_the_floor(
    requested: list[str], prefixes: tuple[str, ...], rejected: tuple[str, ...]
) -> None:
    """What lies outside is refused and named; asking for nothing gives the floor."""
    admission = admit(requested, ("devices", "app"))

    assert (admission.prefixes, admission.rejected) == (prefixes, rejected)


@pytest.mark.parametrize(
    ("requested", "prefixes", "rejected"),
    [
        (["devices"], ("devices.table", "devices.list"), ()),
        (["other"], (), ("other",)),
        ([], ("devices.table", "devices.list"), ()),
    ],
)
def test_a_request_above_the_floor_gives_the_floor(
    requested: list[str], prefixes: tuple[str, ...], rejected: tuple[str, ...]
) -> None:
    """Asking for more than one may see is no offence, and no more is seen."""
    admission = admit(requested, ("devices.table", "devices.list"))

    assert (admission.prefixes, admission.rejected) == (prefixes, rejected)


def test_without_a_floor_a_request_is_honoured() -> None:
    """There is nothing to narrow."""
    assert admit(["anything"], ()).prefixes == ("anything",)


async def test_a_request_outside_the_floor_discovers_nothing() -> None:
    """And never falls back to the floor."""
    world = make_world()
    world.mount()

    partly = await _discover(world, {"scope": ["devices", "x"]}, scope=("devices",))
    wholly = await _discover(world, {"scope": ["x"]}, scope=("devices",), max_components=0)

    assert (len(partly["components"]), partly["scopeRejected"]) == (1, {"prefixes": ["x"]})
    assert (wholly["components"], wholly["procedures"], wholly["scopeRejected"]) == (
        [],
        [],
        {"prefixes": ["x"]},
    )
    assert "truncated" not in wholly


async def test_scope_shapes_discovery_only() -> None:
    """A capability outside it is not refused for that."""
    world = make_world()
    world.mount()

    result = await _toolset(world, scope=("other",)).execute(
        ACT, ToolCall({"capabilityId": f"view:{TABLE}.refresh"})
    )

    assert code_of(result) == "ok"


async def test_a_budget_is_told() -> None:
    """What was left out is counted."""
    world = make_world()
    for instance in ("a", "b"):
        world.mount(instance=instance)

    found = await _discover(world, max_components=1)

    assert (len(found["components"]), found["truncated"]) == (1, {"droppedComponents": 1})
