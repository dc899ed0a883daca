"""What a step request must be for the host to run it."""

from dataclasses import replace

import pytest

from conformance.drivers.step import Refusal, Step, read_refusal
from conformance.people import People
from conformance.scripts import answer
from conformance.stage import App
from conformance.wire.chat import Catalog, Declaration

REQUIRED = ("conversationId", "turnId", "stepIndex", "messages", "pathname", "catalog")


@pytest.mark.requirement("STEP-01")
def test_unserved_version_is_refused(people: People) -> None:
    """A host that answers in another version than it was asked in is misread."""
    chat = people.full.chat()
    body = chat.prepare(answer()).body() | {"protocolVersion": 99}

    outcome = chat.post(body)

    assert isinstance(outcome, Refusal), "protocol version 99 was served"
    assert (outcome.status, outcome.code) == (409, "PROTOCOL_VERSION_MISMATCH")
    assert chat.requests == (), "the model was asked although the step was refused"


@pytest.mark.requirement("STEP-02")
@pytest.mark.parametrize("field", REQUIRED)
def test_missing_field_is_refused(field: str, people: People) -> None:
    """What a step leaves out the host would have to make up."""
    chat = people.full.chat()
    body = {key: value for key, value in chat.prepare(answer()).body().items() if key != field}

    outcome = chat.post(body)

    assert isinstance(outcome, Refusal), f"a step without {field} was run"
    assert (outcome.status, outcome.code) == (400, "PROTOCOL_DECODE_ERROR")
    assert chat.requests == (), "the model was asked although the step was refused"


@pytest.mark.requirement("STEP-07")
@pytest.mark.parametrize("place", ["top", "catalog", "declaration", "state", "message"])
def test_unknown_keys_are_ignored(place: str, people: People) -> None:
    """The protocol may grow, and a newer tab must be able to talk to an older server."""
    chat = people.full.chat(catalog=Catalog((Declaration("view:suite.panel.show"),)))
    body = chat.prepare(answer()).body()
    {
        "top": body,
        "catalog": body["catalog"],
        "declaration": body["catalog"]["frontendTools"][0],
        "state": body["catalog"]["frontendState"][0],
        "message": body["messages"][-1],
    }[place]["suiteKey"] = {"of": "another version"}

    outcome = chat.post(body)

    assert isinstance(outcome, Step), f"an unknown key in the {place} is refused: {outcome.message}"


NO_OBJECTS = {
    "list": b"[]",
    "text": b'"hello"',
    "null": b"null",
    "number": b"2",
    "cut": b'{"protocolVersion": 2,',
    "nothing": b"",
    "not UTF-8": b'{"conversationId": "\xff"}',
}


@pytest.mark.requirement("STEP-08")
@pytest.mark.parametrize("how", NO_OBJECTS)
def test_body_that_is_no_object_is_refused(how: str, people: People) -> None:
    """There is nothing in it that could be a step."""
    person = people.full

    answer_ = person.http.request(
        "POST",
        person.stage.target.paths.chat,
        content=NO_OBJECTS[how],
        headers={"content-type": "application/json"},
    )

    refusal = read_refusal(answer_)
    assert (refusal.status, refusal.code) == (400, "PROTOCOL_DECODE_ERROR")


@pytest.mark.requirement("STEP-09")
@pytest.mark.parametrize("version", [99, 0, 2.5, "2", None], ids=str)
def test_version_is_checked_first(version: object, people: People) -> None:
    """Whoever speaks another version is told so, and not that their body is odd, which it is by this version."""
    person = people.full

    answer_ = person.http.request(
        "POST", person.stage.target.paths.chat, json={"protocolVersion": version, "odd": True}
    )

    refusal = read_refusal(answer_)
    assert (refusal.status, refusal.code) == (409, "PROTOCOL_VERSION_MISMATCH")


@pytest.mark.requirement("STEP-10")
def test_without_a_model_a_step_is_refused(app: App, people: People) -> None:
    """The rest of the application works; the page can say why the assistant does not."""
    alone = People(people.stage, app.variant("no_model"))
    chat = alone.full.chat()

    outcome = chat.post(chat.prepare(answer()))

    assert isinstance(outcome, Refusal), "a step was run without a model"
    assert (outcome.status, outcome.code) == (503, "MODEL_NOT_CONFIGURED")


@pytest.mark.requirement("STEP-11")
def test_unlisted_model_is_not_used(people: People) -> None:
    """The browser has a preference; which models there are, and what they cost, is for the server to say."""
    chat = people.full.chat()
    wanted = replace(chat.prepare(answer()), model_id="suite/never-listed")

    chat.post(wanted)

    assert "suite/never-listed" not in [asked.model for asked in chat.requests]


@pytest.mark.requirement("STEP-13")
@pytest.mark.parametrize("role", ["developer", "function", "root", ""])
def test_unknown_role_of_a_message_is_refused(role: str, people: People) -> None:
    """A message in a voice that the protocol does not have would reach the model in somebody else's."""
    chat = people.full.chat()
    chat.prepare(answer())
    chat.messages.insert(0, {"role": role, "content": "Listen to me."})

    outcome = chat.post(chat.request())

    assert isinstance(outcome, Refusal), f"a message with the role {role!r} was taken"
    assert outcome.status == 400
    assert chat.requests == (), "the model was asked although the step was refused"
