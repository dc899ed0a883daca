"""Bind for context: the target of a contextual call comes from the screen, and the model has no field to name another."""

import pytest

from conformance.bound import bound_seat, locked_input, written
from conformance.data import Data
from conformance.errors import Untested
from conformance.people import People
from conformance.scripts import answer, last_word
from conformance.target import Target
from conformance.wire.chat import Catalog, Declaration
from fake_model import call, gate, script, step


@pytest.mark.requirement("BINDING-01")
def test_bound_key_is_gone_from_the_schema(people: People, target: Target) -> None:
    """The model is not asked to leave the target alone: it has no field in which to name one."""
    role = target.view_role("contextual")
    seat = bound_seat(people, role)

    seat.send(answer())

    tool = seat.asked[0].tool(role.capability)
    assert tool is not None, f"{role.capability} is not offered"
    assert [key for key in role.locked if key in tool.fields or key in tool.required] == []
    assert tool.fields, "the whole schema is gone, not only the bound key"


@pytest.mark.requirement("BINDING-02")
def test_target_is_taken_when_the_call_runs(people: People, target: Target, data: Data) -> None:
    """Between offer and call the person turned to another row; the call belongs to what they look at now."""
    role = target.view_role("contextual")
    seat = bound_seat(people, role)
    before = written(data, role)
    turn = seat.start(script(step(gate("turned"), call(role.capability, role.input)), last_word()))
    seat.run.wait_for(1)
    seat.act(*role.rebind)

    seat.run.release("turned")
    turn.end()

    after = written(data, role)
    assert after[0] == before[0], "the call wrote to what the screen showed when it was offered"
    assert after[1] != before[1], "the call did not write to what the screen shows"


@pytest.mark.requirement("BINDING-03")
def test_call_writes_only_to_its_target(people: People, target: Target, data: Data) -> None:
    """What the screen is bound to changes, and nothing beside it."""
    role = target.view_role("contextual")
    seat = bound_seat(people, role)
    first = written(data, role)[0]
    beside = data.look().without(role.target_read, role.target_find)

    seat.send(script(call(role.capability, role.input), last_word()))

    assert written(data, role)[0] != first, "the bound call wrote nothing"
    assert data.look().without(role.target_read, role.target_find).differences(beside) == ()


@pytest.mark.requirement("BINDING-04")
def test_gated_operation_is_not_offered_through_the_tab(people: People, target: Target) -> None:
    """A tab's call arrives as an ordinary direct call, so a gated one would trade its approval for a dialog.

    On a page whose scope leaves the operation out, no server tool stands in the declaration's way.
    """
    gated = target.role("gated")
    bare = people.full.chat(route="bare")
    bare.send(answer())
    assert not bare.asked.offers(gated.capability), "the page offers the operation by itself"
    declaring = people.full.chat(route="bare", catalog=Catalog((Declaration(gated.capability),)))

    declaring.send(answer())

    assert not declaring.asked.offers(gated.capability), f"{gated.capability} is offered as the tab's own"


@pytest.mark.requirement("BINDING-05")
def test_reference_without_target_is_unavailable(people: People, target: Target) -> None:
    """While no row is chosen there is nothing to act on, and the model is told so."""
    role = target.view_role("contextual")
    seat = bound_seat(people, role)
    if not role.disable:
        raise Untested("view.contextual.disable")

    seat.send(answer())
    bound = [line.available for line in seat.asked[0].state_of(role.capability)]
    seat.act(*role.disable)
    seat.send(answer())
    unbound = [line.available for line in seat.asked[0].state_of(role.capability)]

    assert False not in bound, "it is unavailable although the screen gives it a target"
    assert unbound == [False], "it is available although the screen gives it no target"


@pytest.mark.requirement("BINDING-06")
def test_locked_input_with_another_value_runs_nothing(people: People, target: Target, data: Data) -> None:
    """A model that invents the field again gets nowhere with it, neither there nor at the bound target."""
    role = target.view_role("contextual")
    seat = bound_seat(people, role)
    before = data.look()

    seat.send(script(call(role.capability, locked_input(role, role.rebound_find)), last_word()))

    assert data.look().differences(before) == (), "a call with a locked input ran"


@pytest.mark.requirement("BINDING-07")
def test_locked_input_with_the_same_value_runs_nothing(people: People, target: Target, data: Data) -> None:
    """The right value is no excuse: a field that does not exist can't be filled in."""
    role = target.view_role("contextual")
    seat = bound_seat(people, role)
    before = data.look()

    seat.send(script(call(role.capability, locked_input(role, role.target_find)), last_word()))

    assert data.look().differences(before) == (), "a call with a locked input ran"


@pytest.mark.requirement("BINDING-08")
def test_locked_input_is_a_typed_error(people: People, target: Target) -> None:
    """The model learns that the field is not its to fill in, and goes on."""
    role = target.view_role("contextual")
    seat = bound_seat(people, role)

    seat.send(script(call(role.capability, locked_input(role, role.rebound_find)), last_word()))

    assert seat.told.code, f"the answer carries no code: {seat.told.text[:200]}"


@pytest.mark.requirement("BINDING-09")
def test_reference_is_hidden_with_its_operation(people: People, target: Target) -> None:
    """Who may not do it, sees no reference to it either, whatever screen is open."""
    role = target.view_role("contextual")
    if "contextual" not in target.hidden_from.get(people.restricted.name, ()):
        raise Untested(f"hidden_from.{people.restricted.name}", "the contextual role")
    seat = people.restricted.tab()
    seat.open(role.route)

    seat.send(answer())

    assert not seat.asked[0].offers(role.capability)
