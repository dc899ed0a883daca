"""The assistant on the page: turns, cards, questions, and what becomes of the screen."""

from collections.abc import Callable

from fake_model import FakeModel, call, gate, read, reason, say, script, step
from tests.browser.person import Person

CHASE = "domain:update-collection-status"
PENDING = "/receivables/pending"


def test_a_turn_reads_on_the_server_and_moves_the_screen(carla: Person, model: FakeModel) -> None:
    """The model's filter is the person's filter: rows and address move alike, and every call has a card."""
    run = model.play(
        script(
            step(
                reason("The overdue ones."),
                say("Let me ", "look. "),
                call("domain:collections-aging"),
                call("view:invoices.pending.setFilters", {"due": "overdue"}),
            ),
            step(call("view:invoices.pending.readState")),
            say("There they are."),
        )
    )
    carla.open(PENDING)

    seen = carla.send(run.prompt("What is overdue?"))

    assert ("completed", None) == carla.turn
    assert f"{PENDING}?due=overdue" == carla.route
    assert [
        ("domain:collections-aging", "done"),
        ("view:invoices.pending.setFilters", "done"),
        ("view:invoices.pending.readState", "done"),
    ] == [(card.capability, card.state) for card in seen.cards]
    assert ["Let me look. ", "There they are."] == [
        text for role, text in seen.transcript if role == "assistant"
    ]
    assert "sealed" == carla.find("[data-reasoning]").get_attribute("data-reasoning")
    run.assert_complete()


def test_text_appears_while_it_is_streamed(carla: Person, model: FakeModel) -> None:
    """A person reads along; stop is there while the turn runs, send is not."""
    run = model.play(script(step(say("First. "), gate("more"), say("Second."))))
    carla.open(PENDING)

    carla.start(run.prompt("Tell me."))
    carla.find('[data-said="assistant"]', has_text="First.").wait_for()

    assert carla.find('[data-hook="stop"]').is_visible()
    assert not carla.find('[data-hook="send"]').is_visible()
    run.release("more")
    assert ("assistant", "First. Second.") == carla.idle().transcript[-1]


def test_stop_ends_a_turn_and_the_conversation_goes_on(carla: Person, model: FakeModel) -> None:
    """What was given up is over; the next message is answered."""
    held = model.play(script(step(say("Wait"), gate("never"))))
    carla.open(PENDING)
    carla.start(held.prompt("Begin."))
    held.wait_held("never")

    carla.find('[data-hook="stop"]').click()
    carla.idle()
    stopped = carla.turn
    held.release("never")
    after = carla.send(model.play(script(say("Here I am."))).prompt("Are you there?"))

    assert ("cancelled", None) == stopped
    assert ("completed", None) == carla.turn
    assert ("assistant", "Here I am.") == after.transcript[-1]


def test_a_chase_goes_to_the_invoice_of_the_dialog(carla: Person, model: FakeModel) -> None:
    """The assistant opens the dialog and records; the row shows it without a reload, and no other row moved."""
    seen = carla.open(PENDING)
    key, others = seen.keys[3], [row for row in seen.rows if row["key"] != seen.keys[3]]
    run = model.play(
        script(
            step(call("view:invoices.pending.setFilters", {"chase": key})),
            step(call(CHASE, {"remindersSent": 7})),
            say("Noted."),
        )
    )

    after = carla.send(run.prompt("Chase it."))

    assert "7" == after.cell(key, "reminders")
    assert others == [row for row in after.rows if row["key"] != key]
    assert ["chase"] == [dialog.kind for dialog in after.dialogs]
    offered = run.exchanges[0].request.tool(CHASE)
    assert offered is not None
    assert {"lastReminderDate", "remindersSent", "expectedPaymentDate", "note"} == offered.fields
    assert run.exchanges[0].request.tools == run.exchanges[1].request.tools


def test_a_question_shows_what_would_run_and_waits(carla: Person, model: FakeModel) -> None:
    """Bound values included; declined runs nothing, allowed runs it once, and a double click is one answer."""
    key = carla.open(PENDING).keys[0]
    carla.act("open-chase", key)
    carla.find('[data-act="ask-before-chasing"]').check()
    before = carla.settled().cell(key, "reminders")

    for hook, reminders in (("decline", before), ("confirm", "8")):
        run = model.play(script(step(call(CHASE, {"remindersSent": 8})), say("So be it.")))
        carla.start(run.prompt("Record 8."))
        question = carla.wait('[data-dialog="confirmation"]').dialogs[-1]
        carla.find(f'[data-hook="{hook}"]').dblclick()
        after = carla.idle()

        assert {"invoiceId": int(key), "remindersSent": 8} == question.value
        assert reminders == after.cell(key, "reminders")
        assert ["chase"] == [dialog.kind for dialog in after.dialogs]


def test_an_answer_is_not_good_for_another_target(carla: Person, model: FakeModel) -> None:
    """The dialog moves on between question and answer: nothing is recorded anywhere."""
    keys = carla.open(PENDING).keys
    carla.act("open-chase", keys[0])
    carla.find('[data-act="ask-before-chasing"]').check()
    before = carla.settled().rows
    run = model.play(script(step(call(CHASE, {"remindersSent": 9})), say("Hm.")))

    carla.start(run.prompt("Record 9."))
    carla.wait('[data-dialog="confirmation"]')
    carla.act("open-chase", keys[1])
    carla.find('[data-hook="confirm"]').click()
    after = carla.idle()

    assert before == after.rows
    assert "CONFIRMATION_INVALID" in after.cards[-1].text


def test_approving_runs_exactly_what_the_card_shows(carla: Person, model: FakeModel) -> None:
    """The draft is issued by the decision, the screen is right at once, and a second look finds it decided."""
    ledger = carla.open("/receivables/all")
    draft = next(row["key"] for row in ledger.rows if row["cells"]["status"] == "draft")
    run = model.play(script(step(call("domain:issue-invoice", {"id": int(draft)})), say("It waits for you.")))

    waiting = carla.send(run.prompt("Issue it."))
    carla.find('[data-hook="approve"]').dblclick()
    after = carla.settled()

    assert ("pending", {"id": int(draft)}) == (waiting.cards[-1].state, waiting.cards[-1].value)
    assert "draft" == waiting.cell(draft, "status")
    assert "sent" == after.cell(draft, "status")
    assert ["done", "consumed"] == [card.state for card in after.cards]
    assert after.transcript[-1][1].startswith("You approved issue-invoice")


def test_denying_changes_nothing(carla: Person, model: FakeModel) -> None:
    """The receipt says so, and the row stays a draft."""
    ledger = carla.open("/receivables/all")
    draft = next(row["key"] for row in ledger.rows if row["cells"]["status"] == "draft")
    carla.send(
        model.play(script(step(call("domain:delete-invoice", {"id": int(draft)})), say("?"))).prompt("Do.")
    )

    after = carla.click('[data-hook="deny"]')

    assert ledger.rows == after.rows
    assert "rejected" == after.cards[-1].state
    assert after.transcript[-1][1].startswith("You denied delete-invoice")


def test_a_reload_brings_the_thread_back(carla: Person, model: FakeModel) -> None:
    """Messages, calls with their outcome, and the approval that still waits; the conversation goes on from there."""
    ledger = carla.open("/receivables/all")
    draft = next(row["key"] for row in ledger.rows if row["cells"]["status"] == "draft")
    run = model.play(
        script(
            step(
                say("I ask for it."),
                call("view:app.session.read"),
                call("domain:issue-invoice", {"id": int(draft)}),
            ),
            say("It waits."),
        )
    )
    before = carla.send(run.prompt("Issue it."))

    carla.page.reload()
    after = carla.settled()
    carla.click('[data-hook="approve"]')
    goes_on = model.play(script(say("All done.")))
    carla.send(goes_on.prompt("And now?"))

    assert before.transcript == after.transcript
    assert [(card.kind, card.capability, card.state) for card in before.cards] == [
        (card.kind, card.capability, card.state) for card in after.cards
    ]
    assert "sent" == carla.see().cell(draft, "status")
    assert ("completed", None) == carla.turn


def test_a_stored_conversation_can_be_opened_and_left(carla: Person, model: FakeModel) -> None:
    """A fresh conversation is empty, and the earlier one is found in the list."""
    carla.open(PENDING)
    carla.send(model.play(script(say("Hello."))).prompt("First talk"))

    fresh = carla.act("new-conversation")
    carla.find("conversation-menu summary").click()
    again = carla.click("[data-thread]")

    assert () == fresh.transcript
    assert ("assistant", "Hello.") == again.transcript[-1]


def test_an_approval_of_another_tab_is_found(
    visitor: Callable[[], Person], carla: Person, model: FakeModel
) -> None:
    """Two tabs of one person: what waits in one can be decided in the other, once."""
    ledger = carla.open("/receivables/all")
    draft = next(row["key"] for row in ledger.rows if row["cells"]["status"] == "draft")
    carla.send(
        model.play(script(step(call("domain:issue-invoice", {"id": int(draft)})), say("?"))).prompt("Do.")
    )
    other = visitor().sign_in("carla")
    other.open("/receivables/all")

    shown = other.act("show-waiting")
    other.click('[data-hook="approve"]')
    late = carla.click('[data-hook="approve"]')

    assert {"id": int(draft)} == shown.cards[-1].value
    assert "sent" == other.see().cell(draft, "status")
    assert "consumed" == late.cards[-1].state
    assert "false" == carla.find('[data-hook="told"]').get_attribute("data-ok")


def test_the_loop_waits_for_the_screen_that_it_opened(carla: Person, model: FakeModel) -> None:
    """After a navigation the next step is offered the new screen, with the new screen's scope."""
    run = model.play(
        script(
            step(call("view:app.navigation.goTo", {"path": "/receivables/clients"})),
            step(read("view:clients.list.readState")),
            say("Clients."),
        )
    )
    carla.open(PENDING)

    seen = carla.send(run.prompt("Show the clients."))

    assert "/receivables/clients" == carla.route
    assert "done" == seen.cards[-1].state
    second = run.exchanges[1].request
    assert (True, False) == (
        second.offers("view:clients.list.readState"),
        second.offers("view:invoices.pending.readState"),
    )


def test_a_failing_model_is_stopped(carla: Person, model: FakeModel) -> None:
    """The same failing call three times is enough, and the person is told."""
    wrong = step(call("view:invoices.pending.sort", {"key": "colour"}))
    run = model.play(script(wrong, wrong, wrong, wrong))
    carla.open(PENDING)

    seen = carla.send(run.prompt("Sort by colour."))

    assert ("error", "RUN_LIMIT_EXCEEDED") == carla.turn
    assert any("view:invoices.pending.sort" in notice for notice in seen.notices)
    assert 3 == len(run.exchanges)


def test_meta_mode_discovers_reads_and_acts(carla: Person, model: FakeModel) -> None:
    """Three constant tools lead to the same screen as the direct ones."""
    run = model.play(
        script(
            step(call("surface_discover", {"scope": ["invoices"]})),
            step(
                call(
                    "surface_act",
                    {"capabilityId": "view:invoices.pending.setFilters", "input": {"due": "current"}},
                )
            ),
            step(call("surface_read", {"capabilityId": "view:invoices.pending.readFilters"})),
            say("There."),
        )
    )
    carla.open(PENDING, mode="meta")

    seen = carla.send(run.prompt("Current ones."))

    assert f"{PENDING}?due=current" == carla.route
    assert ["done", "done", "done"] == [card.state for card in seen.cards]
    assert '"current"' in seen.cards[-1].text
    page_tools = [tool.name for tool in run.exchanges[0].request.tools if tool.name.startswith("surface_")]
    assert ["surface_discover", "surface_read", "surface_act"] == page_tools


def test_a_server_that_is_gone_is_told_and_survived(carla: Person, model: FakeModel) -> None:
    """A turn that can't be posted ends with an error; the page stays usable."""
    carla.open(PENDING)
    carla.page.route("**/agent/chat", lambda route: route.abort())

    seen = carla.send(model.play(script(say("Never."))).prompt("Hello?"))
    carla.page.unroute("**/agent/chat")
    after = carla.send(model.play(script(say("Back."))).prompt("Again?"))

    assert any("TRANSPORT_FAILED" in notice for notice in seen.notices)
    assert ("assistant", "Back.") == after.transcript[-1]
