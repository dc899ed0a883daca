"""What is generated: bodies that a target must be able to read, scripts that the fake model can play, repeatably."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.fuzz import histories
from conformance.fuzz.attempt import MARKER, Attempt, Request
from conformance.fuzz.description import Description, to_request
from conformance.fuzz.errors import FuzzError
from conformance.fuzz.offer import Arguments, Tool
from conformance.fuzz.openapi import describe
from conformance.fuzz.scripts import calling, scripts
from conformance.target_file import load_target
from conformance.wire.answer import Answer
from fake_model import parse_script

REFERENCE = load_target("reference")
TOOLS = (Tool("domain:add", "domain_add", '{"type":"object","properties":{"size":{"type":"integer"}}}'),)
KNOWN = histories.Known(REFERENCE, "carla", TOOLS, ("domain:hidden",))
SUITE = Description(describe(REFERENCE, ("answer", "read")), "the suite's own")
CHAT = "POST /agent/chat"


@settings(max_examples=40)  # each example is a whole step
@given(histories.attempts(KNOWN))
def test_hostile_steps_are_steps(attempt: Attempt) -> None:
    """Whatever they hold, they have the protocol's shape and name their run; else the target would only refuse them."""
    (request,) = attempt.requests
    body = json.loads(request.body)

    assert {"protocolVersion", "conversationId", "turnId", "stepIndex", "messages"} <= set(body)
    assert 1 == request.body.count(MARKER.encode())
    assert parse_script(request.script, "script", yaml=False).turns


@settings(max_examples=60)  # each example is a whole script
@given(scripts(TOOLS, Arguments(TOOLS), ("view_suite__panel__show",)))
def test_scripts_can_be_played(text: str) -> None:
    """A script that the fake model refuses would be an error of the suite."""
    assert parse_script(text, "script", yaml=False).turns


def test_a_call_by_role_is_a_script() -> None:
    """Inputs come from the target file; one that is not offered is called all the same."""
    (turn,) = parse_script(calling("domain:add", {"size": 12}), "script", yaml=False).turns

    assert [("domain:add", '{"size": 12}', False)] == [
        (call.name, call.arguments.text, call.offered) for step in turn.plain_steps for call in step.calls
    ]


@settings(max_examples=30)  # each example is a whole step
@given(SUITE.valid_cases(CHAT).map(to_request))
def test_described_steps_say_nothing_about_who_sends_them(request: Request) -> None:
    """The session is the identity's own, and no header or path depends on the run."""
    assert ("POST", "/agent/chat", "application/json") == (request.method, request.path, request.media_type)
    assert isinstance(json.loads(request.body), dict)


@settings(max_examples=30)  # each example calls one of them
@given(st.sampled_from(SUITE.labels))
def test_an_undeclared_status_is_a_problem_of_every_operation(label: str) -> None:
    """Checking needs no generated call, so that a finding can be checked again from a file."""
    answer = Answer("GET", "/", 418, {"content-type": "application/json"}, b"{}")

    (problem,) = SUITE.problems(Request(label, "GET", "/"), answer)

    assert "undeclared-status" == problem.check


def test_an_answer_to_something_else_has_no_problem() -> None:
    """What a description does not know is another description's."""
    assert [] == list(SUITE.problems(Request("GET /nothing", "GET", "/"), Answer("GET", "/", 418, {}, b"")))


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"openapi": "3.1.0", "paths": {"/x": {"get": 3}}},
    ],
)
def test_a_description_that_is_none_is_refused_in_one_line(document: dict[str, object]) -> None:
    """The target's file points to it, and its author has to be told where to look."""
    with pytest.raises(FuzzError, match=r"^/openapi\.json ") as refused:
        assert Description(document, "/openapi.json").labels

    assert "\n" not in str(refused.value)
