"""Who may answer a card: its owner, from the application's own page, at the host name that is trusted."""

import json
from typing import Any

import pytest

from conformance.a2ui.submission import Submission, changed, envelope
from conformance.a2ui.templates import form, review
from conformance.drivers.a2ui import Receipt, renamed
from conformance.errors import Untested
from conformance.interactions import interactions_of, present
from conformance.people import People, Person
from conformance.stage import App
from conformance.target import Target

FOREIGN_HOSTS = (
    "example.test",
    "example.test:80",
    "127.0.0.1.example.test",
    "localhost.example.test",
    "0.0.0.0",
)
FOREIGN_PAGES = {
    "another site": {"origin": "http://example.test"},
    "nobody's page": {"origin": "null"},
    "another port": {"origin": "http://127.0.0.1:1"},
    "a name that begins alike": {"origin": "http://127.0.0.1.example.test"},
    "what the browser says": {"sec_fetch_site": "cross-site"},
}


def sent(person: Person, click: Submission, **headers: str) -> Receipt:
    """Post a click with further request headers."""
    interactions = interactions_of(person)
    body = envelope("action", renamed(click.payload, interactions.table.names))
    return interactions.post_text(json.dumps(body, ensure_ascii=False), **headers)


@pytest.mark.requirement("A2UI-70")
@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_other_host_name_is_refused(host: str, people: People) -> None:
    """A name that leads to the loopback belongs to whoever registered it, and so does the page that it serves."""
    card = present(people.full, review())

    receipt = sent(people.full, card.click(), host=host)

    assert not receipt.accepted, f"a click that was sent to {host} counts"


@pytest.mark.requirement("A2UI-71")
@pytest.mark.parametrize("whose", FOREIGN_PAGES)
def test_foreign_page_is_refused(whose: str, people: People) -> None:
    """Any page can post to the loopback, with the cookies of whoever looks at it."""
    card = present(people.full, review())

    receipt = sent(people.full, card.click(), **FOREIGN_PAGES[whose])

    assert not receipt.accepted


@pytest.mark.requirement("A2UI-40")
def test_own_page_is_accepted(people: People) -> None:
    """The page that the host itself serves says where it is from, and that is here."""
    card = present(people.full, review())
    origin = people.stage.worker.instance.url

    receipt = sent(people.full, card.click(), origin=origin, sec_fetch_site="same-origin")

    assert receipt.accepted, f"a click from the application's own page is refused: {receipt.reason}"


def trusting(app: App, people: People, target: Target) -> tuple[People, str]:
    """The people at an instance that trusts another host name, and that name."""
    table = target.a2ui
    if table is None or table.trusted is None or not table.trusted_host:
        raise Untested("a2ui.trusted")
    return People(people.stage, app.variant(table.trusted)), table.trusted_host


@pytest.mark.requirement("A2UI-72")
@pytest.mark.parametrize("who", ["peer", "nobody"])
def test_trusted_name_is_no_authentication(who: str, app: App, people: People, target: Target) -> None:
    """The name in a request says how it came here, and nothing about who sent it."""
    there, host = trusting(app, people, target)
    card = present(there.full, review())
    click = card.click()

    receipt = sent(getattr(there, who), click, host=host)

    assert not receipt.accepted
    assert sent(there.full, click, host=host).accepted, "its owner's own click is refused at the trusted name"


@pytest.mark.requirement("A2UI-70")
def test_other_names_stay_refused(app: App, people: People, target: Target) -> None:
    """Trust in one name is no trust in all."""
    there, host = trusting(app, people, target)
    card = present(there.full, review())

    assert not sent(there.full, card.click(), host=f"not-{host}").accepted


@pytest.mark.requirement("A2UI-73")
@pytest.mark.parametrize("who", ["peer", "restricted"])
def test_click_of_somebody_else_is_refused(who: str, people: People) -> None:
    """What was asked of one person another can't answer for them, whatever they may do otherwise."""
    card = present(people.full, form())

    receipt = interactions_of(getattr(people, who)).submit(card.click())

    assert not receipt.accepted
    assert card.press().accepted, "somebody else's click closed the card"


@pytest.mark.requirement("A2UI-74")
def test_click_without_a_session_is_refused(people: People) -> None:
    """A click without a person is nobody's answer."""
    card = present(people.full, form())

    receipt = interactions_of(people.nobody).submit(card.click())

    assert not receipt.accepted
    assert card.press().accepted, "nobody's click closed the card"


@pytest.mark.requirement("A2UI-75")
@pytest.mark.parametrize("who", ["peer", "restricted", "nobody"])
def test_nobody_else_withdraws(who: str, people: People) -> None:
    """To close somebody's question is to answer it with silence."""
    card = present(people.full, form())

    receipt = interactions_of(getattr(people, who)).cancel(card.session, card.call)

    assert not receipt.accepted
    assert card.press().accepted, "the card was withdrawn by somebody else"


@pytest.mark.requirement("A2UI-76")
@pytest.mark.parametrize("what", ["valid", "wrong action", "wrong value", "wrong surface"])
def test_foreign_card_is_like_none(what: str, people: People) -> None:
    """An answer that differs tells that somebody is being asked something, and what fits."""
    card = present(people.full, form())
    payload = card.click().payload
    changes: dict[str, tuple[str, Any]] = {
        "valid": ("/message/version", "v0.9"),
        "wrong action": ("/message/action/name", "approve"),
        "wrong value": (f"/dataModel{card.surface.input('Urgent').path}", 1),
        "wrong surface": ("/message/action/surfaceId", "no-such-surface"),
    }
    foreign = changed(payload, *changes[what])
    invented = {**foreign, "call": "call_that_never_was"}

    seen, never = (answered(people.peer, one) for one in (foreign, invented))

    assert seen == never


def answered(person: Person, payload: dict[str, Any]) -> tuple[int, str]:
    """Status and body of the answer to a payload."""
    receipt = interactions_of(person).submit(payload)
    return receipt.answer.status, receipt.answer.text
