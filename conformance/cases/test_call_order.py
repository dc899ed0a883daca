"""Several calls at once: each runs, each is answered, and no answer goes astray."""

import pytest

from conformance.data import Data
from conformance.people import People, Person
from conformance.roles import Prepared, Roles
from conformance.scripts import calling, last_word
from conformance.wire.chat import Catalog, Declaration
from fake_model import call, say, script, step

PANEL = Declaration("view:suite.panel.show", input_schema={"type": "object"})
WITH_PANEL = Catalog((PANEL,))


def alone(person: Person, role: Prepared) -> object:
    """What a read comes to when nothing else is called beside it."""
    return person.chat(role.route).send(calling(role)).result_of(role.capability).result


@pytest.mark.requirement("CALL-11")
@pytest.mark.parametrize("turned", [False, True], ids=["one order", "the other order"])
@pytest.mark.parametrize("browser", [None, 0, 1, 2], ids=["no browser call", "first", "between", "last"])
def test_each_result_belongs_to_its_call(
    browser: int | None, turned: bool, people: People, roles: Roles
) -> None:
    """Results come back in the order in which work ends, not in that of the calls."""
    reads = [roles("read"), roles("read_too")]
    expected = {role.capability: alone(people.full, role) for role in reads}
    calls = [call(role.capability, role.input) for role in (reversed(reads) if turned else reads)]
    if browser is not None:
        calls.insert(browser, call(PANEL.canonical_id))

    done = people.full.chat(reads[0].route, catalog=WITH_PANEL).send(script(step(*calls), last_word()))

    seen = {role.capability: done.result_of(role.capability).result for role in reads}
    history = done.answers()
    ids = {frame.canonical_id: frame.tool_call_id for frame in done.calls}
    assert seen == expected, "a result frame carries another call's result"
    assert {name: history.get(ids[name]) for name in expected} == {
        name: [value] for name, value in expected.items()
    }, "the history has another call's result"


@pytest.mark.requirement("CALL-12")
def test_calls_under_one_id_are_two_calls(people: People, roles: Roles, data: Data) -> None:
    """Models give the same id twice; whoever goes by it alone runs or answers only one of the two."""
    counted = roles("counted")
    chat = people.full.chat(counted.route)
    before = data.count(counted)
    first = call(counted.capability, counted.input)
    second = call(counted.capability, counted.input, same_id_as=0)

    done = chat.send(script(step(first, second), say("Counted.")))

    assert data.count(counted) - before == 2, "of two calls under one id not both ran"
    ids = [frame.tool_call_id for frame in done.results if frame.canonical_id == counted.capability]
    assert len(set(ids)) == 2, f"the two calls were answered under {ids}"
    assert len(chat.asked.results) == 2, "the model was not told what became of both"


@pytest.mark.requirement("CALL-13")
def test_same_operation_twice_runs_twice(people: People, roles: Roles, data: Data) -> None:
    """Two calls are two calls, even when they look the same."""
    counted = roles("counted")
    before = data.count(counted)

    done = people.full.chat(counted.route).send(calling(counted, counted))

    assert data.count(counted) - before == 2, "of two calls of one operation not both ran"
    assert len([frame for frame in done.results if frame.ok]) == 2, "not both were answered"


@pytest.mark.requirement("CALL-15")
@pytest.mark.parametrize("beside", ["nothing", "a server call", "a browser call"])
def test_unknown_name_is_answered_once(beside: str, people: People, roles: Roles) -> None:
    """The error under the call's id, once; a second answer makes the conversation one that providers refuse."""
    read = roles("read")
    chat = people.full.chat(read.route, catalog=WITH_PANEL)
    calls = {
        "nothing": [],
        "a server call": [call(read.capability, read.input)],
        "a browser call": [call(PANEL.canonical_id)],
    }[beside]
    unknown = call("domain:no-such-operation", {}, offered=False)

    done = chat.send(script(step(unknown, *calls), say("I see.")))
    if done.pending:
        chat.resume({pending.tool_call_id: {"done": True} for pending in done.pending})

    asked = [part.id for part in chat.asked.all_calls if "no-such-operation" in part.name]
    answers = [part for part in chat.asked.all_results if part.call_id in asked]
    assert len(answers) == 1, f"the call to an unknown name is answered {len(answers)} times"


@pytest.mark.requirement("CALL-18")
def test_contextual_call_waits_for_its_tab(people: People, roles: Roles, data: Data) -> None:
    """Only the component that bound it knows what it is about; run by the host it would be about nothing."""
    contextual = roles("contextual")
    declared = Declaration(contextual.capability, input_schema={"type": "object"})
    chat = people.full.chat(contextual.route, catalog=Catalog((declared,)))
    before = data.look()

    done = chat.send(script(step(call(contextual.capability, contextual.input)), last_word()))

    assert data.look().differences(before) == (), f"the host ran {contextual.capability} itself"
    assert [pending.canonical_id for pending in done.pending] == [contextual.capability]


@pytest.mark.requirement("CALL-26")
@pytest.mark.parametrize(
    "value",
    [{"rows": [{"id": 1, "ok": True}, None], "näme": "— \U0001f9fe"}, ["a", 2.5], "plain text", None],
    ids=["object", "list", "text", "null"],
)
def test_browser_result_reaches_the_model_as_posted(value: object, people: People) -> None:
    """What the screen answered is between the screen and the model."""
    chat = people.full.chat(catalog=WITH_PANEL)
    done = chat.send(script(step(call(PANEL.canonical_id)), say("I see.")))

    chat.resume({pending.tool_call_id: value for pending in done.pending})

    assert [result.value for result in chat.asked.results] == [value]


@pytest.mark.requirement("CALL-27")
def test_history_holds_each_answer_after_its_call(people: People, roles: Roles) -> None:
    """The tab keeps the conversation; what the step hands back must be complete and in order."""
    read = roles("read")
    chat = people.full.chat(read.route)

    done = chat.send(script(step(say("Reading."), call(read.capability, read.input)), say("All read.")))

    parts = [
        (part.get("type"), part.get("toolCallId"))
        for message in done.messages
        if isinstance(message.get("content"), list)
        for part in message["content"]
    ]
    (made,) = [frame.tool_call_id for frame in done.calls]
    positions = [parts.index(part) for part in (("tool-call", made), ("tool-result", made)) if part in parts]
    assert len(positions) == 2, f"the history lacks the call or its answer; it has {parts}"
    assert positions == sorted(positions), "the answer stands before its call"
    assert parts[-1][0] == "text", "the closing words do not come last"
