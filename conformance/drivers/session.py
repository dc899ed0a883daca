"""Signing in, and the many ways in which a token can be wrong."""

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from conformance.drivers.http import Http
from conformance.errors import Departure, Untested
from conformance.target_tables import Identity, Token
from conformance.wire.answer import Answer


@dataclass(frozen=True)
class Session:
    """What one signed-in person sends along with each request."""

    token: Token
    value: str

    @property
    def headers(self) -> Mapping[str, str]:
        """The request headers that carry the token."""
        if self.token.kind == "bearer":
            return {"authorization": f"Bearer {self.value}"}
        return {"cookie": f"{self.token.name}={self.value}"}

    def with_value(self, value: str) -> "Session":
        """The same kind of session with another token."""
        return Session(self.token, value)


def sign_in(http: Http, identity: Identity) -> Session:
    """Sign a person in as the target file says.

    Raises:
        Departure: the target refuses, or gives no token.
    """
    call = identity.sign_in
    answer = http.request(call.method, call.path, json=call.body, headers=call.headers)
    if answer.status >= 300:
        raise Departure(f"sign-in at {call.path} was refused with {answer.status}: {answer.text[:120]!r}")
    value = (_from_body if identity.token.kind == "bearer" else _from_cookie)(answer, identity.token)
    http.transcript.hide(value)
    return Session(identity.token, value)


def _from_body(answer: Answer, token: Token) -> str:
    body = answer.json()
    value = body.get(token.name) if isinstance(body, Mapping) else None
    if not isinstance(value, str):
        raise Departure(f"sign-in at {answer.path} answered without a string under {token.name!r}")
    return value


def _from_cookie(answer: Answer, token: Token) -> str:
    cookie = re.search(
        rf"(?:^|[,\s]){re.escape(token.name)}=([^;,\s]+)", answer.headers.get("set-cookie", "")
    )
    if cookie is None:
        raise Departure(f"sign-in at {answer.path} set no cookie called {token.name!r}")
    return cookie[1]


def tampered(session: Session) -> Session:
    """Change one character in the middle of the claims, where it carries meaning, and keep the signature."""
    payload, signature = _halves(session)
    header, dot, claims_text = payload.rpartition(".")
    return session.with_value(f"{header}{dot}{_middle_changed(claims_text)}.{signature}")


def forged_signature(session: Session) -> Session:
    """Change one character in the middle of the signature."""
    payload, signature = _halves(session)
    return session.with_value(f"{payload}.{_middle_changed(signature)}")


def _middle_changed(text: str) -> str:
    middle = len(text) // 2
    other = "A" if text[middle] != "A" else "B"
    return f"{text[:middle]}{other}{text[middle + 1 :]}"


def truncated_signature(session: Session) -> Session:
    """Keep the first half of the signature only."""
    payload, signature = _halves(session)
    return session.with_value(f"{payload}.{signature[: len(signature) // 2]}")


def unsigned(session: Session) -> Session:
    """Drop the signature."""
    payload, _ = _halves(session)
    return session.with_value(payload)


def resigned(session: Session, secret: str) -> Session:
    """Sign the payload again with a guessed secret (HMAC-SHA256 over the payload text, as the common scheme has it)."""
    payload, _ = _halves(session)
    digest = hmac.new(secret.encode(), payload.encode(), hashlib.sha256).digest()
    return session.with_value(f"{payload}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}")


def foreign_payload(session: Session, other: Session) -> Session:
    """Put another person's payload before this person's signature."""
    payload, _ = _halves(other)
    _, signature = _halves(session)
    return session.with_value(f"{payload}.{signature}")


def claims(session: Session) -> Mapping[str, object]:
    """Read the claims of a token, where they are base64url JSON; empty otherwise."""
    payload = _halves(session)[0].rpartition(".")[2]
    try:
        value = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _halves(session: Session) -> tuple[str, str]:
    if session.token.scheme == "opaque":
        raise Untested("identities.*.token.scheme", "to change a token where it matters")
    payload, dot, signature = session.value.rpartition(".")
    if not (payload and dot and signature):
        raise Departure(f"the token has no signature, though its scheme is {session.token.scheme!r}")
    return payload, signature
