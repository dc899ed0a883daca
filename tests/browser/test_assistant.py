"""The assistant on the page: turns, cards, questions, and what becomes of the screen."""

from fake_model import FakeModel, call, reason, result_of, say, script, step
from tests.browser.person import Person


def test_a_turn_reads_on_the_server_and_moves_the_screen(carla: Person, model: FakeModel) -> None:
    """The model's filter is the person's filter: rows and address move alike, and every call has a card."""
    run = model.play(
        script(
            step(
                reason("The overdue ones."),
                say("Let me look. "),
                call("domain:collections-aging"),
                call("view:invoices.pending.setFilters", {"due": "overdue"}),
            ),
            step(call("view:invoices.pending.readState")),
            say("There they are."),
        )
    )
    carla.open("/receivables/pending")

    seen = carla.send(run.prompt("What is overdue?"))

    assert ("completed", None) == carla.turn
    assert "/receivables/pending?due=overdue" == carla.route
    assert [
        ("domain:collections-aging", "done"),
        ("view:invoices.pending.setFilters", "done"),
        ("view:invoices.pending.readState", "done"),
    ] == [(card.capability, card.state) for card in seen.cards]
    assert ["Let me look. ", "There they are."] == [text for role, text in seen.transcript if role == "assistant"]
    read = run.exchanges[-1].request
    run.assert_complete()
    del read, result_of
