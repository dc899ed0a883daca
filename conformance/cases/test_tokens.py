"""Tokens that are not what they should be, and what a server must make of them: nothing."""

import pytest

from conformance.data import Data
from conformance.drivers.session import Session, resigned, truncated_signature
from conformance.errors import Untested
from conformance.people import People, Person
from conformance.roles import Prepared, Roles
from conformance.scripts import answer, last_word
from fake_model import call, script


@pytest.mark.requirement("IDENTITY-08")
def test_half_a_signature_grants_nothing(people: People, roles: Roles, data: Data) -> None:
    """A comparison that stops at the end of the shorter one takes half for the whole."""
    write = roles("write")
    forged = people.full.with_session(truncated_signature(session_of(people.full)))
    before = data.look()

    try_to_write(forged, write)

    assert data.look().differences(before) == (), "a token with half a signature wrote"


@pytest.mark.requirement("IDENTITY-09")
def test_default_secret_grants_nothing(people: People, roles: Roles, data: Data) -> None:
    """A secret that stands in published code is no secret; whoever can read can sign in as anybody."""
    session = session_of(people.full)
    if session.token.default_secret is None:
        raise Untested("identities.*.token.default_secret", "a published default of the signing secret")
    write = roles("write")
    forged = people.full.with_session(resigned(session, session.token.default_secret))
    before = data.look()

    try_to_write(forged, write)

    assert data.look().differences(before) == (), "a token signed with the published default secret wrote"


@pytest.mark.requirement("IDENTITY-10")
def test_unverified_token_is_nobodys(people: People) -> None:
    """The page greets whoever the session address names; it must not greet a forger by somebody's name."""
    path = people.stage.target.paths.session
    if path is None:
        raise Untested("paths.session")
    session = session_of(people.full)
    real = people.full.http.request("GET", path).json()
    forged = people.full.with_session(truncated_signature(session))

    seen = forged.http.request("GET", path)

    assert real.get("user"), f"the session address does not name who is signed in: {real}"
    assert seen.status == 200
    assert seen.json().get("user") is None


DOORS = ("procedure", "step", "approvals", "threads")


@pytest.mark.requirement("IDENTITY-11")
@pytest.mark.parametrize("door", DOORS)
def test_nobody_is_answered_401(door: str, people: People, roles: Roles) -> None:
    """A page can offer to sign in only when it is told that this is what is missing."""
    read = roles("read")
    paths = people.stage.target.paths
    address = {"approvals": paths.approvals, "threads": paths.threads}.get(door, "/")
    if address is None:
        raise Untested(f"paths.{door}")
    nobody = people.nobody
    chat = nobody.chat()

    if door == "procedure":
        seen = nobody.rpc.raw("POST", read.procedure, json={"json": read.input})
    elif door == "step":
        seen = nobody.http.request("POST", paths.chat, json=chat.prepare(answer()).body())
    else:
        seen = nobody.http.request("GET", address)

    assert seen.status == 401, f"{seen.method} {seen.path} without a token was answered {seen.status}"
    assert isinstance(seen.json(), dict), f"the refusal is no typed error: {seen.text[:120]!r}"
    assert '"code"' in seen.text, f"the refusal carries no code: {seen.text[:120]!r}"


@pytest.mark.requirement("IDENTITY-12")
@pytest.mark.parametrize("who", ["nobody", "restricted"])
def test_header_that_names_somebody_grants_nothing(
    who: str, people: People, roles: Roles, data: Data
) -> None:
    """Behind the wrong proxy everybody can write headers; only the token is signed."""
    write = roles("write")
    person: Person = getattr(people, who)
    identity = people.full.identity
    named = {
        "x-user": people.full.user,
        "x-remote-user": people.full.user,
        "x-forwarded-user": people.full.user,
        "x-forwarded-email": people.full.user,
        "x-role": identity.rights_value if identity is not None else "",
        "x-user-role": identity.rights_value if identity is not None else "",
    }
    before = data.look()
    if who == "nobody":
        try_to_write(person, write)
        if data.look().differences(before):
            return  # who writes without a header gains nothing by one; that strangers write is IDENTITY-04's finding

    person.rpc.raw("POST", write.procedure, json={"json": write.input}, headers=named)
    chat = person.chat(write.route)
    step = chat.prepare(script(call(write.capability, write.input, offered=False), last_word()))
    chat.post(step, headers=named)

    assert data.look().differences(before) == (), "a header gave the right to write"


@pytest.mark.requirement("IDENTITY-13")
def test_session_cookie_is_out_of_reach(people: People) -> None:
    """A script that was smuggled into the page must not read it, and another site must not send it along."""
    identity = people.full.identity
    if identity is None or identity.token.kind != "cookie":
        raise Untested("identities.*.token", "of the kind cookie")
    sign_in = identity.sign_in

    answer_ = people.stage.http().request(
        sign_in.method, sign_in.path, json=sign_in.body, headers=sign_in.headers
    )

    attributes = {part.strip().lower() for part in answer_.headers.get("set-cookie", "").split(";")[1:]}
    assert "httponly" in attributes, f"scripts can read the session cookie: {sorted(attributes)}"
    assert {"samesite=lax", "samesite=strict"} & attributes, f"other sites can send it: {sorted(attributes)}"


def session_of(person: Person) -> Session:
    """The token of somebody who is signed in."""
    if person.session is None:
        raise Untested("identities")
    return person.session


def try_to_write(person: Person, write: Prepared) -> None:
    """Try to write: as the page does, and through the model."""
    person.rpc.call(write.procedure, write.input)
    chat = person.chat(write.route)
    chat.post(chat.prepare(script(call(write.capability, write.input, offered=False), last_word())))
