"""Signing in, and every way in which the suite makes a token wrong."""

import base64
import hashlib
import hmac
import json

import pytest

from conformance.drivers.session import (
    Session,
    claims,
    foreign_payload,
    forged_signature,
    resigned,
    sign_in,
    tampered,
    truncated_signature,
    unsigned,
)
from conformance.errors import Departure, Untested
from conformance.target_tables import HttpCall, Identity, Rights, Token
from tests.conformance.servers import Connection, Handler, Server, http_to

SECRET = "a secret"


def encoded(value: object) -> str:
    """JSON as a token carries it."""
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def signed(payload: str) -> str:
    """A payload with its signature."""
    digest = hmac.new(SECRET.encode(), payload.encode(), hashlib.sha256).digest()
    return f"{payload}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"


def session(name: str, scheme: str) -> Session:
    """A session of somebody, with a token of a scheme."""
    payload = encoded({"user": name, "role": "analyst"})
    if scheme == "jwt":
        payload = f"{encoded({'alg': 'HS256'})}.{payload}"
    token = Token.model_validate({"scheme": scheme, "name": "sid"})
    return Session(token, signed(payload))


def parts(value: Session) -> list[str]:
    """The parts of a token."""
    return value.value.split(".")


SCHEMES = pytest.mark.parametrize("scheme", ["payload.signature", "jwt"])


@SCHEMES
def test_tampering_changes_the_claims_only(scheme: str) -> None:
    """The change must hit what the signature protects, not a header or a last character that decoding may ignore."""
    before = session("ada", scheme)
    *header, payload, signature = parts(before)
    *header_after, payload_after, signature_after = parts(tampered(before))

    assert (header, signature) == (header_after, signature_after)
    assert 1 == sum(a != b for a, b in zip(payload, payload_after, strict=True))


@SCHEMES
def test_forging_changes_the_signature_only(scheme: str) -> None:
    """One character in the middle, so that it decodes to other bytes under every encoding."""
    before = session("ada", scheme)
    *signed_part, signature = parts(before)
    *signed_after, signature_after = parts(forged_signature(before))

    assert signed_part == signed_after
    assert 1 == sum(a != b for a, b in zip(signature, signature_after, strict=True))
    assert base64.urlsafe_b64decode(signature + "=") != base64.urlsafe_b64decode(signature_after + "=")


@SCHEMES
def test_the_other_mutations_are_what_they_say(scheme: str) -> None:
    """Truncated, dropped, taken from somebody else, and signed anew with a known secret."""
    ada, carla = session("ada", scheme), session("carla", scheme)
    payload, _, signature = ada.value.rpartition(".")

    assert f"{payload}.{signature[:21]}" == truncated_signature(ada).value
    assert payload == unsigned(ada).value
    assert f"{carla.value.rpartition('.')[0]}.{signature}" == foreign_payload(ada, carla).value
    assert ada.value == resigned(forged_signature(ada), SECRET).value


@SCHEMES
def test_claims_are_read_where_they_are_json(scheme: str) -> None:
    """A case may look at what a token says; what is no JSON says nothing."""
    ada = session("ada", scheme)

    assert {"user": "ada", "role": "analyst"} == claims(ada)
    assert {} == claims(ada.with_value("@@@.sig"))
    assert {} == claims(ada.with_value(f"{encoded([1])}.sig"))


def test_an_opaque_token_cannot_be_mutated() -> None:
    """Nobody knows where such a token carries meaning, so the case is untested and names the key that would tell."""
    with pytest.raises(Untested) as caught:
        tampered(Session(Token(), "0123456789"))

    assert "identities.*.token.scheme" == caught.value.missing


@pytest.mark.parametrize("value", ["no-dot", ".sig", "payload."])
def test_a_token_against_its_declared_scheme_is_a_finding(value: str) -> None:
    """The target file says that tokens are signed; one that is not contradicts it."""
    with pytest.raises(Departure, match="the token has no signature, though its scheme is 'jwt'"):
        tampered(Session(Token(scheme="jwt"), value))


def identity(**token: str) -> Identity:
    """Somebody who signs in at `/sign-in`."""
    return Identity(
        rights=Rights.FULL,
        sign_in=HttpCall(path="/sign-in", body={"user": "ada"}),
        token=Token.model_validate(token),
    )


def signed_in(handler: Handler, who: Identity) -> Session:
    """The session of somebody who signed in at a server of this test."""
    with Server(handler) as server, http_to(server.url) as http:
        return sign_in(http, who)


def test_a_cookie_is_found_among_others() -> None:
    """Several cookies may be set at once, and names may end alike."""

    def handler(connection: Connection) -> None:
        cookies = "set-cookie: other_sid=1; Path=/\r\nset-cookie: sid=abc.def; Path=/; HttpOnly\r\n"
        connection.answer(b"{}", extra=cookies)

    who = signed_in(handler, identity(name="sid"))

    assert ("abc.def", {"cookie": "sid=abc.def"}) == (who.value, who.headers)


def test_a_bearer_token_is_read_from_the_answer() -> None:
    """The key is the one that the file names."""
    who = signed_in(
        lambda connection: connection.answer(b'{"jwt": "a.b.c"}'), identity(kind="bearer", name="jwt")
    )

    assert {"authorization": "Bearer a.b.c"} == who.headers


@pytest.mark.parametrize(
    ("status", "body", "token", "message"),
    [
        (403, b"no", {"name": "sid"}, "sign-in at /sign-in was refused with 403: 'no'"),
        (200, b"{}", {"name": "sid"}, "sign-in at /sign-in set no cookie called 'sid'"),
        (
            200,
            b"[1]",
            {"name": "jwt", "kind": "bearer"},
            "sign-in at /sign-in answered without a string under 'jwt'",
        ),
        (
            200,
            b'{"jwt": 1}',
            {"name": "jwt", "kind": "bearer"},
            "sign-in at /sign-in answered without a string under 'jwt'",
        ),
    ],
)
def test_a_refused_sign_in_is_a_finding(
    status: int, body: bytes, token: dict[str, str], message: str
) -> None:
    """Whatever the target answers, the case fails with one sentence."""
    with pytest.raises(Departure) as caught:
        signed_in(lambda connection: connection.answer(body, status), identity(**token))

    assert message == str(caught.value)


def test_the_token_does_not_show_in_the_transcript() -> None:
    """Not even in the body of the answer that brought it."""
    token = session("ada", "jwt").value
    body = json.dumps({"jwt": token}).encode()
    with Server(lambda connection: connection.answer(body)) as server, http_to(server.url) as http:
        sign_in(http, identity(kind="bearer", name="jwt"))

    assert token[12:30] not in http.transcript.to_json() + http.transcript.excerpt()
