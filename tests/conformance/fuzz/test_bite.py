"""Each check bites: an application that breaks one promise is found out, by the check that is for it."""

import pytest

from conformance.fuzz import hunt
from conformance.fuzz.campaign import Outcome, run
from conformance.fuzz.problem import Check
from tests.conformance.fuzz.odd_target import odd_target


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found need not be made small, where a test is not about that."""
    monkeypatch.setattr(hunt, "MOST_TRIES", 5)


def fuzzed(oddity: str, identity: str, family: str) -> Outcome:
    """Send one identity's requests of one family to the odd application."""
    cases = 12 if family == "steps" else 25
    return run(odd_target(oddity), [identity], families=[family], cases=cases, seed=1)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("oddity", "identity", "family", "check", "operation"),
    [
        ("crashes", "carla", "procedures", Check.SERVER_ERROR, "POST /rpc/add"),
        ("teapot", "carla", "procedures", Check.STATUS, "POST /rpc/add"),
        ("html", "carla", "procedures", Check.MEDIA_TYPE, "POST /rpc/add"),
        ("bad-output", "carla", "procedures", Check.SCHEMA, "POST /rpc/list"),
        ("leaks", "carla", "procedures", Check.LEAK, "POST /rpc/add"),
        ("sings", "carla", "procedures", Check.LEAK, "POST /rpc/add"),
        ("ada-writes", "ada", "procedures", Check.DATA, "POST /rpc/add"),
        ("nobody-writes", "nobody", "procedures", Check.DATA, "POST /rpc/add"),
        ("bad-refusal", "carla", "steps", Check.SCHEMA, "POST /agent/chat"),
        ("bad-frame", "carla", "steps", Check.SCHEMA, "POST /agent/chat"),
        ("never-finishes", "carla", "histories", Check.FRAMES, "POST /agent/chat"),
        ("tells-ada", "ada", "histories", Check.HIDDEN, "POST /agent/chat"),
        ("stumbles", "carla", "sequences", Check.SERVER_ERROR, "GET /threads/{thread}"),
        ("believes-tabs", "carla", "histories", Check.PROMPT, "POST /agent/chat"),
    ],
)
def test_a_broken_promise_is_found(
    oddity: str, identity: str, family: str, check: Check, operation: str
) -> None:
    """A check that cannot fail shows nothing; a run with findings ends with 1."""
    outcome = fuzzed(oddity, identity, family)

    assert (check, operation) in [found.problem.key for found in outcome.found]
    assert 1 == outcome.exit_code


@pytest.mark.parametrize("identity", ["carla", "ada", "nobody"])
def test_an_application_that_keeps_its_promises_is_left_in_peace(identity: str) -> None:
    """A finding must mean something: without an oddity there is none, in no family."""
    outcome = run(odd_target(), [identity], cases=40, seed=1)

    assert ((), 0) == (outcome.found, outcome.exit_code)
    assert outcome.cases >= 40


def test_what_is_found_is_made_small() -> None:
    """A person reads the finding: the smallest size that crashes is 10, and nothing else is in the request."""
    found = fuzzed("crashes", "carla", "procedures").found

    assert [Check.SERVER_ERROR, Check.STATUS] == [one.problem.check for one in found]
    assert all(one.steady for one in found)
    assert {b'{"json":{"size":10}}'} == {request.body for one in found for request in one.attempt.requests}


@pytest.mark.usefixtures("hasty")
def test_a_sequence_can_be_sent_again() -> None:
    """What it takes to break is in it, and its ids are the ones that the target gives when it is sent again."""
    sequences = fuzzed("stumbles", "carla", "sequences").found

    assert sequences
    assert all(one.steady for one in sequences)
    assert all("DELETE" in [request.method for request in one.attempt.requests[:-1]] for one in sequences)


@pytest.mark.usefixtures("hasty")
def test_the_same_seed_sends_the_same() -> None:
    """A finding can be found again: two runs come to the same findings in the same number of cases."""
    assert fuzzed("crashes", "carla", "procedures") == fuzzed("crashes", "carla", "procedures")


def test_a_request_that_is_not_answered_is_a_finding() -> None:
    """Waiting is bounded, and after the first silence nothing more is risked."""
    outcome = fuzzed("hangs", "carla", "procedures")

    assert [(Check.NO_ANSWER, "POST /rpc/add")] == [found.problem.key for found in outcome.found]
    assert "was not answered within 2 s" in outcome.found[0].problem.detail
    assert 1 == outcome.exit_code


def test_a_target_that_dies_is_a_finding_and_ends_the_run() -> None:
    """What killed it is told, and the run could not go on: exit code 2."""
    outcome = fuzzed("dies", "carla", "procedures")

    assert outcome.gone is not None
    assert (Check.GONE, "POST /rpc/add") == outcome.gone.problem.key
    assert "the process has ended" in outcome.gone.problem.detail
    assert b'"size"' in outcome.gone.attempt.requests[-1].body
    assert 2 == outcome.exit_code


@pytest.mark.usefixtures("hasty")
def test_without_a_published_description_the_roles_say_what_to_call() -> None:
    """A target that describes nothing is fuzzed all the same, with inputs like those in its file."""
    outcome = run(odd_target("crashes", paths=""), ["carla"], families=["procedures"], cases=25, seed=1)

    assert (Check.SERVER_ERROR, "POST /rpc/add") in [found.problem.key for found in outcome.found]
