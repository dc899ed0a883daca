"""The stream of a step: one JSON object a line, in an order that holds in every ending."""

from collections.abc import Sequence

import pytest

from conformance.drivers.step import Step
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import answer, last_word
from conformance.wire.chat import Catalog, Declaration
from conformance.wire.frames import ToolCall, ToolResult
from conformance.wire.grammar import brackets, pairs, settled
from fake_model import call, say, script, step

PANEL = Declaration("view:suite.panel.show")


def steps_of_every_kind(people: People, roles: Roles) -> Sequence[Step]:
    """One step that only talks, one that uses the server, one that stops at the browser, one with both."""
    read = roles("read")
    server = call(read.capability, read.input)
    browser = call(PANEL.canonical_id)
    scripts = (
        answer("Just words."),
        script(step(say("Reading."), server), last_word()),
        script(step(browser), last_word()),
        script(step(server, browser), last_word()),
    )
    return [people.full.chat(catalog=Catalog((PANEL,))).send(each) for each in scripts]


@pytest.mark.requirement("FRAME-01")
def test_every_line_is_a_json_object(people: People, roles: Roles) -> None:
    """A reader splits at newlines and parses; anything else between two of them is lost or kills it."""
    steps = steps_of_every_kind(people, roles)

    assert [problem for done in steps for problem in done.log.problems] == []


@pytest.mark.requirement("FRAME-02")
def test_step_start_is_first(people: People, roles: Roles) -> None:
    """The reader needs the step's id and its tools before anything that refers to them."""
    steps = steps_of_every_kind(people, roles)

    assert [done.frames[0].type for done in steps] == ["step-start"] * len(steps)
    assert [
        problem for done in steps for problem in brackets(done.frames) if "step-start was" in problem
    ] == []


@pytest.mark.requirement("FRAME-03")
def test_step_finish_is_last(people: People, roles: Roles) -> None:
    """What comes after the end is not read; what has no end is waited for."""
    steps = steps_of_every_kind(people, roles)

    assert [problem for done in steps for problem in brackets(done.frames) if "step-finish" in problem] == []


@pytest.mark.requirement("FRAME-04")
def test_stream_is_announced_as_ndjson(people: People) -> None:
    """Proxies and readers go by the media type; an answer about somebody's data must not be stored."""
    done = people.full.chat().send(answer())

    assert done.headers.get("content-type", "").partition(";")[0].strip() == "application/x-ndjson"
    assert "no-store" in done.headers.get("cache-control", "")


@pytest.mark.requirement("FRAME-05")
def test_every_call_is_answered_or_pending(people: People, roles: Roles) -> None:
    """A call that is neither leaves a card that says "running" for ever, and a history that providers refuse."""
    steps = steps_of_every_kind(people, roles)

    assert sum(len(done.calls) for done in steps) > 0, "no call was made, so none could be left open"
    assert [problem for done in steps for problem in settled(done.frames)] == []


@pytest.mark.requirement("FRAME-06")
def test_results_follow_their_calls(people: People, roles: Roles) -> None:
    """A card is made by the call's frame and filled by the result's."""
    steps = steps_of_every_kind(people, roles)

    assert sum(isinstance(frame, ToolResult) for done in steps for frame in done.frames) > 0
    assert sum(isinstance(frame, ToolCall) for done in steps for frame in done.frames) > 0
    assert [problem for done in steps for problem in pairs(done.frames)] == []


@pytest.mark.requirement("FRAME-07")
def test_text_arrives_whole_and_in_order(people: People) -> None:
    """What the model said is what the person reads."""
    words = ("One, ", "two — ", "thrée, ", "四, ", "and a \U0001f9fe.")

    done = people.full.chat().send(script(say(*words)))

    assert done.text == "".join(words)


@pytest.mark.requirement("FRAME-08")
def test_answer_names_its_version(people: People) -> None:
    """Two versions are served side by side; the reader must know which one it got."""
    done = people.full.chat().send(answer())

    assert done.headers.get("x-dpas-protocol-version") == "2"
