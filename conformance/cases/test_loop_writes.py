"""Whoever writes, the screen shows what the data are now."""

import pytest

from conformance.bound import bound_seat
from conformance.errors import Untested
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import calling, last_word
from conformance.seat import Seat
from conformance.target import Target
from conformance.wire.pointer import resolve
from fake_model import call, read, script


def write_by_the_assistant(how: str, people: People, target: Target, roles: Roles) -> tuple[Seat, object]:
    """Have the assistant write something that the screen shows; returns the tab, and its rows before."""
    contextual = target.view_role("contextual")
    if how == "contextual":
        seat = bound_seat(people, contextual)
        before = seat.visible().screen.rows
        seat.send(script(call(contextual.capability, contextual.input), last_word()))
        return seat, before
    role = roles("shown" if how == "server" else "gated")
    seat = people.full.tab()
    before = seat.open(role.route).screen.rows
    seat.send(calling(role))
    if how == "approved":
        seat.look_until(lambda seen: seen.approvals, "showed an approval card")
        seat.decide("approval", approved=True)
    return seat, before


@pytest.mark.requirement("LOOP-05")
@pytest.mark.parametrize("how", ["contextual", "server", "approved"])
def test_screen_is_right_after_a_write_by_the_assistant(
    how: str, people: People, target: Target, roles: Roles
) -> None:
    """The assistant has no channel of its own: what it writes reaches the screen as what a button writes does."""
    seat, before = write_by_the_assistant(how, people, target, roles)
    other = people.full.tab()
    fresh = other.open_address(seat.visible().route).screen.rows

    assert fresh != before, "the write shows nowhere on this screen"
    seat.look_until(lambda seen: seen.screen.rows == fresh, "showed what the assistant wrote")


@pytest.mark.requirement("LOOP-06")
def test_screen_and_model_see_the_persons_write(people: People, target: Target) -> None:
    """The person presses the button of a row; the row, and what the model is told of it, follow."""
    observation = target.view_role("observation")
    if not observation.rows:
        raise Untested("view.observation.rows")
    seat = people.full.tab()
    before = seat.open(observation.route)

    seen = seat.named_act("write")
    seat.send(script(read(observation.capability), last_word()))

    fresh = people.full.tab().open(observation.route)
    assert fresh.screen.rows != before.screen.rows, (
        "the person's control wrote nothing that this screen shows"
    )
    assert seen.screen.rows == fresh.screen.rows
    told = resolve(seat.told.value, observation.rows)
    assert isinstance(told, list), f"no rows at {observation.rows}: {seat.told.text[:200]}"
    assert [str(resolve(row, observation.row_key)) for row in told] == list(fresh.row_keys)
