"""What a person sees and what the model is told of it are one and the same screen."""

import pytest

from conformance.errors import Untested
from conformance.people import People
from conformance.scripts import last_word
from conformance.target import Target
from conformance.wire.pointer import resolve
from fake_model import call, read, script


@pytest.mark.requirement("VIEW-07")
@pytest.mark.parametrize("acts", [("action",), ("sort",), ("action", "sort")], ids="+".join)
def test_observation_tells_what_the_person_sees(
    acts: tuple[str, ...], people: People, target: Target
) -> None:
    """“The overdue ones” are those that the person has in front of them, not those that a table has in the database."""
    role = target.view_role("observation")
    if not role.rows:
        raise Untested("view.observation.rows")
    seat = people.full.tab()
    plain = seat.open(role.route)
    for act in acts:
        seat.named_act(act)

    seat.send(script(read(role.capability), last_word()))

    seen = seat.visible()
    assert seen.row_keys != plain.row_keys, "the person's own control changed nothing"
    told = resolve(seat.told.value, role.rows)
    assert isinstance(told, list), f"no rows at {role.rows}: {seat.told.text[:200]}"
    assert [str(resolve(row, role.row_key)) for row in told] == list(seen.row_keys)


@pytest.mark.requirement("VIEW-08")
def test_models_view_opens_by_its_address(people: People, target: Target) -> None:
    """A view that only the assistant can bring about could be neither bookmarked nor shared."""
    action = target.view_role("action")
    seat, other = people.full.tab(), people.full.tab()
    plain = seat.open(action.route)
    seat.send(script(call(action.capability, action.input), last_word()))
    made = seat.visible()

    fresh = other.open_address(made.route)

    assert made.row_keys != plain.row_keys, "the model's call changed nothing"
    assert fresh.screen == made.screen
