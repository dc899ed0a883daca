"""The player: from a script and a request to the reply, without a server."""

import json
from typing import Any

import pytest

from fake_model import (
    Call,
    FindingKind,
    Script,
    branch,
    call,
    expect,
    read,
    repeat,
    result_of,
    say,
    script,
    status,
    step,
    turn,
)
from fake_model.ids import CallId, Position
from fake_model.player import play
from fake_model.providers.openai_chat import OpenAIChat
from fake_model.reply import Played
from fake_model.request import ModelRequest
from tests.fake_model import bodies

TOOLS = ("domain_list-invoices", "domain_issue-invoice", "view_invoices__pending__setFilters")
META = ("domain_list-invoices", "surface_discover", "surface_read", "surface_act")


def request(
    *results: Any, tools: tuple[str, ...] = TOOLS, extra: tuple[dict[str, Any], ...] = ()
) -> ModelRequest:
    """Return a request of run k7 after one call a step, with these results."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Go [[dp:k7]]"}]
    for number, result in enumerate(results):
        identity = str(CallId("k7", 0, number, 0))
        function = {"name": tools[0] if tools else "x", "arguments": "{}"}
        messages += [
            {"role": "assistant", "tool_calls": [{"id": identity, "type": "function", "function": function}]},
            {"role": "tool", "tool_call_id": identity, "content": json.dumps(result)},
        ]
    messages += extra
    listed = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in tools]
    return OpenAIChat().parse(json.dumps({"model": "m", "messages": messages, "tools": listed}).encode())


def played(written: Script, asked: ModelRequest, *, turn: int = 0, attempt: int = 1) -> Played:
    """Play what a request asks for."""
    return play(written, asked, Position("k7", turn, asked.step_asked("k7", turn)), attempt)


def said(outcome: Played) -> str:
    """Return the text of a reply that there must be."""
    assert outcome.reply is not None, outcome.findings
    return outcome.reply.text


def refused(outcome: Played) -> tuple[FindingKind, str]:
    """Return the only finding of a request that got no reply."""
    assert outcome.reply is None
    (finding,) = outcome.findings
    return finding.kind, finding.message


def arguments(outcome: Played) -> Any:
    """Return the arguments of the only call of a reply."""
    assert outcome.reply is not None, outcome.findings
    (made,) = outcome.reply.calls
    return json.loads(made.arguments)


def test_a_turn_that_the_script_has_not_is_exhausted() -> None:
    """One message of the user's too many is a finding that says how many there are."""
    kind, message = refused(played(script(say("a")), request(), turn=1))

    assert kind is FindingKind.EXHAUSTED
    assert "expected at most turn 0" in message


def test_a_step_that_the_turn_has_not_is_exhausted() -> None:
    """One request too many is a finding that says where the turn ends."""
    kind, message = refused(played(script(call("domain:list-invoices"), say("b")), request({}, {})))

    assert kind is FindingKind.EXHAUSTED
    assert "turn 0 ends with step 1, the request is for step 2" in message


def test_a_name_that_is_not_offered_is_refused_with_the_list() -> None:
    """A script never calls by mistake what a model could not have called."""
    kind, message = refused(played(script(call("domain:delete-invoice"), say(".")), request()))

    assert kind is FindingKind.NOT_OFFERED
    assert "expected domain:delete-invoice among the tools" in message
    assert "domain_issue-invoice" in message


def test_a_name_may_be_meant_not_to_be_offered() -> None:
    """A model that invents a name sends it in the standard encoding."""
    outcome = played(script(call("domain:delete-invoice", offered=False), say(".")), request())

    assert outcome.reply is not None
    assert [made.name for made in outcome.reply.calls] == ["domain_delete-invoice"]


def test_arguments_are_taken_from_earlier_results() -> None:
    """A pointer into a result fills a place in the arguments, counted from the step that asks or from the first."""
    written = script(
        call("domain:list-invoices"),
        call("domain:list-invoices"),
        call(
            "domain:issue-invoice",
            {
                "id": result_of(0, "/data/0/id"),
                "deep": [{"note": result_of(pointer="/a~1b")}],
                "all": result_of(0),
            },
        ),
        say("."),
    )

    first = {"data": [{"id": 18}]}
    assert arguments(played(written, request(first, {"a/b": "ü"}))) == {
        "id": 18,
        "deep": [{"note": "ü"}],
        "all": first,
    }


def test_all_arguments_can_be_one_result() -> None:
    """The stand-in may be the whole of them."""
    written = script(
        call("domain:list-invoices"), call("domain:issue-invoice", result_of(0, "/next")), say(".")
    )

    assert arguments(played(written, request({"next": {"id": 7}}))) == {"id": 7}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (result_of(0, "/data/5/id"), "nothing at '5'"),
        (result_of(0, "/nope"), "nothing at 'nope'"),
        (result_of(0, call=1), "expected the result of call 1 of step 0"),
        (result_of(3), "expected the result of call 0 of step 3"),
        (result_of(0, "data"), "begins with '/'"),
    ],
)
def test_a_result_that_is_not_there_is_a_finding(source: Any, message: str) -> None:
    """Nothing is made up in its place."""
    written = script(call("domain:list-invoices"), call("domain:issue-invoice", {"id": source}), say("."))

    kind, seen = refused(played(written, request({"data": [{"id": 18}]})))

    assert kind is FindingKind.NO_RESULT
    assert message in seen


def test_a_branch_follows_an_earlier_result() -> None:
    """The same script answers differently to different results, and goes on after the branch."""
    written = script(
        call("domain:issue-invoice"),
        branch(
            result_of(pointer="/status"),
            {"ok": [call("domain:list-invoices")], "approval-required": say("Please approve.")},
            otherwise=[call("domain:issue-invoice"), call("domain:list-invoices")],
        ),
        say("The end."),
    )

    assert said(played(written, request({"status": "approval-required"}))) == "Please approve."
    assert said(played(written, request({"status": "ok"}, {}))) == "The end."
    assert said(played(written, request({"status": "error"}, {}, {}))) == "The end."


def test_a_value_without_a_way_on_is_a_finding() -> None:
    """A branch without `otherwise` says which values it knows."""
    written = script(call("domain:issue-invoice"), branch(result_of(pointer="/status"), {"ok": say("Good.")}))

    kind, message = refused(played(written, request({"status": "error"})))

    assert kind is FindingKind.NO_WAY_ON
    assert """expected one of "ok" at '/status', got 'error'""" in message


def test_a_step_repeats() -> None:
    """A model that calls again and again is one step, a number of times or without end."""
    three = script(repeat(call("domain:list-invoices"), 3), say("Enough."))
    ever = script(repeat(call("domain:list-invoices")))

    assert said(played(three, request({}, {}, {}))) == "Enough."
    outcome = played(ever, request(*[{}] * 40))
    assert outcome.reply is not None
    assert outcome.reply.calls[0].id == "call_dp_k7_0_40_0"


def test_the_first_attempts_fail_as_scripted() -> None:
    """The attempt is counted outside; the player says what it gets."""
    written = script(step(say("At last."), fails=[status(500)]))

    first, second = played(written, request(), attempt=1), played(written, request(), attempt=2)

    assert first.reply is not None
    assert first.reply.faults == (status(500),)
    assert (said(second), second.findings) == ("At last.", ())


def test_a_step_asked_again_is_answered_and_is_a_finding() -> None:
    """The answer is the same, so that the target can go on, and the run is not as scripted."""
    outcome = played(script(say("Once.")), request(), attempt=2)

    assert said(outcome) == "Once."
    assert [finding.kind for finding in outcome.findings] == [FindingKind.ASKED_AGAIN]


@pytest.mark.parametrize(("asked", "attempt", "findings"), [(2, 2, 0), (2, 3, 1), (None, 99, 0)])
def test_a_step_may_be_meant_to_be_asked_again(asked: int | None, attempt: int, findings: int) -> None:
    """A case that posts the same step twice says so."""
    outcome = played(script(step(say("Twice."), asked=asked)), request(), attempt=attempt)

    assert len(outcome.findings) == findings


def test_unmet_expectations_are_named_together() -> None:
    """The refusal says everything that was not as expected, and what was seen."""
    written = script(
        call("domain:list-invoices"),
        step(
            expect(
                offered=["domain:list-invoices", "domain:x"], absent="domain:issue-invoice", last_code="OK"
            ),
            say("."),
        ),
    )

    kind, message = refused(played(written, request({"error": {"code": "FORBIDDEN"}})))

    assert kind is FindingKind.EXPECTATION
    assert "domain:x is not offered" in message
    assert "domain:issue-invoice is offered" in message
    assert "the last result has code 'FORBIDDEN'" in message
    assert "domain:list-invoices is" not in message


def test_each_expectation_can_hold_and_can_fail() -> None:
    """On the same request, what is so passes and what is not so is refused."""
    asked = OpenAIChat().parse(json.dumps(bodies.chat()).encode())
    filters, reading = "view:invoices.pending.setFilters", "view:invoices.pending.readState"
    holds = expect(
        offered=filters,
        absent=reading,
        with_field={filters: "due"},
        without_field={filters: ["invoiceId"]},
        unavailable={reading: "Open the list"},
        last_code="FORBIDDEN",
        last_value={"/error/retryable": False},
    )
    fails = (
        *expect(offered=reading),
        *expect(absent=filters),
        *expect(with_field={filters: "invoiceId"}),
        *expect(with_field={reading: "due"}),
        *expect(without_field={filters: "due"}),
        *expect(without_field={reading: "due"}),
        *expect(available=reading),
        *expect(unavailable={reading: "Close it"}),
        *expect(unavailable=filters),
        *expect(last_code="OK"),
        *expect(last_value={"/error/code": "OK"}),
        *expect(last_value={"/nope": 1}),
    )

    assert [expectation.unmet(asked) for expectation in holds] == [None] * len(holds)
    assert all(expectation.unmet(asked) for expectation in fails)


def test_expectations_of_results_need_a_result() -> None:
    """Without one they are unmet, and say so."""
    asked = request()

    assert [
        expectation.unmet(asked) for expectation in (*expect(last_code="X"), *expect(last_value={"": 1}))
    ] == [
        "no result since the user's message, so none with code 'X'",
        "no result since the user's message, so none with 1 at ''",
    ]


def test_a_view_call_goes_through_the_meta_tools() -> None:
    """Where the meta tools are offered in place of the capabilities, the same script calls through them."""
    acted = played(
        script(call("view:invoices.pending.setFilters", {"due": "all"}), say(".")), request(tools=META)
    )
    looked = played(script(read("view:invoices.pending.readState@left"), say(".")), request(tools=META))

    assert acted.reply is not None
    assert acted.reply.calls[0].name == "surface_act"
    assert arguments(acted) == {"capabilityId": "view:invoices.pending.setFilters", "input": {"due": "all"}}
    assert looked.reply is not None
    assert looked.reply.calls[0].name == "surface_read"
    assert arguments(looked) == {"capabilityId": "view:invoices.pending.readState", "instanceId": "left"}


def test_a_discovery_says_which_meta_tool_and_that_a_procedure_is_there() -> None:
    """What the surface disclosed goes before what the script assumes; a contextual operation needs it."""
    found = {
        "components": [
            {"observations": [{"capabilityId": "view:a.look"}], "actions": [{"capabilityId": "view:a.do"}]}
        ],
        "procedures": [{"procedureId": "domain:update-status"}],
    }
    asked = {"name": "surface_discover", "arguments": "{}"}
    discovery = (
        {"role": "assistant", "tool_calls": [{"id": "d1", "type": "function", "function": asked}]},
        {"role": "tool", "tool_call_id": "d1", "content": json.dumps({"ok": True, "output": found})},
    )
    after = request(tools=META, extra=discovery)

    def tool(written: Call) -> str:
        outcome = played(script(written, say(".")), after)
        assert outcome.reply is not None, outcome.findings
        return outcome.reply.calls[0].name

    assert [tool(call(name)) for name in ("view:a.look", "view:a.do", "domain:update-status")] == [
        "surface_read",
        "surface_act",
        "surface_act",
    ]
    assert tool(read("view:a.do")) == "surface_act"


def test_an_undisclosed_operation_is_not_guessed_in_meta_mode() -> None:
    """A domain id that no tool and no discovery names is as absent as in direct mode."""
    kind, _ = refused(played(script(call("domain:update-status"), say(".")), request(tools=META)))

    assert kind is FindingKind.NOT_OFFERED


def test_malformed_arguments_stay_malformed_through_the_meta_tools() -> None:
    """They are spliced in as text."""
    outcome = played(script(call("view:a.do", raw='{"due":'), say(".")), request(tools=META))

    assert outcome.reply is not None
    assert outcome.reply.calls[0].arguments == '{"capabilityId":"view:a.do","input":{"due":}'


def test_deltas_of_arguments_are_sent_as_written() -> None:
    """A recorded call streams as it was heard."""
    outcome = played(script(call("domain:list-invoices", raw=['{"a', '":1}']), say(".")), request())

    assert outcome.reply is not None
    assert outcome.reply.calls[0].deltas == ('{"a', '":1}')


@pytest.mark.parametrize(("pieces", "expected"), [(1, ["abcde"]), (2, ["abc", "de"]), (9, list("abcde"))])
def test_arguments_can_come_in_pieces(pieces: int, expected: list[str]) -> None:
    """The pieces together are the text."""
    outcome = played(script(call("domain:list-invoices", raw="abcde", pieces=pieces), say(".")), request())

    assert outcome.reply is not None
    assert list(outcome.reply.calls[0].deltas) == expected


def test_turns_have_their_own_steps() -> None:
    """The step counts from 0 in each turn, by the ids of that turn."""
    written = script(turn(call("domain:list-invoices"), say("One.")), turn(say("Two.")))

    assert said(played(written, request({}), turn=1)) == "Two."
