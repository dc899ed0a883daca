"""Authority hides: what an identity may not do is absent, indistinguishable from what never existed."""

import pytest

from conformance.data import Data
from conformance.errors import Untested
from conformance.likeness import Named, differences, of_answer
from conformance.people import People, Person
from conformance.roles import Prepared, Roles
from conformance.scripts import answer, calling_unoffered, last_word
from conformance.target import Target
from conformance.wire.chat import Catalog, Declaration
from fake_model import call, script, step

INVENTED = ("domain:no-such-operation", "domain:never-was-one-here")


def hidden_roles(roles: Roles) -> list[Prepared]:
    """Every role that the file says is hidden from the restricted identity, prepared by somebody who may."""
    return [roles(name) for name in roles.hidden_from_restricted()]


@pytest.mark.requirement("AUTHORITY-01")
def test_hidden_capabilities_are_not_offered(people: People, roles: Roles) -> None:
    """What the person may not do, their assistant does not know of."""
    hidden = hidden_roles(roles)
    chat = people.restricted.chat()

    chat.send(answer())

    assert [role.capability for role in hidden if chat.asked.offers(role.capability)] == []


@pytest.mark.requirement("AUTHORITY-02")
def test_direct_call_to_hidden_is_like_invented(people: People, roles: Roles) -> None:
    """A refusal that differs from that of an invented name tells that the operation exists."""
    hidden = hidden_roles(roles)

    found = [
        line for role in hidden for line in direct_differences(people.restricted, role.procedure, role.input)
    ]

    assert found == []


@pytest.mark.requirement("AUTHORITY-03")
def test_direct_call_with_invalid_input_reveals_nothing(people: People, roles: Roles) -> None:
    """Concealment comes before validation: complaints about the input would describe what must not be known."""
    hidden = [role for role in hidden_roles(roles) if role.invalid_input is not None]
    if not hidden:
        raise Untested("roles.*.invalid_input", "of a role that is hidden from the restricted identity")

    found = [
        line
        for role in hidden
        for line in direct_differences(people.restricted, role.procedure, role.invalid_input)
    ]

    assert found == []


@pytest.mark.requirement("AUTHORITY-04")
def test_direct_call_to_hidden_runs_nothing(people: People, roles: Roles, data: Data) -> None:
    """The server authorizes every call, also one that no page offers."""
    hidden = hidden_roles(roles)
    before = data.look()

    for role in hidden:
        people.restricted.rpc.call(role.procedure, role.input)

    assert data.look().differences(before) == ()


@pytest.mark.requirement("AUTHORITY-05")
def test_model_call_to_hidden_runs_nothing(people: People, roles: Roles, data: Data) -> None:
    """A model that was talked into it reaches no further than the person it works for."""
    hidden = hidden_roles(roles)
    before = data.look()

    for role in hidden:
        people.restricted.chat().send(calling_unoffered(role.capability, role.input))

    assert data.look().differences(before) == ()


@pytest.mark.requirement("AUTHORITY-06")
def test_model_call_to_hidden_is_like_invented(people: People, roles: Roles) -> None:
    """Neither the stream nor what the model reads next tells a hidden name from one that never existed."""
    hidden = hidden_roles(roles)
    first, second = (model_answer(people.restricted, name, {}) for name in INVENTED)

    found = [
        line
        for role in hidden
        for line in differences(model_answer(people.restricted, role.capability, role.input), first, second)
    ]

    assert found == []


@pytest.mark.requirement("AUTHORITY-07")
def test_declaration_does_not_bring_hidden_back(people: People, roles: Roles) -> None:
    """The browser is no boundary: a tab may claim anything, its identity may do no more for it."""
    hidden = hidden_roles(roles)
    declared = Catalog(tuple(Declaration(role.capability) for role in hidden))
    chat = people.restricted.chat(catalog=declared)

    chat.send(answer())

    assert [role.capability for role in hidden if chat.asked.offers(role.capability)] == []


@pytest.mark.requirement("AUTHORITY-08")
def test_published_description_does_not_name_hidden(people: People, roles: Roles, target: Target) -> None:
    """A description that lists everything to everybody undoes what the refusals conceal."""
    if target.paths.openapi is None:
        raise Untested("paths.openapi", "the published description")
    hidden = hidden_roles(roles)

    known = people.full.http.request("GET", target.paths.openapi).text
    seen = people.restricted.http.request("GET", target.paths.openapi).text

    paths = [people.full.rpc.path(role.procedure) for role in hidden]
    assert [path for path in paths if path not in known] == [], (
        "the description leaves out what this caller may use"
    )
    assert [path for path in paths if path in seen] == []


@pytest.mark.requirement("AUTHORITY-09")
def test_contextual_call_is_authorized_again(people: People, roles: Roles, data: Data) -> None:
    """A binding narrows what the server would allow; it never replaces the server's own decision."""
    contextual = roles("contextual")
    before = data.look()

    answer_ = people.restricted.rpc.call(contextual.procedure, contextual.input)

    assert not answer_.ok, f"{contextual.procedure} was run for an identity that may not use it"
    assert data.look().differences(before) == ()


def direct_differences(person: Person, procedure: str, value: object) -> tuple[str, ...]:
    """In what a direct call's answer differs from those for two invented names."""
    body = {"json": value}
    seen = of_answer(procedure, person.rpc.raw("POST", procedure, json=body))
    invented = [name.partition(":")[2] for name in INVENTED]
    first, second = (of_answer(name, person.rpc.raw("POST", name, json=body)) for name in invented)
    return differences(seen, first, second)


def model_answer(person: Person, capability: str, value: object) -> Named:
    """What the stream and the model's next request say to a call that was not offered."""
    chat = person.chat()
    step_ = chat.send(script(step(call(capability, value, offered=False)), last_word()))
    frames = [frame.type for frame in step_.frames if frame.type != "inspector"]
    reports = [
        (frame.lane, frame.event_type, frame.summary, frame.data) for frame in step_.reports("tool.unknown")
    ]
    results = [result.value for result in chat.asked.results]
    answers = [value for values in step_.answers().values() for value in values]
    return Named(capability, {"frames": frames, "reports": reports, "model": results, "history": answers})
