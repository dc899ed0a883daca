"""The limits of a step request: what is at one is served, what is past one is refused, and never cut to fit."""

from collections.abc import Callable
from typing import Any

import pytest

from conformance.drivers.chat import Conversation
from conformance.drivers.step import Refusal, Step
from conformance.people import People
from conformance.scripts import answer
from conformance.wire.chat import Catalog, Declaration, user_message

Body = dict[str, Any]
Change = Callable[[Body], None]
MOST_TOOLS = 128
MOST_MESSAGES = 400
DECODE_ERROR = (400, "PROTOCOL_DECODE_ERROR")


def top(key: str, value: object) -> Change:
    """Put a value at the top of the body."""
    return lambda body: body.update({key: value})


def within(key: str, value: object) -> Change:
    """Put a value into the catalog."""
    return lambda body: body["catalog"].update({key: value})


def tool(key: str, value: object) -> Change:
    """Put a value into the one declaration."""
    return lambda body: body["catalog"]["frontendTools"][0].update({key: value})


def state(key: str, value: object) -> Change:
    """Put a value into the one state."""
    return lambda body: body["catalog"]["frontendState"][0].update({"available": False, key: value})


def both_names(length: int) -> Change:
    """Give the one tool a wire name of some length, in its declaration and in its state."""

    def change(body: Body) -> None:
        for key in ("frontendTools", "frontendState"):
            body["catalog"][key][0]["wireName"] = "w" * length

    return change


def id_of_length(length: int) -> str:
    """A canonical id of some length."""
    return "view:suite." + "p" * (length - len("view:suite."))


AT_THE_LIMIT: dict[str, Change] = {
    "turnId": top("turnId", "t" * 64),
    "first stepIndex": top("stepIndex", 0),
    "last stepIndex": top("stepIndex", 64),
    "pathname": top("pathname", "/" + "p" * 511),
    "modelId": top("modelId", "m" * 128),
    "scope tokens": within("scope", ["s"] * 32),
    "scope token": within("scope", ["s" * 64]),
    "wireName": both_names(64),
    "canonicalId": tool("canonicalId", id_of_length(128)),
    "description": tool("description", "d" * 1000),
    "effect": tool("effect", "e" * 64),
    "unavailableReason": state("unavailableReason", "r" * 300),
    "note": state("note", "n" * 300),
    "truncated.dropped": within("truncated", {"dropped": 0, "reason": "limit"}),
}
PAST_THE_LIMIT: dict[str, Change] = {
    "conversationId too long": top("conversationId", "c" * 65),
    "conversationId empty": top("conversationId", ""),
    "turnId too long": top("turnId", "t" * 65),
    "turnId empty": top("turnId", ""),
    "stepIndex below": top("stepIndex", -1),
    "stepIndex above": top("stepIndex", 65),
    "pathname too long": top("pathname", "/" + "p" * 512),
    "pathname empty": top("pathname", ""),
    "modelId too long": top("modelId", "m" * 129),
    "no messages": top("messages", []),
    "too many scope tokens": within("scope", ["s"] * 33),
    "scope token too long": within("scope", ["s" * 65]),
    "wireName too long": both_names(65),
    "wireName empty": both_names(0),
    "canonicalId too long": tool("canonicalId", id_of_length(129)),
    "description too long": tool("description", "d" * 1001),
    "effect too long": tool("effect", "e" * 65),
    "unavailableReason too long": state("unavailableReason", "r" * 301),
    "note too long": state("note", "n" * 301),
    "truncated.dropped below": within("truncated", {"dropped": -1, "reason": "limit"}),
}
WRONG_TYPES: dict[str, Change] = {
    "conversationId": top("conversationId", 7),
    "turnId": top("turnId", None),
    "stepIndex as text": top("stepIndex", "0"),
    "stepIndex with a fraction": top("stepIndex", 0.5),
    "stepIndex as truth": top("stepIndex", True),
    "pathname": top("pathname", ["/"]),
    "messages": top("messages", {"0": {"role": "user", "content": "Hello."}}),
    "message": top("messages", ["Hello."]),
    "content": top("messages", [{"role": "user", "content": 7}]),
    "catalog": top("catalog", []),
    "mode": within("mode", "both"),
    "scope": within("scope", "app"),
    "frontendTools": within("frontendTools", {}),
    "plane": tool("plane", "other"),
    "inputSchema": tool("inputSchema", "object"),
    "confirmation": tool("confirmation", "sometimes"),
    "available": state("available", "no"),
    "truncated.reason": within("truncated", {"dropped": 1, "reason": "because"}),
}


def post_changed(people: People, change: Change) -> tuple[Conversation, Step | Refusal]:
    """Post a step of a tab with one tool, with one thing in its body changed."""
    chat = people.full.chat(catalog=Catalog((Declaration("view:suite.panel.show"),)))
    body = chat.prepare(answer()).body()
    change(body)
    return chat, chat.post(body)


@pytest.mark.requirement("STEP-03")
@pytest.mark.parametrize("what", AT_THE_LIMIT)
def test_field_at_its_limit_is_accepted(what: str, people: People) -> None:
    """A limit is the last value that is allowed."""
    _, outcome = post_changed(people, AT_THE_LIMIT[what])

    assert isinstance(outcome, Step), f"{what} at its limit is refused: {outcome.message}"


@pytest.mark.requirement("STEP-03")
def test_conversation_id_at_its_limit_is_accepted(people: People) -> None:
    """Sixty-four characters are an id like any other."""
    chat = people.full.chat()

    outcome = chat.post(chat.prepare(answer()).body() | {"conversationId": chat.id.ljust(64, "c")})

    assert isinstance(outcome, Step), f"an id of 64 characters is refused: {outcome.message}"


@pytest.mark.requirement("STEP-03")
def test_numbers_at_their_limit_are_accepted(people: People) -> None:
    """As many messages and tools as may be are no reason to refuse."""
    chat = people.full.chat(catalog=many_tools(MOST_TOOLS))
    chat.messages += [user_message(f"Line {number}.") for number in range(MOST_MESSAGES - 1)]

    outcome = chat.post(chat.prepare(answer()))

    assert isinstance(outcome, Step), f"400 messages and 128 tools are refused: {outcome.message}"


@pytest.mark.requirement("STEP-04")
@pytest.mark.parametrize("what", PAST_THE_LIMIT)
def test_field_past_its_limit_is_refused(what: str, people: People) -> None:
    """A field that is cut to fit would say something else."""
    chat, outcome = post_changed(people, PAST_THE_LIMIT[what])

    refused_unasked(chat, outcome, DECODE_ERROR)


@pytest.mark.requirement("STEP-12")
@pytest.mark.parametrize("what", WRONG_TYPES)
def test_field_of_the_wrong_type_is_refused(what: str, people: People) -> None:
    """What a text might have meant as a number is for its author to say."""
    chat, outcome = post_changed(people, WRONG_TYPES[what])

    refused_unasked(chat, outcome, DECODE_ERROR)


def refused_unasked(chat: Conversation, outcome: Step | Refusal, expected: tuple[int, str]) -> None:
    """A step was refused as expected, and the model was not asked for it."""
    assert isinstance(outcome, Refusal), "the step was run"
    assert (outcome.status, outcome.code) == expected
    assert chat.requests == (), "the model was asked although the step was refused"


def many_tools(number: int) -> Catalog:
    """A catalog of so many tools."""
    return Catalog(tuple(Declaration(f"view:suite.panel.show{index}") for index in range(number)))


@pytest.mark.requirement("STEP-05")
def test_too_many_tools_are_refused(people: People) -> None:
    """A tab that declares too much must leave something out itself; the message tells how much."""
    chat = people.full.chat(catalog=many_tools(MOST_TOOLS + 1))

    outcome = chat.post(chat.prepare(answer()))

    refused_unasked(chat, outcome, (413, "CATALOG_TOO_LARGE"))
    assert_named(outcome, MOST_TOOLS)


@pytest.mark.requirement("STEP-06")
def test_too_many_messages_are_refused(people: People) -> None:
    """A conversation that has grown too long must be shortened by who knows what may go."""
    chat = people.full.chat()
    chat.messages += [user_message(f"Line {number}.") for number in range(MOST_MESSAGES)]

    outcome = chat.post(chat.prepare(answer()))

    refused_unasked(chat, outcome, (413, "CATALOG_TOO_LARGE"))
    assert_named(outcome, MOST_MESSAGES)


def assert_named(outcome: Step | Refusal, most: int) -> None:
    """The refusal says how many there were and how many there may be."""
    assert isinstance(outcome, Refusal)
    missing = [str(number) for number in (most, most + 1) if str(number) not in outcome.message]
    assert missing == [], f"the message does not name {missing}: {outcome.message}"
