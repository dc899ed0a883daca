"""Identity is derived from the token at each request, and from nothing else."""

import pytest

from conformance.data import Data
from conformance.drivers.session import Session, foreign_payload, forged_signature, unsigned
from conformance.drivers.step import Step
from conformance.errors import Untested
from conformance.people import People, Person
from conformance.roles import Prepared, Roles
from conformance.scripts import answer, last_word
from conformance.stage import App
from conformance.target import Target
from fake_model import call, script


def session_of(person: Person) -> Session:
    """The token of somebody who is signed in."""
    if person.session is None:
        raise Untested("identities")
    return person.session


def try_everything(person: Person, write: Prepared) -> None:
    """Try to write: as the page does, and through the model."""
    person.rpc.call(write.procedure, write.input)
    chat = person.chat()
    chat.post(chat.prepare(script(call(write.capability, write.input, offered=False), last_word())))


def reads_no_more_than_nobody(people: People, forged: Person, read: Prepared) -> bool:
    """Whether a token opens no read that stays closed without one."""
    return (
        people.nobody.rpc.call(read.procedure, read.input).ok
        or not forged.rpc.call(read.procedure, read.input).ok
    )


@pytest.mark.requirement("IDENTITY-01")
def test_changed_payload_grants_nothing(people: People, roles: Roles, data: Data) -> None:
    """Somebody puts another person's name into their own token."""
    write, read = roles("write"), roles("read")
    forged = people.full.with_session(foreign_payload(session_of(people.restricted), session_of(people.full)))
    before = data.look()

    try_everything(forged, write)

    assert data.look().differences(before) == (), "a token with a changed payload wrote"
    assert reads_no_more_than_nobody(people, forged, read)


@pytest.mark.requirement("IDENTITY-02")
def test_changed_signature_grants_nothing(people: People, roles: Roles, data: Data) -> None:
    """A signature that is compared carelessly is no signature."""
    write, read = roles("write"), roles("read")
    forged = people.full.with_session(forged_signature(session_of(people.full)))
    before = data.look()

    try_everything(forged, write)

    assert data.look().differences(before) == (), "a token with a changed signature wrote"
    assert reads_no_more_than_nobody(people, forged, read)


@pytest.mark.requirement("IDENTITY-03")
def test_missing_signature_grants_nothing(people: People, roles: Roles, data: Data) -> None:
    """The payload alone is a claim."""
    write, read = roles("write"), roles("read")
    forged = people.full.with_session(unsigned(session_of(people.full)))
    before = data.look()

    try_everything(forged, write)

    assert data.look().differences(before) == (), "a token without a signature wrote"
    assert reads_no_more_than_nobody(people, forged, read)


@pytest.mark.requirement("IDENTITY-04")
def test_nobody_writes_nothing(people: People, roles: Roles, data: Data, target: Target) -> None:
    """A default identity for strangers hands its rights to everybody who finds the address."""
    if target.unauthenticated_writes:
        raise Untested("unauthenticated_writes", "the target declares that strangers may write")
    write = roles("write")
    before = data.look()

    try_everything(people.nobody, write)

    assert data.look().differences(before) == (), "a request without a token wrote"


@pytest.mark.requirement("IDENTITY-05")
def test_role_in_a_chat_body_grants_nothing(people: People, roles: Roles, data: Data) -> None:
    """The browser says who it would like to be; the server knows who it is."""
    write = roles("write")
    claims = claims_of(people.full)
    chat = people.restricted.chat()
    request = chat.prepare(script(call(write.capability, write.input, offered=False), last_word()))
    before = data.look()

    outcome = chat.post(request.body() | claims)

    assert data.look().differences(before) == (), "a role in the body gave the right to write"
    offered = [asked.offers(write.capability) for asked in chat.requests]
    assert True not in offered, "a role in the body brought a hidden capability into the catalog"
    assert isinstance(outcome, Step) or outcome.status < 500


@pytest.mark.requirement("IDENTITY-06")
def test_role_in_an_input_grants_nothing(people: People, roles: Roles, data: Data) -> None:
    """Neither does a role in a tool's arguments, whoever wrote them."""
    write = roles("write")
    padded = {**write.input, **claims_of(people.full)}
    before = data.look()

    people.restricted.rpc.call(write.procedure, padded)
    people.restricted.chat().send(script(call(write.capability, padded, offered=False), last_word()))

    assert data.look().differences(before) == (), "a role in the input gave the right to write"


@pytest.mark.requirement("IDENTITY-07")
def test_change_of_rights_counts_at_once(app: App, people: People, roles: Roles, data: Data) -> None:
    """A token says who somebody is; what they may do is looked up when they do it."""
    write = roles("write")
    demoted, restricted = people.peer, people.restricted
    if not (demoted.user and restricted.identity and restricted.identity.rights_value):
        raise Untested("identities.*.rights_value", "to change somebody's rights")
    chat = demoted.chat()
    chat.send(answer())
    assert chat.asked.offers(write.capability), "the operation was not offered before the change either"
    before = data.look()

    app.change_rights(demoted.user, restricted.identity.rights_value)

    chat.send(answer())
    assert not chat.asked.offers(write.capability), "the next step still offers it"
    demoted.rpc.call(write.procedure, write.input)
    assert data.look().differences(before) == (), "the next call still ran"


def claims_of(person: Person) -> dict[str, object]:
    """Fields that a careless server might believe."""
    rights = person.identity.rights_value if person.identity else ""
    return {
        "role": rights,
        "user": {"id": person.user, "email": person.user, "role": rights},
        "actor": {"id": person.user, "kind": "user"},
        "session": {"email": person.user, "role": rights},
    }
