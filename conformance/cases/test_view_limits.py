"""What the view plane does not deliver, and for how long it waits."""

import pytest

from conformance.people import People
from conformance.scripts import last_word
from conformance.target import Target
from fake_model import call, read, script


@pytest.mark.requirement("VIEW-09")
def test_output_that_breaks_its_promise_is_withheld(people: People, target: Target) -> None:
    """A capability promises its output as well; what is something else could be anything."""
    role = target.view_role("broken_output")
    seat = people.full.tab()
    seat.open(role.route)

    seat.send(script(read(role.capability), last_word()))

    assert seat.told.code, f"an output that breaks its promise was delivered: {seat.told.text[:200]}"


@pytest.mark.requirement("VIEW-10")
def test_output_that_is_too_large_is_withheld_whole(people: People, target: Target) -> None:
    """Half an output is another output; the model learns that there is none."""
    role = target.view_role("huge_output")
    seat = people.full.tab()
    seat.open(role.route)

    seat.send(script(read(role.capability), last_word()))

    assert seat.told.code, f"{len(seat.told.text)} characters were delivered"


@pytest.mark.requirement("VIEW-11")
@pytest.mark.parametrize("name", ["held", "held_read"])
def test_view_call_that_does_not_end_is_answered(name: str, people: People, target: Target) -> None:
    """The turn must not hang on a component that never comes back."""
    role = target.view_role(name)
    seat = people.full.tab(variant="impatient")
    seat.open(role.route)
    calling = read(role.capability) if name == "held_read" else call(role.capability, role.input)

    turn = seat.start(script(calling, last_word()))
    seat.look_until(lambda seen: not seen.busy, "gave up a view call that does not end")
    turn.end()

    assert seat.told.code, f"the call was answered as if it had ended: {seat.told.text[:200]}"
