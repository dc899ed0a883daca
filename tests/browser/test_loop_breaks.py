"""Decisions, reloads, stops and broken answers: what a person or the line does to a turn.

Each scene is played on a sound page, and on one with the defect that it would catch.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from fake_model import FakeModel, call, gate, say, script, step
from tests.browser.person import Person
from tests.browser.scenes import CHASE, PENDING

DONE = step(say("Done."), asked=None)
START: Mapping[str, Any] = {
    "type": "step-start",
    "stepId": "stp_1",
    "turnId": "trn_1",
    "conversationId": "cnv_1",
    "domainTools": [],
    "scope": [],
}
FINISH: Mapping[str, Any] = {
    "type": "step-finish",
    "stepId": "stp_1",
    "finishReason": "stop",
    "responseMessages": [],
    "pendingToolCalls": [],
}
FILTER: Mapping[str, Any] = {
    "type": "tool-call",
    "toolCallId": "tcl_1",
    "wireName": "view_invoices__pending__setFilters",
    "canonicalId": "view:invoices.pending.setFilters",
    "executor": "browser",
    "input": {"q": "PIN"},
}


def answering(person: Person, *frames: Mapping[str, Any], rest: str = "") -> None:
    """Let the host answer every step with these frames, and perhaps a rest without an end."""
    body = "".join(f"{json.dumps(frame)}\n" for frame in frames) + rest
    person.page.route(
        "**/agent/chat",
        lambda route: route.fulfill(body=body, content_type="application/x-ndjson; charset=utf-8"),
    )


def waiting(carla: Person, model: FakeModel, fault: str) -> str:
    """An approval that waits on the ledger's screen; returns the draft's key."""
    ledger = carla.open("/receivables/all", fault=fault)
    draft: str = next(row["key"] for row in ledger.rows if row["cells"]["status"] == "draft")
    run = model.play(script(step(call("domain:issue-invoice", {"id": int(draft)})), DONE))
    carla.send(run.prompt("Issue it."))
    return draft


@pytest.mark.parametrize(
    ("fault", "hook", "status"),
    [
        ("", "approve", "sent"),
        ("", "deny", "draft"),
        ("approval-never-sent", "approve", "draft"),
        ("approval-denial-approves", "deny", "sent"),
    ],
)
def test_a_decision_is_sent_as_it_was_taken(
    carla: Person, model: FakeModel, fault: str, hook: str, status: str
) -> None:
    """Yes runs it, no does not."""
    draft = waiting(carla, model, fault)

    carla.click(f'[data-hook="{hook}"]')

    assert status == carla.open("/receivables/all").cell(draft, "status")


@pytest.mark.parametrize(("fault", "state"), [("", "done"), ("confirmed-call-lost", "failed")])
def test_what_was_allowed_runs(carla: Person, model: FakeModel, fault: str, state: str) -> None:
    """A yes is worth one execution."""
    carla.act("open-chase", carla.open(PENDING, fault=fault).keys[0])
    carla.find('[data-act="ask-before-chasing"]').check()

    carla.start(model.play(script(step(call(CHASE, {"remindersSent": 5})), DONE)).prompt("Go."))
    carla.wait('[data-dialog="confirmation"]')
    carla.find('[data-hook="confirm"]').click()

    assert state == carla.idle().cards[0].state


@pytest.mark.parametrize(("fault", "questions"), [("", 0), ("stop-leaves-question", 1)])
def test_stop_withdraws_the_question(carla: Person, model: FakeModel, fault: str, questions: int) -> None:
    """Nobody is left with a question that means nothing any more."""
    carla.act("open-chase", carla.open(PENDING, fault=fault).keys[0])
    carla.find('[data-act="ask-before-chasing"]').check()
    carla.start(model.play(script(step(call(CHASE, {"remindersSent": 5})), DONE)).prompt("Go."))
    carla.wait('[data-dialog="confirmation"]')

    carla.find('[data-hook="stop"]').click()
    carla.idle()

    assert questions == carla.find('[data-dialog="confirmation"]').count()


@pytest.mark.parametrize(("fault", "shown"), [("", True), ("button-no-refresh", False)])
def test_a_button_s_write_is_on_the_screen(carla: Person, fault: str, shown: bool) -> None:
    """Without a reload."""
    keys = carla.open(PENDING, fault=fault).keys

    after = carla.act("record-payment", keys[0])

    assert shown == (keys[1:] == after.keys)


@pytest.mark.parametrize(("fault", "restored"), [("", True), ("thread-not-restored", False)])
def test_a_conversation_outlives_the_page(
    carla: Person, model: FakeModel, fault: str, restored: bool
) -> None:
    """A reload shows what was said."""
    carla.open(PENDING, fault=fault)
    before = carla.send(model.play(script(say("Hello."))).prompt("Hi."))

    carla.page.reload()

    assert restored == (before.transcript == carla.settled().transcript)


@pytest.mark.parametrize(("fault", "moved"), [("", False), ("replay-on-reload", True)])
def test_what_was_open_when_a_tab_closed_is_not_replayed(
    carla: Person, model: FakeModel, fault: str, moved: bool
) -> None:
    """The call was never carried out, and a page that is opened again begins nothing by itself."""
    carla.open(PENDING, fault=fault)
    run = model.play(
        script(step(say("Hm. "), gate("think"), call("view:invoices.pending.setFilters", {"q": "PIN"})), DONE)
    )
    carla.start(run.prompt("Go on."))
    run.wait_held("think")
    conversation = str(carla.find('[data-hook="assistant"]').get_attribute("data-conversation"))
    carla.open("/about")
    run.release("think")
    run.wait_finished(1)
    while not carla.open(PENDING, conversation=conversation).cards:
        continue

    if moved:
        carla.page.wait_for_url("**q=PIN**")

    assert moved == ("q=PIN" in carla.route)


@pytest.mark.parametrize(("fault", "status"), [("", "completed"), ("stays-broken", "error")])
def test_a_tab_tries_again(carla: Person, model: FakeModel, fault: str, status: str) -> None:
    """A line that broke once is not broken for good."""
    carla.open(PENDING, fault=fault)
    carla.page.route("**/agent/chat", lambda route: route.abort())
    carla.send("Hello?")
    carla.page.unroute("**/agent/chat")

    carla.send(model.play(script(say("Back."))).prompt("Again?"))

    assert status == carla.turn[0]


@pytest.mark.parametrize(("fault", "status"), [("", "completed"), ("unknown-frame-fatal", "error")])
def test_a_frame_of_another_kind_is_passed_over(carla: Person, fault: str, status: str) -> None:
    """A host of tomorrow may say more than this page understands."""
    carla.open(PENDING, fault=fault)
    answering(
        carla, START, {"type": "weather", "sun": True}, {"type": "text-delta", "text": "Hello."}, FINISH
    )

    seen = carla.send("Hi.")

    assert status == carla.turn[0]
    assert ("assistant", "Hello.") == seen.transcript[-1]


@pytest.mark.parametrize(("fault", "moved"), [("", False), ("broken-step-carried-out", True)])
def test_a_step_that_breaks_off_is_not_carried_out(carla: Person, fault: str, moved: bool) -> None:
    """What came may not be all there was to say about it."""
    carla.open(PENDING, fault=fault, setting="turn_steps:1")
    answering(carla, START, FILTER)

    carla.send("Filter.")

    assert ("error", "RUN_LIMIT_EXCEEDED" if moved else "TRANSPORT_FAILED") == carla.turn
    assert moved == ("q=PIN" in carla.route)


def test_what_can_not_be_read_is_an_error_and_the_rest_is_read(carla: Person) -> None:
    """A line that is no frame ends the turn, a rest without an end is no line; neither breaks the page."""
    carla.open(PENDING)
    answering(
        carla,
        START,
        {"type": "text-delta"},
        {"type": "text-delta", "text": "Hello."},
        FINISH,
        rest='{"type":',
    )

    seen = carla.send("Hi.")

    assert ("error", "PROTOCOL_DECODE_ERROR") == carla.turn
    assert ("assistant", "Hello.") == seen.transcript[-1]
