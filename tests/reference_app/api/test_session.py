"""Signing in, and what happens to whoever has not."""

from __future__ import annotations

import pytest

from tests.reference_app.api.conftest import World
from tests.reference_app.running import Person

GUARDED = [
    ("POST", "/rpc/list-invoices"),
    ("GET", "/rpc/list-invoices"),
    ("POST", "/rpc/invented"),
    ("POST", "/agent/chat"),
    ("GET", "/api/approvals"),
    ("GET", "/api/approvals/apr_1"),
    ("POST", "/api/approvals/apr_1"),
    ("GET", "/api/threads"),
    ("GET", "/api/threads/t"),
    ("GET", "/api/threads/t/model-messages"),
    ("DELETE", "/api/threads/t"),
    ("GET", "/api/audit"),
]


@pytest.mark.parametrize(
    ("body", "email"),
    [
        ({"user": "ada"}, "ada@ledger.example"),
        ({"user": "conrad"}, "conrad@ledger.example"),
        ({"role": "analyst"}, "ada@ledger.example"),
        ({"role": "controller"}, "carla@ledger.example"),
        ({"user": "ada", "role": "controller"}, "ada@ledger.example"),
    ],
)
def test_people_sign_in_by_name_or_role(world: World, body: dict[str, str], email: str) -> None:
    """The cookie is for this browser's own requests only, and a role beside a name claims nothing."""
    answer = world.nobody.post("/api/session", json=body)
    cookie = answer.headers["set-cookie"]

    assert email == answer.json()["user"]["email"]
    assert all(part in cookie for part in ("ledger_session=", "HttpOnly", "Path=/", "SameSite=lax"))


@pytest.mark.parametrize(
    "body", ["", "{", "[]", "null", '{"user":"root"}', '{"role":"Analyst"}', '{"user":1}', "{}"]
)
def test_nobody_else_signs_in(world: World, body: str) -> None:
    """An unknown name gets no cookie and no role."""
    answer = world.nobody.post("/api/session", content=body, headers={"content-type": "application/json"})

    assert 400 == answer.status_code
    assert "set-cookie" not in answer.headers


def test_the_session_names_its_user_and_the_models(world: World, carla: Person) -> None:
    """The page shapes itself by this, and the server never reads it back."""
    mine, nobodys = carla.http.get("/api/session").json(), world.nobody.get("/api/session").json()

    assert {"email": "carla@ledger.example", "name": "Carla Moreau", "role": "controller"} == mine["user"]
    assert (["scripted", "other"], "scripted") == (mine["models"], mine["defaultModel"])
    assert nobodys["user"] is None


def test_signing_out_takes_the_cookie_back(carla: Person) -> None:
    """The browser forgets who it was."""
    assert 'ledger_session="";' in carla.http.delete("/api/session").headers["set-cookie"]


@pytest.mark.parametrize(("method", "path"), GUARDED)
@pytest.mark.parametrize("cookie", [None, "ledger_session=x.y", "ledger_session=", "ledger_session=TAMPERED"])
def test_a_token_that_does_not_verify_is_no_token(
    world: World, carla: Person, method: str, path: str, cookie: str | None
) -> None:
    """Every guarded path answers 401 with a typed error, before it looks at anything else."""
    tampered = carla.token[:10] + ("A" if carla.token[10] != "A" else "B") + carla.token[11:]
    headers = {} if cookie is None else {"cookie": cookie.replace("TAMPERED", tampered)}
    answer = world.nobody.request(method, path, headers={**headers, "content-type": "application/json"})

    assert 401 == answer.status_code
    assert answer.headers["content-type"] == "application/json"
    assert any(code in answer.text for code in ("UNAUTHORIZED", "UNAUTHENTICATED"))


def test_two_different_tokens_are_nobodys(world: World, carla: Person, ada: Person) -> None:
    """Readers disagree about which of two cookies counts, so neither does."""
    both = f"ledger_session={ada.token}; ledger_session={carla.token}"

    assert 401 == world.nobody.get("/api/threads", headers={"cookie": both}).status_code


def test_a_change_of_role_counts_from_the_next_request_on(world: World, carla: Person) -> None:
    """The token names the person; what the person may do is this moment's."""
    world.control("role", user="carla", role="analyst")

    assert carla.http.get("/api/session").json()["user"]["role"] == "analyst"
    assert 404 == carla.rpc("delete-invoice", {"id": 4}).status_code
