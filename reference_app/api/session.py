"""``/api/session``: signing in, signing out, and who one is."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict
from starlette.requests import Request
from starlette.responses import Response

from reference_app.api.bodies import BadBodyError, json_response, read_shape
from reference_app.api.errors import api_error
from reference_app.api.identity import Gate
from reference_app.identity import COOKIE, Person, by_role, by_user
from reference_app.strict_json import JsonObject

_BODY_LIMIT = 4096


class SignIn(BaseModel):
    """Who signs in: a person, or the first person of a role."""

    model_config = ConfigDict(strict=True, extra="ignore")

    user: Literal["ada", "carla", "conrad"] | None = None
    role: Literal["analyst", "controller"] | None = None


class Session:
    """Serves the session.

    Args:
        gate: Issues and reads tokens.
        model_ids: The models that a request may choose from, the default first.
    """

    def __init__(self, gate: Gate, model_ids: tuple[str, ...]) -> None:
        self._gate = gate
        self._model_ids = model_ids

    async def show(self, request: Request) -> Response:
        """``{user, models, defaultModel}``; the user is null without a token that verifies."""
        person = await self._gate.person(request)
        return json_response(
            {
                "user": None if person is None else user_json(person),
                "models": list(self._model_ids),
                "defaultModel": self._model_ids[0] if self._model_ids else None,
            }
        )

    async def sign_in(self, request: Request) -> Response:
        """Issue a token for one of the demonstration's people."""
        try:
            wanted = await read_shape(request, _BODY_LIMIT, SignIn)
            known = by_user(wanted.user) if wanted.user is not None else by_role(wanted.role or "")
        except (BadBodyError, KeyError):
            return api_error(400, "UNKNOWN_PERSON", "Unknown person.")
        person = await self._gate.directory.person(known.email)
        if person is None:
            return api_error(400, "UNKNOWN_PERSON", "Unknown person.")
        response = json_response({"user": user_json(person)})
        response.set_cookie(COOKIE, self._gate.tokens.issue(person), path="/", httponly=True, samesite="lax")
        return response

    async def sign_out(self, request: Request) -> Response:
        """Take the token back from the browser."""
        del request
        response = json_response({"user": None})
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
        return response


def user_json(person: Person) -> JsonObject:
    """A person as the page sees one."""
    return {"email": person.email, "name": person.name, "role": str(person.role)}
