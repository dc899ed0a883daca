"""The demonstration as a person goes through it."""

from collections.abc import Callable, Iterator

import pytest

from conformance.demo.command import TOKEN, demo_script, prompts
from fake_model import FakeModel
from reference_app.settings import Settings
from tests.browser.person import Person
from tests.reference_app.running import running, with_model


@pytest.fixture(scope="module")
def shared_url() -> Iterator[str]:
    """The application with the demonstration's model behind it."""
    with (
        FakeModel(standing=[(TOKEN, demo_script())]) as model,
        running(with_model(Settings(demo_controls=True), f"{model.url}/run/{TOKEN}")) as url,
    ):
        yield url


def test_the_demonstration_shows_what_it_says(carla: Person) -> None:
    """Reading, filtering, chasing, a question allowed, an approval given and one denied, and a name that does not exist."""
    carla.open("/receivables/clients")
    overdue, chased, *_ = (carla.send(prompt) for prompt in prompts()[:2])

    assert all(row["cells"]["days_overdue"] != "0 days" for row in overdue.rows)
    assert "4" == chased.cell("16", "reminders")

    carla.find('[data-act="ask-before-chasing"]').check()
    carla.start(prompts()[2])
    carla.wait('[data-dialog="confirmation"]')
    carla.find('[data-hook="confirm"]').click()

    assert "5" == carla.idle().cell("16", "reminders")

    asked = carla.send(prompts()[3])
    approved = carla.click('[data-hook="approve"]')
    carla.send(prompts()[4])
    denied = carla.click('[data-hook="deny"]')
    outcomes = [
        card.inner_text()
        for card in carla.find('[data-card="tool"][data-capability="domain:issue-invoice"]').all()
    ]

    assert "draft" == asked.cell(str(asked.cards[-1].value["id"]), "status")
    assert "sent" == approved.cell(str(asked.cards[-1].value["id"]), "status")
    assert [True, False] == ["Done" in outcome for outcome in outcomes]
    assert [False, True] == ["Not executed" in outcome for outcome in outcomes]
    assert ["consumed", "rejected"] == [card.state for card in denied.cards if card.kind == "approval"]

    unknown = carla.send(prompts()[5])
    compared = carla.send(prompts()[6])
    after = carla.send("And now?")

    assert ("completed", None) == carla.turn
    assert "domain:reminder-footer" not in [card.capability for card in unknown.cards if card.state == "done"]
    assert ["Pinecrest School District", "Okafor Instruments"] == [part.title for part in compared.dialogs]
    assert after.transcript[-1][1].startswith("That was all that I know.")
    restored = [card.capability for card in carla.open("/about").cards if card.kind == "tool"]
    assert ["view:clients.card.showClient"] * 2 == restored[-2:]


def test_an_analyst_gets_through_it_as_well(visitor: Callable[[], Person]) -> None:
    """What she may not use is answered as what does not exist, and the demonstration goes on."""
    ada = visitor().sign_in("ada")
    before = ada.open("/receivables/all")

    for prompt in prompts():
        ada.send(prompt)
        assert ("completed", None) == ada.turn, prompt

    assert before.rows == ada.open("/receivables/all").rows
    assert 0 == ada.find('[data-card="approval"]').count()
