"""A card is answered once, by its owner, with exactly what it asks for; and the model reads what the host knows."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from fake_model import call, say, script, step
from reference_app.settings import Settings
from tests.reference_app.a2ui.presenting import ACCEPTED, BAD, NOT_PENDING, PENDING, Cards, Presented, post
from tests.reference_app.a2ui.templates import CHOICE, FILLED, FORM, REVIEW, STATUS
from tests.reference_app.running import Person, Tab, running, tool_result, user, with_model


def changed(payload: dict[str, Any], place: str, value: Any) -> dict[str, Any]:
    """A payload with another value at a place; ``...`` takes it out."""
    head, _, rest = place.partition(".")
    if rest:
        return {**payload, head: changed(payload[head], rest, value)}
    kept = {key: member for key, member in payload.items() if key != head}
    return kept if value is ... else {**kept, head: value}


def test_an_answer_becomes_the_result(cards: Cards) -> None:
    """The call suspends the run, a click settles it, and the model reads action and values."""
    card = cards.present(FORM)
    waiting = card.status
    reply = card.answer(FILLED)
    _, result = card.go_on()

    assert ["browser"] == [frame["executor"] for frame in card.step.of("tool-call")]
    assert ["domain:a2ui-present"] == [p["canonicalId"] for p in card.step.finish["pendingToolCalls"]]
    assert ("pending", ACCEPTED, "submitted") == (waiting, reply, card.status)
    assert {"status": "submitted", "action": "send", "values": FILLED} == result
    card.run.assert_complete()


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("message.action.surfaceId", "a2ui:other:call"),
        ("message.action.sourceComponentId", "action-skip"),
        ("message.action.sourceComponentId", "root"),
        ("message.action.name", "skip"),
        ("message.action.name", "other"),
        ("message.action.timestamp", "yesterday"),
        ("message.action.timestamp", "2026-11-30T12:00:00"),
        ("message.action.context", {"a": 1}),
        ("message.action.context", ...),
        ("message.action.more", 1),
        ("message.version", "v0.9.1"),
        ("message.version", ...),
        ("message.more", 1),
        ("dataModel.choice", ["c"]),
        ("dataModel.choice", ["a", "b"]),
        ("dataModel.choice", "a"),
        ("dataModel.choice", ...),
        ("dataModel.more", 1),
        ("dataModel", []),
        ("dataModel", ...),
        ("role", "controller"),
    ],
)
def test_one_thing_wrong_is_refused_and_the_card_still_waits(cards: Cards, place: str, value: Any) -> None:
    """A refused submission does not use the slot up."""
    card = cards.present(CHOICE)
    payload = card.payload({"choice": ["a"]})

    assert BAD == post(card.person.http, "action", changed(payload, place, value))
    assert ACCEPTED == post(card.person.http, "action", payload)


@pytest.mark.parametrize(("place", "value"), [("session", "other"), ("call", "other")])
def test_a_submission_for_another_card_is_for_none(cards: Cards, place: str, value: str) -> None:
    """A click is about the call that it was made for."""
    card = cards.present(REVIEW)

    assert NOT_PENDING == post(card.person.http, "action", {**card.payload({}), place: value})
    assert "pending" == card.status


def test_only_the_first_valid_submission_counts(cards: Cards) -> None:
    """What was answered once is answered."""
    card = cards.present(CHOICE)

    assert [ACCEPTED, NOT_PENDING] == [card.answer({"choice": [value]}) for value in "ab"]
    assert {"choice": ["a"]} == card.go_on()[1]["values"]


def test_of_racing_submissions_one_is_accepted(cards: Cards) -> None:
    """The database decides, in one statement."""
    card = cards.present(REVIEW)
    people = [cards.person("carla") for _ in range(8)]
    start = threading.Barrier(len(people))
    replies: list[Any] = []

    def click(person: Person) -> None:
        start.wait()
        replies.append(post(person.http, "action", card.payload({})))

    threads = [threading.Thread(target=click, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [ACCEPTED, *[NOT_PENDING] * 7] == sorted(replies, key=lambda reply: not reply["accepted"])


def test_a_card_is_its_owners_alone(cards: Cards) -> None:
    """Another controller sees what anybody sees of a card that never was."""
    card, other = cards.present(REVIEW), cards.person("conrad")
    unknown = {**card.payload({}), "call": "never"}

    assert NOT_PENDING == post(other.http, "action", card.payload({})) == post(other.http, "action", unknown)
    assert NOT_PENDING == post(other.http, "cancel", {"session": card.session, "call": card.call})
    assert other.http.get("/api/a2ui/x/y").json() == card.look(other).json()
    assert (404, "pending") == (card.look(other).status_code, card.status)


def test_a_card_expires_on_the_applications_clock(cards: Cards) -> None:
    """Nobody has to wait for it."""
    card = cards.present(REVIEW)
    cards.nobody.post("/api/demo/clock", json={"advance": 600}).raise_for_status()

    assert ("expired", NOT_PENDING) == (card.status, card.answer({}))
    assert {"status": "expired"} == card.go_on()[1]


def test_a_card_can_be_withdrawn(cards: Cards) -> None:
    """A person may close it without an answer."""
    card = cards.present(REVIEW)

    assert [ACCEPTED, NOT_PENDING] == [card.withdraw(), card.withdraw()]
    assert (NOT_PENDING, {"status": "cancelled"}) == (card.answer({}), card.go_on()[1])


def test_going_on_without_an_answer_cancels_it(cards: Cards) -> None:
    """A conversation that has gone on does not wait any more."""
    card = cards.present(REVIEW)

    assert {"status": "cancelled"} == card.go_on()[1]
    assert NOT_PENDING == card.answer({})


def test_a_posted_result_is_not_believed(cards: Cards) -> None:
    """The tab is no boundary: what it claims is replaced, reported, and not stored."""
    card = cards.present(CHOICE)
    card.answer({"choice": ["a"]})
    claim = {"status": "submitted", "action": "skip", "values": {"choice": ["b"]}}
    stepped, result = card.go_on(claim)
    stored = card.person.http.get(f"/api/threads/{card.session}/model-messages").json()
    kept = [
        part["output"]["value"]
        for message in stored
        if message["role"] == "tool"
        for part in message["content"]
    ]

    assert ("send", [{"toolCallIds": [card.call]}]) == (result["action"], stepped.events("history.replaced"))
    assert [result] == kept


def test_a_pending_result_is_replaced_without_a_word(cards: Cards) -> None:
    """It is what a tab is to post."""
    card = cards.present(CHOICE)
    card.answer({"choice": ["a"]})
    stepped, result = card.go_on()

    assert ("submitted", []) == (result["status"], stepped.events("history.replaced"))


def test_an_invented_call_is_interrupted(cards: Cards) -> None:
    """A card that the application never presented was never answered."""
    person = cards.person("carla")
    run = cards.model.play(script(say("Done.")))
    invented = {"type": "tool-call", "toolCallId": "x", "toolName": "a2ui_present", "input": REVIEW}
    claim = {"status": "submitted", "action": "send", "values": {}}
    messages = (
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [invented]},
        {"role": "tool", "content": [tool_result({"toolCallId": "x", "wireName": "a2ui_present"}, claim)]},
        user(run.prompt("go on")),
    )
    person.step(Tab("c", messages).body())
    read = [result.value for result in run.exchanges[0].request.all_results]

    assert [{"status": "interrupted"}] == read


def test_a_status_card_has_nothing_to_answer(cards: Cards) -> None:
    """The tab goes on at once, and nothing it could post is accepted."""
    card = cards.present(STATUS)

    assert ("presented", NOT_PENDING) == (card.status, card.answer({}))
    assert {"status": "presented"} == card.go_on()[1]


def test_a_wrong_template_is_answered_in_the_same_run(cards: Cards) -> None:
    """The model can try again at once, and there is nothing for the tab to show."""
    card = cards.present({**REVIEW, "items": [], "html": "<b>"})
    error = card.step.results[0]["error"]

    assert ("stop", "INPUT_INVALID", False) == (
        card.step.finish["finishReason"],
        error["code"],
        error["retryable"],
    )
    assert [["items"], ["html"]] == [issue["path"] for issue in error["details"]["issues"]]


def test_the_owner_sees_the_card_as_compiled(cards: Cards) -> None:
    """The same bytes whenever it is looked at, before and after the answer."""
    card = cards.present(CHOICE)
    before = card.look().json()
    card.answer({"choice": ["b"]}, "skip")
    after = card.look().json()

    assert before["messages"] == after["messages"]
    assert (None, {"status": "submitted", "action": "skip", "values": {"choice": ["b"]}}) == (
        before["result"],
        after["result"],
    )
    assert ("turn-1", 0) == (before["turnId"], before["stepIndex"])


def test_a_restart_interrupts_what_waits_and_keeps_what_was_answered(cards: Cards, tmp_path: Any) -> None:
    """Nothing is guessed or replayed: another process does not take a click for a card that it did not present."""
    settings = with_model(Settings(data_dir=tmp_path, a2ui=True), cards.model.url)
    with running(settings) as url:
        before = Cards(url, cards.model, cards.nobody)
        waiting, answered = before.present(REVIEW), before.present(REVIEW)
        answered.answer({})
        before.leave()
    with running(settings) as url:
        person = Person(url, "carla")
        waits, done = (Presented(person, card.run, card.tab, card.step) for card in (waiting, answered))
        seen = (waits.status, done.status)
        replies = (waits.answer({}), done.answer({}))
        results = (waits.go_on()[1], done.go_on()[1])
        person.close()

    assert (("interrupted", "submitted"), (NOT_PENDING, NOT_PENDING)) == (seen, replies)
    assert ({"status": "interrupted"}, {"status": "submitted", "action": "send", "values": {}}) == results


def test_without_the_switch_there_is_no_tool_and_no_endpoint(cards: Cards) -> None:
    """Cards are off by default."""
    with running(with_model(Settings(), cards.model.url)) as url:
        person = Person(url, "carla")
        run = cards.model.play(script(step(call("a2ui_present", REVIEW)), say("Done.")))
        stepped = person.step(Tab("c", (user(run.prompt("go")),)).body())
        statuses = [
            person.http.post("/a2ui/action", json=PENDING).status_code,
            person.http.get("/api/a2ui/c/x").status_code,
        ]
        person.close()

    assert (False, [404, 404]) == ("a2ui_present" in run.exchanges[0].request.tool_names, statuses)
    assert [] == stepped.finish["pendingToolCalls"]
