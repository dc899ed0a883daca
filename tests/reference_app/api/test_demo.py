"""Demonstration controls put everything back, and do not exist where nobody asked for them."""

from __future__ import annotations

import pytest

from fake_model import call, say, script
from reference_app.settings import Settings
from tests.reference_app.api.conftest import World
from tests.reference_app.running import Person, client, running

CONTROLS = ["reset", "clock", "role", "policy"]


def test_without_the_option_there_are_no_controls_and_no_lab() -> None:
    """What could move the clock of a real installation is not there, not even forbidden."""
    with running(Settings()) as url:
        person = Person(url, "carla")
        answers = [person.http.post(f"/api/demo/{name}", json={}).status_code for name in CONTROLS]
        lab = person.rpc("lab-bump").content == person.rpc("invented").content
        person.close()

    assert [404] * 4 == answers
    assert lab


def test_reset_puts_everything_back(world: World, carla: Person) -> None:
    """Ledger, approvals, threads, audit, roles, policies, closing line and clock."""
    fresh = (carla.call("list-invoices"), carla.call("reminder-footer"))
    world.turn(carla, script(call("domain:issue-invoice", {"id": 4}), say("Done.")))
    carla.call("delete-invoice", {"id": 4})
    carla.call("reminder-footer", {"text": "x"})
    carla.call("lab-bump")
    world.control("role", user="ada", role="controller")
    world.control("policy", name="month-end-freeze", enabled=True)
    world.control("clock", now="2001-01-01T00:00:00Z", frozen=True)
    world.control("reset")

    assert [] == carla.http.get("/api/audit").json()
    assert fresh == (carla.call("list-invoices"), carla.call("reminder-footer"))
    assert ([], [], 0) == (
        carla.cards(),
        carla.http.get("/api/threads").json(),
        carla.call("lab-count")["value"],
    )
    assert not world.control("clock")["frozen"]
    assert 200 == carla.rpc("lab-bump").status_code


def test_the_seed_is_dated_from_the_day_of_the_reset(world: World, carla: Person) -> None:
    """With a frozen clock the figures are the same on every machine and every day."""
    world.control("clock", now="2026-03-02T23:59:59Z", frozen=True)
    shown = carla.call("create-invoice", {"clientId": 1, "amount": 1})

    assert ("2026-03-02", "2026-04-01") == (shown["issue_date"], shown["due_date"])


@pytest.mark.parametrize(
    ("control", "body"),
    [
        ("clock", {"now": "yesterday"}),
        ("clock", {"now": "2026-03-02T09:00:00"}),
        ("clock", {"advance": -1}),
        ("clock", {"advance": 1e300}),
        ("clock", {"frozen": "yes"}),
        ("clock", {"speed": 2}),
        ("role", {"user": "root", "role": "controller"}),
        ("role", {"user": "ada", "role": "root"}),
        ("policy", {"name": "gravity", "enabled": False}),
        ("policy", {"name": "month-end-freeze", "enabled": "no"}),
    ],
)
def test_a_wrong_use_says_what_is_right(world: World, control: str, body: dict[str, object]) -> None:
    """A control that does not understand must not do something else."""
    answer = world.nobody.post(f"/api/demo/{control}", json=body)

    assert (400, "BAD_REQUEST") == (answer.status_code, answer.json()["code"])


def test_a_policy_that_is_switched_off_no_longer_counts(world: World, carla: Person, ada: Person) -> None:
    """The gate and the hiding are policies; without them the same calls go through."""
    in_force = world.control("policy", name="gate-model-writes", enabled=False)["inForce"]
    world.control("policy", name="analyst-hides-writes", enabled=False)
    _, stepped = world.turn(carla, script(call("domain:issue-invoice", {"id": 4}), say("Done.")))

    assert ["analyst-hides-writes"] == in_force
    assert "ok" == stepped.results[0]["status"]
    assert 200 == ada.rpc("delete-invoice", {"id": 5}).status_code


def test_controls_are_fenced_like_everything_else(world: World) -> None:
    """Another site's page cannot move the clock of a demonstration."""
    with client(world.url) as stranger:
        assert (
            403
            == stranger.post(
                "/api/demo/reset", json={}, headers={"origin": "https://evil.example"}
            ).status_code
        )
