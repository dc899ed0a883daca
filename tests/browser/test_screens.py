"""The screens: what a person can do there, and that the address holds the view."""

from collections.abc import Callable

import pytest

from tests.browser.person import Person

PENDING = "/receivables/pending"


def test_the_door_opens_the_console(visitor: Callable[[], Person]) -> None:
    """Without a person there are no rows; signing in shows the first screen."""
    guest = visitor()
    closed = guest.open("/")

    guest.find('[data-act="sign-in"][data-key="ada"]').click()
    guest.wait("[data-row]")

    assert () == closed.rows
    assert "Pending invoices" == guest.find("h1").text_content()
    assert "analyst" == guest.find('[data-part="role"]').text_content()


def test_filters_are_in_the_address_and_open_in_a_fresh_tab(
    visitor: Callable[[], Person], carla: Person
) -> None:
    """The view that one person made is the view that another opens."""
    carla.open(PENDING)
    carla.choose('[data-filter="due"]', "overdue")
    carla.type('[data-filter="q"]', "pin")
    carla.click('[data-sort="amount"]')
    seen = carla.act("select-row", carla.see().keys[0])

    other = visitor().sign_in("conrad").open(carla.route)

    assert f"{PENDING}?due=overdue&q=pin&sort=amount.desc&selected={seen.keys[0]}" == carla.route
    assert (seen.rows, seen.selected, seen.total) == (other.rows, other.selected, other.total)
    assert 0 < len(seen.rows) < seen.total


def test_amounts_are_sorted_as_numbers(carla: Person) -> None:
    """€7,320 comes before €13,560."""
    carla.open(PENDING)

    carla.click('[data-sort="amount"]')
    seen = carla.click('[data-sort="amount"]')

    amounts = [int(row["cells"]["amount"].strip("€").replace(",", "")) for row in seen.rows]
    assert sorted(amounts) == amounts
    assert f"{PENDING}?sort=amount.asc" == carla.route


def test_column_filters_and_columns_are_the_browser_s(carla: Person) -> None:
    """They narrow and arrange, and the address does not move."""
    carla.open("/receivables/all")
    carla.find('[data-part="column-filters"] summary').click()
    narrowed = carla.choose('[data-column-filter="status"]', "draft")
    carla.find('[data-part="columns"] summary').click()
    carla.act("move-left", "status")
    carla.act("move-left", "status")
    carla.find('[data-act="show-column"][data-key="segment"]').uncheck()
    arranged = carla.settled()
    carla.page.reload()
    reloaded = carla.settled()

    assert {"draft"} == {row["cells"]["status"] for row in narrowed.rows}
    assert "segment" not in arranged.rows[0]["cells"]
    assert ["reference", "status", "client_name"] == list(reloaded.rows[0]["cells"])[:3]
    assert "/receivables/all" == carla.route


def test_a_chase_is_saved_by_the_dialog(carla: Person) -> None:
    """What the person changed is written, what was left alone stays; the table shows it at once."""
    key = carla.open(PENDING).keys[1]
    carla.act("open-chase", key)
    carla.type('[data-field="remindersSent"]', "4")
    carla.type('[data-field="note"]', "Called the board.")

    saved = carla.act("save-chase")

    assert "4" == saved.cell(key, "reminders")
    assert f"{PENDING}?chase={key}" == carla.route
    assert "Called the board." == carla.find('[data-field="savedNote"]').text_content()
    assert "" == carla.find('[data-field="note"]').input_value()
    carla.act("close-chase")
    assert PENDING == carla.route


def test_a_draft_is_issued_by_its_button_and_deleted_by_a_second_press(carla: Person) -> None:
    """A person who presses a button has expressed intent; what can't be taken back asks once more."""
    seen = carla.open("/receivables/all")
    first, second = [row["key"] for row in seen.rows if row["cells"]["status"] == "draft"][:2]

    issued = carla.act("issue-invoice", first)
    armed = carla.act("delete-invoice", second)
    deleted = carla.act("delete-invoice", second)

    assert "sent" == issued.cell(first, "status")
    assert second in armed.keys
    assert second not in deleted.keys


def test_a_payment_takes_the_row_off_the_pending_ones(carla: Person) -> None:
    """Rows and figures follow."""
    seen = carla.open(PENDING)
    outstanding = carla.find('[data-figure="outstanding"]').text_content()

    after = carla.act("record-payment", seen.keys[0])

    assert seen.keys[1:] == after.keys
    assert outstanding != carla.find('[data-figure="outstanding"]').text_content()


def test_an_analyst_has_no_writing_buttons(visitor: Callable[[], Person]) -> None:
    """The reads are all there."""
    ada = visitor().sign_in("ada")

    seen = ada.open("/receivables/all")

    assert 0 < len(seen.rows)
    assert 0 == ada.find('[data-act="issue-invoice"], [data-act="record-payment"]').count()


def test_two_cards_are_two_components(carla: Person) -> None:
    """Each shows its own client, by the address; a closed one opens as another."""
    seen = carla.open("/receivables/clients")
    carla.choose('[data-act="show-client"][data-side="left"]', seen.keys[0])
    shown = carla.choose('[data-act="show-client"][data-side="right"]', seen.keys[1])

    closed = carla.click('[data-act="close-card"][data-side="left"]')
    opened = carla.click('[data-act="open-card"][data-side="left"]')

    names = [seen.cell(key, "name") for key in seen.keys[:2]]
    assert names == [dialog.title for dialog in shown.dialogs]
    assert ["right"] == [dialog.id for dialog in closed.dialogs]
    assert names == [dialog.title for dialog in opened.dialogs]


def test_back_and_forward_lead_through_the_screens(carla: Person) -> None:
    """A navigation is an entry in the history, a filter is not."""
    carla.open(PENDING)
    carla.choose('[data-filter="due"]', "overdue")
    carla.click('[data-path="/about"]')

    carla.page.go_back()
    carla.wait('[data-table="invoices.pending"]')

    assert f"{PENDING}?due=overdue" == carla.route
    assert 8 == len(carla.settled().rows)


def test_switching_the_person_starts_over(carla: Person) -> None:
    """Another person, another conversation, the same view."""
    carla.open(f"{PENDING}?due=overdue")
    before = carla.find('[data-hook="assistant"]').get_attribute("data-conversation")

    carla.find('[data-act="switch-user"]').select_option("ada")
    carla.find('[data-part="role"]', has_text="analyst").wait_for()

    assert f"{PENDING}?due=overdue" == carla.route
    assert before != carla.find('[data-hook="assistant"]').get_attribute("data-conversation")


@pytest.mark.parametrize("route", ["/", "/receivables/nowhere", "/receivables"])
def test_an_unknown_path_leads_to_the_first_screen(carla: Person, route: str) -> None:
    """And the address says so."""
    carla.open(route)

    assert PENDING == carla.route


def test_page_parameters_leave_the_address_and_stay_with_the_tab(carla: Person) -> None:
    """The address stays one that can be shared; a reload keeps the tab as it was set up; an empty value takes it back."""
    carla.open(f"{PENDING}?due=overdue", mode="meta", fault="no-settle")
    shown = carla.find(".badge").all_text_contents()
    carla.page.reload()
    carla.settled()
    kept = carla.find(".badge").all_text_contents()
    carla.open(PENDING, mode="", fault="")

    assert ["meta mode", "fault: no-settle"] == shown == kept
    assert [] == carla.find(".badge").all_text_contents()
    assert PENDING == carla.route


def test_an_unknown_fault_is_told(carla: Person) -> None:
    """Nothing breaks, and nobody is left to believe that a defect is in."""
    seen = carla.open(PENDING, fault="no-such-fault", setting="colour:red")

    assert ("Setting colour was not understood.", "The fault no-such-fault can't be loaded.") == seen.notices
    assert 0 < len(seen.rows)


def test_the_keyboard_reaches_everything(carla: Person) -> None:
    """Skip link, navigation and rows in their order; a chase is opened, written and closed without a mouse."""
    carla.open(PENDING)
    keyboard = carla.page.keyboard

    keyboard.press("Tab")
    skip = carla.page.evaluate("document.activeElement.textContent")
    carla.find('[data-act="open-chase"]').first.focus()
    keyboard.press("Enter")
    carla.wait('[data-dialog="chase"]:visible')
    carla.settled()
    field = carla.page.evaluate("document.activeElement.dataset.field")
    keyboard.press("Escape")
    carla.page.wait_for_selector('[data-dialog="chase"]', state="hidden")

    assert "Skip to the screen" == skip
    assert "remindersSent" == field
