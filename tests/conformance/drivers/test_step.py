"""What a posted step came to."""

import json
from typing import Any

import pytest

from conformance.drivers.step import Step, answers_in, call_ids_in, read_refusal
from conformance.errors import Departure
from conformance.wire.answer import Answer
from conformance.wire.chat import assistant_call, tool_message, user_message
from tests.conformance.wire.frames_of import call, finish, log, result, start, text


def step(*frames: dict[str, Any]) -> Step:
    """A step with these frames."""
    return Step({}, log(*frames))


def test_a_step_is_read_by_what_it_holds() -> None:
    """Text is put together, calls and results are told apart, pending calls come from the last frame."""
    tool = {"canonicalId": "domain:a", "wireName": "domain_a"}
    read = step(
        start(domainTools=[tool]),
        text("Hel"),
        call(),
        text("lo"),
        result(),
        call("c2", "browser", "view:a"),
        finish("c2"),
    )

    assert "Hello" == read.text
    assert ["c1", "c2"] == [frame.tool_call_id for frame in read.calls]
    assert ["c2"] == [frame.tool_call_id for frame in read.pending]
    assert ("domain:a",) == read.offered_by_server()
    assert "c1" == read.result_of("domain:a").tool_call_id


def test_what_is_missing_is_a_finding_with_what_is_there() -> None:
    """The message must show the stream, since that is all a reader of a red verdict has."""
    with pytest.raises(Departure) as caught:
        _ = step(start(), text()).finish

    assert "the step has no step-finish frame; it has ['step-start', 'text-delta']" == str(caught.value)


@pytest.mark.parametrize(
    ("frames", "message"),
    [
        ([start(), finish()], "expected one result of domain:a, saw 0 among []"),
        (
            [start(), call(), result(), call("c2"), result("c2"), finish()],
            "expected one result of domain:a, saw 2 among ['domain:a c1', 'domain:a c2']",
        ),
    ],
)
def test_one_result_means_exactly_one(frames: list[dict[str, Any]], message: str) -> None:
    """A second answer to a call must not hide behind the first."""
    with pytest.raises(Departure) as caught:
        step(*frames).result_of("domain:a")

    assert message == str(caught.value)


def test_answers_are_collected_by_call_from_the_history() -> None:
    """Each call may have none, one or several answers; other messages and parts are passed over."""
    history = [
        user_message("hi"),
        assistant_call("c1", "domain_a", {}),
        tool_message("c1", "domain_a", {"ok": 1}),
        tool_message("c1", "domain_a", {"ok": 2}),
        {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c2", "output": "bare"}, "odd"]},
    ]

    assert {"c1": [{"ok": 1}, {"ok": 2}], "c2": ["bare"]} == answers_in(history)
    assert ("c1",) == call_ids_in(history)


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        (json.dumps({"error": {"code": "BAD", "message": "No."}}).encode(), "BAD", "No."),
        (b'{"error": "BAD"}', "", '{"error": "BAD"}'),
        (b"Bad Request", "", "Bad Request"),
        (b"[1]", "", "[1]"),
    ],
)
def test_a_refusal_is_read_in_every_shape(body: bytes, code: str, message: str) -> None:
    """That the step was refused counts; a code is there if the body has one where the protocol puts it."""
    refusal = read_refusal(Answer("POST", "/agent/chat", 400, {}, body))

    assert (400, code, message) == (refusal.status, refusal.code, refusal.message)


@pytest.mark.parametrize(
    ("status", "headers", "body", "sentence"),
    [
        (400, {}, b'{"error": {"code": "BAD", "message": "No."}}', "the step was refused with 400 BAD: No."),
        (307, {"location": "http://x/"}, b"", "the step was sent elsewhere: 307 to http://x/"),
        (302, {}, b"", "the step was sent elsewhere: 302 to nowhere"),
        (
            200,
            {"content-type": "text/html; charset=utf-8"},
            b"<h1>Hi</h1>",
            "the step was answered 200 as text/html, which is no stream of frames: '<h1>Hi</h1>'",
        ),
        (
            200,
            {},
            b"",
            "the step was answered 200 as nothing in particular, which is no stream of frames: ''",
        ),
    ],
)
def test_what_came_instead_of_a_step_is_a_sentence(
    status: int, headers: dict[str, str], body: bytes, sentence: str
) -> None:
    """Whoever reads the finding must see what their host did, not what the suite would have liked."""
    assert sentence == read_refusal(Answer("POST", "/agent/chat", status, headers, body)).sentence
