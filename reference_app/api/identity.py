"""Who sends a request, from its session cookie and from nothing else."""

from __future__ import annotations

from starlette.requests import Request

from reference_app.domain.actor import Actor, ActorKind
from reference_app.errors import ReferenceAppError
from reference_app.identity import COOKIE, Directory, Person, Tokens, only_token


class UnauthenticatedError(ReferenceAppError):
    """A request carries no token that verifies."""


class Gate:
    """Finds out who is asking.

    Args:
        tokens: Reads tokens.
        directory: Knows the people.
    """

    def __init__(self, tokens: Tokens, directory: Directory) -> None:
        self.tokens = tokens
        self.directory = directory

    async def person(self, request: Request) -> Person | None:
        """The person behind a request, in the role of this moment, or None."""
        token = only_token(tokens_of(request))
        email = None if token is None else self.tokens.verify(token)
        return None if email is None else await self.directory.person(email)

    async def require(self, request: Request) -> Person:
        """The person behind a request.

        Raises:
            UnauthenticatedError: There is none.
        """
        person = await self.person(request)
        if person is None:
            raise UnauthenticatedError("Authentication is required.")
        return person

    async def actor_now(self, email: str) -> Actor | None:
        """The actor of an address, derived again."""
        person = await self.directory.person(email)
        return None if person is None else actor_of(person)


def actor_of(person: Person) -> Actor:
    """A person as the domain plane knows actors."""
    return Actor(person.email, ActorKind.USER, person.name, str(person.role))


def tokens_of(request: Request) -> list[str]:
    """Every value that the request gives for the session cookie."""
    values = []
    for header in request.headers.getlist("cookie"):
        for pair in header.split(";"):
            name, equals, value = pair.strip().partition("=")
            if equals and name == COOKIE:
                values.append(value.strip('"'))
    return values
