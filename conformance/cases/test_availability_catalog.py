"""What the tab offers as the screen changes: the same bytes for the same components, and each component by itself."""

import pytest

from conformance.bound import enabling_call
from conformance.errors import Untested
from conformance.people import People
from conformance.scripts import answer, last_word
from conformance.target import Target
from conformance.target_tables import ViewRole
from fake_model import call, gate, say, script, step


def twins(target: Target) -> tuple[ViewRole, str, str]:
    """A capability that two mounted components offer, and how each of them is called."""
    role = target.view_role("twin")
    if len(role.instances) != 2:
        raise Untested("view.twin.instances", "two of them")
    return role, f"{role.capability}@{role.instances[0]}", f"{role.capability}@{role.instances[1]}"


@pytest.mark.requirement("AVAILABILITY-11")
def test_catalog_follows_the_person(people: People, target: Target) -> None:
    """The person went elsewhere between two messages; what they left is gone, what they look at is there."""
    action, elsewhere = target.view_role("action"), target.view_role("elsewhere")
    seat = people.full.tab()
    seat.open(action.route)
    seat.send(answer())
    seat.named_act("leave")

    seat.send(answer())

    offered = {name: seat.asked[0].offers(name) for name in (action.capability, elsewhere.capability)}
    assert offered == {action.capability: False, elsewhere.capability: True}


@pytest.mark.requirement("AVAILABILITY-12")
def test_definitions_stay_while_availability_moves(people: People, target: Target) -> None:
    """A definition that says what is available now invalidates the cached prompt in every step."""
    role = target.view_role("contextual")
    enabling = enabling_call(role)
    seat = people.full.tab()
    seat.open(role.route)

    seat.send(script(call(enabling.capability, enabling.input), say("Open.")))

    before, after = seat.asked
    assert before.state_lines != after.state_lines, "nothing moved, so that nothing is shown"
    assert before.tool_changes_since(after).changed == ()
    assert before.tool_block == after.tool_block, "the same definitions came in another order"


@pytest.mark.requirement("AVAILABILITY-13")
def test_each_of_two_components_is_offered(people: People, target: Target) -> None:
    """Two cards side by side are two things that can be acted on."""
    role, one, other = twins(target)
    seat = people.full.tab()
    seat.open(role.route)

    seat.send(answer())

    assert {name: seat.asked[0].offers(name) for name in (one, other)} == {one: True, other: True}


@pytest.mark.requirement("AVAILABILITY-14")
def test_call_to_one_of_two_components_changes_that_one(people: People, target: Target) -> None:
    """What the model does to the second is what the person does to the second."""
    role, _, other = twins(target)
    by_hand, by_model = people.full.tab(), people.full.tab()
    plain = by_hand.open(role.route)
    by_model.open(role.route)

    by_model.send(script(call(other, role.input), last_word()))
    expected = by_hand.named_act("twin")

    assert expected.screen != plain.screen, "the person's own control changed nothing"
    assert by_model.visible().screen == expected.screen


@pytest.mark.requirement("AVAILABILITY-15")
def test_call_to_a_closed_component_does_not_reach_its_twin(people: People, target: Target) -> None:
    """Once one of the two is gone, nothing stands between a late call and the other but that it was meant for this one."""
    role, _, other = twins(target)
    seat = people.full.tab()
    seat.open(role.route)
    turn = seat.start(script(step(gate("closed"), call(other, role.input)), last_word()))
    seat.run.wait_for(1)
    closed = seat.named_act("close_twin")

    seat.run.release("closed")
    turn.end()

    assert seat.told.code, (
        f"a call to a component that is gone was answered as if it ran: {seat.told.text[:200]}"
    )
    assert seat.visible().screen == closed.screen, "the call reached the component that is left"


@pytest.mark.requirement("AVAILABILITY-16")
@pytest.mark.parametrize("route", ["main", "other"])
def test_two_tabs_describe_a_screen_alike(route: str, people: People) -> None:
    """A changed description is a changed prompt; what changes from tab to tab can be neither reviewed nor cached."""
    seats = [people.full.tab(), people.full.tab()]
    for seat in seats:
        seat.open(route)
        seat.send(answer())

    one, other = (seat.asked[0] for seat in seats)

    changes = one.tool_changes_since(other)
    assert (changes.added, changes.removed, changes.changed) == ((), (), ())
