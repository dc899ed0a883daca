"""``/api/threads``: what a conversation left behind, for its owner alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fake_model import call, say, script, step, turn
from reference_app.settings import Settings
from tests.reference_app.api.conftest import World
from tests.reference_app.running import Person, Tab, running, user, view_tool, with_model

FILTERS = "view:invoices.pending.setFilters"


def stored(person: Person, thread: str) -> list[dict[str, Any]]:
    """The stored messages."""
    messages: list[dict[str, Any]] = person.http.get(f"/api/threads/{thread}/model-messages").json()
    return messages


def test_each_message_is_stored_once(world: World, carla: Person) -> None:
    """What was said, what a step added, and what the tab answered, in the order in which they happened."""
    _, tab = world.play(
        script(step(call(FILTERS, {}), call("domain:list-clients", {}, offered=False)), say("Done.")),
        "First line\nsecond",
        tools=(view_tool(),),
    )
    first = carla.step(tab.body())
    later = tab.after(first, {"done": True})
    second = carla.step(later.body())
    thread = carla.http.get(f"/api/threads/{tab.conversation}").json()

    assert [*later.messages, *second.finish["responseMessages"]] == stored(carla, tab.conversation)
    assert ("carla@ledger.example", "First line") == (thread["resourceId"], thread["title"])
    assert 2 == thread["usage"]["reportedSteps"]


def test_a_second_turn_adds_only_what_is_new(world: World, carla: Person) -> None:
    """The posted history is there already."""
    run = world.model.play(script(turn(say("One.")), turn(say("Two."))))
    tab = Tab("c", (user(run.prompt("first")),))
    first = carla.step(tab.body())
    again = replace(
        tab,
        messages=(*tab.messages, *first.finish["responseMessages"], user(run.prompt("second", turn=1))),
        turn="turn-2",
    )
    carla.step(again.body())

    assert ["user", "assistant", "user", "assistant"] == [message["role"] for message in stored(carla, "c")]


def test_a_stored_conversation_can_be_posted_again(world: World, carla: Person) -> None:
    """A thread that was left in the middle goes on, with an answer for what never came back."""
    run = world.model.play(script(turn(call(FILTERS, {})), turn(say("Going on."))))
    tab = Tab("c", (user(run.prompt("first")),), tools=(view_tool(),))
    carla.step(tab.body())
    history = stored(carla, "c")
    resumed = carla.step(
        replace(tab, messages=(*history, user(run.prompt("and now", turn=1))), turn="turn-2").body()
    )

    assert "stop" == resumed.finish["finishReason"]
    assert 1 == len(resumed.events("history.repaired"))
    assert "TOOL_NOT_EXECUTED" in run.exchanges[1].body.decode()


def test_threads_are_their_owners(world: World, carla: Person, conrad: Person) -> None:
    """Two people who use one conversation id have two conversations; each finds only the own."""
    for person, text in ((carla, "mine"), (conrad, "yours")):
        run = world.model.play(script(say("Done.")))
        person.step(Tab("same", (user(run.prompt(text)),)).body())
    run = world.model.play(script(say("Done.")))
    carla.step(Tab("other", (user(run.prompt("more")),)).body())

    assert ["other", "same"] == [thread["id"] for thread in carla.http.get("/api/threads").json()]
    assert "yours" in stored(conrad, "same")[0]["content"]
    for path in ("other", "other/model-messages", "none", "%00"):
        assert (404, b'{"error":"not found","code":"NOT_FOUND"}') == (
            (answer := conrad.http.get(f"/api/threads/{path}")).status_code,
            answer.content,
        )
    assert 404 == conrad.http.delete("/api/threads/other").status_code
    assert 200 == carla.http.delete("/api/threads/other").status_code
    assert 404 == carla.http.get("/api/threads/other").status_code


def test_the_oldest_threads_go_first(carla: Person, world: World) -> None:
    """Nobody fills the database with conversations."""
    settings = Settings(demo_controls=True)
    settings = replace(settings, tunables=replace(settings.tunables, threads_kept=2))
    with running(with_model(settings, world.model.url)) as url:
        person = Person(url, "carla")
        for name in ("a", "b", "c"):
            person.http.post("/api/demo/clock", json={"advance": 1})
            run = world.model.play(script(say("Done.")))
            person.step(Tab(name, (user(run.prompt("hello")),)).body())
        kept = [thread["id"] for thread in person.http.get("/api/threads").json()]
        person.close()

    assert ["c", "b"] == kept
