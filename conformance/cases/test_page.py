"""What only a browser shows: texts that would rather be something else, and hands that are quicker than the page."""

from collections.abc import Iterator

import pytest

from conformance.bound import as_object, bound_seat
from conformance.drivers.listener import Listener
from conformance.errors import Untested
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import calling
from conformance.seat import Seat
from conformance.target import Target
from fake_model import call, reason, say, script, step

STEERING = "\x1b[31m\u202egnp.exe\u202c\u200b\x07"
FOREIGN = ("*", "http:", "https:", "data:", "blob:", "'unsafe-inline'", "'unsafe-eval'")


@pytest.fixture
def listener() -> Iterator[Listener]:
    """A listener that nobody has a reason to speak to."""
    with Listener() as running:
        yield running


def seat_with(people: People, target: Target, text: str) -> Seat:
    """A page on which one text stands wherever a person, a model and a tool can put one."""
    role = target.view_role("contextual")
    if not role.overridable:
        raise Untested("view.contextual.overridable")
    seat = bound_seat(people, role)
    given = {**as_object(role.input), role.overridable[0]: text}
    written = step(reason(text), say(text), call(role.capability, given))
    seat.send(script(written, say(text)), text)
    seat.page.let_load()
    return seat


@pytest.mark.requirement("PAGE-01")
def test_text_is_no_markup(people: People, target: Target) -> None:
    """What a model repeats from an invoice's note must not be able to draw a button on the page."""
    seat = seat_with(people, target, 'See <b id="dp-canary">this</b> <img id="dp-canary-too" src="/nowhere">')

    assert seat.page.count('#dp-canary, [id="dp-canary-too"]') == 0
    said = [line.text for line in seat.visible().transcript]
    assert [text for text in said if '<b id="dp-canary">' in text], f"the text itself is not shown: {said}"


@pytest.mark.requirement("PAGE-02")
def test_text_makes_no_request(people: People, target: Target, listener: Listener) -> None:
    """An image in a note tells its author that it was read, by whom, and what else the address was made to carry."""
    address = f"{listener.url}/canary"
    hostile = f'<img src="{address}.png"> ![x]({address}.gif) <link rel="stylesheet" href="{address}.css"> {address}'

    seat_with(people, target, hostile)

    assert listener.heard == ()


@pytest.mark.requirement("PAGE-03")
def test_address_is_no_link(people: People, target: Target, listener: Listener) -> None:
    """A click on what looks like the application's own must not lead elsewhere."""
    seat = seat_with(people, target, f"Pay at {listener.url}/pay or [here]({listener.url}/pay).")

    assert seat.page.count(f'a[href^="{listener.url}"], area[href^="{listener.url}"]') == 0


@pytest.mark.requirement("PAGE-04")
def test_steering_characters_are_shown(people: People, target: Target) -> None:
    """A text that reads from right to left, or hides a part of itself, is approved as something that it is not."""
    seat = seat_with(people, target, f"Open {STEERING} now")

    said = [line.text for line in seat.visible().transcript if "Open " in line.text]
    obeyed = [letter for text in said for letter in text if letter in STEERING and not letter.isprintable()]
    assert said, "the text is not shown at all"
    assert obeyed == []


@pytest.mark.requirement("PAGE-05")
def test_page_has_a_policy(people: People) -> None:
    """The second line, should a text become markup after all: there is nothing that it may run or ask for."""
    seat = people.full.tab()
    seat.open("main")

    policy = seat.page.policy
    scripts = policy.get("script-src") or policy.get("default-src") or ()
    loose = {name: values for name, values in policy.items() if set(values) & {"*", "http:", "https:"}}
    assert scripts, "nothing limits the page's scripts"
    assert [value for value in scripts if value in FOREIGN] == []
    assert loose == {}


@pytest.mark.requirement("PAGE-06")
def test_double_click_decides_once(people: People, target: Target, roles: Roles) -> None:
    """A nervous hand says yes once."""
    role = roles("gated")
    seat = people.full.tab()
    seat.open(role.route)
    seat.send(calling(role))
    card = seat.look_until(lambda seen: seen.approvals, "showed an approval card").approvals[0]

    seat.page.approve_by_double_click(card.id)
    seat.page.let_load()

    path = f"{target.paths.approvals}/{card.id}"
    decisions = [asked for asked in seat.wire.asked if (asked.method, asked.path) == ("POST", path)]
    assert len(decisions) == 1
