"""A provider that fails: the step ends in good order, and nobody asks again behind the person's back."""

from collections.abc import Mapping

import pytest

from conformance.people import People
from fake_model import (
    broken_event,
    cut,
    error_event,
    not_a_stream,
    reset,
    say,
    script,
    status,
    step,
)
from fake_model.faults import Fault

REFUSALS: Mapping[str, Fault] = {
    "bad request": status(400),
    "not allowed": status(401),
    "too many": status(429, "slow down", retry_after=1),
    "failed": status(500),
    "overloaded": status(529),
    "reset": reset(),
}
BREAKS: Mapping[str, Fault] = {
    "cut": cut(after_events=3),
    "cut with a proper end": cut(after_events=3, clean=True),
    "reset in the middle": reset(after_events=3),
    "an event that is no JSON": broken_event(4),
    "an error event": error_event(2),
    "no stream at all": not_a_stream("<h1>Bad gateway</h1>"),
}


@pytest.mark.requirement("ERROR-07")
@pytest.mark.parametrize("how", REFUSALS)
def test_provider_is_asked_once(how: str, people: People) -> None:
    """Each request costs, and the one that decides whether to spend again is the person."""
    chat = people.full.chat()

    chat.send(script(step(say("never sent"), REFUSALS[how], asked=None)))

    assert len(chat.run.exchanges) == 1, f"the model was asked {len(chat.run.exchanges)} times"


@pytest.mark.requirement("ERROR-08")
@pytest.mark.parametrize("how", BREAKS)
def test_broken_provider_stream_ends_in_good_order(how: str, people: People) -> None:
    """Half an answer is still an answer to show; what must not be is an end that looks like a whole one."""
    chat = people.full.chat()

    done = chat.send(script(step(say("One, ", "two, ", "three, ", "four."), BREAKS[how], asked=None)))

    assert [frame.type for frame in done.frames][-1] == "step-finish"
    assert done.finish.finish_reason != "stop", "an answer that broke off is passed off as a whole one"
    assert "One, two, three, four.".startswith(done.text), "the text is not what the model had said so far"
