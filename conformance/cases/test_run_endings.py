"""How a run ends that nobody ends properly: at its limit, in silence, twice, or with the client gone."""

from functools import partial

import pytest

from conformance.data import Data
from conformance.people import People
from conformance.roles import Prepared, Roles
from conformance.scripts import last_word
from conformance.stage import App
from conformance.waiting import at_once, eventually
from conformance.wire.frames import ErrorFrame, StepFinish
from fake_model import Script, call, gate, repeat, say, script, silence, step

MORE_THAN_ANY_LIMIT = 40


def on_and_on(role: Prepared) -> Script:
    """A model that calls one operation again and again, far beyond what anybody needs, and then talks."""
    return script(
        repeat(step(call(role.capability, role.input), optional=True), MORE_THAN_ANY_LIMIT), last_word()
    )


@pytest.mark.requirement("CALL-20")
def test_endless_run_is_stopped(people: People, roles: Roles) -> None:
    """A model can call for ever; somebody pays for each request."""
    chat = people.full.chat(roles("read").route)

    chat.send(on_and_on(roles("read")))

    assert len(chat.requests) < MORE_THAN_ANY_LIMIT, f"the model was asked {len(chat.requests)} times"


@pytest.mark.requirement("CALL-21")
def test_stopped_run_says_so(people: People, roles: Roles) -> None:
    """A run that ends in the middle without a word looks as if the assistant had nothing to say."""
    done = people.full.chat(roles("read").route).send(on_and_on(roles("read")))

    kinds = [type(frame) for frame in done.frames if isinstance(frame, ErrorFrame | StepFinish)]
    assert kinds == [ErrorFrame, StepFinish]
    assert [frame.error.code for frame in done.errors] == ["RUN_LIMIT_EXCEEDED"]


@pytest.mark.requirement("CALL-22")
@pytest.mark.parametrize("when", ["one after the other", "at the same instant"])
def test_step_posted_twice_writes_once(when: str, people: People, roles: Roles, data: Data) -> None:
    """A connection broke and the tab tried again; the person wanted it once."""
    counted = roles("counted")
    chat = people.full.chat(counted.route)
    calls = step(call(counted.capability, counted.input), asked=None)
    request = chat.prepare(script(calls, step(say("Counted."), asked=None, optional=True)))
    before = data.count(counted)

    if when == "at the same instant":
        at_once([partial(chat.post, request)] * 2)
    else:
        chat.post(request)
        chat.post(request)

    assert data.count(counted) - before == 1, "the same step, posted twice, did not run its write once"


@pytest.mark.requirement("CALL-23")
@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
def test_step_is_settled_without_its_client(reset: bool, people: People, roles: Roles, data: Data) -> None:
    """The tab is gone and the call is made: it runs, and is answered, as if somebody were looking."""
    counted = roles("counted")
    chat = people.full.chat(counted.route)
    before = data.count(counted)
    request = chat.prepare(
        script(
            step(say("One moment."), gate("gone"), call(counted.capability, counted.input)), say("Counted.")
        )
    )

    with chat.start(request) as live:
        live.wait_for(lambda frames: any(frame.type == "text-delta" for frame in frames), "the first words")
        chat.run.wait_held("gone")
        live.disconnect(reset=reset)
    chat.run.release("gone")

    moved = eventually(
        lambda: data.count(counted), lambda seen: seen > before, chat.http.budget.limits.deadline
    )
    assert moved - before == 1, "the call was dropped with its client"
    chat.run.wait_for(2)
    assert chat.asked.unanswered_calls == (), "the call was left without an answer"


@pytest.mark.requirement("CALL-23")
def test_running_operation_is_settled_without_its_client(people: People, roles: Roles, data: Data) -> None:
    """The tab goes in the very moment in which its operation is at work."""
    slow = roles("counted_slowly")
    chat = people.full.chat(slow.route)
    before = data.count(slow)
    request = chat.prepare(script(call(slow.capability, slow.input), say("Counted.")))

    with chat.start(request) as live:
        live.wait_for(lambda frames: any(frame.type == "tool-call" for frame in frames), "the call")
        live.disconnect(reset=True)

    deadline = chat.http.budget.limits.deadline
    moved = eventually(lambda: data.count(slow), lambda seen: seen > before, deadline)
    assert moved - before == 1, "the operation was dropped with its client"
    chat.run.wait_for(2)
    assert chat.asked.unanswered_calls == (), "the call was left without an answer"


@pytest.mark.requirement("CALL-24")
@pytest.mark.parametrize("when", ["from the start", "in the middle"])
def test_silent_model_ends_the_step(when: str, app: App, people: People) -> None:
    """A provider that hangs must not leave a page that waits for ever."""
    impatient = People(people.stage, app.variant("impatient"))
    chat = impatient.full.chat()
    quiet = step(silence()) if when == "from the start" else step(say("Well, "), gate("never"))

    done = chat.send(script(quiet))

    assert [frame.error.code for frame in done.errors] == ["MODEL_TIMEOUT"]
    kinds = [type(frame) for frame in done.frames if isinstance(frame, ErrorFrame | StepFinish)]
    assert kinds == [ErrorFrame, StepFinish]


@pytest.mark.requirement("CALL-25")
def test_slow_operation_is_answered_with_an_error(app: App, people: People, roles: Roles) -> None:
    """The model can plan around an operation that takes too long, once it knows."""
    slow = roles("slow")
    impatient = People(people.stage, app.variant("impatient"))

    done = impatient.full.chat(slow.route).send(script(call(slow.capability, slow.input), last_word()))

    result = done.result_of(slow.capability)
    assert not result.ok
    assert "TIMEOUT" in str(result.result), f"the answer does not say that time ran out: {result.result}"
