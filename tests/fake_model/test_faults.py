"""Every fault, as each provider's own client meets it."""

from typing import Any

import anthropic
import httpx2
import openai
import pytest

from fake_model import (
    Ending,
    FakeModel,
    Fault,
    broken_event,
    call,
    cut,
    error_event,
    not_a_stream,
    reset,
    say,
    script,
    status,
    step,
)
from tests.fake_model.clients import Answered, Client, Said

STREAMED = pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])

STATUS_ERRORS = (openai.APIStatusError, anthropic.APIStatusError)

StatusError = openai.APIStatusError | anthropic.APIStatusError

CONNECTION_ERRORS = (openai.APIConnectionError, anthropic.APIConnectionError, httpx2.TransportError)


def ask(client: Client, prompt: str, *, stream: bool = True) -> Any:
    """Ask one question."""
    return client.ask([Said(prompt)], stream=stream)


def status_error(caught: pytest.ExceptionInfo[Exception]) -> StatusError:
    """Return what was raised as what it is."""
    assert isinstance(caught.value, STATUS_ERRORS)
    return caught.value


@STREAMED
@pytest.mark.parametrize("code", [400, 401, 403, 404, 409, 413, 429, 500, 503, 529])
def test_a_status_comes_with_the_providers_error(
    model: FakeModel, client: Client, stream: bool, code: int
) -> None:
    """The client raises its own status error, with the message that the script gives."""
    run = model.play(script(status(code, "no more today")))

    with pytest.raises(STATUS_ERRORS) as caught:
        ask(client, run.prompt("Hello"), stream=stream)

    error = status_error(caught)
    assert error.status_code == code
    assert "no more today" in str(caught.value)
    run.assert_complete()


def test_retry_after_is_sent(model: FakeModel, client: Client) -> None:
    """Whether a client waits is its own affair; it must be told how long."""
    run = model.play(script(status(429, retry_after=7)))

    with pytest.raises(STATUS_ERRORS) as caught:
        ask(client, run.prompt("Hello"))

    assert status_error(caught).response.headers["retry-after"] == "7"


def test_an_error_body_can_be_anything(model: FakeModel, client: Client) -> None:
    """Gateways answer with pages of their own; the body is sent as it is."""
    run = model.play(script(status(502, body="<h1>Bad gateway</h1>")))

    with pytest.raises(STATUS_ERRORS) as caught:
        ask(client, run.prompt("Hello"))

    assert status_error(caught).response.text == "<h1>Bad gateway</h1>"


def test_the_first_attempts_can_fail(model: FakeModel, client: Client) -> None:
    """A step says how often it fails and how; the attempts are counted, and then it is answered."""
    run = model.play(script(step(say("At last."), fails=[status(500), reset()])))
    prompt = run.prompt("Hello")

    with pytest.raises(STATUS_ERRORS):
        ask(client, prompt)
    with pytest.raises(CONNECTION_ERRORS):
        ask(client, prompt)
    seen = ask(client, prompt)

    assert seen.text == "At last."
    assert [exchange.attempt for exchange in run.exchanges] == [1, 2, 3]
    run.assert_complete()


@pytest.mark.parametrize("fault", [cut(after_events=2), cut(after_bytes=100), reset(after_events=2)])
def test_a_stream_can_break_off(model: FakeModel, client: Client, fault: Fault) -> None:
    """A connection that ends in the middle of a chunked body is an error to a client, never a short answer."""
    run = model.play(script(step(say("a", "b", "c", "d"), fault)))

    with pytest.raises(CONNECTION_ERRORS):
        ask(client, run.prompt("Hello"))

    (exchange,) = run.wait_finished(1)
    assert exchange.sent is not None
    assert exchange.sent.ending in (Ending.CUT, Ending.RESET)


@STREAMED
@pytest.mark.parametrize("fault", [reset(), cut(after_bytes=0)])
def test_no_byte_of_the_body_need_come(model: FakeModel, client: Client, stream: bool, fault: Fault) -> None:
    """The connection can end before anything was said."""
    run = model.play(script(step(say("Hello."), fault)))

    with pytest.raises(CONNECTION_ERRORS):
        ask(client, run.prompt("Hello"), stream=stream)


def test_a_whole_reply_can_break_off(model: FakeModel, client: Client) -> None:
    """The announced length is that of the whole document, so that a client notices."""
    run = model.play(script(step(say("Hello."), cut(after_bytes=30))))

    with pytest.raises(CONNECTION_ERRORS):
        ask(client, run.prompt("Hello"), stream=False)


def test_a_stream_can_end_without_its_ending(model: FakeModel, client: Client) -> None:
    """A clean cut ends the HTTP message; the client reads what came and hears no finish."""
    whole = model.play(script(say("a", "b", "c")))
    ask(client, whole.prompt("Hello"))
    run = model.play(script(step(say("a", "b", "c"), cut(after_events=4, clean=True))))

    seen = ask(client, run.prompt("Hello"))

    assert seen.finish is None
    assert "abc".startswith(seen.text)


def test_the_finish_can_be_missing(model: FakeModel, client: Client) -> None:
    """A reply without a finish reason reads as one that nobody ended."""
    run = model.play(script(step(say("Hello."), finish="missing")))

    seen = ask(client, run.prompt("Hello"))

    assert (seen.text, seen.finish) == ("Hello.", None)


def test_the_finish_can_be_wrong(model: FakeModel, client: Client) -> None:
    """A word that the provider does not know is sent as it is."""
    run = model.play(script(step(call("domain:list-invoices"), finish="bored"), say(".")))

    assert ask(client, run.prompt("Hello")).finish == "bored"


def test_an_event_can_be_no_json(model: FakeModel, client: Client) -> None:
    """A client can't read the event and says so; which error it raises is its own affair."""
    run = model.play(script(step(say("a", "b"), broken_event(1))))

    with pytest.raises((ValueError, *STATUS_ERRORS)):
        ask(client, run.prompt("Hello"))


def test_an_error_can_come_inside_a_200(model: FakeModel, client: Client) -> None:
    """An overloaded provider breaks a stream off with an error event; the client raises it."""
    run = model.play(script(step(say("a", "b"), error_event(2, "overloaded, sorry", "overloaded_error"))))

    with pytest.raises((openai.APIError, anthropic.APIError), match="overloaded, sorry"):
        ask(client, run.prompt("Hello"))


def test_a_200_can_be_no_stream(model: FakeModel, client: Client) -> None:
    """A proxy's page in the place of a stream has no events: the client reads nothing."""
    run = model.play(script(step(not_a_stream("<h1>Sign in</h1>"))))

    seen = ask(client, run.prompt("Hello"))

    assert (seen.text, seen.finish) == ("", None)


@pytest.mark.parametrize(
    "raw",
    ["", '{"kind":', "not json", "[1]", '"text"', '{"kind": "a", "kind": "b"}', '{"n": NaN}', '{"n": 1e400}'],
)
def test_arguments_are_sent_as_they_are(model: FakeModel, client: Client, raw: str) -> None:
    """Arguments that are cut, empty, no JSON, no object or ambiguous reach the client byte for byte."""
    run = model.play(script(call("domain:list-invoices", raw=raw), say(".")))

    seen = ask(client, run.prompt("Hello"))

    assert [called.arguments for called in seen.calls] == [raw]


def test_the_conversation_goes_on_after_malformed_arguments(model: FakeModel, client: Client) -> None:
    """The next step is found by the call's id, whatever the target made of the arguments."""
    run = model.play(script(call("domain:list-invoices", raw=""), say("So be it.")))
    seen = ask(client, run.prompt("Hello"))

    last = client.ask([Said(run.prompt("Hello")), Answered(seen, ('{"status": "error"}',))], stream=True)

    assert last.text == "So be it."
    run.assert_complete()
