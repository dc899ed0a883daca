"""Direct mode: what is offered, that it does not move with the page's state, and what a call of it means."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from reference_app.surface.contract_binding import Doing
from reference_app.surface.definition import ConfirmationLevel
from reference_app.surface.direct_toolset import DirectToolset
from reference_app.surface.errors import SurfaceError
from reference_app.surface.json_value import stringify
from reference_app.surface.signal import Signal
from reference_app.surface.tools import Tool, ToolCall
from tests.reference_app.surface.world import CALLER, EMPTY, World, code_of, make_world, turn_loop

pytestmark = pytest.mark.anyio


def _toolset(world: World, **more: Any) -> DirectToolset:
    return DirectToolset(world.registry, CALLER, **{"topology": "embedded", **more})


def _tool(toolset: DirectToolset, name: str) -> Tool:
    return next(tool for tool in toolset.tools() if tool.name.endswith(name))


def _bytes(tools: tuple[Tool, ...]) -> list[str]:
    return [stringify([tool.name, tool.description, tool.input_schema]) for tool in tools]


async def test_every_visible_capability_is_a_tool() -> None:
    """Also those that are unavailable now, with the state beside them."""
    world = make_world()
    world.mount(
        doings={"refresh": Doing(lambda _given, _context: None, when=lambda: False, unavailable_reason="no")}
    )

    tools = {tool.name: tool for tool in _toolset(world).tools()}

    assert sorted(tools) == [
        "domain_devices__disable",
        "domain_devices__wipe",
        *(
            f"view_devices__table__{name}"
            for name in ("forget", "leave", "readState", "refresh", "selectRows")
        ),
    ]
    assert tools["view_devices__table__refresh"].state.unavailable_reason == "no"


async def test_descriptions_say_plane_effect_and_gate() -> None:
    """In front of the author's text, and nothing else."""
    world = make_world()
    world.mount(procedure=lambda binding: replace(binding, confirmation=ConfirmationLevel.REQUIRED))

    described = {tool.name.rpartition("__")[2]: tool.description for tool in _toolset(world).tools()}

    assert described == {
        "readState": "[view · read] Read the table.",
        "selectRows": "[view · local-state] Select rows.",
        "refresh": "[view · local-state] Refresh.",
        "leave": "[view · navigation] Leave.",
        "forget": "[view · local-state · requires confirmation] Forget.",
        "disable": "[domain · server-mutation · requires confirmation] Disable one device.",
        "wipe": "[domain · destructive · requires confirmation] Wipe one device.",
    }


async def test_schemas_are_those_that_the_caller_may_fill() -> None:
    """Nothing for an observation, the reduced one for a bound operation."""
    world = make_world()
    world.mount()
    toolset = _toolset(world)

    bound: Any = _tool(toolset, "disable").input_schema

    assert _tool(toolset, "readState").input_schema == EMPTY
    assert (sorted(bound["properties"]), bound["required"]) == (["force", "reason"], ["reason"])


async def test_the_bytes_of_a_tool_do_not_move_with_the_state() -> None:
    """Availability and notes ride beside the tools: the provider's cached prefix stays valid."""
    state = {"open": False, "note": "Bound to one."}
    world = make_world()
    world.mount(
        doings={"refresh": Doing(lambda _given, _context: None, when=lambda: state["open"] is True)},
        procedure=lambda binding: replace(binding, describe=lambda: str(state["note"])),
    )
    toolset = _toolset(world)
    before = toolset.tools()

    state.update(open=True, note="Bound to another.")
    after = toolset.tools()

    assert _bytes(before) == _bytes(after)
    assert [tool.state for tool in before] != [tool.state for tool in after]


async def test_a_note_that_cannot_be_made_is_absent() -> None:
    """An author's slip in describing must not take the tool away."""
    world = make_world()
    world.mount(procedure=lambda binding: replace(binding, describe=lambda: str(1 // 0)))

    assert _tool(_toolset(world), "disable").state.note is None


async def test_instances_are_told_apart_by_name_only_when_there_are_several() -> None:
    """One table needs no suffix; two do, and so do the operations that both bind."""
    world = make_world()
    world.mount(instance="left")
    toolset = _toolset(world)
    alone = _tool(toolset, "refresh").name

    world.mount(instance="right")
    names = sorted(toolset.wire_name_map())

    assert alone == "view_devices__table__refresh"
    assert [name for name in names if "refresh" in name] == [f"{alone}_at_left", f"{alone}_at_right"]
    assert [name for name in names if "disable" in name] == [
        "domain_devices__disable_at_left",
        "domain_devices__disable_at_right",
    ]
    assert toolset.wire_name_map()[f"{alone}_at_left"] == "view:devices.table.refresh"


async def test_a_tool_that_was_held_too_long_is_stale() -> None:
    """It was offered by a component that another has replaced."""
    world = make_world()
    handle = world.mount()
    toolset = _toolset(world)
    held = _tool(toolset, "refresh")

    handle.unregister()
    world.mount()
    result = await toolset.execute(held, ToolCall({}))

    assert code_of(result) == "STALE_CAPABILITY"


async def test_a_calls_id_is_the_invocations() -> None:
    """So that a call that is delivered twice runs once."""
    runs: list[int] = []
    world = make_world()
    world.mount(doings={"refresh": Doing(lambda _given, _context: runs.append(1))})
    toolset = _toolset(world)

    results = [await toolset.execute(_tool(toolset, "refresh"), ToolCall({}, "call-1")) for _ in range(2)]

    assert ([result.invocation_id for result in results], runs) == (["call-1", "call-1"], [1])


async def test_consent_must_be_arranged_for() -> None:
    """Whether a toolset waits for the person is nothing to be defaulted silently."""
    with pytest.raises(SurfaceError, match="topology"):
        DirectToolset(make_world().registry, CALLER)


async def _waiting(world: World, toolset: DirectToolset, **call: Any) -> "asyncio.Task[Any]":
    task = asyncio.ensure_future(
        toolset.execute(_tool(toolset, "forget"), ToolCall({"ids": [1]}, "call-1", **call))
    )
    await turn_loop()
    assert len(world.registry.confirmations.pending()) == 1
    return task


@pytest.mark.parametrize(("approved", "code"), [(True, "ok"), (False, "CONFIRMATION_INVALID")])
async def test_an_embedded_toolset_waits_for_the_person(*, approved: bool, code: str) -> None:
    """The model sees one final answer, under the call's own id."""
    world = make_world()
    world.mount()
    toolset = _toolset(world)
    task = await _waiting(world, toolset)

    world.registry.confirmations.resolve(world.registry.confirmations.pending()[0].id, approved=approved)
    result = await task

    assert (code_of(result), result.invocation_id) == (code, "call-1")


async def test_a_remote_toolset_hands_the_question_on() -> None:
    """In two phases: the caller is told what to ask, and calls again with the evidence."""
    world = make_world()
    world.mount()
    toolset = _toolset(world, topology="remote")

    result = await toolset.execute(_tool(toolset, "forget"), ToolCall({"ids": [1]}))

    assert code_of(result) == "CONFIRMATION_REQUIRED"


async def test_waiting_ends_when_the_toolset_is_disposed_of() -> None:
    """The caller gets the original answer; the question stays open."""
    world = make_world()
    world.mount()
    toolset = _toolset(world)
    task = await _waiting(world, toolset)

    toolset.dispose()

    assert code_of(await task) == "CONFIRMATION_REQUIRED"
    assert len(world.registry.confirmations.pending()) == 1


async def test_waiting_ends_when_the_caller_gives_up() -> None:
    """The stop button works in front of a dialog too."""
    world = make_world()
    world.mount()
    signal = Signal()
    task = await _waiting(world, _toolset(world), signal=signal)

    signal.abort()

    assert code_of(await task) == "CONFIRMATION_REQUIRED"
