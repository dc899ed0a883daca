"""Who is asking: three people, a signed token that names one of them, and nothing else that is ever believed.

The token carries the person's address only. What the person may do is looked up again at each request, so that a change of
role counts from the next request on.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Column, String, Table, Text, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from reference_app.database import METADATA, Database
from reference_app.strict_json import JsonError, dumps, loads

COOKIE = "ledger_session"
"""The cookie that carries the token."""

PEOPLE = Table(
    "people",
    METADATA,
    Column("email", String(120), primary_key=True),
    Column("user", String(32), nullable=False, unique=True),
    Column("name", String(120), nullable=False),
    Column("role", String(16), nullable=False),
)

SECRETS = Table(
    "secrets", METADATA, Column("name", String(32), primary_key=True), Column("value", Text, nullable=False)
)


class Role(StrEnum):
    """What a person's work is."""

    ANALYST = "analyst"
    CONTROLLER = "controller"


@dataclass(frozen=True)
class Person:
    """Somebody who signs in.

    Attributes:
        email: Identifies the person everywhere.
        user: The short name that the sign-in takes.
        name: For people to read.
        role: What the person may do, as of this request.
    """

    email: str
    user: str
    name: str
    role: Role


EVERYBODY = (
    Person("ada@ledger.example", "ada", "Ada Lindqvist", Role.ANALYST),
    Person("carla@ledger.example", "carla", "Carla Moreau", Role.CONTROLLER),
    Person("conrad@ledger.example", "conrad", "Conrad Abara", Role.CONTROLLER),
)
"""The people of the demonstration, in the roles that they start with."""


class Tokens:
    """Signs and reads session tokens: ``payload.signature``, both URL-safe base64 without padding.

    The payload is the JSON object ``{"person": email}``; the signature is HMAC-SHA256 over the payload as written.
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode("utf-8")

    def issue(self, person: Person) -> str:
        """A token for a person."""
        payload = _encode(dumps({"person": person.email}))
        return f"{payload}.{self._signature(payload)}"

    def verify(self, token: str) -> str | None:
        """The address in a token whose signature holds, or None for every other text."""
        payload, dot, signature = token.partition(".")
        if not (payload and dot and signature) or not self.signature_holds(payload, signature):
            return None
        return read_payload(payload)

    def signature_holds(self, payload: str, signature: str) -> bool:
        """Whether a signature is exactly the one that this application writes for the payload."""
        return hmac.compare_digest(self._signature(payload).encode("ascii"), signature.encode("utf-8"))

    def _signature(self, payload: str) -> str:
        return _encode(hmac.new(self._secret, payload.encode("utf-8"), hashlib.sha256).digest())


class Directory:
    """The people as the database knows them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def person(self, email: str) -> Person | None:
        """The person with an address, in the role of this moment, or None."""
        async with self._database.reading() as connection:
            row = (await connection.execute(select(PEOPLE).where(PEOPLE.c.email == email))).mappings().first()
        return None if row is None else Person(row["email"], row["user"], row["name"], Role(row["role"]))

    async def set_role(self, user: str, role: Role) -> Person | None:
        """Give a person another role; None when there is no such person."""
        try:
            email = by_user(user).email
        except KeyError:
            return None
        async with self._database.writing() as connection:
            await connection.execute(update(PEOPLE).where(PEOPLE.c.email == email).values(role=role.value))
        return await self.person(email)


async def session_secret(connection: AsyncConnection) -> str:
    """The signing key of this database; minted when there is none, so that no two installations share one."""
    known = (await connection.execute(select(SECRETS.c.value))).scalar()
    if known is not None:
        return str(known)
    minted = secrets.token_urlsafe(32)
    await connection.execute(insert(SECRETS).values(name="session", value=minted))
    return minted


async def plant(connection: AsyncConnection) -> None:
    """Put everybody back into the role that they start with, within the caller's transaction."""
    await connection.execute(delete(PEOPLE))
    rows = [{"email": p.email, "user": p.user, "name": p.name, "role": p.role.value} for p in EVERYBODY]
    await connection.execute(insert(PEOPLE), rows)


def by_user(user: str) -> Person:
    """The person with a short name, as the demonstration starts.

    Raises:
        KeyError: There is nobody of that name.
    """
    for person in EVERYBODY:
        if person.user == user:
            return person
    raise KeyError(user)


def by_role(role: str) -> Person:
    """The first person who starts in a role.

    Raises:
        KeyError: Nobody starts in it.
    """
    for person in EVERYBODY:
        if person.role == role:
            return person
    raise KeyError(role)


def only_token(tokens: Iterable[str]) -> str | None:
    """The token of a request: of several different ones none is believed, because nobody can say which was meant."""
    distinct = set(tokens)
    return distinct.pop() if len(distinct) == 1 else None


def read_payload(payload: str) -> str | None:
    """The address that a token's payload names, or None when it is not a payload."""
    try:
        document = loads(base64.b64decode(payload + "=" * (-len(payload) % 4), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, JsonError):
        return None
    email = document.get("person") if isinstance(document, dict) else None
    return email if isinstance(email, str) else None


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")
