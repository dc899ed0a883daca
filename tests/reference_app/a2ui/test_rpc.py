"""The door of the cards: who may knock, in which envelope, and how much of it is read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reference_app.api.authority import Authority, authority_of, is_loopback
from reference_app.errors import SettingsError
from reference_app.settings import Settings, Tunables
from tests.reference_app.a2ui.presenting import ACCEPTED, NOT_PENDING, Cards, envelope, post
from tests.reference_app.a2ui.templates import FORM, REVIEW
from tests.reference_app.running import Person, client, running

JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "ledger.example"},
        {"host": "localhost.ledger.example"},
        {"host": "128.0.0.1"},
        {"host": "::1"},
        {"origin": "null"},
        {"origin": "http://ledger.example"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_what_comes_from_elsewhere_is_refused(cards: Cards, headers: dict[str, str]) -> None:
    """Loopback by default: the fence comes before everything else."""
    card = cards.present(REVIEW)
    answer = card.person.http.post("/a2ui/action", json=envelope("action", card.payload({})), headers=headers)

    assert (403, "forbidden") == (answer.status_code, answer.json()["error"]["code"])
    assert 403 == card.person.http.get("/api/a2ui/c/x", headers=headers).status_code
    assert ACCEPTED == card.answer({})


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "127.9.8.7", "[::1]"])
def test_this_machines_own_names_are_loopback(name: str) -> None:
    """On any port."""
    assert is_loopback(name)
    assert Authority().allows_host(f"{name}:8123")


def test_further_hosts_have_to_be_named() -> None:
    """With a port exactly that one, without one any; and only when the settings opt in."""
    named = "ledger.example, box.example:8000"
    trusted = authority_of(Tunables(a2ui_authority="trusted-host", a2ui_trusted_hosts=named))
    closed = authority_of(Tunables(a2ui_trusted_hosts=named))

    assert [True, True, True, False] == [
        trusted.allows_host(host)
        for host in ("ledger.example", "ledger.example:1", "box.example:8000", "box.example:8001")
    ]
    assert not closed.allows_host("ledger.example")
    with pytest.raises(SettingsError):
        authority_of(Tunables(a2ui_authority="everybody"))


def test_a_trusted_host_is_nobody(cards: Cards) -> None:
    """The fence is not authentication: a card stays its owner's."""
    tunables = Tunables(a2ui_authority="trusted-host", a2ui_trusted_hosts="ledger.example")
    with running(Settings(a2ui=True, tunables=tunables)) as url, client(url) as nobody:
        person = Person(url, "conrad")
        headers = {"host": "ledger.example", "origin": "http://ledger.example"}
        body = envelope("cancel", {"session": "c", "call": "x"})
        anonymous = nobody.post("/a2ui/cancel", json=body, headers=headers)
        cookie = {"cookie": f"ledger_session={person.token}"}
        signed_in = nobody.post("/a2ui/cancel", json=body, headers={**headers, **cookie})
        person.close()

    assert (401, "unauthenticated") == (anonymous.status_code, anonymous.json()["error"]["code"])
    assert NOT_PENDING == signed_in.json()["result"]["value"]


def test_nobody_answers_nothing(cards: Cards) -> None:
    """A session is needed to act, and to look."""
    card = cards.present(REVIEW)
    answer = cards.nobody.post("/a2ui/action", json=envelope("action", card.payload({})))

    assert [401, 401] == [answer.status_code, cards.nobody.get("/api/a2ui/c/x").status_code]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/a2ui/action", 404),
        ("PUT", "/a2ui/action", 404),
        ("POST", "/a2ui/other", 404),
        ("POST", "/a2ui/", 404),
    ],
)
def test_there_are_two_endpoints(cards: Cards, method: str, path: str, status: int) -> None:
    """And POST is the only way in."""
    answer = cards.person("carla").http.request(method, path, headers=JSON if method != "GET" else {})

    assert (status, "not-found") == (answer.status_code, answer.json()["error"]["code"])


def test_other_media_types_are_refused(cards: Cards) -> None:
    """What a plain form could send is not read."""
    answer = cards.person("carla").http.post(
        "/a2ui/action", content=b"{}", headers={"content-type": "text/plain"}
    )

    assert (415, "unsupported-media-type") == (answer.status_code, answer.json()["error"]["code"])


@pytest.mark.parametrize(
    "change",
    [
        ('"rpcId": "r1"', '"rpcId": "r1", "rpcId": "r1"'),
        ('"level": 3', '"level": NaN'),
        ('"level": 3', '"level": 1e400'),
        ('"name": "Ada"', '"name": "\\ud800"'),
        ('"name": "Ada"', '"__proto__": {}, "name": "Ada"'),
        ('"name": "Ada"', f'"name": {"[" * 20}{"]" * 20}'),
        ('"name": "Ada"', f'"name": {"[" * 20000}{"]" * 20000}'),
        ('"level": 3', '"level": 3}'),
    ],
)
def test_what_readers_read_differently_is_not_json_here(cards: Cards, change: tuple[str, str]) -> None:
    """Python's own reader would take most of these; none of them uses the slot up."""
    model = {
        "name": "Ada",
        "note": "",
        "amount": "",
        "urgent": True,
        "due": "",
        "at": "",
        "one": [],
        "many": [],
        "level": 3,
    }
    card = cards.present(FORM)
    text = json.dumps(envelope("action", card.payload(model)))
    assert change[0] in text
    broken = card.person.http.post("/a2ui/action", content=text.replace(*change), headers=JSON)

    assert (400, "bad-request") == (broken.status_code, broken.json()["error"]["code"])
    assert ACCEPTED == card.answer(model)


@pytest.mark.parametrize(
    ("body", "rpc_id", "path"),
    [
        ([], "invalid-request", []),
        ({}, "invalid-request", ["type"]),
        (envelope("action", {}, rpcId=7), "invalid-request", ["rpcId"]),
        (envelope("action", {}, type="server-response"), "r1", ["type"]),
        (envelope("action", {}, more=1), "r1", ["more"]),
        (envelope("cancel", {}), "r1", ["method"]),
    ],
)
def test_another_envelope_is_a_bad_request(cards: Cards, body: Any, rpc_id: str, path: list[str]) -> None:
    """The reply is in the envelope, under the request's id as far as it has one."""
    answer = cards.person("carla").http.post("/a2ui/action", json=body)
    reply = answer.json()
    error = reply["result"]["error"]

    assert (200, rpc_id, False) == (answer.status_code, reply["rpcId"], reply["result"]["ok"])
    assert ("bad-request", path) == (error["code"], error["details"]["issues"][0]["path"])


def test_a_body_is_measured_before_it_is_read(cards: Cards) -> None:
    """65,536 bytes of UTF-8 are read, and not one more; what is too large changes nothing."""
    template = {**FORM, "fields": [{"id": "note", "label": "Note", "type": "long_text"}]}
    card = cards.present(template)

    def body_of(size: int) -> bytes:
        empty = json.dumps(envelope("action", card.payload({"note": ""})), ensure_ascii=False).encode()
        room = size - len(empty)
        note = "€" * (room // 3) + "x" * (room % 3)
        return json.dumps(envelope("action", card.payload({"note": note})), ensure_ascii=False).encode()

    larger, largest = body_of(65_537), body_of(65_536)
    replies = [
        card.person.http.post("/a2ui/action", content=body, headers=JSON).json() for body in (larger, largest)
    ]

    assert (65_537, 65_536) == (len(larger), len(largest))
    assert ["invalid-request", "r1"] == [reply["rpcId"] for reply in replies]
    assert [{"accepted": False, "reason": "too-large"}, ACCEPTED] == [
        reply["result"]["value"] for reply in replies
    ]


def test_odd_names_are_names(cards: Cards) -> None:
    """Ids are taken as they are, and what no database can keep does not exist."""
    card = cards.present(REVIEW, conversation="a b/ü:1")

    assert "pending" == card.status
    assert {"accepted": False, "reason": "bad-response"} == post(
        card.person.http, "cancel", {"session": "a\x00b", "call": "x"}
    )
    assert ACCEPTED == card.answer({})
