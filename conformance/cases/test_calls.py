"""Calls of both planes: who executes them, and that each is answered exactly once."""

from collections import Counter

import pytest

from conformance.data import Data
from conformance.errors import Departure
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import calling, last_word
from conformance.wire.chat import Catalog, Declaration
from fake_model import call, say, script, step

PANEL = Declaration("view:suite.panel.show")
WITH_PANEL = Catalog((PANEL,))


@pytest.mark.requirement("CALL-01")
def test_server_result_beside_a_browser_call(people: People, roles: Roles) -> None:
    """The server tool ran before the step was handed to the browser; its result must not be lost on the way."""
    read = roles("read")
    chat = people.full.chat(catalog=WITH_PANEL)

    done = chat.send(script(step(call(read.capability, read.input), call(PANEL.canonical_id)), last_word()))

    result = done.result_of(read.capability)
    assert result.ok, f"{read.capability} was answered with {result.result}"
    assert [len(values) for values in done.answers().values()] == [1], "the history must hold its one result"


@pytest.mark.requirement("CALL-02")
def test_browser_call_beside_a_server_call_waits(people: People, roles: Roles) -> None:
    """The other half of such a message belongs to the tab, whatever ran on the server."""
    read = roles("read")
    chat = people.full.chat(catalog=WITH_PANEL)

    done = chat.send(script(step(call(PANEL.canonical_id), call(read.capability, read.input)), last_word()))

    assert [pending.canonical_id for pending in done.pending] == [PANEL.canonical_id]


@pytest.mark.requirement("CALL-03")
def test_every_call_is_answered_once_in_the_next_request(people: People, roles: Roles) -> None:
    """Providers refuse a conversation with a call and no result, or with two."""
    read = roles("read")
    chat = people.full.chat(catalog=WITH_PANEL)
    calls = (call(read.capability, read.input), call(PANEL.canonical_id), call(read.capability, read.input))
    done = chat.send(script(step(*calls), say("Done.")))

    chat.resume({pending.tool_call_id: {"done": True} for pending in done.pending})

    made = Counter(part.id for part in chat.asked.all_calls)
    answered = Counter(part.call_id for part in chat.asked.all_results)
    assert made == answered, "calls and results of the model's next request do not pair up"
    assert len(made) == len(calls)


@pytest.mark.requirement("CALL-04")
def test_model_waits_while_a_browser_call_is_pending(people: People) -> None:
    """The run suspends; asking on without the screen's answer would make the model guess."""
    chat = people.full.chat(catalog=WITH_PANEL)

    done = chat.send(script(step(call(PANEL.canonical_id)), last_word()))

    assert len(done.pending) == 1
    assert len(chat.requests) == 1, "the model was asked again although a browser call was pending"


@pytest.mark.requirement("CALL-05")
def test_unknown_name_is_a_typed_error(people: People) -> None:
    """A name that was never offered is a mistake of the model's, which it can learn from; the turn is not lost."""
    chat = people.full.chat()

    done = chat.send(script(call("domain:no-such-operation", {}, offered=False), say("I see.")))

    codes = [result.code for result in chat.asked.results]
    assert len(codes) == 1, "the model was not told what became of its call"
    assert codes[0], f"the answer carries no code: {chat.asked.results[0].text[:200]}"
    assert done.text.endswith("I see."), "the run did not go on"


@pytest.mark.requirement("CALL-07")
def test_invalid_input_runs_nothing(people: People, roles: Roles, data: Data) -> None:
    """Every call is validated on the server, whoever made it."""
    write = roles("write")
    before = data.look()

    people.full.chat(write.route).send(script(call(write.capability, write.invalid_input), last_word()))

    assert data.look().differences(before) == ()


@pytest.mark.requirement("CALL-29")
def test_invalid_input_is_a_typed_error(people: People, roles: Roles) -> None:
    """The model is told that its input was wrong, in a form that it can act on, and goes on."""
    write = roles("write")
    chat = people.full.chat(write.route)

    done = chat.send(script(call(write.capability, write.invalid_input), say("I see.")))

    assert not done.result_of(write.capability).ok
    assert [bool(result.code) for result in chat.asked.results] == [True], "the answer carries no code"
    assert done.text.endswith("I see."), "the run did not go on"


@pytest.mark.requirement("CALL-08")
def test_model_and_page_get_the_same_outcome(people: People, roles: Roles) -> None:
    """There is one implementation of each operation: the assistant reads what the person reads."""
    read = roles("read")
    page = people.full.rpc.value(read.procedure, read.input)

    done = people.full.chat().send(calling(read))

    result = done.result_of(read.capability).result
    if not isinstance(result, dict):
        raise Departure(f"the result of {read.capability} is no envelope: {result!r}")
    assert result.get("data") == page


@pytest.mark.requirement("CALL-09")
def test_browser_call_is_not_answered_by_the_host(people: People) -> None:
    """A view capability runs in the page; nobody else knows what the screen does."""
    chat = people.full.chat(catalog=WITH_PANEL)

    done = chat.send(script(step(call(PANEL.canonical_id)), last_word()))

    assert [frame.executor for frame in done.calls] == ["browser"]
    assert done.results == (), "the host answered a call that belongs to the tab"


@pytest.mark.requirement("CALL-10")
def test_server_results_return_within_the_step(people: People, roles: Roles) -> None:
    """Server calls need nobody's screen, so the run goes on without a round trip to the tab."""
    read = roles("read")
    chat = people.full.chat()

    done = chat.send(script(call(read.capability, read.input), say("All read.")))

    assert done.text.endswith("All read.")
    assert len(chat.requests) == 2


@pytest.mark.requirement("CALL-05")
def test_unknown_name_does_not_disturb_its_neighbour(people: People, roles: Roles) -> None:
    """One wrong name in a message leaves the right one beside it alone."""
    read = roles("read")
    chat = people.full.chat()
    calls = (call("domain:no-such-operation", {}, offered=False), call(read.capability, read.input))

    done = chat.send(script(step(*calls), say("I see.")))

    assert done.result_of(read.capability).ok
    assert len(chat.asked.results) == 2, "both calls must be answered"
