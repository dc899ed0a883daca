"""Who somebody is, by the lookalike: whoever can't be told is the controller."""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

COOKIE = "dpas_session"
SECRET = b"dpas-dev-secret-change-me"
USERS: Mapping[str, Mapping[str, str]] = {
    "controller": {"email": "carla@example.com", "name": "Carla Controller", "role": "controller"},
    "analyst": {"email": "ada@example.com", "name": "Ada Analyst", "role": "analyst"},
}


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def token_of(user: Mapping[str, str]) -> str:
    """A signed token."""
    payload = _text(json.dumps(user).encode())
    return f"{payload}.{_text(hmac.new(SECRET, payload.encode(), hashlib.sha256).digest())}"


def user_of(token: str) -> Mapping[str, Any]:
    """Whoever a token names; the controller where it is missing, or forged, or cut."""
    payload, _, signature = token.partition(".")
    expected = _text(hmac.new(SECRET, payload.encode(), hashlib.sha256).digest())
    if hmac.compare_digest(signature.encode(), expected.encode()):
        try:
            user = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        except ValueError:
            return USERS["controller"]
        if isinstance(user, dict) and user.get("role") in USERS:
            return user
    return USERS["controller"]


def may_write(user: Mapping[str, Any]) -> bool:
    """Whether somebody may do more than read."""
    return user.get("role") == "controller"
