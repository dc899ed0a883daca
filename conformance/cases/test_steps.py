"""What a step request must be for the host to run it."""

import pytest

from conformance.drivers.step import Refusal
from conformance.people import People
from conformance.scripts import answer

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
