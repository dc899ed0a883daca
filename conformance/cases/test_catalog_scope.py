"""A page scopes what the model is offered; a tab may narrow that, and never widen it."""

import pytest

from conformance.data import Data
from conformance.drivers.chat import Conversation
from conformance.errors import Untested
from conformance.people import People, Person
from conformance.roles import Roles
from conformance.scripts import answer, calling_unoffered
from conformance.target import Target
from conformance.target_tables import Role
from conformance.wire.chat import Catalog

NOWHERE = ("nothing-of-the-kind",)


def asked_on(person: Person, suffix: str = "", scope: tuple[str, ...] | None = None) -> Conversation:
    """A conversation on the main page, or on one whose address goes on with `suffix`, after its first step."""
    chat = person.chat(catalog=Catalog(scope=scope))
    chat.route = chat.route.model_copy(update={"pathname": chat.route.pathname + suffix})
    chat.send(answer())
    return chat


def tagged(target: Target, name: str) -> Role:
    """A role with the scope token that offers it."""
    role = target.role(name)
    if not role.tag:
        raise Untested(f"roles.{name}.tag", "the scope token that offers it")
    return role


@pytest.mark.requirement("CATALOG-15")
@pytest.mark.parametrize("mode", ["direct", "meta"])
def test_step_start_names_scope_and_mode(mode: str, people: People, target: Target) -> None:
    """The page shows what the assistant can do here; it needs to know which part of the whole that is."""
    chat = people.full.chat(catalog=Catalog(mode=mode))

    done = chat.send(answer())

    assert set(done.start.scope or ()) == set(target.route("main").scope)
    assert done.start.catalog_mode == mode


@pytest.mark.requirement("CATALOG-16")
def test_requested_scope_narrows(people: People, target: Target) -> None:
    """A tab that shows less of the page asks for less."""
    kept, left = tagged(target, "read"), tagged(target, "write")

    narrowed = asked_on(people.full, scope=(kept.tag,)).asked

    assert not narrowed.offers(left.capability), f"{left.capability} is offered outside the requested scope"


@pytest.mark.requirement("CATALOG-17")
def test_requested_scope_does_not_widen(people: People, target: Target) -> None:
    """What a page's own scope leaves out can't be asked for from there."""
    kept, outside = tagged(target, "read"), tagged(target, "out_of_scope")

    asked = asked_on(people.full, scope=(kept.tag, outside.tag)).asked

    assert not asked.offers(outside.capability), f"{outside.capability} was brought in by asking for it"


@pytest.mark.requirement("CATALOG-18")
def test_page_below_has_the_same_scope(people: People) -> None:
    """One record of a list is part of the list's page."""
    above, below = asked_on(people.full), asked_on(people.full, suffix="/42")

    assert below.asked.tool_names == above.asked.tool_names


@pytest.mark.requirement("CATALOG-19")
def test_page_that_begins_alike_is_another(people: People, target: Target) -> None:
    """An address is made of segments, not of letters."""
    outside = target.role("out_of_scope")

    asked = asked_on(people.full, suffix="-archive").asked

    assert asked.offers(outside.capability), "a page has the scope of one whose address is its beginning"


@pytest.mark.requirement("CATALOG-20")
def test_scope_without_common_token_is_the_pages_own(people: People) -> None:
    """Asking for nothing that is there is a mistake of the tab's, and no reason to leave the model without tools."""
    own, disjoint = asked_on(people.full), asked_on(people.full, scope=NOWHERE)

    assert disjoint.asked.tool_names == own.asked.tool_names


@pytest.mark.requirement("CATALOG-21")
def test_unoffered_operation_does_not_run(people: People, roles: Roles, data: Data) -> None:
    """A name remembered from another page is a name that this step does not offer: nothing runs under it."""
    write = roles("write")
    before = data.look()

    people.full.chat(route="bare").send(calling_unoffered(write.capability, write.input))

    assert data.look().differences(before) == (), f"{write.capability} ran on a page that does not offer it"


@pytest.mark.requirement("CATALOG-33")
def test_catalog_is_composed_for_whoever_asks(people: People, target: Target, roles: Roles) -> None:
    """What was put together for one person must not be served to the next."""
    hidden = [target.role(name).capability for name in roles.hidden_from_restricted()]
    catalogs = [asked_on(person).asked for person in (people.full, people.restricted, people.full)]

    offered = [[name for name in hidden if asked.offers(name)] for asked in catalogs]

    assert offered[1] == [], "somebody was offered what was composed for somebody else"
    assert offered[2] == offered[0]
