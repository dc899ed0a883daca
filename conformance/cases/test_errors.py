"""Errors are typed results: they carry what the model can act on, and never internals."""

from collections.abc import Mapping
from typing import Any

import pytest

from conformance.data import Data
from conformance.errors import Untested
from conformance.people import People
from conformance.roles import Prepared, Roles
from conformance.scripts import last_word
from fake_model import call, say, script, step
from fake_model.faults import HttpError


@pytest.mark.requirement("ERROR-01")
def test_refusal_is_a_result(people: People, roles: Roles) -> None:
    """The operation said no, in words; the model reads them and goes on."""
    role = failing(roles, "failing")
    chat = people.full.chat(role.route)

    done = chat.send(script(call(role.capability, role.failing_input), say("I see.")))

    assert not done.result_of(role.capability).ok
    assert done.errors == (), "a refusal of an operation is no error of the host"
    assert done.text.endswith("I see."), "the run did not go on"


@pytest.mark.requirement("ERROR-02")
def test_error_says_whether_to_retry(people: People, roles: Roles) -> None:
    """Without a hint the model can only guess, and repeats what can't succeed."""
    role = failing(roles, "failing")
    chat = people.full.chat(role.route)

    done = chat.send(script(call(role.capability, role.failing_input), last_word()))

    error = error_of(done.result_of(role.capability).result)
    assert {"retry", "retryable"} & set(error), f"no retry hint in {error}"


@pytest.mark.requirement("ERROR-03")
def test_failure_leaks_nothing_to_the_model(people: People, roles: Roles) -> None:
    """An exception's text is written for its author; the model repeats to anybody what it reads."""
    role = with_canary(roles)
    chat = people.full.chat(role.route)

    done = chat.send(script(call(role.capability, role.input), last_word()))

    assert done.results != (), "the failing call was not answered"
    stream = b"\n".join(line.raw for line in done.log.lines).decode("utf-8", "replace")
    asked = " ".join(exchange.body.decode("utf-8", "replace") for exchange in chat.run.exchanges)
    assert role.role.canary not in stream, "the stream carries the exception's text"
    assert role.role.canary not in asked, "the model was sent the exception's text"


@pytest.mark.requirement("ERROR-04")
def test_failure_leaks_nothing_to_a_direct_caller(people: People, roles: Roles) -> None:
    """The page's answers are read by whoever opened its tools."""
    role = with_canary(roles)

    answer = people.full.rpc.call(role.procedure, role.input)

    assert not answer.ok, "the failing operation succeeded"
    assert role.role.canary not in answer.answer.text
    assert "Traceback" not in answer.answer.text


@pytest.mark.requirement("ERROR-05")
def test_unfit_output_is_withheld(people: People, roles: Roles) -> None:
    """An output that breaks its own description may be anything, also what nobody meant to show."""
    role = roles("bad_output")
    if not role.role.canary:
        raise Untested("roles.bad_output.canary")
    chat = people.full.chat(role.route)

    done = chat.send(script(call(role.capability, role.input), last_word()))

    assert not done.result_of(role.capability).ok
    assert role.role.canary not in str(done.result_of(role.capability).result)


@pytest.mark.requirement("ERROR-06")
def test_step_finishes_after_a_provider_error(people: People) -> None:
    """The stream stays well formed when the provider fails, or the page waits for ever."""
    chat = people.full.chat()

    done = chat.send(script(step(say("never sent"), HttpError(500), asked=None)))

    assert len(done.errors) == 1, (
        f"expected one error frame, saw {[frame.error.code for frame in done.errors]}"
    )
    kinds = [frame.type for frame in done.frames]
    assert kinds.index("error") < kinds.index("step-finish")
    assert done.finish.finish_reason == "error"


@pytest.mark.requirement("ERROR-09")
def test_output_that_is_no_json_is_a_typed_error(people: People, roles: Roles) -> None:
    """What can't be written down can't be answered with; the call is answered all the same."""
    role = roles("unserializable")
    chat = people.full.chat(role.route)

    done = chat.send(script(call(role.capability, role.input), say("I see.")))

    assert not done.result_of(role.capability).ok
    assert error_of(done.result_of(role.capability).result).get("code"), "the answer carries no code"
    assert done.text.endswith("I see."), "the run did not go on"


@pytest.mark.requirement("ERROR-10")
@pytest.mark.parametrize("caller", ["model", "page"])
def test_failing_policy_lets_nothing_run(caller: str, people: People, roles: Roles, data: Data) -> None:
    """A guard that is sick does not leave the door open."""
    role = roles("failing_policy")
    before = data.look()

    if caller == "model":
        people.full.chat(role.route).send(
            script(call(role.capability, role.input, offered=False), last_word())
        )
    else:
        people.full.rpc.call(role.procedure, role.input)

    assert data.look().differences(before) == (), f"{role.capability} ran although its policy failed"


@pytest.mark.requirement("ERROR-11")
def test_refusal_tells_model_and_page_the_same(people: People, roles: Roles) -> None:
    """There is one implementation, so there is one reason; two would contradict each other in front of the person."""
    role = failing(roles, "failing")
    page = people.full.rpc.call(role.procedure, role.failing_input)

    done = people.full.chat(role.route).send(script(call(role.capability, role.failing_input), last_word()))

    told = error_of(done.result_of(role.capability).result).get("message")
    assert page.error is not None, "the page was not refused"
    assert told == page.error.message


@pytest.mark.requirement("ERROR-12")
@pytest.mark.parametrize("caller", ["model", "page"])
@pytest.mark.parametrize("name", ["half_done", "canary"], ids=["refuses", "crashes"])
def test_failing_half_way_leaves_nothing(
    name: str, caller: str, people: People, roles: Roles, data: Data
) -> None:
    """It wrote, and then it failed: whoever is told that it failed must find everything as before."""
    role = roles(name)
    before = data.look()

    if caller == "model":
        people.full.chat(role.route).send(script(call(role.capability, role.input), last_word()))
    else:
        people.full.rpc.call(role.procedure, role.input)

    assert data.look().differences(before) == (), f"{role.capability} failed and left something behind"


@pytest.mark.requirement("ERROR-13")
def test_unknown_name_is_not_to_be_retried(people: People) -> None:
    """The step's tools are all there are; calling the name again can only fail again."""
    chat = people.full.chat()

    chat.send(script(call("domain:no-such-operation", {}, offered=False), say("I see.")))

    assert len(chat.asked.results) == 1, "the model was not told what became of its call"
    error = error_of(chat.asked.results[0].value)
    hints = [error[key] for key in ("retry", "retryable") if key in error]
    assert hints in (["no"], [False]), f"the answer does not say that trying again is no use: {error}"


def failing(roles: Roles, name: str) -> Prepared:
    """A role with an input that validation accepts and the operation refuses."""
    role = roles(name)
    if role.failing_input is None:
        raise Untested(f"roles.{name}.failing_input")
    return role


def with_canary(roles: Roles) -> Prepared:
    """The role whose handler fails with a text that no answer may carry."""
    role = roles("canary")
    if not role.role.canary:
        raise Untested("roles.canary.canary")
    return role


def error_of(result: Any) -> Mapping[str, Any]:
    """The error object of a result, wherever its envelope has it."""
    error = result.get("error") if isinstance(result, Mapping) else None
    return error if isinstance(error, Mapping) else {}
