"""Wire names: what the model calls a capability by, valid for providers, unique, and taken back to where it came from."""

from collections import Counter

import pytest

from conformance.errors import Departure
from conformance.people import People, Person
from conformance.roles import Prepared, Roles
from conformance.scripts import answer, last_word
from conformance.wire.chat import Catalog, Declaration
from fake_model import call, script, step

UNSAFE = ("suite panel show", "suite.panel.show", "suite/panel/show", "süite-panel", "suite:panel")


def wire_names(person: Person, route: str) -> dict[str, str]:
    """The names of the server tools on a page, by canonical id, as step-start announces them."""
    done = person.chat(route).send(answer())
    return {tool.canonical_id: tool.wire_name for tool in done.start.domain_tools}


def long_names(people: People, roles: Roles) -> list[tuple[Prepared, str]]:
    """The two roles whose ids begin alike, with the names that they were given."""
    pair = (roles("long_name"), roles("long_name_too"))
    names = wire_names(people.full, pair[0].route)
    missing = [role.capability for role in pair if role.capability not in names]
    if missing:
        raise Departure(f"step-start does not announce {', '.join(missing)}")
    return [(role, names[role.capability]) for role in pair]


@pytest.mark.requirement("CATALOG-10")
@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe_declared_name_does_not_reach_the_provider(name: str, people: People) -> None:
    """A tab can spoil every request of its person's with one bad name, unless the host looks at it."""
    chat = people.full.chat(catalog=Catalog((Declaration("view:suite.panel.show", wire_name=name),)))

    chat.post(chat.prepare(answer()))

    assert [name in asked.tool_names for asked in chat.requests] in ([], [False])


@pytest.mark.requirement("CATALOG-22")
def test_no_two_tools_share_a_name(people: People, roles: Roles) -> None:
    """A provider refuses such a request; and if it did not, nobody could say which of the two was called."""
    read = roles("read")
    taken = wire_names(people.full, read.route)[read.capability]
    declared = (
        Declaration("view:suite.panel.show", wire_name="suite_same"),
        Declaration("view:suite.drawer.open", wire_name="suite_same"),
        Declaration("view:suite.lamp.light", wire_name=taken),
    )
    chat = people.full.chat(read.route, catalog=Catalog(declared))

    chat.post(chat.prepare(answer()))

    shared = [
        name for asked in chat.requests for name, times in Counter(asked.tool_names).items() if times > 1
    ]
    assert shared == []


@pytest.mark.requirement("CATALOG-23")
def test_long_ids_that_begin_alike_are_two_tools(people: People, roles: Roles) -> None:
    """Cut at sixty-four characters they would be one, and one of the two operations would be gone."""
    names = [name for _, name in long_names(people, roles)]
    chat = people.full.chat(roles("long_name").route)

    chat.send(answer())

    assert len(set(names)) == 2, f"two capabilities share the name {names[0]!r}"
    assert [name for name in names if name not in chat.asked.tool_names] == []


@pytest.mark.requirement("CATALOG-24")
@pytest.mark.parametrize("index", [0, 1], ids=["first", "second"])
def test_shortened_name_leads_back(index: int, people: People, roles: Roles) -> None:
    """A name that was made short must still mean exactly the capability that it was made for."""
    role, name = long_names(people, roles)[index]
    chat = people.full.chat(role.route)

    done = chat.send(script(step(call(name, role.input)), last_word()))

    assert [frame.canonical_id for frame in done.calls] == [role.capability]
    assert done.result_of(role.capability).ok
