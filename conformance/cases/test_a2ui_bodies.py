"""How a click travels: strict JSON of a bounded size, in the envelope of the connection."""

import json
from typing import Any

import pytest

from conformance.a2ui.submission import RPC_ID, VALUES, envelope
from conformance.a2ui.templates import form
from conformance.drivers.a2ui import renamed
from conformance.interactions import Card, present
from conformance.people import People

DEEP = "[" * 20_000 + "]" * 20_000
HUGE = "1" + "0" * 400
LOOSE = {
    "NaN": ("4321", "NaN"),
    "Infinity": ("4321", "-Infinity"),
    "beyond a double": ("4321", "1e400"),
    "integer beyond a double": ("4321", HUGE),
    "deep nesting": ("4321", DEEP),
    "repeated key": ('"rpcId":', '"rpcId": "twice", "rpcId":'),
    "repeated value": ('"dataModel": {', '"dataModel": {"reference": "HAL-1", '),
    "lone surrogate": ("HAL-0310", "\\ud800"),
    "comment": ('{"type"', '/* hello */ {"type"'),
    "trailing comma": ("}}", "},}"),
    "cut": ("}}", "}"),
}
"""What replaces what in the text of a valid body."""


def text_of(card: Card, **entered: Any) -> str:
    """The body of a valid click as text, in which the slider stands at 4321 where that is asked for."""
    click = card.click(**entered)
    payload = renamed(click.payload, card.interactions.table.names)
    return json.dumps(envelope("action", payload), ensure_ascii=False)


def sliding(people: People) -> Card:
    """A card with a text, and a slider that reaches to 5000."""
    return present(
        people.full,
        form(
            {"id": "reference", "label": "Reference", "type": "text"},
            {"id": "remark", "label": "Remark", "type": "long_text"},
            {"id": "share", "label": "Share", "type": "range", "min": 0, "max": 5000},
        ),
    )


@pytest.mark.requirement("A2UI-57")
@pytest.mark.parametrize("what", LOOSE)
def test_loose_json_is_refused(what: str, people: People) -> None:
    """Python reads what is no JSON, and of two values under one name the last; nobody entered any of that."""
    card = sliding(people)
    before, after = LOOSE[what]
    text = text_of(card, Share=4321)
    assert before in text

    receipt = card.interactions.post_text(text.replace(before, after, 1))

    assert not receipt.accepted
    assert receipt.answer.status == 400, f"answered with {receipt.answer.status}: {receipt.answer.text[:120]}"


@pytest.mark.requirement("A2UI-57")
def test_after_loose_json_the_card_is_open(people: People) -> None:
    """A body that can't be read says nothing about any card."""
    card = sliding(people)
    text = text_of(card, Share=4321)

    card.interactions.post_text(text.replace("4321", "NaN"))

    assert card.interactions.post_text(text).accepted


@pytest.mark.requirement("A2UI-40")
def test_minus_zero_is_zero(people: People) -> None:
    """JSON has it, and a slider that begins at 0 has it too."""
    card = sliding(people)

    receipt = card.interactions.post_text(text_of(card, Share=4321).replace("4321", "-0.0"))

    assert receipt.accepted, f"a valid click is refused: {receipt.reason}"
    entered = {"reference": "HAL-0310", "remark": VALUES["Remark"], "share": 0}
    assert card.told() == {"status": "submitted", "action": "send", "values": entered}


def padded(card: Card, size: int, letter: str) -> str:
    """The body of a valid click with exactly so many bytes, filled up in the remark."""
    room = size - len(text_of(card, Share=1, Remark="").encode())
    count = room // len(letter.encode())
    rest = "x" * (room - count * len(letter.encode()))
    return text_of(card, Share=1, Remark=letter * count + rest)


@pytest.mark.requirement("A2UI-58")
@pytest.mark.parametrize("letter", ["x", "λ"], ids=["one byte", "two bytes"])
def test_larger_body_is_refused(letter: str, people: People) -> None:
    """What is submitted stays in the conversation and is read again in every step."""
    card = sliding(people)
    text = padded(card, card.interactions.table.bounds.payload_bytes + 1, letter)

    receipt = card.interactions.post_text(text)

    assert not receipt.accepted
    assert card.interactions.post_text(text_of(card, Share=1)).accepted


@pytest.mark.requirement("A2UI-59")
@pytest.mark.parametrize("letter", ["x", "λ"], ids=["one byte", "two bytes"])
def test_body_at_its_bound_is_accepted(letter: str, people: People) -> None:
    """What is allowed is allowed to the end."""
    card = sliding(people)

    receipt = card.interactions.post_text(padded(card, card.interactions.table.bounds.payload_bytes, letter))

    assert receipt.accepted, f"a body of exactly the bound is refused: {receipt.reason}"


ENVELOPES: dict[str, dict[str, Any]] = {
    "another type": {"type": "client-response"},
    "another method": {"method": "cancel"},
    "no such method": {"method": "approve"},
    "number as its id": {"rpcId": 1},
    "one more member": {"suite_key": 1},
}


@pytest.mark.requirement("A2UI-60")
@pytest.mark.parametrize("what", ENVELOPES)
def test_other_envelope_is_a_bad_request(what: str, people: People) -> None:
    """The connection carries other requests too; what is none of them is answered as such."""
    card = sliding(people)
    payload = renamed(card.click(Share=1).payload, card.interactions.table.names)

    receipt = card.interactions.post({**envelope("action", payload), **ENVELOPES[what]})

    assert (receipt.accepted, receipt.code) == (False, "bad-request")


@pytest.mark.requirement("A2UI-60")
@pytest.mark.parametrize("member", ["type", "rpcId", "method", "payload"])
def test_incomplete_envelope_is_a_bad_request(member: str, people: People) -> None:
    """Each member of it is needed to tell what is asked."""
    card = sliding(people)
    payload = renamed(card.click(Share=1).payload, card.interactions.table.names)
    body = {key: value for key, value in envelope("action", payload).items() if key != member}

    receipt = card.interactions.post(body)

    assert (receipt.accepted, receipt.code) == (False, "bad-request")


@pytest.mark.requirement("A2UI-61")
@pytest.mark.parametrize("valid", [True, False], ids=["accepted", "refused"])
def test_reply_names_its_request(valid: bool, people: People) -> None:
    """A page has several requests under way."""
    card = sliding(people)
    click = card.click(Share=1 if valid else 9999)

    assert card.interactions.submit(click).rpc_id == RPC_ID


@pytest.mark.requirement("A2UI-62")
@pytest.mark.parametrize(
    "media_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_other_media_type_is_refused(media_type: str, people: People) -> None:
    """A form on any page can send these without the browser asking anybody."""
    card = sliding(people)

    receipt = card.interactions.post_text(text_of(card, Share=1), content_type=media_type)

    assert (receipt.accepted, receipt.answer.status) == (False, 415)
