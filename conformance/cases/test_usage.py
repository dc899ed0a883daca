"""What a step cost, as the provider reported it: added up, never made up."""

import pytest

from conformance.drivers.chat import Conversation
from conformance.drivers.step import Step
from conformance.errors import Untested
from conformance.people import People
from conformance.roles import Roles
from conformance.wire.frames import Usage
from fake_model import call, say, script, status, step, usage


@pytest.mark.requirement("TELEMETRY-08")
def test_usage_is_the_sum_of_the_model_calls(people: People, roles: Roles) -> None:
    """A step may ask the model several times, and each time is paid for."""
    read = roles("read")
    first = step(call(read.capability, read.input), usage=usage(24, 16, cached=8, reasoning=4))
    second = step(say("All read."), usage=usage(40, 9, cached=24, reasoning=2))

    chat = people.full.chat(read.route)

    done = chat.send(script(first, second))

    assert done.usage == Usage(
        input_tokens=64,
        output_tokens=25,
        total_tokens=89,
        cached_input_tokens=32,
        reasoning_tokens=if_read(chat, done, 6),
        reported_steps=2,
    )


@pytest.mark.requirement("TELEMETRY-09")
def test_usage_is_absent_where_none_was_reported(people: People) -> None:
    """Nought is a figure, and a wrong one."""
    done = people.full.chat().send(script(step(say("Done."), usage=None)))

    assert done.usage is None


@pytest.mark.requirement("TELEMETRY-10")
def test_usage_parts_are_parts(people: People) -> None:
    """What was cached was read, and what was thought was written: counted with the rest, and not once more."""
    counted = usage(24, 16, cached=8, reasoning=4)
    chat = people.full.chat()

    done = chat.send(script(step(say("Done."), usage=counted)))

    assert done.usage is not None, "no usage is reported"
    assert (done.usage.input_tokens, done.usage.cached_input_tokens) == (24, 8)
    assert (done.usage.output_tokens, done.usage.reasoning_tokens) == (16, if_read(chat, done, 4))
    assert done.usage.total_tokens == 40


@pytest.mark.requirement("TELEMETRY-13")
def test_unreported_usage_parts_are_absent(people: People) -> None:
    """A provider that says nothing of its cache has not said that it read nothing from it."""
    chat = people.full.chat()

    done = chat.send(script(step(say("Done."), usage=usage(24, 16))))

    if chat.asked.provider == "openai-responses":
        raise Untested(
            "model.provider",
            "a wire format that can leave these figures out; this one has no usage without them",
        )
    assert done.usage is not None, "no usage is reported"
    assert (done.usage.cached_input_tokens, done.usage.reasoning_tokens) == (None, None)


@pytest.mark.requirement("TELEMETRY-11")
def test_usage_is_reported_after_an_error(people: People, roles: Roles) -> None:
    """The first call was made and is paid for, whatever became of the second."""
    read = roles("read")
    first = step(call(read.capability, read.input), usage=usage(24, 16))

    done = people.full.chat(read.route).send(script(first, step(status(500), asked=None)))

    assert done.errors != (), "the provider failed and no error frame says so"
    assert done.usage is not None, "what was used before the error is not reported"
    assert (done.usage.input_tokens, done.usage.output_tokens) == (24, 16)


def if_read(chat: Conversation, done: Step, reasoning: int) -> int | None:
    """What was thought; Anthropic's figure is younger than many of its clients, and one that does not read it reports none."""
    unread = done.usage is not None and done.usage.reasoning_tokens is None
    return None if chat.asked.provider == "anthropic" and unread else reasoning
