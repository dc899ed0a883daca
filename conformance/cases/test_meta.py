"""Three tools in the place of the view plane's: what they disclose."""

import pytest

from conformance.discovery import DISCOVER, META_TOOLS, Disclosed, disclosed
from conformance.errors import Untested
from conformance.people import People
from conformance.scripts import answer, last_word
from conformance.seat import Seat
from conformance.target import Target
from conformance.wire.pointer import resolve
from fake_model import call, read, script


def discover(seat: Seat, *scope: str) -> tuple[Disclosed, ...]:
    """Have the model discover the screen."""
    seat.send(script(call(DISCOVER, {"scope": list(scope)} if scope else {}), last_word()))
    return disclosed(seat.told.value)


@pytest.mark.requirement("META-01")
def test_tools_are_three_and_the_same_everywhere(people: People) -> None:
    """That is the point of the mode: a block of tools that nothing on the screen can make longer or change."""
    seat = people.full.tab(mode="meta")
    blocks = []
    for route in ("main", "other"):
        seat.open(route)
        seat.send(answer())
        blocks.append([tool.text for tool in seat.asked[0].tools if tool.name in META_TOOLS])

    views = [name for name in seat.asked[0].tool_names if name.startswith("view_")]
    assert views == []
    assert len(blocks[0]) == len(META_TOOLS)
    assert blocks[0] == blocks[1]


@pytest.mark.requirement("META-02")
def test_discovery_discloses_what_is_unavailable(people: People, target: Target) -> None:
    """State discloses here as well: it is there, not now, and why."""
    role = target.view_role("contextual")
    seat = people.full.tab(mode="meta")
    seat.open(role.route)

    found = [item for item in discover(seat) if item.id == role.capability]

    assert [item.available for item in found] == [False]
    assert found[0].reason, "no reason is given"


@pytest.mark.requirement("META-03")
def test_discovery_follows_the_screen(people: People, target: Target) -> None:
    """The person went elsewhere; what discovery lists is what they look at now."""
    action, elsewhere = target.view_role("action"), target.view_role("elsewhere")
    seat = people.full.tab(mode="meta")
    seat.open(action.route)
    discover(seat)
    seat.named_act("leave")

    ids = {item.id for item in discover(seat)}

    assert (action.capability in ids, elsewhere.capability in ids) == (False, True)


@pytest.mark.requirement("META-04")
def test_scope_narrows_discovery(people: People, target: Target) -> None:
    """A model that only wants to navigate need not read the whole screen."""
    action, navigate = target.view_role("action"), target.view_role("navigate")
    seat = people.full.tab(mode="meta")
    seat.open(action.route)

    ids = {item.id for item in discover(seat, token_of(navigate.capability))}

    assert (action.capability in ids, navigate.capability in ids) == (False, True)


@pytest.mark.requirement("META-05")
def test_refused_scope_is_reported(people: People, target: Target) -> None:
    """An empty list alone would say that there is no such thing."""
    elsewhere = target.view_role("elsewhere")
    seat = people.full.tab(mode="meta")
    seat.open("main")

    ids = [item.id for item in discover(seat, token_of(elsewhere.capability))]

    assert ids == []
    assert resolve(seat.told.value, "/scopeRejected/prefixes") == [token_of(elsewhere.capability)]


@pytest.mark.requirement("META-06")
def test_reading_by_id_tells_what_the_person_sees(people: People, target: Target) -> None:
    """The same observation as in direct mode, by another door."""
    role = target.view_role("observation")
    if not role.rows:
        raise Untested("view.observation.rows")
    seat = people.full.tab(mode="meta")
    plain = seat.open(role.route)
    seen = seat.named_act("action")

    seat.send(script(read(role.capability), last_word()))

    assert seen.row_keys != plain.row_keys, "the person's own control changed nothing"
    told = resolve(seat.told.value, role.rows)
    assert isinstance(told, list), f"no rows at {role.rows}: {seat.told.text[:200]}"
    assert [str(resolve(row, role.row_key)) for row in told] == list(seen.row_keys)


@pytest.mark.requirement("META-13")
def test_discovery_lists_nothing_hidden(people: People, target: Target) -> None:
    """Who may not use it, finds nothing; not even that there is something that they may not use."""
    role = target.view_role("contextual")
    if "contextual" not in target.hidden_from.get(people.restricted.name, ()):
        raise Untested(f"hidden_from.{people.restricted.name}", "the contextual role")
    seat = people.restricted.tab(mode="meta")
    seat.open(role.route)

    ids = [item.id for item in discover(seat)]

    assert ids, "discovery lists nothing at all"
    assert role.capability not in ids


def token_of(capability: str) -> str:
    """The first segment of a view capability's component: what a scope names it by."""
    return capability.partition(":")[2].partition(".")[0]
