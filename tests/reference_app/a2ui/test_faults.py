"""Defects of the cards, seen from outside: each shows what it says, and the sound application does not show it."""

from __future__ import annotations

import json
import select
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fake_model import FakeModel, call, say, script, step
from reference_app.faults import installed
from reference_app.settings import Settings, Tunables
from reference_app.strict_json import dumps
from tests.reference_app.a2ui.presenting import ACCEPTED, BAD, NOT_PENDING, Cards, Presented, envelope, post
from tests.reference_app.a2ui.templates import CHOICE, FILLED, FORM, OPTIONS, REVIEW, SEND, STATUS
from tests.reference_app.running import Tab, client, running, user, with_model

Look = Callable[[Cards], Any]


@contextmanager
def defective(fault: str) -> Iterator[Cards]:
    """The application with a defect, and its model."""
    with (
        installed([fault]),
        FakeModel() as model,
        running(with_model(Settings(demo_controls=True, a2ui=True), model.url)) as url,
        client(url) as nobody,
    ):
        cards = Cards(url, model, nobody)
        yield cards
        cards.leave()


def presents(template: Any, **tab: Any) -> Look:
    """Whether a template is presented."""

    def look(cards: Cards) -> bool:
        return bool(cards.present(template, **tab).step.finish["pendingToolCalls"])

    return look


def compiled(template: Any, what: Callable[[Any], Any]) -> Look:
    """Something of the messages of a template."""
    return lambda cards: what(cards.present(template).look().json()["messages"])


def ids(messages: Any) -> list[str]:
    """The ids of the components."""
    return [part["id"] for part in messages[1]["updateComponents"]["components"]]


def kinds(messages: Any) -> set[str]:
    """The kinds of the components."""
    return {str(part["component"]) for part in messages[1]["updateComponents"]["components"]}


def sends(template: Any, model: Any, action: str = "send", **event: Any) -> Look:
    """The reply to a submission with another event."""

    def look(cards: Cards) -> Any:
        card = cards.present(template)
        payload = card.payload(model, action)
        payload["message"]["action"].update(event)
        return post(card.person.http, "action", payload)

    return look


def twice(first: Any, second: Any) -> Look:
    """The replies to two submissions."""

    def look(cards: Cards) -> Any:
        card = cards.present(CHOICE)
        return [card.answer({"choice": given}) for given in (first, second)]

    return look


def result(cards: Cards) -> Any:
    """What the model reads."""
    card = cards.present(REVIEW)
    card.answer({})
    return card.go_on({"status": "mine"})[1]


def as_conrad(method: str) -> Look:
    """The reply to somebody else."""

    def look(cards: Cards) -> Any:
        card = cards.present(REVIEW)
        payload = card.payload({}) if method == "action" else {"session": card.session, "call": card.call}
        return post(cards.person("conrad").http, method, payload)

    return look


def conrad_looks(cards: Cards) -> int:
    """The status of somebody else's look."""
    return cards.present(REVIEW).look(cards.person("conrad")).status_code


def anonymous(cards: Cards) -> int:
    """The status of nobody's submission."""
    card = cards.present(REVIEW)
    return cards.nobody.post("/a2ui/action", json=envelope("action", card.payload({}))).status_code


def headed(**headers: str) -> Look:
    """The status of a submission with other headers."""

    def look(cards: Cards) -> int:
        card = cards.present(REVIEW)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return card.person.http.post(
            "/a2ui/action", json=envelope("action", card.payload({})), headers=named
        ).status_code

    return look


def late(cards: Cards) -> Any:
    """The reply after the deadline."""
    card = cards.present(REVIEW)
    cards.nobody.post("/api/demo/clock", json={"advance": 601}).raise_for_status()
    return card.answer({})


def after_going_on(cards: Cards) -> Any:
    """The reply after the next step."""
    card = cards.present(REVIEW)
    card.go_on()
    return card.answer({})


def after_cancel(cards: Cards) -> Any:
    """The reply after the card was closed."""
    card = cards.present(REVIEW)
    card.withdraw()
    return card.answer({})


def misplaced(**changes: str) -> Look:
    """The reply to a submission that names another conversation or call."""

    def look(cards: Cards) -> Any:
        card = cards.present(REVIEW)
        return post(card.person.http, "action", {**card.payload({}), **changes})

    return look


def counter(cards: Cards) -> Any:
    """What a click does to the lab's counter."""
    card = cards.present({**REVIEW, "actions": [{**SEND, "name": "lab_bump"}]})
    card.answer({}, "lab_bump")
    return card.person.call("lab-count")["value"]


def raw(text: bytes) -> Look:
    """The status of a body."""

    def look(cards: Cards) -> int:
        return (
            cards.person("carla")
            .http.post("/a2ui/action", content=text, headers={"content-type": "application/json"})
            .status_code
        )

    return look


def rpc_id(cards: Cards) -> Any:
    """Which request a reply answers."""
    return cards.person("carla").http.post("/a2ui/action", json=envelope("action", {})).json()["rpcId"]


def clicked(action: str, look: Callable[[Cards, Presented], Any], **values: str) -> Look:
    """What an accepted click on an action, with texts entered, leaves behind."""

    def see(cards: Cards) -> Any:
        kept = {name: member for name, member in REVIEW.items() if name != "items"}
        fields = [{"id": name, "label": name, "type": "text"} for name in ("note", *values)]
        buttons = [{"name": action, "label": "Go"}]
        card = cards.present({**kept, "kind": "form", "fields": fields, "actions": buttons})
        assert ACCEPTED == card.answer({"note": "", **values}, action)
        return look(cards, card)

    return see


def tools_left(cards: Cards, card: Presented) -> bool:
    """Whether the next step offers what the first did."""
    card.go_on()
    first, second = card.run.exchanges
    return bool(first.request.tool_names == second.request.tool_names)


def gated_after(cards: Cards, card: Presented) -> Any:
    """What becomes of a gated call after a click."""
    run = cards.model.play(script(step(call("domain:lab-gated-bump", {})), say("Done.")))
    messages = (*card.tab.messages, user(run.prompt("more")))
    tab = replace(card.tab, messages=messages, turn="turn-2", pathname="/lab")
    return card.person.step(tab.body()).results[0]["status"]


def approvals_left(cards: Cards, card: Presented) -> int:
    """How many approvals wait after a click; one was asked for before it."""
    return len(card.person.cards())


def with_approval(look: Look) -> Look:
    """The same, with an approval that waits."""

    def see(cards: Cards) -> Any:
        person = cards.person("carla")
        run = cards.model.play(script(step(call("domain:lab-gated-bump", {})), say("Done.")))
        person.step(Tab("approvals", (user(run.prompt("go")),), pathname="/lab").body())
        return look(cards)

    return see


def later(cards: Cards) -> Any:
    """What the model reads of an answer in a later turn."""
    card = cards.present(CHOICE)
    card.answer({"choice": ["a"]})
    first, _ = card.go_on()
    run = cards.model.play(script(say("Yes.")))
    before = card.tab.after(card.step, {"status": "pending"})
    messages = (*before.messages, *first.finish["responseMessages"], user(run.prompt("and?")))
    card.person.step(replace(card.tab, messages=messages, turn="turn-2").body())
    return next(result.at("/values") for result in run.exchanges[0].request.all_results)


def racing(cards: Cards) -> bool:
    """Whether several submissions that race are accepted."""
    card = cards.present(REVIEW)
    people = [cards.person("carla") for _ in range(6)]
    with ThreadPoolExecutor(len(people)) as pool:
        replies = list(pool.map(lambda person: post(person.http, "action", card.payload({})), people))
    return replies.count(ACCEPTED) > 1


def sized(size: int) -> Look:
    """Whether a body of a size is read."""

    def look(cards: Cards) -> bool:
        note = {"id": "note", "label": "Note", "type": "long_text"}
        card = cards.present({**FORM, "fields": [note]})
        empty = json.dumps(envelope("action", card.payload({"note": ""}))).encode()
        body = empty.replace(b'"note": ""', b'"note": "' + b"x" * (size - len(empty)) + b'"')
        answer = card.person.http.post(
            "/a2ui/action", content=body, headers={"content-type": "application/json"}
        )
        return bool(answer.json()["result"]["value"]["accepted"])

    return look


def weighing(size: int, filler: str) -> Look:
    """Whether a template of so many bytes is presented."""
    options = [{"value": f"{n:02}", "label": filler * 60} for n in range(20)]
    fields = [{"id": f"f{n}", "label": "L", "type": "single_choice", "options": options} for n in range(20)]
    whole = {**FORM, "fields": fields[: 10 if filler != "x" else 20], "description": "d"}
    room = size - len(dumps(whole))
    texts = [{"id": f"t{n}", "label": "L", "type": "long_text", "default": "x"} for n in range(1)]
    whole["fields"] = [*whole["fields"][:19], *texts]
    room = size - len(dumps(whole))
    whole["fields"][-1] = {**texts[0], "default": "x" * (room + 1)}
    assert size == len(dumps(whole))
    return presents(whole)


def field(**members: Any) -> dict[str, Any]:
    """A form with one field."""
    return {**FORM, "fields": [{"id": "x", "label": "X", "type": "text", **members}]}


SEEN: list[tuple[str, Look, Any, Any]] = [
    ("a2ui-offered-by-page", presents(REVIEW, pathname="/about"), True, False),
    (
        "a2ui-bytes-unbounded",
        presents(
            {
                **field(),
                "fields": [
                    {
                        "id": f"f{n}",
                        "label": "L",
                        "type": "single_choice",
                        "options": [
                            {"value": f"{n:02}{m:02}" + "😀" * 60, "label": "😀" * 80} for m in range(20)
                        ],
                    }
                    for n in range(20)
                ],
            }
        ),
        False,
        True,
    ),
    ("a2ui-unknown-kinds", presents({**REVIEW, "kind": "page"}), False, True),
    ("a2ui-raw-catalog", presents({**REVIEW, "html": "<b>"}), False, True),
    ("a2ui-password-field", presents(field(type="password")), False, True),
    ("a2ui-long-texts", presents({**REVIEW, "title": "x" * 121}), False, True),
    ("a2ui-short-texts", presents({**REVIEW, "title": "x" * 120}), True, False),
    (
        "a2ui-long-lists",
        presents({**CHOICE, "actions": [{**SEND, "name": f"a{n}"} for n in range(4)]}),
        False,
        True,
    ),
    (
        "a2ui-short-lists",
        presents({**CHOICE, "actions": [{**SEND, "name": f"a{n}"} for n in range(3)]}),
        True,
        False,
    ),
    ("a2ui-empty-texts", presents({**REVIEW, "title": ""}), False, True),
    ("a2ui-unknown-members", presents(field(hint="x")), False, True),
    ("a2ui-any-names", presents(field(id="No Name")), False, True),
    ("a2ui-duplicates", presents({**CHOICE, "options": [*OPTIONS, OPTIONS[0]]}), False, True),
    ("a2ui-no-fallback", presents({k: v for k, v in REVIEW.items() if k != "fallback_text"}), False, True),
    ("a2ui-odd-defaults", presents(field(type="range", min=5, max=1)), False, True),
    ("a2ui-odd-defaults", presents(field(type="number", max=1, default=2)), False, True),
    (
        "a2ui-issues-without-paths",
        lambda cards: cards.present(field(hint="x")).step.results[0]["error"]["details"]["issues"][0]["path"],
        ["fields", "0", "hint"],
        [],
    ),
    ("a2ui-status-with-actions", presents({**STATUS, "actions": [SEND]}), False, True),
    ("a2ui-messages-shuffled", compiled(REVIEW, lambda m: "updateDataModel" in m[1]), False, True),
    ("a2ui-version-091", compiled(REVIEW, lambda m: m[0]["version"]), "v0.9", "v0.9.1"),
    ("a2ui-compiled-anew", compiled(REVIEW, lambda m: "title" in ids(m)), True, False),
    (
        "a2ui-catalog-v091",
        compiled(REVIEW, lambda m: "v0_9_1" in m[0]["createSurface"]["catalogId"]),
        False,
        True,
    ),
    ("a2ui-nested-components", compiled(REVIEW, lambda m: "Text" in kinds(m)), True, False),
    ("a2ui-root-renamed", compiled(REVIEW, lambda m: "root" in ids(m)), True, False),
    ("a2ui-image-component", compiled(REVIEW, lambda m: "Image" in kinds(m)), False, True),
    (
        "a2ui-links",
        compiled(
            {**REVIEW, "items": [{"label": "x", "value": "https://a.test"}]}, lambda m: "openUrl" in str(m)
        ),
        False,
        True,
    ),
    ("a2ui-off-schema", compiled(REVIEW, lambda m: "weight" in str(m)), False, True),
    ("a2ui-off-graph", compiled(REVIEW, lambda m: "nowhere" in str(m)), False, True),
    ("a2ui-duplicate-ids", compiled(REVIEW, lambda m: ids(m).count("title")), 1, 2),
    ("a2ui-function-call", compiled(REVIEW, lambda m: "formatString" in str(m)), False, True),
    ("a2ui-unbound-path", compiled(CHOICE, lambda m: m[2]["updateDataModel"]["value"]), {"choice": []}, {}),
    (
        "a2ui-shared-surface",
        lambda cards: cards.present(REVIEW).look().json()["surfaceId"].endswith(":card"),
        False,
        True,
    ),
    ("a2ui-extra-button", compiled(REVIEW, lambda m: "action-close" in ids(m)), False, True),
    (
        "a2ui-defaults-lost",
        compiled(field(default="d"), lambda m: m[2]["updateDataModel"]["value"]),
        {"x": "d"},
        {"x": ""},
    ),
    (
        "a2ui-result-empty",
        result,
        {"status": "submitted", "action": "send", "values": {}},
        {"status": "submitted"},
    ),
    ("a2ui-posted-result", lambda cards: result(cards)["status"], "submitted", "mine"),
    ("a2ui-any-session", misplaced(session="other"), NOT_PENDING, ACCEPTED),
    ("a2ui-any-call", misplaced(call="other"), NOT_PENDING, ACCEPTED),
    ("a2ui-any-surface", sends(REVIEW, {}, surfaceId="other"), BAD, ACCEPTED),
    ("a2ui-any-component", sends(REVIEW, {}, sourceComponentId="root"), BAD, ACCEPTED),
    ("a2ui-any-component", sends(CHOICE, {"choice": []}, sourceComponentId="action-skip"), BAD, BAD),
    ("a2ui-any-action", sends(REVIEW, {}, name="other"), BAD, ACCEPTED),
    ("a2ui-any-action", sends(CHOICE, {"choice": []}, name="skip"), BAD, BAD),
    ("a2ui-crossed-actions", sends(CHOICE, {"choice": []}, name="skip"), BAD, ACCEPTED),
    ("a2ui-crossed-actions", sends(REVIEW, {}, sourceComponentId="root"), BAD, BAD),
    ("a2ui-incomplete-model", sends(CHOICE, {}), BAD, ACCEPTED),
    ("a2ui-extra-values", sends(REVIEW, {"more": 1}), BAD, ACCEPTED),
    ("a2ui-loose-types", sends(FORM, {**FILLED, "urgent": 1}), BAD, ACCEPTED),
    ("a2ui-loose-types", sends(FORM, {**FILLED, "level": 9}), BAD, BAD),
    ("a2ui-any-values", sends(FORM, {**FILLED, "level": 9}), BAD, ACCEPTED),
    ("a2ui-any-values", sends(FORM, {**FILLED, "urgent": 1}), BAD, BAD),
    ("a2ui-loose-message", sends(REVIEW, {}, timestamp="yesterday"), BAD, ACCEPTED),
    ("a2ui-slot-burnt", twice(["c"], ["a"]), [BAD, ACCEPTED], [BAD, NOT_PENDING]),
    ("a2ui-second-wins", twice(["a"], ["b"]), [ACCEPTED, NOT_PENDING], [ACCEPTED, ACCEPTED]),
    ("a2ui-race", twice(["a"], ["b"]), [ACCEPTED, NOT_PENDING], [ACCEPTED, NOT_PENDING]),
    ("a2ui-no-deadline", late, NOT_PENDING, ACCEPTED),
    ("a2ui-cancel-ignored", after_cancel, NOT_PENDING, ACCEPTED),
    ("a2ui-pending-forever", after_going_on, NOT_PENDING, ACCEPTED),
    ("a2ui-loose-json", raw(b'{"type": NaN}'), 400, 200),
    ("a2ui-loose-json", raw(b"[" * 100_000), 200, 200),
    ("a2ui-rpc-id-lost", rpc_id, "r1", "invalid-request"),
    ("a2ui-any-media-type", headed(content_type="text/plain"), 415, 200),
    ("a2ui-any-host", headed(host="ledger.example"), 403, 200),
    ("a2ui-any-origin", headed(origin="http://ledger.example"), 403, 200),
    ("a2ui-any-owner", as_conrad("action"), NOT_PENDING, ACCEPTED),
    ("a2ui-trusted-owns", as_conrad("action"), NOT_PENDING, NOT_PENDING),
    ("a2ui-owner-tells", as_conrad("action"), NOT_PENDING, BAD),
    ("a2ui-cancel-any-owner", as_conrad("cancel"), NOT_PENDING, ACCEPTED),
    ("a2ui-anonymous", anonymous, 401, 200),
    ("a2ui-look-open", conrad_looks, 404, 200),
    ("a2ui-action-writes", counter, 0, 1),
    ("a2ui-action-plugin", clicked("install", tools_left), True, False),
    ("a2ui-action-plugin", clicked("send", tools_left), True, True),
    ("a2ui-action-waives-gate", clicked("send", gated_after), "approval-required", "ok"),
    ("a2ui-action-approves", with_approval(clicked("approve", approvals_left)), 1, 0),
    ("a2ui-values-hidden", later, {"choice": ["a"]}, "***"),
    ("a2ui-race", racing, False, True),
    ("a2ui-body-unbounded", sized(65_537), False, True),
    ("a2ui-body-off-by-one", sized(65_536), True, False),
    ("a2ui-bytes-off-by-one", weighing(65_536, "x"), True, False),
    ("a2ui-bytes-as-characters", weighing(65_537, "€"), False, True),
    (
        "a2ui-loose-envelope",
        lambda cards: (
            cards.person("carla")
            .http.post("/a2ui/action", json=envelope("cancel", {}))
            .json()["result"]["ok"]
        ),
        False,
        True,
    ),
]


@pytest.mark.parametrize(("fault", "look", "sound", "broken"), SEEN, ids=[seen[0] for seen in SEEN])
def test_a_defect_shows(cards: Cards, *, fault: str, look: Look, sound: Any, broken: Any) -> None:
    """A defect that nobody can see would be counted as a case that cannot fail; one that shows elsewhere, as a wrong kill."""
    assert sound == look(cards)

    with defective(fault) as other:
        assert broken == look(other)


@pytest.mark.parametrize("fault", ["a2ui-action-shell", "a2ui-action-file"])
def test_a_click_that_reaches_the_machine_shows(cards: Cards, tmp_path: Path, fault: str) -> None:
    """The sound application does nothing with a text but to hand it on."""
    made = tmp_path / "made"
    text = f"sh: touch {made}" if fault.endswith("shell") else str(made)
    look = clicked("send", lambda *_: made.exists(), command=text)

    assert not look(cards)
    with defective(fault) as other:
        assert look(other)


def test_a_click_that_reaches_the_network_shows(cards: Cards) -> None:
    """The sound application connects to nothing that a text names."""
    with socket.create_server(("127.0.0.1", 0)) as canary:
        address = f"http://127.0.0.1:{canary.getsockname()[1]}/"
        look = clicked("send", lambda *_: select.select([canary], [], [], 0)[0] != [], address=address)

        assert not look(cards)
        with defective("a2ui-action-fetch") as other:
            assert look(other)


def test_a_trusted_host_that_owns_everything_shows(cards: Cards) -> None:
    """Under trusted-host alone."""
    tunables = Tunables(a2ui_authority="trusted-host")
    settings = replace(with_model(Settings(a2ui=True), cards.model.url), tunables=tunables)
    found = []
    for fault in ((), ("a2ui-trusted-owns",)):
        with installed(fault), running(settings) as url, client(url) as nobody:
            trusting = Cards(url, cards.model, nobody)
            found.append(as_conrad("action")(trusting))
            trusting.leave()

    assert [NOT_PENDING, ACCEPTED] == found


def test_a_card_that_outlives_its_process_shows(cards: Cards, tmp_path: Path) -> None:
    """After a restart it can still be answered."""
    settings = with_model(Settings(data_dir=tmp_path, a2ui=True), cards.model.url)
    with running(settings) as url:
        before = Cards(url, cards.model, cards.nobody)
        card = before.present(REVIEW)
        before.leave()
    found = []
    for fault in ((), ("a2ui-outlives-restart",)):
        with installed(fault), running(settings) as url:
            after = Cards(url, cards.model, cards.nobody)
            found.append(replace(card, person=after.person("carla")).answer({}))
            after.leave()

    assert [NOT_PENDING, ACCEPTED] == found
