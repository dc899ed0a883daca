"""A person acts while the model thinks: what a call means is decided when it runs, by what the page shows then.

Each scene is played on a sound page, and on one with the defect that it would catch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fake_model import FakeModel, Run, call, gate, say, script, step
from tests.browser.person import Person, Seen
from tests.browser.scenes import CHASE, PENDING

DONE = step(say("Done."), asked=None)


def while_thinking(
    person: Person, model: FakeModel, act: Callable[[], Any], capability: str, given: Any = None
) -> tuple[Run, Seen]:
    """Let the model see the page, let the person act, and only then let the model call."""
    run = model.play(script(step(say("Hm. "), gate("think"), call(capability, given)), DONE))
    person.start(run.prompt("Go on."))
    run.wait_held("think")
    act()
    run.release("think")
    return run, person.idle()


def code_of(run: Run) -> str | None:
    """The error that the model was answered with."""
    return run.exchanges[-1].request.results[-1].code


@pytest.mark.parametrize(("fault", "written"), [("", 1), ("bind-at-offer-time", 0)])
def test_a_bound_call_is_about_what_is_open_when_it_runs(
    carla: Person, model: FakeModel, fault: str, written: int
) -> None:
    """The dialog moved on between offer and call: the call goes with it."""
    keys = carla.open(PENDING, fault=fault).keys
    carla.act("open-chase", keys[0])

    _, seen = while_thinking(
        carla, model, lambda: carla.act("open-chase", keys[1]), CHASE, {"remindersSent": 77}
    )

    assert ["77"] == [seen.cell(key, "reminders") for key in (keys[written],)]
    assert "77" != seen.cell(keys[1 - written], "reminders")


@pytest.mark.parametrize(("fault", "code"), [("", "STALE_CAPABILITY"), ("stale-registration-accepted", None)])
def test_a_call_for_a_component_that_was_replaced_is_stale(
    carla: Person, model: FakeModel, fault: str, code: str | None
) -> None:
    """The same screen again is another mount; what the model saw of the first says nothing about it."""
    carla.open(PENDING, fault=fault)

    run, seen = while_thinking(
        carla, model, lambda: carla.act("reload-screen"), "view:invoices.pending.setFilters", {"q": "PIN"}
    )

    assert code == code_of(run)
    assert (code is not None) == (len(seen.rows) == seen.total)


@pytest.mark.parametrize(("fault", "code"), [("", "CAPABILITY_NOT_FOUND"), ("unmounted-callable", None)])
def test_a_call_for_a_component_that_left_runs_nothing(
    carla: Person, model: FakeModel, fault: str, code: str | None
) -> None:
    """The person went to another screen."""
    carla.open(PENDING, fault=fault)

    run, _ = while_thinking(
        carla,
        model,
        lambda: carla.click('[data-path="/receivables/clients"]'),
        "view:invoices.pending.setFilters",
        {"q": "PIN"},
    )

    assert code == code_of(run)


@pytest.mark.parametrize(
    ("fault", "code"), [("", "CAPABILITY_NOT_AVAILABLE"), ("availability-not-rechecked", None)]
)
def test_a_call_for_what_was_closed_runs_nothing(
    carla: Person, model: FakeModel, fault: str, code: str | None
) -> None:
    """The person closed the dialog."""
    key = carla.open(PENDING, fault=fault).keys[0]
    carla.act("open-chase", key)

    run, _ = while_thinking(carla, model, lambda: carla.act("close-chase"), CHASE, {"remindersSent": 78})

    assert code == code_of(run)


def ask_twice(carla: Person, model: FakeModel, *, second: int = 61, allow: bool = True) -> Seen:
    """Two calls that need consent, the person answering the first and, if there is one, declining the second."""
    carla.act("open-chase", carla.see().keys[0])
    carla.find('[data-act="ask-before-chasing"]').check()
    run = model.play(
        script(step(call(CHASE, {"remindersSent": 61})), step(call(CHASE, {"remindersSent": second})), DONE)
    )
    carla.start(run.prompt("Go on."))
    for hook in ("confirm" if allow else "decline", "decline"):
        carla.page.wait_for_selector(
            f'[data-hook="{hook}"], html[data-settled="true"] [data-hook="assistant"][data-busy="false"]',
            state="attached",
        )
        if carla.find(f'[data-hook="{hook}"]').count() > 0:
            carla.find(f'[data-hook="{hook}"]').click()
            carla.page.wait_for_selector('[data-card="tool"]:not([data-state="running"])', state="attached")
    return carla.idle()


@pytest.mark.parametrize(
    ("fault", "states"), [("", ["done", "failed"]), ("confirmation-reusable", ["done", "done"])]
)
def test_one_answer_is_good_for_one_call(
    carla: Person, model: FakeModel, fault: str, states: list[str]
) -> None:
    """The second call of the same kind asks again."""
    carla.open(PENDING, fault=fault)

    seen = ask_twice(carla, model)

    assert states == [card.state for card in seen.cards]


@pytest.mark.parametrize(
    ("fault", "states"), [("", ["failed", "failed"]), ("confirmation-denied-runs", ["done", "done"])]
)
def test_what_was_declined_does_not_run(
    carla: Person, model: FakeModel, fault: str, states: list[str]
) -> None:
    """No is no."""
    carla.open(PENDING, fault=fault)

    seen = ask_twice(carla, model, allow=False)

    assert states == [card.state for card in seen.cards]


@pytest.mark.parametrize(("fault", "state"), [("", "failed"), ("confirmation-any-input", "done")])
def test_an_answer_holds_for_the_input_that_was_shown(
    carla: Person, model: FakeModel, fault: str, state: str
) -> None:
    """The dialog moved on between question and answer."""
    keys = carla.open(PENDING, fault=fault).keys
    carla.act("open-chase", keys[0])
    carla.find('[data-act="ask-before-chasing"]').check()
    run = model.play(script(step(call(CHASE, {"remindersSent": 62})), DONE))

    carla.start(run.prompt("Go on."))
    carla.wait('[data-dialog="confirmation"]')
    carla.act("open-chase", keys[1])
    carla.find('[data-hook="confirm"]').click()

    assert state == carla.idle().cards[0].state


@pytest.mark.parametrize(("fault", "shown"), [("", True), ("confirmation-shows-agent-input", False)])
def test_a_question_shows_the_bound_values(carla: Person, model: FakeModel, fault: str, shown: bool) -> None:
    """A person decides about what would be written, not about what the model sent."""
    key = carla.open(PENDING, fault=fault).keys[0]
    carla.act("open-chase", key)
    carla.find('[data-act="ask-before-chasing"]').check()

    carla.start(model.play(script(step(call(CHASE, {"remindersSent": 1})), DONE)).prompt("Go on."))
    question = carla.wait('[data-dialog="confirmation"]').dialogs[-1]
    carla.find('[data-hook="decline"]').click()
    carla.idle()

    assert shown == (question.value.get("invoiceId") == int(key))


@pytest.mark.parametrize(("fault", "open_questions"), [("", 0), ("confirmation-never-expires", 1)])
def test_a_question_does_not_stay_open_for_ever(
    carla: Person, model: FakeModel, fault: str, open_questions: int
) -> None:
    """Its time runs out, and the call with it."""
    key = carla.open(PENDING, fault=fault, setting="confirmation_ttl_ms:30").keys[0]
    carla.act("open-chase", key)
    carla.find('[data-act="ask-before-chasing"]').check()
    carla.start(model.play(script(step(call(CHASE, {"remindersSent": 1})), DONE)).prompt("Go on."))
    carla.wait('[data-card="tool"]')

    if open_questions:
        carla.wait('[data-dialog="confirmation"]')
        carla.find('[data-hook="stop"]').click()
    ended = carla.idle().cards[0]

    assert open_questions == carla.find('[data-dialog="confirmation"]').count()
    assert "failed" == ended.state


@pytest.mark.parametrize(("fault", "value"), [("", {"id": 9}), ("approval-card-hides-input", None)])
def test_an_approval_card_shows_what_would_run(
    carla: Person, model: FakeModel, fault: str, value: Any
) -> None:
    """Exactly the input that would be executed."""
    carla.open(PENDING, fault=fault)

    seen = carla.send(model.play(script(step(call("domain:issue-invoice", {"id": 9})), DONE)).prompt("Go."))

    assert value == seen.cards[-1].value


@pytest.mark.parametrize(("fault", "asserted"), [("", []), ("identity-from-page", ["actor", "role"])])
def test_the_page_asserts_nobody_s_identity(
    carla: Person, model: FakeModel, fault: str, asserted: list[str]
) -> None:
    """Who is asking is the cookie's to say."""
    carla.open(PENDING, fault=fault)
    with carla.page.expect_request("**/agent/chat") as posted:
        carla.send(model.play(script(say("Hello."))).prompt("Hi."))

    body = posted.value.post_data_json or {}

    assert asserted == sorted(set(body) & {"actor", "role", "user", "identity"})


@pytest.mark.parametrize(("fault", "unanswered"), [("", 0), ("pending-left-open", 2)])
def test_calls_that_are_not_carried_out_have_an_answer(
    carla: Person, model: FakeModel, fault: str, unanswered: int
) -> None:
    """The guard stops the third of five calls; the next message posts a history that every provider accepts."""
    wrong = call("view:invoices.pending.sort", {"key": "x"})
    carla.open(PENDING, fault=fault)
    carla.send(model.play(script(step(*[wrong] * 5))).prompt("Go on."))
    with carla.page.expect_request("**/agent/chat") as posted:
        carla.send(model.play(script(say("Hello."))).prompt("Hi."))

    parts = [
        part
        for message in (posted.value.post_data_json or {})["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
    ]
    called, answered = (
        [part["toolCallId"] for part in parts if part["type"] == kind]
        for kind in ("tool-call", "tool-result")
    )

    assert 5 == len(called)
    assert unanswered == len(set(called) - set(answered))


@pytest.mark.parametrize(
    ("fault", "states"), [("", ["failed", "done"]), ("view-timeout-ignored", ["running"])]
)
def test_a_handler_that_takes_too_long_is_given_up(
    carla: Person, model: FakeModel, fault: str, states: list[str]
) -> None:
    """The model hears of it and goes on; nobody else would end the wait."""
    carla.open("/lab", fault=fault, setting="lab:on,action_timeout_ms:30")
    run = model.play(script(step(call("view:lab.bench.hold")), step(call("view:lab.bench.readCount")), DONE))

    carla.start(run.prompt("Go on."))
    run.wait_for(1 if fault else 3)
    seen = carla.wait('[data-card="tool"]')
    carla.find('[data-hook="stop"]').click() if fault else carla.idle()
    carla.idle()

    assert states == [card.state for card in (seen if fault else carla.see()).cards]


def test_a_tab_that_is_closed_in_mid_step_leaves_a_whole_thread(
    visitor: Callable[[], Person], carla: Person, model: FakeModel
) -> None:
    """What the model had begun is stored; another tab goes on from there."""
    run = model.play(script(step(say("First. "), gate("think"), call("view:app.session.read")), DONE))
    carla.open(PENDING)
    carla.start(run.prompt("Begin."))
    run.wait_held("think")
    conversation = carla.find('[data-hook="assistant"]').get_attribute("data-conversation")
    carla.page.close()
    run.release("think")
    run.wait_finished(1)
    other = visitor().sign_in("carla")

    def stored() -> Seen:
        return other.open(PENDING, conversation=str(conversation))

    seen = stored()
    while not seen.cards:
        seen = stored()
    other.send(model.play(script(say("I go on."))).prompt("Go on."))

    assert [("view:app.session.read", "failed")] == [(card.capability, card.state) for card in seen.cards]
    assert ("completed", None) == other.turn
